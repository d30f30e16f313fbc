"""Incoming mail, how far the mailbox is read that it is fetched from, and when mail could come in."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from webapp.models.columns import partial_index


class InboundRow(SQLModel, table=True):
    """An incoming mail, stored as received before it is processed."""

    __tablename__ = "inbound"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("recipient", "identity"),
        Index("ix_inbound_recipient", "recipient", "received_at"),
        Index("ix_inbound_sender", "sender", "received_at"),
        partial_index("ix_inbound_next_at", "next_at", "handled_at IS NULL"),
        partial_index("ix_inbound_player_id", "player_id", "handled_at IS NULL"),
    )

    id: int = Field(default=None, primary_key=True)
    sender: str = Field(max_length=320)  # the envelope's; empty for a delivery report
    recipient: str = Field(max_length=320)  # one of our signed addresses
    identity: str = Field(max_length=250)  # its Message-ID, else a hash of the mail, to recognise copies
    player_id: int | None = None  # whose letter it answers; None if there was none, and in older rows
    copies: int = 0  # how often it has come again
    raw: bytes | None = Field(default=None, sa_type=LargeBinary)  # deleted after a while
    next_at: datetime | None  # when a worker should process it, or the end of a worker's lease
    received_at: datetime
    handled_at: datetime | None = None
    taken_for: str | None = Field(default=None, max_length=20)  # move, pass, command, autoreply, bounce, …
    outcome: str | None = Field(default=None, sa_type=Text)  # the result, as a sentence to its sender


class MailboxRow(SQLModel, table=True):
    """How far a mailbox has been read; the numbers are those of its server (RFC 9051)."""

    __tablename__ = "mailbox"

    name: str = Field(primary_key=True, max_length=32)  # a hash of its server, user and folder
    validity: int = Field(sa_type=BigInteger)  # other numbers than before: the server has counted its mails anew
    last_uid: int = Field(sa_type=BigInteger)  # every mail up to it is stored, or is none of ours


class WayInRow(SQLModel, table=True):
    """A stretch of time in which answers came in, see `games.clock.way_in`; between two of them none could."""

    __tablename__ = "way_in"

    id: int = Field(default=None, primary_key=True)
    opened_at: datetime
    read_up_to: datetime  # all answers that had come by then are stored
    # For the time since then: when a scheduler last looked, and for how long the service ran and read nothing.
    looked_at: datetime | None = None
    shut_seconds: int = 0
    told_at: datetime | None = None  # when a mail told the host
