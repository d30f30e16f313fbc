"""The commands by which a mailbox is read and cleared away: the same for fetching, and for the trial at the set-up.

They take nothing for granted that servers leave out: Courier says no UIDNEXT, imap4d of GNU Mailutils finds nothing by
`SEARCH UID 7:*`, and any server may have lost a mail between two commands. Sources: RFC 9051, RFC 2342 (NAMESPACE),
RFC 6851 (MOVE), RFC 4315 (UIDPLUS).
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from webapp.core.imap_connection import IMAPClient, IMAPClientAbortError, IMAPClientError
from webapp.core.mailbox import INBOX


def opened(line: IMAPClient, folder: str, *, to_change: bool = False) -> tuple[int, int]:
    """Opens a folder, anew if it is open. Returns the UIDVALIDITY of its mails' numbers, and the UIDNEXT, each 0 if
    the server does not say it. Only with `to_change` may mails be marked, moved or deleted.
    """
    said = line.select_folder(folder, readonly=not to_change)
    return int(said.get(b"UIDVALIDITY", 0)), int(said.get(b"UIDNEXT", 0))


def uids_after(line: IMAPClient, seen: int) -> list[int]:
    """The numbers of the mails beyond `seen`, in order."""
    wanted = f"{seen + 1}:*"
    found = _searched(line, ["UID", wanted]) or line.fetch(wanted, ["UID"])  # a list of numbers needs less memory
    return sorted(uid for uid in found if uid > seen)  # a server names the last mail even if it is older


def uids_since(line: IMAPClient, day: date) -> list[int]:
    """The numbers of the mails that have come since that day, in order; those of all if the server can't search."""
    found = _searched(line, ["SINCE", day])
    return uids_after(line, 0) if found is None else sorted(found)


def _searched(line: IMAPClient, wanted: list[Any]) -> list[int] | None:
    """The numbers of the mails that a search finds; None if the server can't search."""
    try:
        return list(line.search(wanted))
    except IMAPClientAbortError:
        raise
    except (IMAPClientError, ValueError):  # a refusal, or an answer in pieces, which the library cannot read
        return None


def heads(line: IMAPClient, uids: Sequence[int], names: Iterable[str]) -> dict[int, bytes]:
    """The named fields of the mails' headers, without marking them; a mail that is gone is left out."""
    fetched = line.fetch(uids, [f"BODY.PEEK[HEADER.FIELDS ({' '.join(names)})]"])
    return {uid: _content(fetched[uid], b"BODY[HEADER") for uid in uids if uid in fetched}


def whole(line: IMAPClient, uid: int, most: int) -> bytes | None:
    """The first `most` bytes of a mail, without marking it; None if it is gone, empty if the server gives nothing."""
    fetched = line.fetch([uid], [f"BODY.PEEK[]<0.{most}>"])
    return _content(fetched[uid], b"BODY[]") if uid in fetched else None


def remove(line: IMAPClient, uids: Sequence[int]) -> None:
    """Deletes mails of the folder that is open to be changed; without UIDPLUS they are marked as deleted only."""
    line.delete_messages(uids, silent=True)
    if line.has_capability("UIDPLUS"):  # else it would also remove what the owner has marked
        line.expunge(uids)


def move(line: IMAPClient, uids: Sequence[int], folder: str) -> None:
    """Moves mails of the folder that is open to be changed to another one, which is made if there is none."""
    if not line.folder_exists(folder):
        line.create_folder(folder)
    if line.has_capability("MOVE"):
        line.move(uids, folder)
        return
    line.copy(uids, folder)
    remove(line, uids)


def named_here(line: IMAPClient, folder: str) -> str:
    """The server's name of a folder of the user's own: many put a prefix before it, or part names by another letter.

    `Hearts/Played` is `INBOX.Hearts.Played` at Courier. A name that begins with the prefix stays as it is.
    """
    spaces = line.namespace() if line.has_capability("NAMESPACE") else ()
    prefixes = tuple(prefix for space in spaces for prefix, _ in space or () if prefix)
    if not spaces or not spaces[0] or folder.upper() == INBOX or folder.startswith(prefixes):
        return folder
    prefix, separator = spaces[0][0]
    return f"{prefix}{folder.replace('/', separator) if separator else folder}"


def _content(fetched: dict[bytes, Any], begins: bytes) -> bytes:
    """The part of a fetched mail whose name begins so; empty if there is none."""
    return next((bytes(value) for name, value in fetched.items() if name.startswith(begins) and value), b"")
