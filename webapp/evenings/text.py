"""An evening together as text: what the pages and mails of one player say about it, and what they may do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from webapp.evenings import meeting
from webapp.evenings.meeting import SHOWN_FOR, hours_of, hours_suiting
from webapp.games.clock.presence import plays_themselves
from webapp.games.clock.together import not_there
from webapp.games.record.store import TableGame
from webapp.models import EveningRow, EveningState, SeatRow
from webapp.presentation.phrasing import by_number, listed
from webapp.presentation.timestamps import Timestamp, hour_text, span, timestamp

PROPOSE = "Propose an evening together"


@dataclass(frozen=True, slots=True)
class HourLine:
    """An hour on offer, in its reader's time zone."""

    value: str  # in a form and a link
    text: str
    suits: bool  # the reader
    note: str  # whom of the others it suits; empty for nobody


@dataclass(frozen=True, slots=True)
class EveningLine:
    """A note on an evening together, for the pages of a game; `link_text` is empty if there is nothing to look at."""

    note: str
    link_text: str = ""
    is_awaited: bool = False  # the hour is near or has come, and the game is not live yet


@dataclass(frozen=True, slots=True)
class EveningSheet:
    """The page of an evening together for one player. `hours` are those on which they may still vote."""

    number: int
    state: str
    heading: str
    sentences: tuple[str, ...]
    zone: str
    hours: tuple[HourLine, ...] = ()
    begins: Timestamp | None = None
    closes: Timestamp | None = None


def pace_text(row: EveningRow) -> str:
    """The time for a card during the evening: "1 minute"."""
    return span(timedelta(seconds=row.pace_seconds))


def hour_value(hour: datetime) -> str:
    """An hour in a form or a link, which `evenings.form` reads: 2026-03-03T19:00Z."""
    return f"{hour:%Y-%m-%dT%H:%MZ}"


def hour_lines(
    row: EveningRow, seats: Sequence[SeatRow], reader: SeatRow, zone: str, now: datetime | None
) -> tuple[HourLine, ...]:
    """The hours on offer for the player of `reader`; `now` as in `hour_text`."""
    mine = hours_suiting(row, reader.player_id or 0) or ()
    others = [seat for seat in seats if plays_themselves(seat) and seat.seat != reader.seat]
    return tuple(
        HourLine(hour_value(hour), hour_text(hour, zone, now), hour in mine, _suits(row, others, hour))
        for hour in hours_of(row)
    )


def evening_line(
    row: EveningRow | None, stored: TableGame, reader: SeatRow, zone: str, now: datetime, *, may_propose: bool
) -> EveningLine | None:
    """Returns the note for the reader's pages of the game, or None. `row` is the table's newest evening."""
    if row is None or not _is_news(row, stored, now):
        return EveningLine("", PROPOSE) if may_propose else None
    again = PROPOSE if may_propose else ""
    match row.state:
        case EveningState.OPEN:
            return _of_vote(row, reader)
        case EveningState.AGREED:
            return _of_appointment(row, stored.seats, reader, zone, now)
        case EveningState.LIVE:
            return None
        case EveningState.OVER:
            return EveningLine("The evening together is over. The game goes on at its usual pace.", again)
        case EveningState.MISSED:
            return EveningLine("Not everybody came, so the game goes on at its usual pace.", again)
        case EveningState.NONE:
            return EveningLine("No hour suited everybody for an evening together.", again)
        case EveningState.CANCELLED:
            return EveningLine(f"{row.cancelled_by} has called off the evening together.", again)


def evening_sheet(
    row: EveningRow, seats: Sequence[SeatRow], reader: SeatRow, zone: str, now: datetime
) -> EveningSheet | None:
    """The page of an evening that is voted on, agreed on or live; None for one that is over."""
    begins = timestamp(row.begins_at, now, zone) if row.begins_at else None
    match row.state:
        case EveningState.OPEN:
            heading = f"{row.name} proposes an evening together"
            if row.proposed_by == reader.player_id:
                heading = "You propose an evening together"
            hours, closes = hour_lines(row, seats, reader, zone, now), timestamp(row.closes_at, now, zone)
            return EveningSheet(row.id, row.state, heading, (_answers(row, seats, reader),), zone, hours, None, closes)
        case EveningState.AGREED:
            assert row.begins_at is not None
            heading = f"{hour_text(row.begins_at, zone, now)}: together at the table"
            return EveningSheet(row.id, row.state, heading, tuple(_coming(row, seats, reader, now)), zone, (), begins)
        case EveningState.LIVE:
            sentence = f"The game is live: {pace_text(row)} for each card, until somebody leaves."
            return EveningSheet(row.id, row.state, "You are together at the table", (sentence,), zone, (), begins)
        case _:
            return None


def _is_news(row: EveningRow, stored: TableGame, now: datetime) -> bool:
    """Whether pages of the game say something about the evening, which may be over."""
    return row.state in meeting.RUNNING or (row.game_id == stored.id and now - row.changed_at <= SHOWN_FOR)


def _of_vote(row: EveningRow, reader: SeatRow) -> EveningLine:
    if hours_suiting(row, reader.player_id or 0) is None:
        return EveningLine(f"{row.name} proposes an evening together.", "Say which hours suit you")
    return EveningLine("You have said which hours suit you for an evening together.", "Look at the hours")


def _of_appointment(
    row: EveningRow, seats: Sequence[SeatRow], reader: SeatRow, zone: str, now: datetime
) -> EveningLine:
    assert row.begins_at is not None
    if row.waits_until is not None:
        note = " ".join(_coming(row, seats, reader, now))
    else:
        note = f"{hour_text(row.begins_at, zone, now)}: together at the table."
    return EveningLine(note, "The evening together", is_awaited=meeting.is_door_open(row, now))


def _coming(row: EveningRow, seats: Sequence[SeatRow], reader: SeatRow, now: datetime) -> list[str]:
    """Says whom the others await, once the hour has come."""
    if row.waits_until is None:
        return ["Everybody can come."]
    missing = [seats[number].name for number in not_there(seats, now) if number != reader.seat]
    who = listed(missing)
    waiting = by_number(len(missing), f"{who} is not there yet.", f"{who} are not there yet.")
    return ["It is time.", *([waiting] if missing else [])]


def _answers(row: EveningRow, seats: Sequence[SeatRow], reader: SeatRow) -> str:
    """Says which of the others have not answered yet."""
    others = [seat for seat in seats if plays_themselves(seat) and seat.seat != reader.seat]
    silent = [seat.name for seat in others if hours_suiting(row, seat.player_id or 0) is None]
    who = listed(silent)
    if not silent:
        return "All the others have answered."
    return by_number(len(silent), f"{who} has not answered yet.", f"{who} have not answered yet.")


def _suits(row: EveningRow, others: Sequence[SeatRow], hour: datetime) -> str:
    names = [seat.name for seat in others if hour in (hours_suiting(row, seat.player_id or 0) or ())]
    return f"{listed(names)} can." if names else ""
