"""Declarations that the tables share: names of constraints, kinds of columns, and what JSON columns keep."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Final

from pydantic import Field, GetPydanticSchema, PlainSerializer, PlainValidator, TypeAdapter
from pydantic_core import core_schema
from sqlalchemy import JSON, Column, Dialect, Enum, Index, text
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

from hearts.ahead import Ahead, ahead_mapping, parse_ahead
from hearts.review import NotAnOpinion, Opinion, opinion_mapping, parse_opinion
from hearts.rules import Rules, parse_rules, rules_mapping
from hearts.turns import parse_turn, turn_mapping
from hearts.words import Sentence, read, written

# Every constraint has a name, so that a migration can change it on either database.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


# Beside a type, whose values pydantic takes as they are: rows are not validated, their columns read and write them.
AS_IS: Final = GetPydanticSchema(lambda kind, handler: core_schema.any_schema())


def word(kind: type[StrEnum]) -> Any:
    """A column type that stores the values of `kind` as plain text."""
    return Enum(kind, native_enum=False, length=20, values_callable=lambda words: [word.value for word in words])


def json_column() -> Column[Any]:
    """A column of JSON that always holds a plain value."""
    return Column(JSON, nullable=False)


def nullable_json_column() -> Column[Any]:
    """A column of JSON with a plain value, in which None is NULL, not the JSON null."""
    return Column(JSON(none_as_null=True))


class Json(TypeDecorator[Any]):
    """JSON that Python sees as a value of one type: `write` makes it JSON, `read` makes it a value. None is NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def __init__(self, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        super().__init__()
        self.write, self.read = write, read

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else self.write(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else self.read(value)


def json_of(kind: Any) -> Json:
    """The type of a column of JSON for a dataclass, or a collection of them, as pydantic writes it."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)

    def write(value: Any) -> Any:
        return adapter.dump_python(value, mode="json", by_alias=True, exclude_defaults=True)

    return Json(write, adapter.validate_python)


def partial_index(name: str, column: str, where: str) -> Index:
    """An index over the rows for which the SQL condition `where` holds, on either database.

    A query uses it only if it has the condition as a literal: PostgreSQL may pass over a partial index for a bound
    value.
    """
    return Index(name, column, postgresql_where=text(where), sqlite_where=text(where))


# The types of what rows keep in columns of JSON, and how each is written.
# The forms of those that `hearts` defines are its own. Others are written as pydantic writes a dataclass, with times as
# ISO 8601 and lengths of time in seconds.

RULES_KEPT: Final = 256  # tables have few rules, and each page reads them
NOT_NOTED: Final = 0  # the player of a change in older games

InOneText = Annotated[Sentence, PlainValidator(read), PlainSerializer(written)]
Exactly = Annotated[timedelta, PlainSerializer(lambda time: time.total_seconds())]


@dataclass(frozen=True, slots=True)
class PaceTimes:
    """The pace of a table: seconds to pass and to play a card, and vacation days."""

    pass_seconds: int
    play_seconds: int
    vacation_days: int


class Stands(StrEnum):
    """Why the clock of a game stands still, and so who may let it go on."""

    HOST = "host"  # the host paused it, or an operator: these may, or more than half of the players
    PLAYERS = "players"  # more than half of them asked for a pause: anybody at the table may
    REST = "rest"  # nobody played: anybody may, and all who are asked then have a full time


@dataclass(frozen=True, slots=True)
class Pause:
    """The clock of a game stands still."""

    why: Stands
    since: datetime
    until: datetime | None = None  # then it goes on by itself, or a game at rest is closed; None: neither

    @property
    def is_anybodys(self) -> bool:
        """Whether anybody at the table may let the game go on."""
        return self.why is not Stands.HOST


class Proposed(StrEnum):
    """The things that a host can propose."""

    PACE = "pace"
    END = "end"  # of the game
    ROBOT = "robot"  # in place of the player of a seat


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal of the host of a table to its other players, see `games.clock.proposals`."""

    what: Proposed
    at: datetime
    ends_at: datetime | None = None  # when it takes effect by itself; None: with the next deal
    seat: int | None = None
    pace: PaceTimes | None = None
    agreed: Annotated[frozenset[int], PlainSerializer(sorted)] = frozenset()  # the ids of players

    @property
    def key(self) -> str:
        """The name in forms and letters; no two proposals of a table share one."""
        return f"{self.what} {self.seat} {self.at.isoformat()}"


@dataclass(frozen=True, slots=True)
class Vacation:
    """The vacation days of a seat in the present game."""

    dates: Annotated[frozenset[date], PlainSerializer(lambda dates: sorted(day.isoformat() for day in dates))] = (
        frozenset()
    )  # taken by the player, in their time zone, in a game of an earlier version
    automatic: int = 0  # days taken for them
    # The last decision for which one was; several, if hands are played side by side.
    taken_for: Annotated[tuple[str, ...], Field(alias="for")] = ()
    taken_at: datetime | None = None  # and when that was
    had_bank: bool = False  # the game began with a bank of time for each player; its page says what came in its place

    @property
    def days(self) -> int:
        return len(self.dates) + self.automatic


@dataclass(frozen=True, slots=True)
class Lent:
    """The name and choice of mails that the owner of a lent seat had there, and the stand-in's own name."""

    owner: str
    stand_in: str
    mails: bool
    words: str | None = None  # the owner's, for the shuffle


@dataclass(frozen=True, slots=True)
class KeptAhead:
    """The card that a player has chosen ahead in one hand, and when they chose it; None in older rows."""

    ahead: Annotated[Ahead, AS_IS]
    at: datetime | None = None


class Why(StrEnum):
    """Why a player has time for a question."""

    ASKED = "asked"  # the table's pace, or at a live one the time to arrive
    PACE = "pace"  # the host has chosen another one: it counts from when they were asked
    LATE = "late"  # their question went out late: as if they had been asked so much later
    SPARE = "spare"  # a spare day was taken for them
    LEFT = "left"  # the clock stood still: what was left of the time that they were told
    RESUMED = "resumed"  # and a fair time, the first time only
    ARRIVED = "arrived"  # they came to a live table, which gives them its pace
    UNREAD = "unread"  # no answer by mail could come in for a while
    HOURS = "hours"  # their own hours bring the deadline closer: time to see that
    TOLD = "told"  # they were told so, and no change of anybody else takes that from them


@dataclass(frozen=True, slots=True)
class Grant:
    """From `at` on, the player of the seat has `time`."""

    seat: int
    player: int
    at: datetime
    time: Exactly
    why: Why = Why.ASKED


@dataclass(frozen=True, slots=True)
class Stop:
    """The clock stands still from `since` to `until`; None: it still does."""

    since: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a hand: what its players were granted for its question, and when it stood still.

    `games.clock.deadline` says what follows; `due_at` is what the players were told.
    """

    question: str | None = ""  # its name; None: whatever the hand asks, of a game of an earlier version
    grants: tuple[Grant, ...] = ()
    stops: tuple[Stop, ...] = ()
    due_at: datetime | None = None
    first_due_at: datetime | None = None  # without late mails, spare days and time in which no answer could come in
    pace: Exactly | None = None  # of the table, for the question
    given_until: datetime | None = None  # times before then in which no answer could come in are given back
    is_together: bool = False  # it is that of a slow game's live play; then the slow game's clock stands still
    aside: "Clock | None" = None  # and is kept here, as long as its question is

    @property
    def stands(self) -> bool:
        """Whether it stands still."""
        return bool(self.stops) and self.stops[-1].until is None

    @property
    def asked_at(self) -> datetime | None:
        """Since when the hand asks its question, without the time for which the clock stood; None: it asks nobody."""
        return min((self._since(one) for one in self.grants if one.why is Why.ASKED), default=None)

    def asked_since(self, seat: int, player: int | None) -> datetime | None:
        """Since when it asks that player of the seat, likewise; None: it does not."""
        asked = (one for one in self.grants if (one.seat, one.player, one.why) == (seat, player, Why.ASKED))
        return next(map(self._since, asked), None)

    def _since(self, asked: Grant) -> datetime:
        stood = (one.until - max(one.since, asked.at) for one in self.stops if one.until and one.until > asked.at)
        return asked.at + sum(stood, timedelta())


@dataclass(frozen=True, slots=True)
class Grounds:
    """The reasons of a turn that its player did not choose themselves.

    If a robot chose, `level`, `playouts` and `seed` reproduce the turn, and `reason` is for the player. `by` says
    why the player was not asked (`games.asked.whose_turn`).
    """

    by: str | None = None
    level: str | None = None
    playouts: int | None = None
    seed: int | None = None
    reason: InOneText | None = None


@dataclass(frozen=True, slots=True)
class Unattended:
    """How many deadlines have passed in a row without a card that a player has chosen, and when the last did."""

    deadlines: int
    at: datetime


@dataclass(frozen=True, slots=True)
class EarlierPlayer:
    """A player whose seat has changed hands, with the numbers of turns and of scored hands played by then."""

    seat: int
    name: str
    turns: int
    hands: int
    done: tuple[int, ...] = ()  # the hands after these that were over
    player: int | None = NOT_NOTED  # None: a robot
    stood_in: bool = False  # they played for the seat's owner, who was away

    def had(self, hand: int) -> bool:
        """Whether that hand was over when the player left the seat."""
        return hand <= self.hands or hand in self.done


def _write_ahead(kept: Mapping[int, KeptAhead]) -> dict[str, Any]:
    return {
        str(hand): {**ahead_mapping(one.ahead), **({"at": one.at.isoformat()} if one.at else {})}
        for hand, one in kept.items()
    }


def _read_ahead(written: Mapping[str, Any]) -> dict[int, KeptAhead]:
    return {
        int(hand): KeptAhead(parse_ahead(one), datetime.fromisoformat(one["at"]) if one.get("at") else None)
        for hand, one in written.items()
    }


@lru_cache(RULES_KEPT)
def _parsed(options: tuple[tuple[str, object], ...]) -> Rules:
    return parse_rules(dict(options))


def _read_opinions(written: Sequence[Any]) -> tuple[Opinion, ...] | None:
    """None if they are not of the present form; they can be computed again."""
    try:
        return tuple(map(parse_opinion, written))
    except NotAnOpinion:
        return None


AHEAD: Final = Json(_write_ahead, _read_ahead)
RULES: Final = Json(rules_mapping, lambda written: _parsed(tuple(written.items())))
TURN: Final = Json(turn_mapping, parse_turn)
OPINIONS: Final = Json(lambda opinions: [*map(opinion_mapping, opinions)], _read_opinions)
