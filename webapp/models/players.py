"""The players, with what they prefer; their sign-ins, devices and other addresses."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlmodel import Field, SQLModel

from webapp.core.say import ENGLISH
from webapp.models.columns import nullable_json_column, partial_index, word


class Frequency(StrEnum):
    """When a player wants a mail about their turns."""

    EVERY = "every"  # when it is their turn
    DAILY = "daily"  # once a day, at the player's hour
    LAST = "last"  # only before a deadline


class Section(StrEnum):
    """A part of a player's page that they may close."""

    RESULTS = "results"  # average place, points a hand
    MOONS = "moons"  # and queens
    PLAYED_FOR = "played_for"  # how often we played for them
    PACE = "pace"  # how long they take


class PlayerRow(SQLModel, table=True):
    __tablename__ = "player"
    __table_args__: ClassVar[Any] = (partial_index("ix_player_turns_at", "turns_at", "turns_at IS NOT NULL"),)

    id: int = Field(default=None, primary_key=True)
    address: str = Field(unique=True, max_length=254)  # lower case
    name: str = Field(max_length=40)
    time_zone: str = Field(default="UTC", max_length=64)
    language: str = Field(default=ENGLISH, max_length=8)  # one of `LANGUAGES`, as their pages and mails speak
    # Each of these numbers is in some of the player's links, which die when it moves on.
    sign_ins: int = 0  # in sign-in links
    # In the link to the preferences. Moves on when the address changes, when that is undone, and when the player signs
    # out everywhere.
    generation: int = 0
    links: int = 0  # in other mailed links that are not to a seat; moves on when games are taken back from an intruder
    letters_lost: int = 0  # the id of the last letter before that; it and older ones cannot be answered any more
    frequency: Frequency = Field(default=Frequency.EVERY, sa_type=word(Frequency))
    daily_at: int = 8  # the local hour of the daily mail
    quiet_from: int | None = 22  # local hours between which no mail about a game comes; None: no quiet hours
    quiet_to: int | None = 7
    days_off: int = 0  # weekdays on which no time of theirs passes: bit 0 is Monday
    # Single days on which none passes: pairs of the first and the last day, in ISO format. Past ones count for a year.
    holidays: list[list[str]] | None = Field(default=None, sa_column=nullable_json_column())
    invitations: bool = True  # False: has asked never to be invited again
    year_mail: bool = True  # whether they get a mail in January about the year of their tables
    # What the games in the lobby say of their skill (`games.book`); None: nothing yet.
    rating_mean: float | None = None
    rating_doubt: float | None = None
    closed: list[str] | None = Field(default=None, sa_column=nullable_json_column())  # each a Section
    push_only: bool = False  # while one of their devices takes notifications, no mail asks for their turns
    two_colours: bool = False  # their cards are red and black, not of four colours
    large_index: bool = False  # their cards show a large rank and suit instead of a picture
    tap_plays: bool | None = None  # whether one tap plays a card on their pages; None: only at a live table
    seen_at: datetime | None = None  # when they were last active themselves
    browser_at: datetime | None = None  # since when a browser is known to be theirs (`webapp.pages.ways_in`)
    turns_at: datetime | None = None  # when to look whether the mail about their turns goes; None: nothing waits
    bounce_score: int = 0
    bounced_on: date | None = None  # the day of the last bounce that counted
    unreachable_at: datetime | None = None  # since when we send nothing to this address, because of bounces
    forgotten_at: datetime | None = None  # when they had everything of theirs deleted; the row then names nobody
    created_at: datetime

    def look_by(self, at: datetime) -> None:
        """Has a worker look by then whether the mail about the player's turns goes. The row is locked."""
        self.turns_at = min(self.turns_at or at, at)


# A player's account: their sign-ins, their devices, and their other addresses.


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
