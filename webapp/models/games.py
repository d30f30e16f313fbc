"""A game: its turns, clocks and seals, and what players see and share of its finished hands."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from hearts.review import Opinion
from hearts.turns import Turn
from webapp.models.columns import (
    AS_IS,
    OPINIONS,
    TURN,
    Clock,
    EarlierPlayer,
    Grounds,
    Unattended,
    json_column,
    json_of,
    nullable_json_column,
    partial_index,
    word,
)


class GameState(StrEnum):
    PLAYING = "playing"
    OVER = "over"


class TurnSource(StrEnum):
    """How a turn came to be played."""

    LINK = "link"
    PAGE = "page"
    REPLY = "reply"  # typed as the answer to a mail
    AHEAD = "ahead"  # chosen by the player before it was their turn
    AWAY = "order"  # the player is away: the robot plays for them at once
    AS_WISHED = "plan"  # we played it for the player, as they want it; the record's `choice` says why
    FORCED = "forced"  # there was no choice: a deal, or the only legal card
    CLAIM = "claim"  # one seat was certain to win all remaining tricks, so the rest was played at once
    TIMEOUT = "timeout"
    ROBOT = "robot"


class GameRow(SQLModel, table=True):
    __tablename__ = "game"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("table_id", "number"),
        partial_index("ix_game_wake_at", "wake_at", "state = 'playing'"),
    )

    id: int = Field(default=None, primary_key=True)
    table_id: int = Field(foreign_key="card_table.id")
    number: int  # from 1 within its table
    state: GameState = Field(sa_type=word(GameState))
    turns: int = 0  # the number of its records
    at_once: int = 1  # how many hands it plays side by side; each then has a clock of its own
    due_at: datetime | None = None  # the deadline of the present question; of several hands, the first
    # The clock of each hand that it asks about, see `games.clock.deadline`.
    clocks: dict[int, Clock] | None = Field(default=None, sa_column=Column(json_of(dict[int, Clock])))
    # When it next needs the service: now for robots, else the deadline, or the end of a lease.
    wake_at: datetime | None = None
    # The deadlines in a row without a card that a player has chosen, see `games.clock.rest`; None: none.
    unattended: Unattended | None = Field(default=None, sa_column=Column(json_of(Unattended)))
    # How often workers have claimed it since it became due.
    claims: int = 0
    started_at: datetime
    ended_at: datetime | None = None
    # By seat, the names of those who played it; None as long as they still have their seats.
    names: list[str] | None = Field(default=None, sa_column=nullable_json_column())
    # The players whose seats have changed hands since it began, in order.
    earlier: list[EarlierPlayer] | None = Field(default=None, sa_column=Column(json_of(list[EarlierPlayer])))

    def are_together(self, one: int, other: int) -> bool:
        """Whether two hands are the same, or are played side by side."""
        return (one - 1) // self.at_once == (other - 1) // self.at_once


class TurnRow(SQLModel, table=True):
    """Append-only. The key decides who was first."""

    __tablename__ = "turn"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})  # from 1, without gaps
    turn: Annotated[Turn, AS_IS] = Field(sa_column=Column(TURN, nullable=False))
    hand: int | None = None  # the number of its hand, if hands are played side by side; else the deals are counted
    source: TurnSource = Field(sa_type=word(TurnSource))
    choice: Grounds | None = Field(default=None, sa_column=Column(json_of(Grounds)))
    at: datetime


class ReviewRow(SQLModel, table=True):
    """The robot's opinions on a finished hand; a cache, which can be recomputed from the turns."""

    __tablename__ = "review"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    hand: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    # None: not as `hearts.review` writes them.
    opinions: Annotated[tuple[Opinion, ...] | None, AS_IS] = Field(sa_column=Column(OPINIONS, nullable=False))


class ShareRow(SQLModel, table=True):
    """The result of a game that a player shows to anybody who has its link.

    The link carries `number`, which moves on when the player stops sharing.
    """

    __tablename__ = "share"
    __table_args__: ClassVar[Any] = (UniqueConstraint("game_id", "player_id"),)

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    player_id: int = Field(foreign_key="player.id", index=True)
    seat: int  # the player's in that game
    number: int = 1
    names: bool = False  # whether the page names the other players
    shared_at: datetime
    ended_at: datetime | None = None  # since when it is not shared; None while it is


class BookRow(SQLModel, table=True):
    """The line of one player in a table's book: their seat in a game that is over. `games.book` writes it.

    Where nobody's play counts, as a robot's, there is a line without a player if it was so at the end.
    """

    __tablename__ = "book"

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: int
    side: int
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    name: str = Field(max_length=40)
    at_end: bool = False  # whether they had the seat when the game ended
    counts: bool = False  # whether the game counts for them: it was played out, and they played most of its hands
    total: int = 0  # of the side, at the end
    place: int | None = None  # of the side; None if the game was ended early
    # What follows is of the hands that count for them.
    hands: int = 0
    points: int = 0  # of the side
    queens: int = 0  # of spades, taken
    moons: int = 0  # shot by the side
    stopped: int = 0  # moons of others that they broke
    worst: int | None = None  # the most points in a hand
    worst_times: int = 0
    # And this of their decisions in the whole game.
    asked: int = 0  # those for which they were to choose
    late: int = 0  # of these, those after a missed deadline
    played_for: int = 0  # of these, all that were played for them
    seconds: int | None = None  # the median time that the others took


# The seals of games, and which of their secrets dealt each hand. docs/fairness.md has the protocol.
# Bytes are lower-case hex.


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
