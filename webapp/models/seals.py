"""The seals of games, and which of their secrets dealt each hand. docs/fairness.md has the protocol.

Bytes are lower-case hex.
"""

from datetime import datetime

from sqlmodel import Field, SQLModel

from webapp.models.columns import json_column


class SealRow(SQLModel, table=True):
    """The seal of one of a table's games, made before anybody gives words for it, and what all its secrets come from.

    Only `games.record.sealed` deals by `master`, and only `games.record.finished` opens a secret.
    """

    __tablename__ = "seal"

    table_id: int = Field(foreign_key="card_table.id", primary_key=True)
    game_number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    master: str = Field(max_length=64, repr=False)
    root: str = Field(max_length=64)
    restores: int = 0  # the number of the service's last restore when it was made
    made_at: datetime


class DealtRow(SQLModel, table=True):
    """How a hand was dealt: with which secret, and with which parts of the seats. Append-only."""

    __tablename__ = "dealt"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    hand: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    leaf: int
    parts: list[str | None] = Field(sa_column=json_column())  # by seat; None without words
