"""The players, with what they prefer."""

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
    # What the games in the lobby say of their skill (`games.rating`); None: nothing yet.
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
