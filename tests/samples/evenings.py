"""Pages and mails of an evening together."""

from datetime import timedelta
from typing import Any

from tests.samples.hands import CAST, NASTY, NOW, TABLE_LINK, Sample
from webapp.forms.evening import PACES, ProposalForm, blank_proposal
from webapp.models import EveningRow, EveningState, SeatRow, SeatState
from webapp.presentation.evening_text import EveningLine, evening_sheet, hour_lines, hour_value
from webapp.presentation.timestamps import hour_text, timestamp
from worker.attachments import Calendar

BERLIN = "Europe/Berlin"
HOURS = [NOW + timedelta(hours=hours) for hours in (1, 25, 49.5)]
EVENING_LINK = "https://hearts.example/evening/WzEsNywyLDUsMV0.aZxY81.e2Wq3rT6yU1iO4pA7s"
NOTES = {
    "proposed": EveningLine("Ann proposes an evening together.", "Say which hours suit you"),
    "soon": EveningLine("Tonight, 20:00: together at the table.", "The evening together"),
    "awaited": EveningLine("It is time. Bo and Cy are not there yet.", "The evening together", is_awaited=True),
    "live": EveningLine("You are together at the table: 1 minute for each card, until somebody leaves.", is_live=True),
    "missed": EveningLine("Not everybody came, so the game goes on at its usual pace.", "Propose an evening together"),
    "may-be-proposed": EveningLine("", "Propose an evening together"),
}


def evening_pages(waiting: dict[str, Any], table: dict[str, Any]) -> dict[str, Sample]:
    """The page of an evening, and what pages of the game say; `waiting` and `table` are contexts of such pages."""
    typed = {"day": "2026-03-03", "time": "", "pace": "60"}
    wrong = ProposalForm(typed, {"day": "Choose both a day and an hour, or neither."}, frozenset(HOURS[:1]))
    agreed = _row(EveningState.AGREED, begins_at=HOURS[0])
    late = _row(EveningState.AGREED, begins_at=NOW - timedelta(minutes=2), waits_until=NOW + timedelta(minutes=8))
    live = {"evening_link": EVENING_LINK, "evening": NOTES["live"]}
    return {
        "evening-propose": _proposal(blank_proposal()),
        "evening-propose-wrong": _proposal(wrong),
        "evening-propose-typed": _proposal(blank_proposal(), offered=0),
        "evening-none": _page(None, hours=None),
        "evening-vote": _page(_row(EveningState.OPEN), chosen={hour_value(HOURS[1])}),
        "evening-vote-own": _page(_row(EveningState.OPEN, proposed_by=4), may_cancel=True, saved=True),
        "evening-vote-nasty": _page(_row(EveningState.OPEN), names=NASTY, error="That vote is over."),
        "evening-agreed": _page(agreed, may_cancel=True, is_beside=True),
        "evening-door-open": _page(agreed, may_cancel=True, may_enter=True),
        "evening-awaited": _page(late, may_enter=True),
        "evening-live": _page(_row(EveningState.LIVE, begins_at=HOURS[0]), may_enter=True, is_live=True),
        **{
            f"play-evening-{name}": ("play", {**waiting, "evening": note, "evening_link": EVENING_LINK})
            for name, note in NOTES.items()
        },
        "table-evening": ("table", {**table, "evening": NOTES["soon"], "evening_link": "/seat/x/evening"}),
        "table-evening-live": ("table", {**table, **live}),
    }


def evening_mails(frame: dict[str, Any], nasty: dict[str, Any]) -> dict[str, Sample]:
    """The mails about an evening; `frame` is the context of every mail about a table."""
    when = hour_text(HOURS[0], BERLIN)
    common = {"who": "Ann", "pace": "1 minute", "zone": BERLIN, "link": EVENING_LINK, "is_beside": False}
    entry = {"enclosed": [Calendar("REQUEST", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")]}
    off = {**common, "is_none": False, "is_game_over": False, "cancelled_by": None, "when": None}
    called_off = {**off, "cancelled_by": "Cy", "when": when}
    return {
        "evening-asked": ("evening_asked", {**frame, **common, **_offered(CAST)}),
        "evening-asked-nasty": ("evening_asked", {**nasty, **common, **_offered(NASTY), "who": NASTY[0]}),
        "evening-agreed": ("evening_agreed", {**frame, **common, **entry, "when": when}),
        "evening-agreed-beside": ("evening_agreed", {**frame, **common, **entry, "when": when, "is_beside": True}),
        "evening-off": ("evening_off", {**frame, **called_off, **entry}),
        "evening-off-nasty": ("evening_off", {**nasty, **called_off, "cancelled_by": NASTY[2]}),
        "evening-off-vote": ("evening_off", {**frame, **off, "cancelled_by": "Ann"}),
        "evening-off-none": ("evening_off", {**frame, **off, "is_none": True}),
        "evening-off-game-over": ("evening_off", {**frame, **called_off, "is_game_over": True}),
    }


def _row(state: EveningState, *, proposed_by: int = 1, **more: Any) -> EveningRow:
    """An evening that Ann proposes; Bo can come at all hours, Cy at the first two."""
    hours = [hour.isoformat() for hour in HOURS]
    moments = {"closes_at": HOURS[1], "due_at": HOURS[1], "created_at": NOW, "changed_at": NOW}
    votes = {str(proposed_by): hours, "2": hours, "3": hours[:2]}
    asked = {"table_id": 1, "game_id": 1, "proposed_by": proposed_by, "name": "Ann", "pace_seconds": 60}
    return EveningRow(id=1, state=state, hours=hours, votes=votes, **asked, **moments, **more)


def _seats(names: tuple[str, ...]) -> list[SeatRow]:
    return [
        SeatRow(table_id=1, seat=seat, player_id=seat + 1, name=name, state=SeatState.ACCEPTED)
        for seat, name in enumerate(names)
    ]


def _page(row: EveningRow | None, names: tuple[str, ...] = CAST, **more: Any) -> Sample:
    """The page for the fourth player."""
    seats = _seats(names)
    none = {"chosen": set(), "may_cancel": False, "may_enter": False, "is_live": False, "saved": False, "error": None}
    none |= {"is_beside": False, "pace": "1 minute"}
    sheet = row and evening_sheet(row, seats, seats[3], BERLIN, NOW)
    frame = {"table_name": "Table 7F3K", "table_link": TABLE_LINK, "action": "/evening/x", "sheet": sheet}
    return "evening", {**none, **frame, **more}


def _proposal(form: ProposalForm, offered: int = 3) -> Sample:
    shown = [(hour_value(hour), hour_text(hour, BERLIN, NOW), hour in form.ticked) for hour in HOURS[:offered]]
    days = {"soonest": "2026-03-02", "latest": "2026-03-16"}
    return _page(None, hours=shown, form=form, paces=PACES, zone=BERLIN, **days)


def _offered(names: tuple[str, ...]) -> dict[str, Any]:
    row, seats = _row(EveningState.OPEN), _seats(names)
    lines = hour_lines(row, seats, seats[3], BERLIN, None)
    return {
        "hours": [(one, f"{EVENING_LINK}?hour={one.value}") for one in lines],
        "closes": timestamp(row.closes_at, NOW, BERLIN),
    }
