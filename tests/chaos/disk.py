"""A disk that can be full: a small file system in memory, of which only this process and its children know.

It needs no root where the kernel lets users have mounts of their own, and ends with the processes that see it, however
they end. Source: mount_namespaces(7), user_namespaces(7), tmpfs(5).
"""

import ctypes
import os
import shutil
from pathlib import Path

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REMOUNT, MS_REC, MS_PRIVATE = 32, 16384, 1 << 18
SIZE = 4 << 30  # bytes at most; it takes no more memory than its files
PAGE = 4096


class NoDisk(Exception):
    """The system lets us have no file system of our own; the text says why."""


def have_own_mounts() -> None:
    """Lets this process have mounts of its own. Call it before it has threads. Raises NoDisk."""
    user, group = os.getuid(), os.getgid()
    _call("unshare", CLONE_NEWNS | (CLONE_NEWUSER if user else 0))
    if user:
        _keep_names(user, group)
    _call("mount", None, b"/", None, MS_REC | MS_PRIVATE, None)


def _keep_names(user: int, group: int) -> None:
    """Lets the user and the group have the same numbers as before. Raises NoDisk."""
    try:
        for file, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            Path(f"/proc/self/{file}").write_text(text, encoding="ascii")
    except OSError as error:
        raise NoDisk(f"the kernel maps no users: {error.strerror}") from None


class Disk:
    """An empty file system at a folder, which it makes."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self._mount(0, SIZE)
        folder.chmod(0o711)

    def fill(self) -> None:
        """No file can grow any more, nor can there be a new one."""
        used = shutil.disk_usage(self.folder).used
        self._mount(MS_REMOUNT, max(PAGE, used))

    def free(self) -> None:
        self._mount(MS_REMOUNT, SIZE)

    def _mount(self, flags: int, size: int) -> None:
        _call("mount", b"tmpfs", os.fsencode(self.folder), b"tmpfs", flags, f"size={size}".encode())


def _call(name: str, *arguments: object) -> None:
    """Calls the C library. Raises NoDisk."""
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (AttributeError, OSError):
        raise NoDisk(f"this system has no {name}") from None
    if function(*arguments) != 0:
        raise NoDisk(f"{name}: {os.strerror(ctypes.get_errno()).lower()}")
