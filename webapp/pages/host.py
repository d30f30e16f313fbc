"""Shows and changes the settings of a table, for its host: seats, pace, clock, talk, the end of a game.

GET shows the settings; each change is a POST.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Final

from flask import Blueprint, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from hearts.deal import hands_at_once
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, later, say, say_as
from webapp.core.tokens import HostLink
from webapp.forms.fields import (
    TICKED,
    BadField,
    Form,
    live_paces,
    mail_paces,
    pace_groups,
    pace_reader,
    read_number,
    read_robots,
    read_talk,
    read_vacation,
    robot_levels,
    talks,
    vacations,
)
from webapp.forms.opening import read_occupant
from webapp.games.clock import proposals
from webapp.games.record import links
from webapp.games.record.rows import table_rules, table_seats
from webapp.games.record.seats import is_accepted, is_offered_by_host, table_name
from webapp.models import PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.pages import limits, ways_in
from webapp.pages.common import PageContext, done_text, has_just_signed_in, page, reading, runtime
from webapp.pages.guest_list import GuestList, PlayNow, guest_list, play_now_line
from webapp.pages.limits import Answer, TooMuchMail
from webapp.pages.preferences import SIGN_IN_FIRST
from webapp.presentation.clock_text import GO_ON, pause_note, why_at_once
from webapp.presentation.phrasing import Timestamp, timestamp
from webapp.presentation.sheets import ProposalLine, proposal_lines, summary_of
from webapp.presentation.summary import TableSummary
from webapp.tables import hosting, offers, seating
from webapp.tables.hosting import GivenTo, Pace, TableOptions

TICKS = ("suggestions", "side_by_side")  # what is on or off at a table
blueprint = Blueprint("host", __name__)
DONE: Final[Mapping[str, str]] = MappingProxyType(
    {
        GivenTo.ROBOT: later("A robot has the seat now."),
        GivenTo.INVITED: later("The invitation is on its way."),
        GivenTo.OPEN: later("Anybody may take the seat now; it is in the lobby."),
        GivenTo.LINK: later("Send your link to whoever may take the seat."),
        GivenTo.OFFERED: later(
            "The invitation is on its way. Nothing changes before it is accepted and the hand is over."
        ),
        "signing-in": later("We have mailed you a link. Open it in this browser, and come back within 15 minutes."),
        "withdrawn": later("The seat is offered to nobody any more."),
        "reminded": later("The reminder is on its way."),
        GivenTo.PROPOSED: later(
            "The others get one email about it. Below you see when it takes effect, and may withdraw it."
        ),
        "taken-back": later("That is withdrawn."),
        "pace": later("That is the pace from the next question on. What is asked now keeps the longer time."),
        "paused": later("The clock stands still. Nobody is reminded, and nobody is played for; who likes may play on."),
        "going": later("The clock goes on. Players whose turn it is have their full time from now."),
        "manners": later("That is how the table plays from now on."),
    }
)


@dataclass(frozen=True, slots=True)
class HostSeatLine:
    """A seat, and what its host may do with it. `typed`: what the host entered for it, if that was invalid."""

    seat: int
    name: str
    text: str  # the state of the seat
    is_free: bool  # nobody plays there yet
    is_robot: bool
    is_asked: bool  # a player is invited and has not answered
    offered_name: str | None
    joins: bool  # the newcomer has accepted, and joins after the hand
    typed: Mapping[str, str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChoices(PageContext):
    """The choices of a host who opens a table, or changes its settings."""

    paces: Sequence[tuple[str, str]] | Sequence[tuple[str, Sequence[tuple[str, str]]]]
    vacations: Sequence[tuple[str, str]] = field(default_factory=vacations)
    robot_levels: Sequence[tuple[str, str]] = field(default_factory=robot_levels)
    talks: Sequence[tuple[str, str]] = field(default_factory=talks)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPage(TableChoices):
    table: TableSummary
    form: Form
    seats: Sequence[HostSeatLine]
    guests: GuestList | None
    play_now: PlayNow | None
    gathers: bool  # its first deal waits for somebody
    is_played: bool
    may_invite: bool  # somebody to a seat of a game that has begun
    why_at_once: str  # empty if the rules have only one direction of the pass
    proposals: Sequence[ProposalLine] = ()
    paused: Timestamp | None  # since when
    pause: str = ""  # what is said of a pause that anybody at the table may end
    go_on: str = field(default_factory=lambda: say(GO_ON))
    action: str
    table_link: str
    done: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostEnd(PageContext):
    name: str
    is_played: bool
    is_alone: bool = False  # there is no other player
    error: str | None = None
    action: str
    settings_link: str
    table_link: str


@blueprint.get("/host/<token>")
def show(token: str) -> str:
    return _settings_page(token, done=done_text(DONE))


@blueprint.post("/host/<token>/fill")
def give_seat(token: str) -> Answer:
    link, typed = runtime().signer.read(HostLink, token), Form.sent(request.form).values
    try:
        number, occupant = read_number(request.form.get("seat", "")), read_occupant(request.form)
        with reading() as session:
            table = links.check_host(session, link)
            if occupant is not None and not _may_invite(table, link):
                return _settings_page(token, error=say(SIGN_IN_FIRST), typed=typed), 403
            invited = offers.invited_by_giving(session, link.table_id, number, occupant)
            was_played = table.state is TableState.PLAYING
        with limits.counted(*limits.invited(link.player_id, invited)):
            given = hosting.give_seat(runtime(), link, number, occupant, runtime().now())
    except Refused as error:
        return limits.refused(_settings_page(token, error=str(error), typed=typed), error)
    cards = None if was_played else ways_in.to_cards(link.table_id, may_enter=True)
    return redirect(cards, 303) if cards else _done(token, given)


@blueprint.post("/host/<token>/sign-in")
def mail_sign_in(token: str) -> Answer:
    """Mails the host a link that signs them in, for what the link of a forwarded mail must not do."""
    link = runtime().signer.read(HostLink, token)
    with reading() as session:
        links.check_host(session, link)
    try:
        ways_in.mail_sign_in(link.player_id)
    except TooMuchMail as error:
        return limits.refused(_settings_page(token, error=str(error)), error)
    return _done(token, "signing-in")


@blueprint.post("/host/<token>/withdraw")
def withdraw(token: str) -> AnyResponse | tuple[str, int]:
    return _change_seat(token, hosting.withdraw_offer, "withdrawn")


@blueprint.post("/host/<token>/remind")
def remind(token: str) -> AnyResponse | tuple[str, int]:
    return _change_seat(token, hosting.remind, "reminded")


@blueprint.post("/host/<token>/pace")
def change_pace(token: str) -> AnyResponse | tuple[str, int]:
    link = runtime().signer.read(HostLink, token)
    form = Form.sent(request.form)
    read_pace = pace_reader([*live_paces(), *mail_paces(runtime().settings.shortest_pace_seconds)])
    pass_time, play_time = form.take("pass_time", read_pace), form.take("play_time", read_pace)
    vacation_days = form.take("vacation_days", read_vacation) if "vacation_days" in form.values else None
    if form.errors or pass_time is None or play_time is None:
        return _settings_page(token, form=form), 400
    try:
        wanted = Pace(pass_time, play_time, vacation_days)
        is_proposed = hosting.change_pace(runtime(), link, wanted, runtime().now())
    except Refused as error:
        return _settings_page(token, form=form, error=str(error)), 400
    return _done(token, "proposed" if is_proposed else "pace")


@blueprint.post("/host/<token>/take-back")
def take_back(token: str) -> AnyResponse | tuple[str, int]:
    """Withdraws a proposal."""
    link = runtime().signer.read(HostLink, token)
    try:
        hosting.withdraw_proposal(runtime(), link, request.form.get("proposal", ""), runtime().now())
    except Refused as error:
        return _settings_page(token, error=str(error)), 400
    return _done(token, "taken-back")


@blueprint.post("/host/<token>/clock")
def pause(token: str) -> AnyResponse | tuple[str, int]:
    link, want = runtime().signer.read(HostLink, token), request.form.get("want")
    try:
        if want not in ("pause", "go-on"):
            raise BadField(say("Please use the buttons on this page."))
        hosting.pause(runtime(), link, paused=want == "pause", now=runtime().now())
    except Refused as error:
        return _settings_page(token, error=str(error)), 400
    return _done(token, "paused" if want == "pause" else "going")


@blueprint.post("/host/<token>/manners")
def change_options(token: str) -> AnyResponse | tuple[str, int]:
    link = runtime().signer.read(HostLink, token)
    form = Form.sent(request.form)
    talk, robots = form.take("talk", read_talk), form.take("robots", read_robots)
    if talk is None or robots is None:
        return _settings_page(token, form=form), 400
    suggestions, side_by_side = (form.values.get(name) == TICKED for name in TICKS)
    options = TableOptions(talk, suggestions, robots, side_by_side)
    hosting.change_options(runtime(), link, options, runtime().now())
    return _done(token, "manners")


@blueprint.get("/host/<token>/end")
def ask_to_end(token: str) -> str:
    return _end_page(token)


@blueprint.post("/host/<token>/end")
def end(token: str) -> AnyResponse | tuple[str, int]:
    try:
        is_proposed = hosting.end_game(runtime(), runtime().signer.read(HostLink, token), runtime().now())
    except Refused as error:
        return _end_page(token, str(error)), 400
    return _done(token, "proposed") if is_proposed else redirect(f"/host/{token}/end", 303)


def host_link(table: TableRow, seat: SeatRow) -> str | None:
    """The link to the settings of the table, if its host has `seat`; None for other players."""
    if seat.player_id != table.host_id:
        return None
    return runtime().signer.local_url(links.host_link(table, seat))


def _change_seat(
    token: str, change: Callable[[Runtime, HostLink, int, datetime], None], done: str
) -> AnyResponse | tuple[str, int]:
    """Applies `change` to the seat that the form names, and shows the settings again."""
    link = runtime().signer.read(HostLink, token)
    try:
        change(runtime(), link, read_number(request.form.get("seat", "")), runtime().now())
    except Refused as error:
        return _settings_page(token, error=str(error)), 400
    return _done(token, done)


def _end_page(token: str, error: str | None = None) -> str:
    link = runtime().signer.read(HostLink, token)
    with reading() as session:
        table = links.check_host(session, link)
        seats = table_seats(session, table.id)
        table_link = _table_link(session, link)
    return page(
        HostEnd(
            name=table_name(seats),
            is_played=table.state is TableState.PLAYING,
            is_alone=not proposals.others(table, seats),
            error=error,
            action=f"/host/{token}/end",
            settings_link=f"/host/{token}",
            table_link=table_link,
        )
    )


def _done(token: str, what: str) -> AnyResponse:
    return redirect(f"/host/{token}?done={what}", 303)


def _settings_page(
    token: str,
    *,
    form: Form | None = None,
    done: str | None = None,
    error: str | None = None,
    typed: Mapping[str, str] = MappingProxyType({}),
) -> str:
    link, now = runtime().signer.read(HostLink, token), runtime().now()
    with reading() as session:
        table, seats = links.check_host(session, link), table_seats(session, link.table_id)
        zone = session.get_one(PlayerRow, link.player_id).time_zone
        table_link = _table_link(session, link)
        play_now = play_now_line(session, table, seats, seats[0], f"/host/{token}")
    values = _values(table)
    changeable = seats if table.state in hosting.OPEN_TO_CHANGE else ()
    return page(
        HostPage(
            table=summary_of(table, seats),
            form=Form(values | form.values, form.errors) if form else Form(values),
            paces=pace_groups(runtime().settings.shortest_pace_seconds),
            seats=[host_seat_line(seat, typed) for seat in changeable if seat.player_id != table.host_id],
            guests=guest_list(table, seats, seats[0], f"/host/{token}"),
            play_now=play_now,
            gathers=table.state is TableState.INVITING,
            is_played=table.state is TableState.PLAYING,
            may_invite=_may_invite(table, link),
            why_at_once=why_at_once(hands_at_once(table_rules(table))[-1]),
            proposals=proposal_lines(table, seats, link.player_id, zone, now),
            paused=timestamp(table.pause.since, now, zone) if table.pause else None,
            pause=pause_note(table.pause, now, zone),
            action=f"/host/{token}",
            table_link=table_link,
            done=done,
            error=error,
        )
    )


def _table_link(session: Session, link: HostLink) -> str:
    """The link to the host's own table page."""
    seat = next(seat for seat in table_seats(session, link.table_id) if seat.player_id == link.player_id)
    return runtime().signer.local_url(links.seat_link(seat))


