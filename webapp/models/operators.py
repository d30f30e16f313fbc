"""Operators' acts, and the signs of life that they watch."""

from datetime import datetime
from enum import StrEnum

from sqlmodel import Field, SQLModel

from webapp.models.columns import word


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
