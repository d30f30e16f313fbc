"""Serves the page of an evening together: proposing hours, saying which suit, calling it off, and coming to the table.

GET only shows, also where a link names an hour: then its box is ticked. A mailed link lets its player in to play, but
only around the hour and while the evening lasts; the link to the table page never does.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import Blueprint, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response

from webapp.core.refusal import Refused
from webapp.core.tokens import EveningLink, PlayLink, SeatLink
from webapp.evenings import agreeing, meeting
from webapp.evenings.form import PACES, ProposalForm, blank_proposal, read_hours, read_proposal
from webapp.evenings.hours import DAYS_AHEAD
from webapp.evenings.meeting import is_door_open
from webapp.evenings.text import EveningSheet, evening_sheet, hour_value, pace_text
from webapp.forms.fields import BadField, read_number
from webapp.games.clock.days_off import today_of
from webapp.games.record import links, store
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import table_name
from webapp.games.record.store import TableGame
from webapp.models import EveningState, GameState, PlayerRow, SeatRow
from webapp.pages.common import PageContext, page, reading, runtime, signed_in
from webapp.pages.following import play_link
from webapp.pages.limits import Answer
from webapp.presentation.sheets import zone_of
from webapp.presentation.timestamps import hour_text
from webapp.tables import going_live, seating

blueprint = Blueprint("evening", __name__)
Link = EveningLink | SeatLink


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningPage(PageContext):
    template = "evening"
    sheet: EveningSheet | None
    chosen: Collection[str] = ()
    pace: str | None = None
    is_beside: bool = False  # hands are played side by side
    may_cancel: bool = False
    may_enter: bool = False
    is_live: bool = False
    saved: bool = False
    error: str | None = None
    table_name: str
    table_link: str
    action: str
    hours: Sequence[tuple[str, str, bool]] | None = None  # to propose: value, text, ticked; None: none can be proposed
    form: ProposalForm | None = None
    paces: Sequence[tuple[str, str]] = PACES
    zone: str
    soonest: str
    latest: str


@blueprint.get("/evening/<token>", defaults={"kind": EveningLink})
@blueprint.get("/seat/<token>/evening", defaults={"kind": SeatLink})
def show(token: str, kind: type[Link]) -> str:
    return _page(runtime().signer.read(kind, token), suiting=read_hours(request.args.getlist("hour")))


@blueprint.get("/play/<token>/evening")
def show_from_play(token: str) -> Response:
    link = runtime().signer.read(PlayLink, token)
    with reading() as session:
        seat = seating.own_seat(session, link)
    return redirect(runtime().signer.local_url(links.evening_link(seat)), 303)


@blueprint.post("/evening/<token>", defaults={"kind": EveningLink})
@blueprint.post("/seat/<token>/evening", defaults={"kind": SeatLink})
def change(token: str, kind: type[Link]) -> Answer:
    """Does what the form asks for."""
    link = runtime().signer.read(kind, token)
    try:
        match request.form.get("want"):
            case "propose":
                return _propose(link)
            case "vote":
                suiting = read_hours(request.form.getlist("hour"))
                agreeing.vote(runtime(), link, read_number(request.form.get("evening", "")), suiting, runtime().now())
            case "cancel":
                agreeing.cancel(runtime(), link, read_number(request.form.get("evening", "")), runtime().now())
            case "end":
                way_back = _way_in(link)
                going_live.end(runtime(), link, runtime().now())
                return redirect(way_back or request.path, 303)
            case "enter":
                return redirect(_way_in(link) or request.path, 303)
            case _:
                raise BadField("Please use the buttons on this page.")
    except BadField as error:
        return _page(link, error=str(error)), 400
    except Refused as error:
        return _page(link, error=str(error)), 409
    return redirect(f"{request.path}?saved=yes", 303)


def _propose(link: Link) -> Answer:
    now = runtime().now()
    with reading() as session:
        zone = zone_of(session, seating.own_seat(session, link))
    form = read_proposal(request.form, zone, now)
    if form.errors:
        return _page(link, form=form), 400
    agreeing.propose(runtime(), link, form.hours, form.pace, now)
    return redirect(f"{request.path}?saved=yes", 303)


def _way_in(link: Link) -> str | None:
    """The page on which the link's player plays; None if this link does not let them in, or not now."""
    with reading() as session:
        seat = seating.own_seat(session, link)
        is_open = is_door_open(meeting.newest(session, link.table_id), runtime().now())
    return play_link(seat) if _is_signed_in(seat) or (is_open and isinstance(link, EveningLink)) else None


def _is_signed_in(seat: SeatRow) -> bool:
    player = signed_in()
    return player is not None and player.id == seat.player_id


def _page(
    link: Link, *, suiting: Collection[datetime] = (), form: ProposalForm | None = None, error: str | None = None
) -> str:
    now = runtime().now()
    with reading() as session:
        seat = seating.own_seat(session, link)
        seats = table_seats(session, link.table_id)
        zone, row = zone_of(session, seat), meeting.newest(session, link.table_id)
        stored = store.load_newest(session, link.table_id)
        sheet = evening_sheet(row, seats, seat, zone, now) if row else None
        proposal = form or blank_proposal()
        hours = _hours(session, stored, seat, proposal, now) if sheet is None else None
        today = today_of(session.get_one(PlayerRow, link.player_id), now)
    running = row if sheet else None
    return page(
        EveningPage(
            reader=link.player_id,
            sheet=sheet,
            chosen={hour_value(hour) for hour in suiting},
            pace=pace_text(running) if running else None,
            is_beside=stored is not None and stored.row.at_once > 1,
            may_cancel=running is not None and agreeing.may_cancel(running, link.player_id),
            may_enter=running is not None and running.begins_at is not None and _way_in(link) is not None,
            is_live=running is not None and running.state is EveningState.LIVE,
            saved="saved" in request.args and error is None and form is None,
            error=error,
            table_name=table_name(seats),
            table_link=runtime().signer.local_url(links.seat_link(seat)),
            action=request.path,
            hours=None if hours is None else [_shown(hour, zone, now, proposal) for hour in hours],
            form=proposal,
            zone=zone,
            soonest=today.isoformat(),
            latest=(today + timedelta(days=DAYS_AHEAD)).isoformat(),
        )
    )


def _shown(hour: datetime, zone: str, now: datetime, form: ProposalForm) -> tuple[str, str, bool]:
    return hour_value(hour), hour_text(hour, zone, now), hour in form.ticked


def _hours(
    session: Session, stored: TableGame | None, seat: SeatRow, form: ProposalForm, now: datetime
) -> Sequence[datetime] | None:
    """The hours that the player may propose; None if no evening can be proposed."""
    if stored is None or stored.row.state is not GameState.PLAYING:
        return None
    if not agreeing.may_propose(stored.table, stored.seats, seat):
        return None
    return sorted({*agreeing.hours_for(session, stored.seats, seat, now), *form.ticked})
