"""The test's own Postfix: configuration, queue and log in one folder, on unprivileged ports of the loopback.

It relays the mails of the service to the players' server, and is the MX for replies. The lines that operators add
to theirs are those of docs/mail-server.md; everything else only keeps it apart from the Postfix of the machine.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers import ROOT, free_port

REPLY_DOMAIN = "in.hearts.example.org"  # as in docs/mail-server.md
WHERE = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = mx.hearts.example.org
mydestination =
alias_maps =
local_recipient_maps =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
relayhost = [127.0.0.1]:{players_port}
disable_dns_lookups = yes
smtpd_peername_lookup = no
in_flow_delay = 0
address_verify_poll_delay = 1
{documented}
"""
# The processes of every Postfix of the tests.
PROCESSES = """\
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""
# One port takes the mails of the service; the MX, which trusts nobody, has two: as it comes, and as that page advises.
MASTER = """\
127.0.0.1:{relay_port} inet n - n - - smtpd
127.0.0.1:{mx_port} inet n - n - - smtpd
  -o mynetworks=
127.0.0.1:{strict_port} inet n - n - - smtpd
  -o mynetworks=
{strict}
pickup unix n - n 60 1 pickup
verify unix - - n - 1 verify
relay unix - - n - - smtp
lmtp unix - - n - - lmtp
scache unix - - n - 1 scache
"""


@dataclass(frozen=True)
class Postfix:
    """A running Postfix: its ports, and its log."""

    relay_port: int
    mx_port: int
    strict_port: int
    folder: Path

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")


def why_not() -> str | None:
    """Why Postfix cannot be started here; None if it can."""
    if os.geteuid() != 0:
        return "Postfix starts its processes as root: run `make test-mta` as root."
    if shutil.which("postfix", path=WHERE) is None:
        return "Postfix is not installed (Debian, Ubuntu: apt install postfix; its service need not run)."
    return None


@contextmanager
def running_postfix(players_port: int, inbox_port: int) -> Iterator[Postfix]:
    """Postfix between the service, which takes replies at `inbox_port`, and the players' server; stopped afterwards."""
    folder = own_folder("hearts-postfix-")
    postfix = Postfix(free_port(), free_port(), free_port(), folder)
    required, advised = documented_lines(inbox_port)
    ports = {"relay_port": postfix.relay_port, "mx_port": postfix.mx_port, "strict_port": postfix.strict_port}
    main = MAIN.format(folder=folder, players_port=players_port, documented="\n".join(required))
    strict = "\n".join(f"  -o {{ {line} }}" for line in advised)
    with started(folder, main, MASTER.format(**ports, strict=strict)):
        yield postfix


def own_folder(prefix: str) -> Path:
    """A new folder outside pytest's own: Postfix runs as its own user, who must be able to read there."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    folder.chmod(0o755)
    return folder


@contextmanager
def started(folder: Path, main: str, master: str) -> Iterator[None]:
    """A Postfix with these settings, and with the processes of `master` besides PROCESSES; its folder goes with it."""
    (folder / "main.cf").write_text(main)
    (folder / "master.cf").write_text(master + PROCESSES)
    (folder / "queue").mkdir()
    (folder / "data").mkdir()
    shutil.chown(folder / "data", pwd.getpwnam("postfix").pw_uid)
    try:
        _command(folder, "start")
        yield
    finally:
        _command(folder, "stop")
        shutil.rmtree(folder)


def documented_lines(inbox_port: int) -> tuple[list[str], list[str]]:
    """The lines that docs/mail-server.md adds to main.cf: the two required ones, and those that it advises."""
    text = (
        (ROOT / "docs" / "mail-server.md")
        .read_text(encoding="utf-8")
        .replace("127.0.0.1:8025", f"127.0.0.1:{inbox_port}")
    )
    (block,) = [block for block in text.split("```") if "relay_domains" in block]
    lines = block.strip().splitlines()
    return lines[:2], lines[2:]


def _command(folder: Path, word: str) -> None:
    run = subprocess.run(
        ["postfix", "-c", folder, word], env={"PATH": WHERE}, capture_output=True, text=True, check=False
    )
    said = (folder / "log").read_text(errors="replace") if (folder / "log").exists() else ""
    assert run.returncode == 0, f"postfix {word}: {run.stdout}{run.stderr}{said}"
