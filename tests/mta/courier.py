"""The test's own Courier: packages unpacked into a folder that is the root of its processes, on an unprivileged port.

Debian's packages of Courier and Dovecot exclude each other, so Courier's are downloaded and never installed.
"""

import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.run import is_taken
from tests.mta.dovecot import PASSWORD, USER
from tests.mta.postfix import WHERE, own_folder
from tests.servers import free_port, wait_until

PACKAGES = (
    *("courier-imap", "courier-base", "courier-authlib", "courier-authlib-userdb", "libcourier-unicode4"),
    *("libgamin0", "libidn12", "libltdl7"),  # libraries of theirs that few machines have
)
AUTH = "/usr/lib/courier/courier-authlib"
IMAP = ("/usr/sbin/couriertcpd", "/usr/lib/courier/courier/imaplogin", "/usr/bin/imapd")
PROGRAMS = (*IMAP, f"{AUTH}/authdaemond", f"{AUTH}/makedatprog", "/usr/lib/courier-authlib/libauthuserdb.so")
AUTHDAEMON = {"authmodulelist": "authuserdb", "daemons": "2", "authdaemonvar": "/run/courier/authdaemon"}
# As Debian sets it up, but for the wait in IDLE, and for a monitor of files that would have to be installed.
OTHERWISE = {"IMAP_IDLE_TIMEOUT": "1", "IMAP_USELOCKS": "0"}


@dataclass(frozen=True)
class Courier:
    """A running Courier with a mailbox."""

    folder: Path
    port: int

    @property
    def url(self) -> str:
        """The INBOX_URL of its mailbox."""
        return f"imap://{USER}@localhost:{self.port}"

    @property
    def mails(self) -> Path:
        """The folder with the maildirs of its users."""
        return self.folder / "home"

    def put(self, *mails: bytes) -> None:
        """Puts mails into the inbox, as a server for mail does."""
        user = pwd.getpwnam("mail")
        for number, raw in enumerate(mails):
            file = self.mails / USER / "tmp" / f"{len(self.inbox)}.{number}.{os.urandom(4).hex()}"
            file.write_bytes(raw)
            os.chown(file, user.pw_uid, user.pw_gid)
            file.rename(file.parent.parent / "new" / file.name)

    @property
    def inbox(self) -> list[Path]:
        """The files of the mails in the inbox."""
        return [file for name in ("new", "cur") for file in (self.mails / USER / name).glob("*")]


def why_not() -> str | None:
    """Why Courier cannot be started here; None if it can."""
    if os.geteuid() != 0:
        return "Courier starts its processes as root: run `make test-mta` as root."
    if shutil.which("apt-get", path=WHERE) is None:
        return "Courier comes in Debian's packages: there is no apt-get here."
    return None


@contextmanager
def running_courier(**settings: str) -> Iterator[Courier]:
    """A Courier with one empty mailbox, stopped afterwards; `settings` replace some of the file `imapd`."""
    folder = own_folder("hearts-courier-")
    processes: list[subprocess.Popen[bytes]] = []
    try:
        _unpack(folder)
        courier = Courier(folder, free_port())
        _make_mailbox(courier)
        usual = ["sh", "-c", f"set -a; . {folder}/etc/courier/imapd; env -0"]
        rows = (
            subprocess.run(usual, env={"PATH": WHERE}, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
        )
        env = dict(row.split("=", 1) for row in rows if row) | OTHERWISE | settings
        options = ("-address=127.0.0.1", "-nodnslookup", "-noidentlookup", str(courier.port))
        processes.append(_started(folder, AUTHDAEMON, f"{AUTH}/authdaemond"))
        processes.append(_started(folder, env, IMAP[0], *options, *IMAP[1:], "Maildir"))
        wait_until("Courier", lambda: is_taken("127.0.0.1", courier.port))
        wait_until("its users", (folder / "run/courier/authdaemon/socket").exists)
        yield courier
    finally:
        for process in processes:
            process.terminate()
            process.wait(30)
        shutil.rmtree(folder)


def _unpack(folder: Path) -> None:
    """Unpacks the programs, and copies what they need of this machine: nothing beyond `folder` is there for them."""
    download = ["apt-get", "download", "-qq", *PACKAGES]
    if subprocess.run(download, cwd=folder, capture_output=True, check=False).returncode:
        subprocess.run(["apt-get", "update", "-qq"], capture_output=True, check=True)
        subprocess.run(download, cwd=folder, capture_output=True, check=True)
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg", "-x", package, folder], check=True)
        package.unlink()
    own = [folder / "usr/lib", *(folder / "usr/lib").glob("*-linux-gnu")]
    env = {"PATH": WHERE, "LD_LIBRARY_PATH": ":".join(map(str, own))}
    for program in PROGRAMS:
        told = subprocess.run(
            ["ldd", f"{folder}{program}"], env=env, stdout=subprocess.PIPE, check=True
        ).stdout.decode()
        for library in map(Path, re.findall(r"(/\S+) \(0x", told)):
            place = folder / ("lib64" if library.name.startswith("ld-linux-x86-64") else "usr/lib") / library.name
            place.parent.mkdir(exist_ok=True)
            if not place.exists():
                shutil.copy(library, place)


def _make_mailbox(courier: Courier) -> None:
    user, folder = pwd.getpwnam("mail"), courier.folder
    hashed = _said("openssl", "passwd", "-1", PASSWORD)
    home = f"uid={user.pw_uid}|gid={user.pw_gid}|home=/home|mail=/home/{USER}"
    for name, row in (("userdb", home), ("userdbshadow", f"imappw={hashed.strip()}")):
        command = [f"{AUTH}/makedatprog", "-", f"/etc/courier/{name}.tmp", f"/etc/courier/{name}.dat"]
        subprocess.run(
            ["chroot", folder, *command], input=f"{USER}\t{row}\n.\n".encode(), env={"PATH": WHERE}, check=True
        )
        (folder / f"etc/courier/{name}.dat").chmod(0o600)
    settings = "".join(f'{name}="{value}"\n' for name, value in AUTHDAEMON.items())
    (folder / "etc/courier/authdaemonrc").write_text(settings)
    for place in ("tmp", "dev", "run/courier/authdaemon"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    (folder / "dev/null").touch()
    for name in ("cur", "new", "tmp"):
        (courier.mails / USER / name).mkdir(parents=True)
    for place in (courier.mails, *courier.mails.rglob("*")):
        os.chown(place, user.pw_uid, user.pw_gid)


def _started(folder: Path, env: dict[str, str], *command: str) -> subprocess.Popen[bytes]:
    with (folder / "log").open("a") as log:
        return subprocess.Popen(["chroot", folder, *command], env=env | {"PATH": WHERE}, stdout=log, stderr=log)


def _said(*command: str, **env: str) -> str:
    """The output of a command."""
    return subprocess.run(command, env={"PATH": WHERE} | env, stdout=subprocess.PIPE, check=True).stdout.decode()
