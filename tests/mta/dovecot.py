"""The test's own Dovecot: configuration, users and mails in one folder, on an unprivileged port of the loopback."""

import imaplib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.run import is_taken
from tests.mta.postfix import WHERE
from tests.servers import free_port, wait_until

USER, PASSWORD = "hearts@example.org", "four words with blanks"
CONF = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = dovecot
default_login_user = dovenull
first_valid_uid = 1
mail_location = maildir:{folder}/mail/%u
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {folder}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
namespace inbox {{
  inbox = yes
}}
# Whoever has given a wrong password does not wait longer each time, as from strangers.
auth_failure_delay = 0
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
{more}
"""
WITHOUT_IDLE = "imap_capability = IMAP4rev1 LITERAL+ UIDPLUS MOVE"


@dataclass
class Dovecot:
    """A Dovecot; `start` and `stop` may be called again."""

    folder: Path
    port: int

    @property
    def url(self) -> str:
        """The INBOX_URL of its mailbox."""
        return f"imap://{USER}@127.0.0.1:{self.port}"

    def start(self) -> None:
        self._command("-c", str(self.folder / "conf"))
        wait_until("Dovecot", lambda: is_taken("127.0.0.1", self.port))

    def stop(self) -> None:
        self._command("-c", str(self.folder / "conf"), "stop")

    def configure(self, more: str = "") -> None:
        """Writes the configuration, with `more` lines."""
        user = pwd.getpwnam("mail")
        conf = CONF.format(folder=self.folder, port=self.port, uid=user.pw_uid, gid=user.pw_gid, more=more)
        (self.folder / "conf").write_text(conf)

    @contextmanager
    def line(self) -> Iterator[imaplib.IMAP4]:
        """A session of the mailbox's owner."""
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=30) as line:
            line.login(USER, PASSWORD)
            yield line

    def put(self, *mails: bytes, flags: str = "") -> None:
        """Puts mails into the inbox."""
        with self.line() as line:
            for raw in mails:
                assert line.append("INBOX", flags, None, raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))[0] == "OK"

    def empty(self) -> None:
        """Deletes every mail in the inbox."""
        with self.line() as line:
            if line.select("INBOX")[1] == [b"0"]:
                return
            line.store("1:*", "+FLAGS", "\\Deleted")
            line.expunge()

    def renumber(self) -> None:
        """Forgets the numbers of the mails in the inbox: they get new ones, with another UIDVALIDITY."""
        self.stop()
        for file in (self.folder / "mail" / USER).glob("dovecot*"):
            file.unlink()
        self.start()

    def mails(self, folder: str = "INBOX") -> dict[str, str]:
        """The subjects of the mails in a folder, with their flags."""
        with self.line() as line:
            chosen, count = line.select(f'"{folder}"', readonly=True)
            if chosen != "OK" or count == [b"0"]:
                return {}
            found = line.fetch("1:*", "(FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])")[1]
            pairs = [one for one in found if isinstance(one, tuple)]
            flags = (part[0].decode().partition("FLAGS (")[2].partition(")")[0] for part in pairs)
            return {part[1].decode().partition(":")[2].strip(): flag for part, flag in zip(pairs, flags, strict=True)}

    def _command(self, *words: str) -> None:
        with (self.folder / "said").open("w") as said:  # a pipe would stay open as long as it runs
            run = subprocess.run(["dovecot", *words], env={"PATH": WHERE}, stdout=said, stderr=said, check=False)
        assert run.returncode == 0, (self.folder / "said").read_text()


def why_not() -> str | None:
    """Why Dovecot cannot be started here; None if it can."""
    if os.geteuid() != 0:
        return "Dovecot starts its processes as root: run `make test-mta` as root."
    if shutil.which("dovecot", path=WHERE) is None:
        return "Dovecot is not installed (Debian, Ubuntu: apt install dovecot-imapd; its service need not run)."
    return None


@contextmanager
def running_dovecot(more: str = "") -> Iterator[Dovecot]:
    """A Dovecot with one empty mailbox, stopped afterwards; `more` is added to its configuration."""
    folder = Path(tempfile.mkdtemp(prefix="hearts-dovecot-"))
    folder.chmod(0o755)
    (folder / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}::::::\n")
    (folder / "mail").mkdir()
    shutil.chown(folder / "mail", "mail", "mail")
    dovecot = Dovecot(folder, free_port())
    dovecot.configure(more)
    try:
        dovecot.start()
        yield dovecot
    finally:
        dovecot.stop()
        shutil.rmtree(folder)
