"""Evenings together: the hours on offer, the votes on them, and what came of them."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlmodel import Field, SQLModel

from webapp.models.columns import json_column, partial_index, word


class EveningState(StrEnum):
    """How far an evening together has come."""

    OPEN = "open"  # the players say which hours suit them
    AGREED = "agreed"  # they have agreed on an hour
    LIVE = "live"  # they are at the table, and the game has a live pace
    OVER = "over"  # it was live, or its game has ended
    MISSED = "missed"  # not everybody came
    NONE = "none"  # no hour suited everybody
    CANCELLED = "cancelled"  # by one of the players


class EveningRow(SQLModel, table=True):
    """An evening together: hours that a player of a slow game proposes, the votes on them, and what came of it."""

    __tablename__ = "evening"
    __table_args__: ClassVar[Any] = (partial_index("ix_evening_due_at", "due_at", "due_at IS NOT NULL"),)

    id: int = Field(default=None, primary_key=True)
    table_id: int = Field(foreign_key="card_table.id", index=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    proposed_by: int = Field(foreign_key="player.id")
    name: str = Field(max_length=40)  # the proposer's at the table
    pace_seconds: int  # for a card, while it lasts
    hours: list[str] = Field(sa_column=json_column())  # on offer: UTC, in ISO format, in order
    # By the id of a player, the hours that suit them; an empty list is the answer that none does.
    votes: dict[str, list[str]] = Field(sa_column=json_column())
    state: EveningState = Field(default=EveningState.OPEN, sa_type=word(EveningState))
    due_at: datetime | None  # when the service next looks at it; None once it is over
    closes_at: datetime  # when the vote ends
    begins_at: datetime | None = None  # the hour that was agreed on
    waits_until: datetime | None = None  # until when the table waits for those who have not come; set at the hour
    cancelled_by: str | None = Field(default=None, max_length=40)  # their name at the table
    created_at: datetime
    changed_at: datetime  # when its state last changed
