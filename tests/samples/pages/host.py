"""The host's settings before and during a game, and a game that the host ends."""

from dataclasses import replace
from typing import Any

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC, finished_game
from tests.samples.links import TABLE_LINK
from tests.samples.pages.deadlines import PAUSED, REST
from tests.samples.pages.invitations import INVITED
from tests.samples.pages.table import PLAY_NOW, scored
from tests.samples.proposals import END, NASTY_ROBOT, PACE
from tests.samples.rendering import PageSample, line
from tests.samples.tables import summary
from webapp.forms.fields import Form, pace_groups
from webapp.models import OfferState, SeatState
from webapp.pages.host import DONE, HostEnd, HostPage, HostSeatLine, host_seat_line
from webapp.presentation.clock_text import why_at_once
from webapp.presentation.scoresheet import score_sheet
from webapp.tables.run_out import NOBODY

VALUES = {
    "pass_time": "86400",
    "play_time": "43200",
    "vacation_days": "3",
    "talk": "text",
    "robots": "strong",
    "suggestions": "yes",
}
HOST = HostPage(
    table=summary(CLASSIC),
    form=Form(VALUES),
    paces=pace_groups(None),
    seats=[],
    guests=None,
    play_now=None,
    gathers=False,
    is_played=True,
    may_invite=True,
    why_at_once=why_at_once(4),
    paused=None,
    action="/host/x",
    table_link=TABLE_LINK,
)


def pages() -> dict[str, PageSample]:
    return {**_settings(), **_seats(), **_end()}


def _settings() -> dict[str, PageSample]:
    return {}


def _seats() -> dict[str, PageSample]:
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
    wrong = "This is not an email address that we can write to."
    nasty = [_seat_line(seat, name, SeatState.ACCEPTED) for seat, name in enumerate(NASTY[1:], 1)]
    return {
        "host": replace(HOST, seats=playing, done="A robot has the seat now."),
        "host-not-signed-in": replace(HOST, seats=playing, may_invite=False),
        "host-joining": replace(HOST, seats=joining),
        "host-paused": replace(HOST, seats=playing[1:], paused=PAUSED),
        "host-proposed": replace(HOST, seats=playing[1:], proposals=[PACE, END, NASTY_ROBOT], done=DONE["proposed"]),
        "host-resting": replace(HOST, seats=playing[1:], paused=PAUSED, pause=REST),
        "host-inviting": replace(
            HOST, table=INVITED, seats=inviting, is_played=False, gathers=True, play_now=PLAY_NOW, error=wrong
        ),
        "host-nasty": replace(HOST, seats=nasty, table=summary(CLASSIC, NASTY)),
    }


def _seat_line(
    seat: int, name: str, state: SeatState, *, typed: dict[str, str] | None = None, **more: Any
) -> HostSeatLine:
    none = {"away": False, "offered_to": None, "offered_name": None, "offer_state": None, "has_run_out": False}
    none["by_link"] = False
    row: Any = line(seat=seat, name=name, state=state, **{**none, **more})
    return host_seat_line(row, typed or {})


def _end() -> dict[str, PageSample]:
    asked = HostEnd(
        name="Ann's table",
        is_played=True,
        action="/host/x/end",
        settings_link="/host/x",
        table_link=TABLE_LINK,
    )
    early = score_sheet(CLASSIC, CAST, finished_game(CLASSIC).scores[:2], is_ended=True)
    return {
        "host-end": asked,
        "host-end-alone": replace(asked, is_alone=True),
        "host-end-refused": replace(asked, error="Wait a little with the next."),
        "host-ended": replace(asked, is_played=False),
        "table-ended": scored(CLASSIC, CAST, early),
    }
