"""Serves the table page of a seat: the players, whose turn it is, the score sheet, the record of the finished hands.

The link shows; it does not play. For the host it also gives free seats to others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from flask import Blueprint, Response, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from hearts.record import record_text
from hearts.seats import Seat
from webapp.away.text import absence_sentence
from webapp.core.refusal import Refused
from webapp.core.tokens import LinkInvalid, SeatLink
from webapp.forms.fields import LONGEST_ECHO, BadField, read_address, read_name, read_number
from webapp.forms.opening import OPEN_SEATS, NewSeat
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import first_asked
from webapp.games.following import news_of
from webapp.games.record import links, store
from webapp.games.record.guests import is_guest
from webapp.games.record.links import preferences_link, relive_link
from webapp.games.record.live import plays_live
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import is_lent, owner_name
from webapp.games.record.store import TableGame
from webapp.games.talk import recent_lines
from webapp.models import GameState, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import questions
from webapp.outbox.delivery import Delivery, last_mails, unreachable_seats
from webapp.pages import limits, ways_in
from webapp.pages.again import again_text_on_table
from webapp.pages.common import page, reading, runtime, signed_in
from webapp.pages.guest_list import guest_list
from webapp.pages.host import host_link
from webapp.pages.limits import Refusal, TooMuchMail
from webapp.pages.offers import OfferNote, offer_note
from webapp.pages.play import Follow, evening_context, news_response
from webapp.presentation.bank_text import bank_notes
from webapp.presentation.chart import race
from webapp.presentation.pause_text import GO_ON, rest_note
from webapp.presentation.result import result
from webapp.presentation.sheets import (
    NO_OPINIONS,
    blank_score_sheet,
    deadline_of,
    score_sheet_of,
    seat_word,
    summary_of,
    talk_sheet_of,
    turn_sheet_of,
    zone_of,
)
from webapp.presentation.summary import BY_LINK
from webapp.presentation.timestamps import Timestamp
from webapp.presentation.vacation_text import vacation_notes
from webapp.presentation.waiting import awaited_text
from webapp.robots.reviews import reviews_for
from webapp.sharing.page import share_link
from webapp.tables import guests, hosting, seating

blueprint = Blueprint("seats", __name__)

OPEN = (TableState.INVITING, TableState.PLAYING)
UNREACHABLE_STATE = "unreachable"


@dataclass(frozen=True, slots=True)
class WaitLine:
    """For whom the table waits, and until when: the first deadline of its hands."""

    sentence: str
    until: Timestamp | None


@dataclass(frozen=True, slots=True)
class MailLines:
    """The delivery of the last mail to the page's reader; `reason` is the server's own text if it was refused.

    `preferences_link` is for a reader who is signed in: the seat's link alone cannot change an address. `others` is for
    the host: a player's name, what became of their mail, whether that is a problem.
    """

    sentence: str
    reason: str | None
    is_trouble: bool
    preferences_link: str | None
    others: list[tuple[str, str, bool]]


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A free seat, which the host may give to somebody else."""

    seat: int
    name: str
    state: str


@dataclass(frozen=True, slots=True)
class HostTools:
    """The host's tools for free seats; `fill_action` is None if no seat is open to anybody."""

    seats: list[OpenSeat]
    action: str
    remind_action: str
    fill_action: str | None
    fill_text: str


@blueprint.get("/seat/<token>")
def table(token: str) -> str:
    return _table_page(token)


@blueprint.get("/seat/<token>/now")
def now(token: str) -> Response:
    return news_response(runtime().signer.read(SeatLink, token))


