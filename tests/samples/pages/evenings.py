"""The page of an evening together, and what the pages of the game say of it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.samples.cast import CAST, NASTY, NOW
from tests.samples.evenings import BERLIN, EVENING_LINK, HOURS, evening, seats
from tests.samples.games import CLASSIC
from tests.samples.links import TABLE_LINK
from tests.samples.pages.play import waiting
from tests.samples.pages.table import playing
from tests.samples.rendering import PageSample
from webapp.evenings.form import ProposalForm, blank_proposal
from webapp.evenings.page import EveningPage
from webapp.evenings.text import EveningLine, evening_sheet, hour_value
from webapp.models import EveningRow, EveningState
from webapp.presentation.timestamps import hour_text

NOTES = {
    "proposed": EveningLine("Ann proposes an evening together.", "Say which hours suit you"),
    "soon": EveningLine("Tonight, 20:00: together at the table.", "The evening together"),
    "awaited": EveningLine("It is time. Bo and Cy are not there yet.", "The evening together", is_awaited=True),
    "missed": EveningLine("Not everybody came, so the game goes on at its usual pace.", "Propose an evening together"),
    "may-be-proposed": EveningLine("", "Propose an evening together"),
}


def pages() -> dict[str, PageSample]:
    return {**_proposals(), **_votes(), **_agreed(), **_notes()}


def _proposals() -> dict[str, PageSample]:
    typed = {"day": "2026-03-03", "time": "", "pace": "60"}
    wrong = ProposalForm(typed, {"day": "Choose both a day and an hour, or neither."}, frozenset(HOURS[:1]))
    return {
        "evening-propose": _proposal(blank_proposal()),
        "evening-propose-wrong": _proposal(wrong),
        "evening-propose-typed": _proposal(blank_proposal(), offered=0),
        "evening-none": _page(None),
    }


def _votes() -> dict[str, PageSample]:
    own = evening(EveningState.OPEN, proposed_by=4)
    return {
        "evening-vote": _page(evening(EveningState.OPEN), chosen={hour_value(HOURS[1])}),
        "evening-vote-own": _page(own, may_cancel=True, saved=True),
        "evening-vote-nasty": _page(evening(EveningState.OPEN), names=NASTY, error="That vote is over."),
    }


def _agreed() -> dict[str, PageSample]:
    agreed = evening(EveningState.AGREED, begins_at=HOURS[0])
    moments = {"begins_at": NOW - timedelta(minutes=2), "waits_until": NOW + timedelta(minutes=8)}
    return {
        "evening-agreed": _page(agreed, may_cancel=True, is_beside=True),
        "evening-door-open": _page(agreed, may_cancel=True, may_enter=True),
        "evening-awaited": _page(evening(EveningState.AGREED, **moments), may_enter=True),
        "evening-live": _page(evening(EveningState.LIVE, begins_at=HOURS[0]), may_enter=True, is_live=True),
    }


def _notes() -> dict[str, PageSample]:
    table = playing(CLASSIC, CAST)
    return {
        **{
            f"play-evening-{name}": replace(waiting(), evening=note, evening_link=EVENING_LINK)
            for name, note in NOTES.items()
        },
        "table-evening": replace(table, evening=NOTES["soon"], evening_link="/seat/x/evening"),
    }


def _page(row: EveningRow | None, names: tuple[str, ...] = CAST, **more: Any) -> EveningPage:
    """The page for the fourth player."""
    seated = seats(names)
    page = EveningPage(
        sheet=row and evening_sheet(row, seated, seated[3], BERLIN, NOW),
        pace="1 minute",
        table_name="Ann's table",
        table_link=TABLE_LINK,
        action="/evening/x",
        form=blank_proposal(),
        zone=BERLIN,
        soonest="2026-03-02",
        latest="2026-03-16",
    )
    return replace(page, **more)


def _proposal(form: ProposalForm, offered: int = 3) -> EveningPage:
    shown = [(hour_value(hour), hour_text(hour, BERLIN, NOW), hour in form.ticked) for hour in HOURS[:offered]]
    return _page(None, hours=shown, form=form)
