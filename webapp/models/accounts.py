"""A player's account: their sign-ins, their devices, and their other addresses."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlmodel import Field, SQLModel

from webapp.models.columns import partial_index, word


class ChangeState(StrEnum):
    """How far a player's move to another address has come, or whether an address beside their own counts."""

    OPEN = "open"
    DONE = "done"
    REFUSED = "refused"  # the owner of the old address said no
    DROPPED = "dropped"  # withdrawn, or another one was asked for
    UNDONE = "undone"  # the owner of an earlier address took the games back
    # Of an address beside the player's own, which is no move:
    HEARD = "heard"  # a mail of theirs was answered from it, which does not count
    COUNTS = "counts"  # answers from it count, as they have said at their own address


class SignInRow(SQLModel, table=True):
    """A browser that is signed in as a player, until the row is deleted. Its cookie holds the secret."""

    __tablename__ = "sign_in"

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    secret_hash: str = Field(unique=True, max_length=64)  # SHA-256 in hex
    browser: str = Field(max_length=40)  # "Firefox on Android"
    created_at: datetime
    seen_at: datetime  # accurate to about a day


class DeviceRow(SQLModel, table=True):
    """A browser that takes a player's notifications: its push address and its keys for encryption (RFC 8291)."""

    __tablename__ = "device"

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    endpoint: str = Field(unique=True, max_length=1000)
    public_key: str = Field(max_length=200)  # p256dh, base64url
    secret: str = Field(max_length=100)  # auth, base64url
    is_confirmed: bool = True  # False: the player has not said yes by mail yet, and it is told nothing
    created_at: datetime


class AddressChangeRow(SQLModel, table=True):
    """A player's move to another address: requested, proved at the new one, approved at the old one.

    Or an address from which they answer besides (`webapp.accounts.address_changes`).
    """

    __tablename__ = "address_change"
    __table_args__: ClassVar[Any] = (partial_index("ix_address_change_ready_at", "ready_at", "state = 'open'"),)

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    old_address: str = Field(max_length=254, index=True)
    new_address: str = Field(max_length=254)
    state: ChangeState = Field(default=ChangeState.OPEN, sa_type=word(ChangeState))
    asked_at: datetime
    ready_at: datetime  # when it takes effect without an answer from the old address
    proved_at: datetime | None = None
    agreed_at: datetime | None = None
    ended_at: datetime | None = None  # since when it is no longer open
