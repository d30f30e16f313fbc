"""The operators' page: what runs, which mail waits or was given up, who complained, what operators did.

It shows no card, no player's address and no link to a seat. It opens only for a browser that is signed in with an
address of the setting OPERATORS; to others it does not exist.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from flask import Blueprint, abort, current_app

from webapp import acts
from webapp.core.log import hidden
from webapp.health import overview
from webapp.health.overview import Figure, GameLine, Silenced
from webapp.health.readiness import Check, Figures, Readiness
from webapp.models import LetterRow, OperatorActRow
from webapp.outbox import holding, queue
from webapp.pages.common import PageContext, page, reading, runtime, signed_in
from webapp.presentation.phrasing import by_number
from webapp.presentation.timestamps import Timestamp, span, timestamp

blueprint = Blueprint("operator", __name__)
LISTED = 20
WAITING_LISTED = 10  # letters: where the relay is down, all wait


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check, with its figure as a sentence."""

    name: str
    is_ok: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class RunningLine:
    """A running game, by the number that commands take; `due` is None while it is paused."""

    table: str
    id: int
    due: Timestamp | None
    is_late: bool


@dataclass(frozen=True, slots=True)
class SilencedLine:
    """A player whose address gets no mail from us, by number."""

    player_id: int
    complained: bool
    since: Timestamp


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """A letter that is due or was tried, by number; `tried` is as in `queue.tried_text`."""

    number: int
    kind: str
    since: Timestamp
    tried: str


@dataclass(frozen=True, slots=True)
class FailedLine:
    """A letter that was given up, by number, with the relay's response."""

    number: int
    kind: str
    problem: str


@dataclass(frozen=True, slots=True)
class ActLine:
    """An act of an operator; `about` is "game 3", or empty."""

    act: str
    about: str
    by: str
    at: Timestamp


@dataclass(frozen=True, slots=True)
class OperatorSheet:
    checks: Sequence[CheckLine]
    figures: Sequence[Figure]
    games: Sequence[RunningLine]
    silenced: Sequence[SilencedLine]
    waiting: Sequence[WaitingLine]
    failed: Sequence[FailedLine]
    acts: Sequence[ActLine]
    is_held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorPage(PageContext):
    template = "operator"
    sheet: OperatorSheet


@blueprint.get("/operator")
def show() -> str:
    player = signed_in()
    if player is None or not runtime().settings.is_operators(player.address):
        abort(404)
    return page(OperatorPage(sheet=_sheet(player.time_zone, runtime().now())))


def _sheet(zone: str, now: datetime) -> OperatorSheet:
    checks = cast(Readiness, current_app.extensions["readiness"]).checks()
    with reading() as session:
        return OperatorSheet(
            [check_line(check) for check in checks],
            list(overview.figures(session, now)),
            [_running_line(line, now, zone) for line in overview.running_games(session, LISTED)],
            [_silenced_line(one, now, zone) for one in overview.silenced(session, LISTED)],
            [_waiting_line(one, now, zone) for one in queue.waiting(session, now, WAITING_LISTED)],
            [FailedLine(one.id, one.kind.value, hidden(one.problem or "")) for one in queue.failed(session, LISTED)],
            [_act_line(one, now, zone) for one in acts.newest(session, LISTED)],
            is_held=holding.held_since(session) is not None,
        )


def check_line(check: Check) -> CheckLine:
    return CheckLine(check.name, check.is_ok, _sentence(check.figures, is_ok=check.is_ok))


def _sentence(figures: Figures, *, is_ok: bool) -> str:
    match figures:
        case {"waiting": 0}:
            return "Nothing waits."
        case {"waiting": int(number), "oldest_seconds": int(seconds)}:
            waits = by_number(number, "{number} waits, for {time}.", "{number} wait, the oldest for {time}.")
            return waits.format(number=number, time=_rounded(seconds))
        case {"seen_seconds_ago": int(seconds)}:
            return f"Last seen {_rounded(seconds)} ago."
        case {"seen": _}:
            return "Never seen."
        case {"free_bytes": int(free)}:
            return f"{free // 1_000_000} MB are free."
        case {"version": version} if is_ok:
            return f"The tables are of version {version}."
        case {"version": version, "newest": newest}:
            return f"The tables are of version {version}; the program needs {newest}."
        case {"milliseconds": milliseconds}:
            return f"It answers within {milliseconds} ms."
        case _:
            return "It answers." if is_ok else "It does not answer."


def _rounded(seconds: int) -> str:
    """The time to the minute, if it is that long."""
    return span(timedelta(seconds=seconds if seconds < 120 else seconds // 60 * 60))


def _running_line(line: GameLine, now: datetime, zone: str) -> RunningLine:
    due = timestamp(line.due_at, now, zone) if line.due_at else None
    return RunningLine(line.table, line.id, due, line.due_at is not None and line.due_at < now)


def _silenced_line(one: Silenced, now: datetime, zone: str) -> SilencedLine:
    return SilencedLine(one.player_id, one.complained, timestamp(one.since, now, zone))


def _waiting_line(letter: LetterRow, now: datetime, zone: str) -> WaitingLine:
    return WaitingLine(letter.id, letter.kind.value, timestamp(letter.created_at, now, zone), queue.tried_text(letter))


def _act_line(row: OperatorActRow, now: datetime, zone: str) -> ActLine:
    return ActLine(row.act.value, acts.about_text(row), row.by, timestamp(row.at, now, zone))
