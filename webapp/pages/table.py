"""Makes the table page of a seat: the game, the people, and what each of them may do there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from flask import Blueprint, Response, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from hearts.record import record_text
from hearts.seats import Seat
from webapp.core.say import Refused, say
from webapp.core.tokens import LinkInvalid, SeatLink
from webapp.forms.fields import Form, read_number
from webapp.forms.opening import read_occupant
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import first_asked
from webapp.games.clock.pace import plays_live
from webapp.games.fair import Shuffle, shuffle_of
from webapp.games.record import links, store
from webapp.games.record.finished import proved_record
from webapp.games.record.links import preferences_link, relive_link
from webapp.games.record.rows import READY, table_seats
from webapp.games.record.seats import is_lent, owner_name
from webapp.games.record.store import TableGame
from webapp.games.talk import recent_lines
from webapp.models import GameState, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import questions
from webapp.outbox.delivery import Delivery, last_mails, unreachable_seats
from webapp.pages import limits, ways_in
from webapp.pages.at_table import Follow, FollowingPage, news_of, news_response
from webapp.pages.common import page, reading, runtime, signed_in_as
from webapp.pages.guest_list import GuestList, PlayNow, guest_list, play_now_line
from webapp.pages.host import host_link
from webapp.pages.invitations import AgainText, again_text_on_table
from webapp.pages.limits import Answer, TooMuchMail
from webapp.pages.sharing import share_link
from webapp.presentation.chart import Chart, race
from webapp.presentation.clock_text import (
    GO_ON,
    LiveLine,
    clock_notes,
    live_line,
    pause_note,
)
from webapp.presentation.phrasing import Timestamp
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import (
    ProposalLine,
    blank_score_sheet,
    deadline_of,
    proposal_lines,
    score_sheet_of,
    seat_word,
    summary_of,
    talk_sheet_of,
    turn_sheet_of,
    zone_of,
)
from webapp.presentation.summary import TableSummary, absence_sentence
from webapp.presentation.turn_text import awaited_text
from webapp.results.result import Result, result
from webapp.robots.reviews import reviews_for
from webapp.tables import agreeing, hosting, offers, seating
from webapp.tables.offers import offer_of

# Shows the game of a table on the table page: the score, its finished hands, and for whom it waits now.


@dataclass(frozen=True, slots=True)
class Awaited:
    """For whom the table waits, and until when: the first deadline of its hands."""

    sentence: str
    until: Timestamp | None


@dataclass(frozen=True, slots=True)
class GameBefore:
    """The game that the table played before the present one."""

    number: int
    score: ScoreSheet
    relive_links: Sequence[tuple[int, str]]
    record_link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGamePage(FollowingPage):
    """A page of a seat with the game of its table; the defaults are for a table without one."""

    score: ScoreSheet
    chart: Chart | None = None
    result: Result | None = None
    share_link: str | None = None
    record_link: str | None = None
    relive_links: Sequence[tuple[int, str]] = ()  # the numbers of the finished hands, each with its page
    before: GameBefore | None = None
    waiting: Awaited | None = None
    paused: Timestamp | None = None  # since when
    clock_notes: Sequence[str] = ()
    is_asked: bool = False
    mail_action: str | None = None  # mails the reader, who is asked, the link to their turn


_Page = TypeVar("_Page", bound=TableGamePage)


def with_game(
    page: _Page, session: Session, stored: TableGame, seat: SeatRow, token: str, unreachable: set[int]
) -> _Page:
    """The page with the game; `token` is that of its link, `unreachable` the seats of players whom no mail reaches."""
    assert seat.player_id is not None
    me, now, zone = Seat(seat.seat), runtime().now(), zone_of(session, seat)
    opinions = reviews_for(session, stored, me, seat.player_id)
    score, deadline = score_sheet_of(stored, opinions=opinions), deadline_of(stored, zone, now)
    is_over = stored.row.state is GameState.OVER
    hands = list(stored.open_hands())
    page = replace(
        page,
        score=score,
        chart=race(score),
        result=result(stored.game.rules, score) if is_over and stored.game.scores else None,
        share_link=share_link(token, stored, seat.seat),
        record_link=f"/seat/{token}/record.json" if stored.game.scores else None,
        relive_links=relive_links(stored, seat),
        before=_game_before(session, stored, seat, token),
        waiting=_awaited(hands, me, [deadline_of(hand, zone, now) for hand in hands], unreachable),
        paused=deadline if deadline and deadline.is_pause else None,
    )
    if stored.row.state is not GameState.PLAYING:
        return page
    due = due_of(stored.game, me)
    return replace(
        page,
        sheet=turn_sheet_of(stored, me, zone, now),
        is_asked=due is not None,
        mail_action=f"/seat/{token}/mail" if due else None,
        mailed=page.mailed or (due is not None and questions.was_just_mailed(session, stored, seat, due, now)),
        clock_notes=clock_notes(session, stored, me, now),
    )


def _game_before(session: Session, stored: TableGame, seat: SeatRow, token: str) -> GameBefore | None:
    game = seating.game(session, seat.table_id, stored.row.number - 1) if stored.row.number > 1 else None
    if game is None:
        return None
    before = store.load(session, game.id)
    record = f"/seat/{token}/record.json?game={game.number}"
    return GameBefore(game.number, score_sheet_of(before), relive_links(before, seat), record)


def relive_links(stored: TableGame, seat: SeatRow) -> list[tuple[int, str]]:
    """The numbers of the finished hands of the game, each with the link to its page."""
    hands = [score.number for score in stored.game.scores]
    return [(hand, runtime().signer.local_url(relive_link(seat, stored.id, hand))) for hand in hands]


def _awaited(
    hands: Sequence[TableGame], me: Seat, deadlines: Iterable[Timestamp | None], unreachable: set[int]
) -> Awaited | None:
    """The line for the player of `me`; None if no hand waits for anybody."""
    awaited = sorted({seat for hand in hands for seat in hand.game.to_act}, key=lambda seat: (seat != me, seat))
    if not awaited:
        return None
    names = {seat: "you" if seat == me else hands[0].names[seat] for seat in awaited}
    lost = [name for seat, name in names.items() if seat in unreachable]
    until = [deadline for deadline in deadlines if deadline and not deadline.is_pause]
    return Awaited(awaited_text(list(names.values()), lost), min(until, key=lambda one: one.at, default=None))


# Shows a host, on the table page, the seats that they may give to others before the game.

UNREACHABLE_STATE = "unreachable"


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A free seat, which the host may give to somebody else."""

    seat: int
    name: str
    state: str  # why it is free, as a word that the template knows