def _values(table: TableRow) -> dict[str, str]:
    """The present settings, as the values of the form's fields."""
    return {
        "pass_time": str(table.pass_seconds),
        "play_time": str(table.play_seconds),
        "vacation_days": str(table.vacation_days),
        "talk": table.talk.value,
        "robots": table.robots.value,
        "suggestions": TICKED if table.suggestions else "",
        "side_by_side": TICKED if table.at_once > 1 else "",
    }


def _may_invite(table: TableRow, link: HostLink) -> bool:
    """Whether the visitor may let somebody else play a seat: of a running game, only if they have just signed in.

    The mail of a host's turn leads here, and may have been forwarded.
    """
    return table.state is not TableState.PLAYING or has_just_signed_in(link.player_id)


def host_seat_line(seat: SeatRow, typed: Mapping[str, str]) -> HostSeatLine:
    """A seat as the page shows it; `typed` is the invalid form that was sent for one of the seats, or empty."""
    anybodys = say_as("a seat", "anybody may sit here")
    texts = {
        SeatState.INVITED: say_as("a seat", "no answer yet"),
        SeatState.DECLINED: say_as("a seat", "declined"),
        SeatState.OPEN: say_as("a seat", "for a friend with your link") if seat.by_link else anybodys,
        SeatState.ROBOT: say_as("a seat", "robot"),
    }
    otherwise = say_as("a player", "away, a robot plays") if seat.away else say_as("a player", "plays")
    return HostSeatLine(
        seat.seat,
        seat.name,
        say_as("a seat", "the invitation ran out") if seat.has_run_out else texts.get(seat.state, otherwise),
        is_free=seat.state in seating.FREE,
        is_robot=seat.state is SeatState.ROBOT,
        is_asked=seat.state is SeatState.INVITED or (is_offered_by_host(seat) and not is_accepted(seat)),
        offered_name=seat.offered_name if is_offered_by_host(seat) else None,
        joins=is_accepted(seat),
        typed=typed if typed.get("seat") == str(seat.seat) else None,
    )
