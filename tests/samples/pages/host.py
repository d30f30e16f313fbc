"""The host's settings before and during a game, and a game that the host ends."""

from typing import Any

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC, finished_game
from tests.samples.links import TABLE_LINK
from tests.samples.pages.choices import OF_A_HOST
from tests.samples.pages.deadlines import PAUSED, REST
from tests.samples.pages.table import scored
from tests.samples.rendering import Sample, line
from tests.samples.tables import summary
from webapp.forms.fields import NO_LIVE_BANK, Form
from webapp.models import OfferState, SeatState
from webapp.pages.host import DONE, HostSeatLine, host_seat_line
from webapp.presentation.pause_text import GO_ON
from webapp.presentation.present import score_sheet
from webapp.tables.run_out import NOBODY

VALUES = {
    "pass_time": "86400",
    "play_time": "43200",
    "vacation_days": "3",
    "talk": "text",
    "robots": "strong",
    "suggestions": "yes",
}
FRAME: dict[str, Any] = {
    **OF_A_HOST,
    "table": summary(CLASSIC),
    "form": Form(VALUES),
    "action": "/host/x",
    "table_link": TABLE_LINK,
    "done": None,
    "error": None,
    "paused": None,
    "rest": None,
    "go_on": GO_ON,
    "is_played": True,
    "may_be_side_by_side": True,
}


def pages() -> dict[str, Sample]:
    return {**_settings(), **_seats(), **_end()}


def _settings() -> dict[str, Sample]:
    banked = {"form": Form({**VALUES, "bank": "usual"}), "seats": [], "done": DONE["going"]}
    return {
        "host-bank": ("host", {**FRAME, **banked}),
        "host-bank-wrong": ("host", {**FRAME, "form": Form(VALUES, {"bank": NO_LIVE_BANK}), "seats": []}),
    }


def _seats() -> dict[str, Sample]:
    playing = [
        _seat_line(1, "Bo", SeatState.ACCEPTED, offered_to=5, offered_name="Eve"),
        _seat_line(2, "Cy", SeatState.ACCEPTED, away=True),
        _seat_line(3, "Pip", SeatState.ROBOT),
    ]
    eve = {"offered_to": 5, "offered_name": "Eve", "offer_state": OfferState.ACCEPTED}
    joining = [_seat_line(1, "Bo", SeatState.ACCEPTED, **eve), _seat_line(3, "Pip", SeatState.ROBOT, **eve)]
    inviting = [
        _seat_line(1, "Bo", SeatState.INVITED),
        _seat_line(2, "Cy", SeatState.DECLINED, typed={"seat": "2", "kind": "player", "name": "Eve", "address": "eve"}),
        _seat_line(3, "Open seat", SeatState.OPEN),
        _seat_line(5, "Open seat", SeatState.OPEN, by_link=True),
        _seat_line(4, NOBODY, SeatState.DECLINED, has_run_out=True),
    ]
    wrong = {"is_played": False, "error": "This is not an email address that we can write to."}
    nasty = [_seat_line(seat, name, SeatState.ACCEPTED) for seat, name in enumerate(NASTY[1:], 1)]
    return {
        "host": ("host", {**FRAME, "seats": playing, "done": "A robot has the seat now."}),
        "host-joining": ("host", {**FRAME, "seats": joining}),
        "host-paused": ("host", {**FRAME, "seats": playing[1:], "paused": PAUSED}),
        "host-resting": ("host", {**FRAME, "seats": playing[1:], "paused": PAUSED, "rest": REST}),
        "host-inviting": ("host", {**FRAME, "seats": inviting, **wrong}),
        "host-nasty": ("host", {**FRAME, "seats": nasty, "table": summary(CLASSIC, NASTY)}),
    }


def _seat_line(
    seat: int, name: str, state: SeatState, *, typed: dict[str, str] | None = None, **more: Any
) -> HostSeatLine:
    none = {"away": False, "offered_to": None, "offered_name": None, "offer_state": None, "has_run_out": False}
    none["by_link"] = False
    row: Any = line(seat=seat, name=name, state=state, **{**none, **more})
    return host_seat_line(row, typed or {})


def _end() -> dict[str, Sample]:
    asked = {"name": "Ann's table", "action": "/host/x/end", "settings_link": "/host/x", "table_link": TABLE_LINK}
    early = score_sheet(CLASSIC, CAST, finished_game(CLASSIC).scores[:2], is_ended=True)
    return {
        "host-end": ("host_end", {**asked, "is_played": True}),
        "host-ended": ("host_end", {**asked, "is_played": False}),
        "table-ended": ("table", scored(CLASSIC, CAST, early)),
    }
