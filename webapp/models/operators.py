"""Operators' acts, the signs of life that they watch, and what counts against limits."""

from datetime import datetime
from enum import StrEnum

from sqlmodel import Field, SQLModel

from webapp.models.columns import json_column, word


class OperatorAct(StrEnum):
    """An act on games, players or mail, as an operator types it; commands that only show something are none."""

    PAUSE = "games pause"
    GO_ON = "games pause --off"
    END = "games end"
    SHOW_CARDS = "games export --all"
    RENAME = "players rename"
    EXPORT = "players export"
    FORGET = "players forget"
    RETRY = "mail retry"
    HOLD = "mail hold"
    RESUME = "mail resume"
    FIX = "doctor --fix"


class OperatorActRow(SQLModel, table=True):
    """A note of an operator's act, which names nobody but them."""

    __tablename__ = "operator_act"

    id: int = Field(default=None, primary_key=True)
    at: datetime
    by: str = Field(max_length=254)  # the operator: the name of an account, or what they said with --by
    act: OperatorAct = Field(sa_type=word(OperatorAct))
    game_id: int | None = Field(default=None, foreign_key="game.id")
    player_id: int | None = Field(default=None, foreign_key="player.id")
    letter_id: int | None = Field(default=None, foreign_key="letter.id")


class RestorationRow(SQLModel, table=True):
    """A restore of a backup: what was made between the two times is lost, see `core.tokens`."""

    __tablename__ = "restoration"

    id: int = Field(default=None, primary_key=True)
    backed_up_at: datetime
    restored_at: datetime
    letters: int  # the id of the last letter in the backup
    number: int | None = None  # counts all restores, also those that a later one has lost; None in older rows


class HeartbeatRow(SQLModel, table=True):
    """The last sign of life of a kind of process, whichever machine it came from."""

    __tablename__ = "heartbeat"

    process: str = Field(primary_key=True, max_length=20)
    seen_at: datetime


# Events that count against a limit. The keys are hashes, so that the rows identify nobody.


class CountRow(SQLModel, table=True):
    """A counter of a rate limit; the key is a hash, so that the row identifies nobody."""

    __tablename__ = "limit_count"

    key: str = Field(primary_key=True, max_length=120)
    used: int
    ends_at: datetime  # then it restarts at zero


class MailedRow(SQLModel, table=True):
    """The mails that an address has got within the last day; the key is a hash, so that the row identifies nobody."""

    __tablename__ = "mailed"

    whose: str = Field(primary_key=True, max_length=32)
    # By the letter's id, when it went to the relay, in seconds since 1970: mails about tables, and personal ones.
    about_tables: dict[str, int] = Field(sa_column=json_column())
    personal: dict[str, int] = Field(sa_column=json_column())
    ends_at: datetime  # when the newest of them no longer counts