@blueprint.post("/seat/<token>/fill")
def refill(token: str) -> AnyResponse | tuple[str, int] | Refusal:
    link = runtime().signer.read(SeatLink, token)
    _check(link)
    try:
        number, occupant = _read_seat_form()
        with reading() as session:
            invited = guests.invited_by_giving(session, link.table_id, number, occupant)
        with limits.counted(*limits.invited(link.player_id, invited)):
            seating.refill(runtime(), link, number, occupant, runtime().now())
    except TooMuchMail as error:
        return limits.refused(_table_page(token, host_error=str(error), host_typed=_typed()), error)
    except Refused as error:
        return _table_page(token, host_error=str(error), host_typed=_typed()), 400
    return redirect(f"/seat/{token}", 303)


@blueprint.post("/seat/<token>/remind")
def remind(token: str) -> AnyResponse | tuple[str, int]:
    """Reminds an invited player, for the host."""
    link = runtime().signer.read(SeatLink, token)
    try:
        with reading() as session:
            own = seating.own_seat(session, link)
            table = session.get_one(TableRow, link.table_id)
        if own.player_id != table.host_id:
            raise seating.SeatGone
        as_host = links.host_link(table, own)
        hosting.remind(runtime(), as_host, read_number(request.form.get("seat", "")), runtime().now())
    except Refused as error:
        return _table_page(token, host_error=str(error), host_typed=_typed()), 400
    return redirect(f"/seat/{token}#seats", 303)


@blueprint.post("/seat/<token>/robots")
def fill_open(token: str) -> AnyResponse:
    """Gives all open seats to robots, for the host."""
    link = runtime().signer.read(SeatLink, token)
    _check(link)
    seating.fill_open(runtime(), link, runtime().now())
    return redirect(f"/seat/{token}", 303)


@blueprint.post("/seat/<token>/mail")
def mail_turn(token: str) -> AnyResponse | Refusal:
    """Mails the reader, whose turn it is, the link to it: the seat's link alone does not play."""
    link = runtime().signer.read(SeatLink, token)
    _check(link)
    try:
        ways_in.mail_one(link)
    except TooMuchMail as error:
        return limits.refused(_table_page(token, mail_error=str(error)), error)
    return redirect(f"/seat/{token}?mailed=yes", 303)


@blueprint.get("/seat/<token>/record.json")
def record(token: str) -> Response:
    """The game record of the finished hands only: nobody may see the cards of the current hand."""
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, link)
        stored = _stored(session, link, request.args.get("game", type=int))
        code = session.get_one(TableRow, link.table_id).code
    if stored is None:
        raise LinkInvalid
    name = f"hearts-{code}-{stored.row.number}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(record_text(stored.record()), mimetype="application/json", headers=headers)


def _check(link: SeatLink) -> None:
    """Raises SeatLost if another player has the seat, LinkExpired if the player has ended the link."""
    with reading() as session:
        seating.own_seat(session, link)


def _stored(session: Session, link: SeatLink, number: int | None = None) -> TableGame | None:
    """Game `number` of the table, or the newest game; None if there is none."""
    if number is None:
        newest = store.load_newest(session, link.table_id)
        return newest and first_asked(newest, Seat(link.seat))
    row = seating.game(session, link.table_id, number)
    return store.load(session, row.id) if row else None


def _read_seat_form() -> tuple[int, NewSeat | None]:
    """The number of the seat that the host gives away, and its new player (None: a robot). Raises BadField."""
    number = read_number(request.form.get("seat", ""))
    match request.form.get("kind"):
        case "robot":
            return number, None
        case "open" | "link" as kind:
            return number, OPEN_SEATS[kind]
        case "player":
            name = read_name(request.form.get("name", ""))
            return number, NewSeat(name, read_address(request.form.get("address", "")))
        case _:
            raise BadField("Choose a robot, somebody else, your link, or anybody.")


def _typed() -> dict[str, str]:
    return {name: text[:LONGEST_ECHO] for name, text in request.form.items()}


