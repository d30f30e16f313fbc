"""Remembers up to where a mailbox has been read, so that a process that starts goes on there."""

from sqlmodel import Session

from webapp.models import MailboxRow


def place_in(session: Session, name: str, validity: int) -> int:
    """The number of the last mail that needs no more reading; 0 if the mailbox is new, or its numbers are.

    `validity` is that of the mailbox's numbers: another one than before means that they were given anew.
    """
    row = session.get(MailboxRow, name)
    return row.last_uid if row is not None and row.validity == validity else 0


def move_on(session: Session, name: str, validity: int, last_uid: int) -> None:
    """Notes that all mails up to `last_uid` need no more reading. Of two processes, the one further on counts."""
    row = session.get(MailboxRow, name, with_for_update=True)
    if row is None:
        session.add(MailboxRow(name=name, validity=validity, last_uid=last_uid))
    elif row.validity != validity:
        row.validity, row.last_uid = validity, last_uid
    else:
        row.last_uid = max(row.last_uid, last_uid)
