"""A Debian machine of the test's own, for recipes: it has the files of this one, below a layer that takes every change,
and systemd as its first process. It shares the network, so that its ports must be free here.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers import ROOT, wait_until

NEEDED = ("systemd", "apt-get", "unshare", "nsenter", "git")
SOURCE = "/usr/local/src/hearts"  # on that machine: where the clean checkout lies
SIZE = "4g"  # of all changes, in memory
# Run in namespaces of its own. Units with users of their own need a root that is no chroot.
BOOT = """
mount --make-rprivate /
mount --bind {root} {root}
mount --rbind /dev {root}/dev
mkdir -p {root}/.before
cd {root}
pivot_root . .before
mount -t proc proc /proc
umount --lazy /.before
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t sysfs -o ro sysfs /sys
mount -t cgroup2 cgroup2 /sys/fs/cgroup
container=test exec systemd --system --log-target=journal --unit=multi-user.target
"""
IN_NAMESPACES = ("unshare", "--pid", "--fork", "--kill-child", "--mount", "--uts", "--ipc", "--cgroup")


@dataclass(frozen=True)
class Machine:
    """A running machine. `first` is the number of its first process, as the machine below counts."""

    first: int

    def run(self, command: str) -> str:
        """Runs a command of the shell as root in the checkout, and returns its output. Fails if the command does."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
        done = subprocess.run(
            ["nsenter", f"--target={self.first}", "--all", "sh", "-ec", f"cd {SOURCE}\n{command}"],
            env={**environment, "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stdout[-3000:]}"
        return done.stdout


def why_not() -> str | None:
    """Why no such machine can be started here; None if it can."""
    if os.geteuid() != 0:
        return "It mounts file systems: run it as root."
    lacking = [name for name in NEEDED if shutil.which(name) is None]
    return f"Not installed here: {', '.join(lacking)}. It needs Debian or Ubuntu with systemd." if lacking else None


@contextmanager
def running_machine(folder: Path) -> Iterator[Machine]:
    """A machine with a clean checkout of this commit. Nothing of it remains in `folder` afterwards."""
    group = _cgroups() / f"hearts-{os.getpid()}"
    with _layered(folder) as root:
        _check_out(root / SOURCE.lstrip("/"))
        # Where this machine is a container, it keeps packages from starting their services.
        (root / "usr/sbin/policy-rc.d").unlink(missing_ok=True)
        group.mkdir()
        boot = (*IN_NAMESPACES, "sh", "-ec", BOOT.format(root=root))
        in_group = f'echo $$ >{group}/cgroup.procs; exec "$@"'
        booting = subprocess.Popen(["sh", "-ec", in_group, "sh", *boot], start_new_session=True)
        try:
            wait_until("systemd starts", lambda: _children(booting.pid))
            (first,) = _children(booting.pid)
            machine = Machine(first)
            wait_until("systemd has started", lambda: _has_booted(machine))
            yield machine
        finally:
            for process in _children(booting.pid):
                os.kill(process, signal.SIGKILL)  # the first process takes all others with it
            booting.kill()
            booting.wait()
            wait_until("the last process has ended", lambda: "populated 0" in (group / "cgroup.events").read_text())
            subprocess.run(["find", group, "-depth", "-type", "d", "-delete"], check=True)


@contextmanager
def _layered(folder: Path) -> Iterator[Path]:
    """The root of all files, below an empty layer in memory."""
    upper, work, root = (folder / name for name in ("upper", "work", "root"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], check=True)
    try:
        for part in (upper, work, root):
            part.mkdir()
        layers = f"lowerdir=/,upperdir={upper},workdir={work}"
        subprocess.run(["mount", "-t", "overlay", "-o", layers, "overlay", root], check=True)
        yield root
    finally:
        subprocess.run(["umount", "--recursive", "--lazy", folder], check=True)


def _check_out(place: Path) -> None:
    place.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "--extract", "--directory", place], input=archive, check=True)


def _cgroups() -> Path:
    """Returns the folder in which this machine has mounted its control groups, of the second version."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    return next(Path(place) for _, place, kind, *_ in mounts if kind == "cgroup2")


def _children(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def _has_booted(machine: Machine) -> bool:
    """Whether all has started that starts by itself. Some units of this machine may have failed, without its /sys."""
    asked = ["nsenter", f"--target={machine.first}", "--all", "systemctl", "is-system-running"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() in ("running", "degraded")