def _table_page(
    token: str,
    *,
    host_error: str | None = None,
    host_typed: Mapping[str, str] = MappingProxyType({}),
    mail_error: str | None = None,
) -> str:
    link = runtime().signer.read(SeatLink, token)
    now = runtime().now()
    with reading() as session:
        stored = _stored(session, link)  # with it come the table, the seat and its player
        seat = seating.own_seat(session, link)
        zone = zone_of(session, seat)
        table = session.get_one(TableRow, link.table_id)
        seats = stored.seats if stored else table_seats(session, link.table_id)
        said = recent_lines(session, table, now)
        newest_line, game = said[-1].id if said else None, stored.row if stored else None
        version = news_of(table, game, seats, link.seat, newest_line, now)["version"]
        mails = last_mails(session, seats, now)
        unreachable = unreachable_seats(session, seats, mails)
        mail = _mail(session, seat, table, seats, mails.get(seat.seat), zone, now)
        summary = summary_of(table, seats)
        opinions = reviews_for(session, stored, Seat(link.seat), link.player_id) if stored else NO_OPINIONS
        score = score_sheet_of(stored, opinions=opinions) if stored else blank_score_sheet(table, seats)
        again = again_text_on_table(session, seat, stored.row, summary) if stored else None
        talk = talk_sheet_of(said, table, seats, seat, zone, now)
        note = _offer_note(session, seat)
        is_playing = stored is not None and stored.row.state is GameState.PLAYING
        together = evening_context(session, stored, seat, f"/seat/{token}") if stored and is_playing else {}
        about_time = _about_time(session, stored, seat, now) if stored else {}
        absence = absence_sentence(seat, session.get_one(PlayerRow, link.player_id), now)
        due = due_of(stored.game, Seat(link.seat)) if stored and is_playing else None
        is_mailed = "mailed" in request.args or (
            stored is not None and due is not None and questions.was_just_mailed(session, stored, seat, due, now)
        )
    is_asked = due is not None
    deadline = deadline_of(stored, zone, now) if stored else None
    hands = list(stored.open_hands()) if stored else []
    return page(
        "table",
        reader=link.player_id,
        table=summary,
        score=score,
        chart=race(score),
        result=result(stored.game.rules, score) if stored and _is_over(stored) else None,
        share_link=share_link(token, stored, link.seat) if stored else None,
        again=again,
        waiting=_wait_line(hands, Seat(link.seat), [deadline_of(hand, zone, now) for hand in hands], unreachable),
        paused=deadline if deadline and deadline.is_pause else None,
        rest=rest_note(table, now, zone) if table.resting_at else None,
        rest_action=f"/seat/{token}/rest",
        go_on=GO_ON,
        host_link=host_link(table, seat) if _is_signed_in(seat) else None,
        sheet=turn_sheet_of(stored, Seat(link.seat), zone, now) if stored and is_playing else None,
        record_link=f"/seat/{token}/record.json" if stored and stored.game.scores else None,
        relive_links=_relive_links(stored, seat) if stored else [],
        is_asked=is_asked,
        mail_action=f"/seat/{token}/mail" if is_asked else None,
        mailed=is_mailed,
        mail_error=mail_error,
        play_link=ways_in.way_in(seat),
        follow=Follow(f"/seat/{token}", version, plays_live(table), is_player=False),
        kind="table",
        absence=absence,
        back_action=f"/seat/{token}/back",
        away_link=f"/seat/{token}/away" if table.state in OPEN and not plays_live(table) else None,
        plays_for=owner_name(seat) if is_lent(seat) else None,
        give_back_action=f"/seat/{token}/give-back",
        offer_note=note,
        host=_host_tools(token, link, table, list(seats), unreachable),
        guests=guest_list(table, seats, seat),
        host_error=host_error,
        host_typed=host_typed,
        talk=talk,
        mail=mail,
        **about_time,
        **together,
    )


def _about_time(session: Session, stored: TableGame, seat: SeatRow, now: datetime) -> dict[str, Any]:
    """Context of the page while a game is played: what is left in the banks of time, and for whom the table waits."""
    if stored.row.state is not GameState.PLAYING:
        return {}
    me = Seat(seat.seat)
    return {
        "bank_notes": bank_notes(session, stored, me, stored.open_hands(), now),
        "vacation_notes": vacation_notes(session, stored, me, now),
    }