@dataclass(frozen=True, slots=True)
class HostTools:
    """The host's tools for free seats."""

    seats: list[OpenSeat]
    action: str
    remind_action: str
    is_listed: bool  # the lobby shows a seat for anybody


def host_tools(
    token: str, link: SeatLink, table: TableRow, seats: Sequence[SeatRow], unreachable: set[int]
) -> HostTools | None:
    if link.player_id != table.host_id or table.state is not TableState.INVITING:
        return None
    free = [seat for seat in seats if seat.state in seating.FREE and seat.player_id != table.host_id]
    lines = []
    for seat in free:
        is_asked = seat.player_id is not None and not seat.has_run_out
        state = UNREACHABLE_STATE if is_asked and seat.seat in unreachable else seat_word(seat)
        lines.append(OpenSeat(seat.seat, seat.name, state))
    is_listed = any(line.state == SeatState.OPEN for line in lines)
    return HostTools(lines, f"/seat/{token}/fill", f"/seat/{token}/remind", is_listed)


# Shows a player, on the table page, what became of the last mail to them; a host also of those to the others.


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


def mail_lines(
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
    mails = last_mails(session, others, now) if others and seat.player_id == table.host_id else {}
    player = signed_in_as(seat.player_id)
    link = runtime().signer.local_url(preferences_link(player)) if player else None
    return MailLines(
        own.sentence(now, zone),
        own.reason,
        own.is_trouble,
        link,
        [(other.name, mail.in_short, mail.is_trouble) for other in others if (mail := mails.get(other.seat))],
    )


OPEN = (TableState.INVITING, TableState.PLAYING)


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage(TableGamePage):
    follow: Follow
    table: TableSummary
    again: AgainText | None = None
    pause: str = ""  # what is said of a pause that anybody at the table may end
    go_on: str = field(default_factory=lambda: say(GO_ON))
    proposals: Sequence[ProposalLine] = ()
    proposal_error: str | None = None
    live: LiveLine | None = None
    absence: str = ""  # empty: the reader is not away
    away_link: str | None = None
    plays_for: str | None = None
    guests: GuestList | None = None
    play_now: PlayNow | None = None
    host: HostTools | None = None
    reminded: bool = False  # the host has just sent a reminder
    remind_error: str | None = None
    host_error: str | None = None
    host_typed: Mapping[str, str] = field(default_factory=dict)  # the invalid form for one of the seats
    mail: MailLines | None = None
    mail_error: str | None = None
    shuffle: Shuffle | None = None  # None: the game has no seal
    fair_link: str = ""
    words_action: str | None = None  # of the form by which the reader gives words; None: they have given some
    player_links: Mapping[int, str] = field(default_factory=dict)  # by seat
    book_link: str | None = None  # None: no game is over


def table_page(token: str) -> TablePage:
    """The page. Raises LinkInvalid, SeatLost if another player has the seat, LinkExpired if the link was ended."""
    link, address, now = runtime().signer.read(SeatLink, token), f"/seat/{token}", runtime().now()
    with reading() as session:
        newest = store.load_newest(session, link.table_id)  # with it come the table, the seat and its player
        stored = newest and first_asked(newest, Seat(link.seat))
        seat, game = seating.own_seat(session, link), stored.row if stored else None
        table = session.get_one(TableRow, link.table_id)
        seats = stored.seats if stored else table_seats(session, link.table_id)
        zone = zone_of(session, seat)
        said, summary = recent_lines(session, table, now), summary_of(table, seats)
        version = news_of(table, game, seats, link.seat, said[-1].id if said else None, now)["version"]
        mails = last_mails(session, seats, now)
        unreachable = unreachable_seats(session, seats, mails)
        way_in, shuffle = ways_in.way_in(seat), shuffle_of(session, seats, link.seat, link.player_id)
        page = TablePage(
            reader=link.player_id,
            kind="table",
            follow=Follow(address, version, plays_live(table), is_player=False),
            table=summary,
            score=blank_score_sheet(table, seats),
            again=again_text_on_table(session, seat, game, summary) if game else None,
            pause=pause_note(table.pause, now, zone),
            proposals=proposal_lines(table, seats, link.player_id, zone, now),
            host_link=host_link(table, seat) if signed_in_as(seat.player_id) else None,
            play_link=way_in,
            mailed="mailed" in request.args,
            reminded="reminded" in request.args,
            absence=absence_sentence(seat, session.get_one(PlayerRow, link.player_id), now),
            away_link=f"{address}/away" if table.state in OPEN and not plays_live(table) else None,
            plays_for=owner_name(seat) if is_lent(seat) else None,
            offer=offer_of(session, seat),
            live=live_line(table, seats, seat, now) if table.is_together else None,
            host=host_tools(token, link, table, seats, unreachable),
            guests=guest_list(table, seats, seat),
            play_now=play_now_line(session, table, seats, seat),
            talk=talk_sheet_of(said, table, seats, seat, zone, now),
            shuffle=shuffle,
            words_action=f"{way_in}/words" if way_in and shuffle and not shuffle.words and not is_lent(seat) else None,
            fair_link=f"{address}/fair",
            player_links={
                seat.seat: f"{address}/player/{seat.player_id}"
                for seat in seats
                if seat.player_id is not None and seat.state in READY
            },
            book_link=f"{address}/book" if game and (game.number > 1 or game.state is GameState.OVER) else None,
            mail=mail_lines(session, seat, table, seats, mails.get(seat.seat), zone, now),
        )
        return with_game(page, session, stored, seat, token, unreachable) if stored else page


# Serves the table page of a seat, and the record of the finished hands.
# The link shows; it does not play. For the host it also gives free seats to others.

blueprint = Blueprint("seats", __name__)


@blueprint.get("/seat/<token>")
def table(token: str) -> str:
    return page(table_page(token))


@blueprint.get("/seat/<token>/now")
def now(token: str) -> Response:
    return news_response(runtime().signer.read(SeatLink, token))


@blueprint.post("/seat/<token>/fill")
def refill(token: str) -> Answer:
    link = _own_link(token)
    try:
        number, occupant = read_number(request.form.get("seat", "")), read_occupant(request.form)
        with reading() as session:
            invited = offers.invited_by_giving(session, link.table_id, number, occupant)
        with limits.counted(*limits.invited(link.player_id, invited)):
            seating.refill(runtime(), link, number, occupant, runtime().now())
    except Refused as error:
        typed = Form.sent(request.form).values
        return limits.refused(page(replace(table_page(token), host_error=str(error), host_typed=typed)), error)
    is_by_link = occupant is not None and occupant.by_link
    cards = ways_in.to_cards(link.table_id, may_enter=False)
    return redirect(cards or f"/seat/{token}{'#guests' if is_by_link else ''}", 303)


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
        return page(replace(table_page(token), remind_error=str(error))), 400
    return redirect(f"/seat/{token}?reminded=yes", 303)


@blueprint.post("/seat/<token>/agree")
def agree(token: str) -> AnyResponse | tuple[str, int]:
    """Notes that the reader agrees to what the host has proposed."""
    link = runtime().signer.read(SeatLink, token)
    try:
        agreeing.agree(runtime(), link, request.form.get("proposal", ""), runtime().now())
    except Refused as error:
        return page(replace(table_page(token), proposal_error=str(error))), 400
    return redirect(f"/seat/{token}#proposed", 303)


@blueprint.post("/seat/<token>/mail")
def mail_turn(token: str) -> Answer:
    """Mails the reader, whose turn it is, the link to it: the seat's link alone does not play."""
    link = _own_link(token)
    try:
        ways_in.mail_one(link)
    except TooMuchMail as error:
        return limits.refused(page(replace(table_page(token), mail_error=str(error))), error)
    return redirect(f"/seat/{token}?mailed=yes", 303)


@blueprint.get("/seat/<token>/record.json")
def record(token: str) -> Response:
    """The game record of the finished hands only: nobody may see the cards of the current hand."""
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, link)
        number = request.args.get("game", type=int)
        if number is None:
            stored = store.load_newest(session, link.table_id)
        else:
            game = seating.game(session, link.table_id, number)
            stored = store.load(session, game.id) if game else None
        code = session.get_one(TableRow, link.table_id).code
        if stored is None:
            raise LinkInvalid
        kept = proved_record(session, stored)
    name = f"hearts-{code}-{stored.row.number}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(record_text(kept), mimetype="application/json", headers=headers)


def _own_link(token: str) -> SeatLink:
    """The link. Raises LinkInvalid, SeatLost if another player has the seat, LinkExpired if the link was ended."""
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, link)
    return link