def _is_over(stored: TableGame) -> bool:
    """Whether the game is over and has a result."""
    return stored.row.state is GameState.OVER and bool(stored.game.scores)


def _mail(
    session: Session,
    seat: SeatRow,
    table: TableRow,
    seats: Sequence[SeatRow],
    own: Delivery | None,
    zone: str,
    now: datetime,
) -> MailLines | None:
    """Describes the delivery of the last mail to the seat's player; for the host, also of those to the others."""
    if own is None:
        return None
    others = [other for other in seats if other.player_id not in (None, seat.player_id)]
    mails = last_mails(session, others, now, even_ahead=False) if others and seat.player_id == table.host_id else {}
    player = signed_in()
    is_own = player is not None and player.id == seat.player_id
    link = runtime().signer.local_url(preferences_link(player)) if player and is_own else None
    return MailLines(
        own.sentence(now, zone),
        own.reason,
        own.is_trouble,
        link,
        [(other.name, mail.status.value, mail.is_trouble) for other in others if (mail := mails.get(other.seat))],
    )


def _relive_links(stored: TableGame, seat: SeatRow) -> list[tuple[int, str]]:
    """The numbers of the finished hands of the game, each with the link to its page."""
    hands = [score.number for score in stored.game.scores]
    return [(hand, runtime().signer.local_url(relive_link(seat, stored.id, hand))) for hand in hands]


def _offer_note(session: Session, seat: SeatRow) -> OfferNote | None:
    """The note that the seat is offered to somebody. Only a signed-in player gets the link to hand it over."""
    note = offer_note(session, seat)
    return note if note is None or _is_signed_in(seat) else replace(note, link="")


def _is_signed_in(seat: SeatRow) -> bool:
    """Whether the player of the seat is signed in with this browser."""
    player = signed_in()
    return player is not None and player.id == seat.player_id


def _wait_line(
    hands: Sequence[TableGame], me: Seat, deadlines: Iterable[Timestamp | None], unreachable: set[int]
) -> WaitLine | None:
    """The line for the player of `me`; None if no hand waits for anybody."""
    awaited = sorted({seat for hand in hands for seat in hand.game.to_act}, key=lambda seat: (seat != me, seat))
    if not awaited:
        return None
    names = {seat: "you" if seat == me else hands[0].names[seat] for seat in awaited}
    lost = [name for seat, name in names.items() if seat in unreachable]
    until = [deadline for deadline in deadlines if deadline and not deadline.is_pause]
    return WaitLine(awaited_text(list(names.values()), lost), min(until, key=lambda one: one.at, default=None))


def _host_tools(
    token: str, link: SeatLink, table: TableRow, seats: list[SeatRow], unreachable: set[int]
) -> HostTools | None:
    if link.player_id != table.host_id or table.state is not TableState.INVITING:
        return None
    free = [seat for seat in seats if seat.state in seating.FREE and seat.player_id != table.host_id]
    lines = [OpenSeat(seat.seat, seat.name, _free_state(seat, unreachable)) for seat in free]
    waiting = [line for line in lines if line.state not in (SeatState.OPEN.value, BY_LINK)]
    is_open = len(waiting) < len(lines)
    begins = not waiting and not any(map(is_guest, seats))
    fill_text = "Fill the open seats with robots and begin" if begins else "Fill the open seats with robots"
    path = f"/seat/{token}"
    return HostTools(lines, f"{path}/fill", f"{path}/remind", f"{path}/robots" if is_open else None, fill_text)


def _free_state(seat: SeatRow, unreachable: set[int]) -> str:
    """Why the seat is free, as a word that the template knows."""
    is_asked = seat.player_id is not None and not seat.has_run_out
    return UNREACHABLE_STATE if is_asked and seat.seat in unreachable else seat_word(seat)
