"""Serves the page that follows the game, for a player who has come to play, and the requests that it makes while open.

It shows one step of the player's visit after the other, as `webapp.games.asked.visit` decides: how a hand ended, a
trick that goes on, the page of a turn, which posts to the turn's own address, or the table. This module makes the pages
of a turn for all addresses at which they are opened.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from flask import Blueprint, Response, jsonify, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from hearts.seats import Seat, side_of
from hearts.turns import Deal, Pass
from webapp.core.tokens import LinkExpired, LinkInvalid, PlayLink, SeatLink
from webapp.evenings import agreeing, meeting
from webapp.evenings.text import evening_line
from webapp.games import following
from webapp.games.asked.due import Due, turn_link
from webapp.games.asked.visit import StepKind, VisitStep, hands_of, next_step, shown_by_now
from webapp.games.asked.whose_turn import asked_of, awaited, is_looked_at, pending, wait_of
from webapp.games.clock import presence
from webapp.games.following import news, news_of
from webapp.games.record import links, store
from webapp.games.record.live import plays_live
from webapp.games.record.records import BY_PLAYER, Record
from webapp.games.record.rows import newest_rows, table_seats
from webapp.games.record.store import TableGame
from webapp.games.talk import note_read, recent_lines
from webapp.models import GameRow, GameState, SeatRow, TableRow, TurnSource
from webapp.outbox.nudges import nudge_of
from webapp.pages import limits, ways_in
from webapp.pages.again import again_text_on_table
from webapp.pages.common import page, reading, runtime
from webapp.pages.games import next_game_of
from webapp.pages.guest_list import guest_list
from webapp.pages.host import host_link
from webapp.pages.limits import Refusal, TooMuchMail
from webapp.pages.offers import offer_note
from webapp.pages.place import Place, place
from webapp.players import preferences
from webapp.players.tap import tap_plays
from webapp.presentation.ahead_text import ahead_sheet, why_asked_again
from webapp.presentation.bank_text import bank_notes
from webapp.presentation.happened import happened
from webapp.presentation.pause_text import PauseLine, pause_line, rest_note
from webapp.presentation.present import TurnSheet
from webapp.presentation.result import result
from webapp.presentation.sheets import (
    blank_score_sheet,
    goal_for_newcomer,
    hand_end_of,
    score_sheet_of,
    standings_of,
    summary_of,
    talk_sheet_of,
    turn_sheet_of,
    zone_of,
)
from webapp.presentation.timestamps import timestamp
from webapp.presentation.turn_text import awaited_at_table, turn_sentence
from webapp.presentation.vacation_text import vacation_notes
from webapp.presentation.wait_text import WaitOption, short_deadline, wait_options, wait_sentence
from webapp.presentation.waiting import NudgeLine, Onward, onward_text, that_is_it, who_acts
from webapp.robots.suggestions import ASKED, robot_help
from webapp.sharing.page import share_link
from webapp.tables import pausing

blueprint = Blueprint("play", __name__)
_SECONDS: Final = re.compile(r"[0-9]{1,7}")
_LINE: Final = re.compile(r"[0-9]{1,9}")  # the id of a line of talk
STILL_THERE: Final[dict[str, Any]] = {  # what heads a page that has grown old
    "heading": "Still there?",
    "sentences": ["This page was opened more than twelve hours ago. Your game goes on."],
    "button": "Mail me a fresh link",
}
PAGES = {"pass": "pass", "moon": "moon"}  # everything else is a trick
GO_ON: Final = "Go on"
SEE_SCORE: Final = "See the score"


@dataclass(frozen=True, slots=True)
class Follow:
    """How a page follows its table, for the script."""

    page: str  # the URL to reload; with /now appended, that of the news, which say whether to reload
    version: str  # of what the page shows
    is_live: bool  # whether all players are expected to be present
    tap_plays: bool = False  # whether one tap plays a card
    is_player: bool = True  # whether the page's reader counts as present
    shows: str = ""  # what follows `page` in the URL to reload: the reader's place in their visit
    goes_on: bool = False  # whether a robot is about to play in front of them

    @property
    def every(self) -> int:
        """Milliseconds between two requests for news."""
        if self.goes_on:
            return following.GOES_ON_POLL_MS
        return following.LIVE_POLL_MS if self.is_live else following.POLL_MS


@dataclass(frozen=True, slots=True)
class HandTab:
    """A tab for one of the hands that are played side by side, on its own page or another's."""

    number: int
    link: str
    is_shown: bool
    waits: bool  # for the page's reader
    state: str  # whose turn it is, for a screen reader


@dataclass(frozen=True, slots=True)
class WaitLine:
    """How long we wait for the reader where their choice hardly matters, and the form that changes it."""

    sentence: str
    options: Sequence[WaitOption]
    link: str  # that takes the form, and shows all of it
    plays: str = ""  # the card that we play for them, because this choice hardly matters: "5♣"
    is_robot: bool = False  # a robot plays this hand
    hands: int = 1  # as many as it plays, side by side


@blueprint.get("/play/<token>")
def show(token: str) -> AnyResponse | str | tuple[str, int]:
    try:
        return play_page(token)
    except LinkExpired:
        _, seat = _old_link(token)
        if way_in := ways_in.way_in(seat):
            return redirect(way_in, 303)
        return page("play_old", action=f"/play/{token}/mail", **STILL_THERE), 410


@blueprint.post("/play/<token>/mail")
def mail_way_in(token: str) -> str | Refusal:
    """Mails the player of a link that may be too old a fresh one: that of their turn, or one that signs them in."""
    link, _ = _old_link(token)
    try:
        ways_in.mail_one(link)
    except TooMuchMail as error:
        return limits.refused(page("play_old", action=request.path, error=str(error), **STILL_THERE), error)
    return page("play_old", sent=True)


@blueprint.get("/play/<token>/now")
def now(token: str) -> Response:
    return news_response(runtime().signer.read(PlayLink, token))


@blueprint.post("/play/<token>/here")
def here(token: str) -> Response:
    """Records that the player has the game open, and for how long they have done nothing there; or that they left."""
    link = runtime().signer.read(PlayLink, token)
    here, said = request.form.get("here") != "no", request.form.get("idle", "")
    idle = timedelta(seconds=int(said)) if _SECONDS.fullmatch(said) else None
    seat = (link.table_id, link.seat, link.player_id)
    presence.note_presence(runtime(), *seat, runtime().now(), here=here, idle=idle, visits=link.visits)
    if _LINE.fullmatch(read := request.form.get("read", "")):
        note_read(runtime(), link, int(read))
    return news_response(link)


@blueprint.post("/play/<token>/back")
def come_back(token: str) -> AnyResponse:
    """Sets a player who was away as back."""
    link = runtime().signer.read(PlayLink, token)
    with reading() as session:
        _own_seat(table_seats(session, link.table_id), link)
    moment = runtime().now()
    preferences.set_away(runtime(), link.table_id, link.seat, away=False, now=moment, player_id=link.player_id)
    return redirect(f"/play/{token}", 303)


def _old_link(token: str) -> tuple[PlayLink, SeatRow]:
    """The link, however old it is, and its seat. Raises SeatLost, or LinkExpired if its player has ended it."""
    link = runtime().signer.read(PlayLink, token, even_old=True)
    with reading() as session:
        return link, _own_seat(table_seats(session, link.table_id), link)


def news_response(link: PlayLink | SeatLink) -> Response:
    """The news of the table as JSON, for a page that follows it. Raises SeatLost or LinkExpired."""
    with reading() as session:
        rows = newest_rows(session, link.table_id)
        if rows is None:
            raise LinkInvalid
        _own_seat(rows.seats, link)
        return jsonify(news(session, rows, link.seat, runtime().now()))


def play_link(seat: SeatRow) -> str | None:
    """The link to the page that follows the game of the seat; None for a robot's seat.

    Only for a visitor who has come to play there: the link may play, and is never mailed.
    """
    if seat.player_id is None:
        return None
    return runtime().signer.local_url(links.play_link(seat))


def play_page(token: str, *, error: str | None = None, **more: Any) -> str:
    """The step of their visit at which the player of a PlayLink is now.

    `more` goes to the template. Raises LinkInvalid, SeatLost if another player has the seat, LinkExpired if the player
    has ended the link.
    """
    link, address = runtime().signer.read(PlayLink, token), f"/play/{token}"
    me = Seat(link.seat)
    with reading() as session:
        stored = store.load_newest(session, link.table_id)
        seat = _own_seat(stored.seats if stored else table_seats(session, link.table_id), link)
        if stored is None:
            return _page_between(session, seat, None, address, error=error, **more)
        now = _now(stored, me)
        step = _step(stored, me, now)
        stored = stored.at(step.hand)
        if step.kind is StepKind.RESULT:
            return _result_page(session, seat, stored, step.hand, now, address, error=error, **more)
        if stored.row.state is not GameState.PLAYING:
            return _page_between(session, seat, stored, address, error=error, **more)
        due = asked_of(stored, me) if step.kind is StepKind.DECISION else None
        if due is None:
            return _waiting_page(session, seat, stored, address, now, step.kind, error=error, **more)
    action = runtime().signer.local_url(turn_link(stored, me, due))
    done = why_asked_again(stored, me)
    return question_page(stored, me, due, follows=address, action=action, error=error, done=done, **more)


def _now(stored: TableGame, me: Seat) -> Place:
    """Returns the reader's place, with what they have been shown so far."""
    now = place()
    return now if now.shown is not None else replace(now, shown=shown_by_now(stored, me))


def _step(stored: TableGame, me: Seat, now: Place) -> VisitStep:
    """The reader's step, or the one of the hand that they have chosen to look at."""
    hands = hands_of(stored, me)
    chosen = next((one for one in hands if one.number == now.hand), None)
    if chosen is None:
        return next_step(hands, now.shown or 0, at=now.at, waits=now.waits)
    if chosen.asks:
        return VisitStep(StepKind.DECISION, chosen.number)
    return VisitStep(StepKind.RESULT if chosen.ended else StepKind.NOTHING, chosen.number)


def asked_hand() -> int | None:
    """The hand on the page whose form was sent; None if that page named no hand."""
    return request.form.get("hand", type=int)


def question_page(
    stored: TableGame,
    seat: Seat,
    due: Due,
    *,
    follows: str | None,
    action: str,
    chosen: Sequence[str] = (),
    error: str | None = None,
    **more: Any,
) -> str:
    """The page that asks the player of `seat` for `due`, for which the seat must be asked now.

    `follows` is the URL of the page that follows the game for this player, `action` the URL of the turn; `more` goes to
    the template.
    """
    row, moment = stored.seats[seat], runtime().now()
    now = Place(_now(stored, seat).shown, at=due.hand)
    with reading() as session:
        zone = zone_of(session, row)
        frame = _frame(session, stored.table, stored.row, stored.seats, row, follows, now)
        notes = bank_notes(session, stored, seat, [stored], moment)
        together = evening_context(session, stored, row, follows)
        goal = goal_for_newcomer(session, stored, row) if due.what == "pass" else ""
    sheet = turn_sheet_of(stored, seat, zone, moment)
    return page(
        PAGES.get(due.what, "turn"),
        sheet=sheet,
        goal=goal,
        chosen=list(chosen),
        way=TurnSource.LINK if chosen and not error else TurnSource.PAGE,
        error=error,
        action=action,
        kind=f"{stored.row.number} {due.hand} {due.what}",
        shown=now.shown,
        since=happened(stored, seat, sheet),
        bank_notes=notes,
        wait=None if due.what == "pass" else _wait_line(stored, row, follows),
        tabs=_tabs(stored, seat, follows, now),
        pause=_pause_line(stored, seat) if follows else None,
        robot=robot_help(stored, seat, asked=request.args.get(ASKED) == "1", chosen=chosen),
        **together,
        **frame,
        **more,
    )


def ahead_page(stored: TableGame, seat: Seat, chosen: Sequence[str]) -> str:
    """The page on which the player of `seat`, who plays later to the trick, may answer ahead, with a card chosen."""
    row, now = stored.seats[seat], replace(_now(stored, seat), hand=stored.game.hand)
    address = play_link(row)
    assert address is not None
    with reading() as session:
        return _waiting_page(session, row, stored, address, now, StepKind.NOTHING, chosen=chosen)


def _waiting_page(
    session: Session,
    seat: SeatRow,
    stored: TableGame,
    address: str,
    now: Place,
    kind: StepKind,
    *,
    chosen: Sequence[str] = (),
    **more: Any,
) -> str:
    """The page of a player who waits: nothing waits for them, or the hand goes on by itself, or they have just passed
    (`kind`), or they look at the hand that they have chosen. `chosen` are cards to choose ahead, of which there is one.
    """
    me, now = Seat(seat.seat), replace(now, at=None)
    goes_on, has_passed = kind is StepKind.GOES_ON, kind is StepKind.PASSED
    sheet = turn_sheet_of(stored, me, zone_of(session, seat), runtime().now())
    frame = _frame(session, stored.table, stored.row, stored.seats, seat, address, now, goes_on=goes_on)
    if pending(stored):  # no news tells when the robot has looked: this page looks each time
        frame["follow"] = replace(frame["follow"], version="", goes_on=True)
    return page(
        "play",
        heading=sheet.gave
        if has_passed
        else _heading(stored, seat, sheet, is_over=kind is StepKind.NOTHING and now.hand is None),
        who=who_acts(sheet),
        sheet=sheet,
        is_looked_at=is_looked_at(stored, me),
        kind="waiting" if kind is StepKind.NOTHING else kind.value,
        done=None if has_passed else _what_was_done(stored, me, sheet),
        go_on=_onward(stored, me, address, stored.game.hand, _after_waiting(stored, me, now, kind)),
        standings=standings_of(stored),
        back_action=f"{address}/back" if seat.away else None,
        ahead=ahead_sheet(stored, me, next(iter(chosen), "")),
        nudge=_nudge_line(session, stored, me),
        bank_notes=bank_notes(session, stored, me, [stored], runtime().now()),
        vacation_notes=vacation_notes(session, stored, me, runtime().now()),
        wait=_wait_line(stored, seat, address),
        tabs=_tabs(stored, me, address, now),
        pause=_pause_line(stored, me),
        **evening_context(session, stored, seat, address),
        next_game=next_game_of(seat),
        **frame,
        **more,
    )


def _heading(stored: TableGame, seat: SeatRow, sheet: TurnSheet, *, is_over: bool) -> str:
    """Returns the heading for a player who waits; with `is_over`, their visit ends here, for nothing waits for them."""
    me = Seat(seat.seat)
    if is_looked_at(stored, me):
        return "One moment"
    if not is_over or plays_live(stored.table) or stored.is_played_by_robot(me):
        return who_acts(sheet)
    acting = {other for hand in stored.open_hands() for other in hand.game.to_act}
    return that_is_it([stored.names[other] for other in sorted(acting)], mails=seat.mails)


def _after_waiting(stored: TableGame, me: Seat, now: Place, kind: StepKind) -> Place:
    """Returns the place of a reader who has seen their pass, or does not want to wait for the hand or look at it."""
    passed = [one.chosen for one in hands_of(stored, me) if one.is_passed and one.number == stored.game.hand]
    return Place(max([now.shown or 0, *passed]), waits=kind is not StepKind.GOES_ON)


def _onward(stored: TableGame, me: Seat, address: str, shown: int, after: Place) -> Onward | None:
    """The way to the step at the place `after`; None if it is in the hand `shown`."""
    step = next_step(hands_of(stored, me), after.shown or 0, waits=after.waits)
    text = onward_text(step, shown)
    return Onward(f"{address}{after.query}", text) if text else None


def _result_page(
    session: Session, seat: SeatRow, stored: TableGame, hand: int, now: Place, address: str, **more: Any
) -> str:
    """The page that shows how a hand has ended, before anything else comes."""
    me, now = Seat(seat.seat), replace(now, at=None)
    end = hand_end_of(stored, me, hand)
    last = max(one.number for one in stored.of_hand(hand))
    after = Place(now.shown if now.hand else max(last, now.shown or 0))
    usual = Onward(f"{address}{after.query}", SEE_SCORE if stored.row.state is GameState.OVER else GO_ON)
    return page(
        "hand_end",
        heading=f"Hand {hand} is over",
        end=end,
        sheet=end.sheet,
        since=end.since,
        kind=f"{stored.row.number} {hand} over",
        go_on=_onward(stored, me, address, hand, after) or usual,
        share_link=_share_link(stored, seat) if end.chart else None,
        tabs=_tabs(stored, me, address, now),
        **_frame(session, stored.table, stored.row, stored.seats, seat, address, now),
        **more,
    )


def _page_between(session: Session, seat: SeatRow, stored: TableGame | None, address: str, **more: Any) -> str:
    """The page of a player whose table plays no game: before the first game, or after the last one, `stored`."""
    table, seats = session.get_one(TableRow, seat.table_id), table_seats(session, seat.table_id)
    summary = summary_of(table, seats)
    score = score_sheet_of(stored) if stored else blank_score_sheet(table, seats)
    rules = stored.game.rules if stored else table.rules
    side = side_of(Seat(seat.seat), partnership=rules.partnership)
    return page(
        "play_between",
        heading=score.headline_for(side) if score.hands else summary.name,
        score=score,
        result=result(rules, score) if score.hands else None,
        share_link=_share_link(stored, seat) if stored else None,
        table=summary,
        guests=guest_list(table, seats, seat, address),
        kind="between games",
        again=again_text_on_table(session, seat, stored.row, summary) if stored else None,
        next_game=next_game_of(seat),
        **_frame(session, table, stored.row if stored else None, seats, seat, address, place()),
        **more,
    )


def evening_context(session: Session, stored: TableGame, seat: SeatRow, follows: str | None) -> dict[str, Any]:
    """Returns the line on an evening together for pages of the seat, as context, and the page to which it leads.

    `follows` as in `_frame`, or the URL of the table page: what follows the game keeps its address.
    """
    if seat.player_id is None:
        return {}
    now, has_had_one = runtime().now(), stored.table.evening_changes > 0
    row = meeting.newest(session, stored.table.id) if has_had_one else None
    may_propose = agreeing.may_propose(stored.table, stored.seats, seat)
    line = evening_line(row, stored, seat, zone_of(session, seat), now, may_propose=may_propose)
    link = f"{follows}/evening" if follows else runtime().signer.local_url(links.evening_link(seat))
    return {"evening": line, "evening_link": link}


def _wait_line(stored: TableGame, row: SeatRow, follows: str | None) -> WaitLine | None:
    """How long we wait for the player of the seat; `follows` is the URL of the page that follows the game.

    None for a robot's seat, and where each choice has the full time: at a live table, and with a bank.
    """
    table = stored.table
    if row.player_id is None or plays_live(table) or table.bank:
        return None
    link, seat = follows or runtime().signer.local_url(links.seat_link(row)), Seat(row.seat)
    wait, short = wait_of(table, row), short_deadline(stored, seat, "UTC", runtime().now())
    return WaitLine(
        wait_sentence(wait),
        wait_options(wait),
        f"{link}/wait",
        plays=short.plays if short else "",
        is_robot=stored.has_handed_over(row),
        hands=stored.row.at_once,
    )


def _tabs(stored: TableGame, me: Seat, follows: str | None, now: Place) -> list[HandTab]:
    """The hands that are played side by side; none if there is one, or if the page does not follow the game."""
    if stored.row.at_once == 1 or follows is None:
        return []
    hands = [stored.at(game.hand) for game in stored.cycle.hands]
    return [
        HandTab(
            hand.game.hand,
            f"{follows}{Place(now.shown, hand=hand.game.hand).query}",
            is_shown=hand.game is stored.game,
            waits=me in awaited(hand),
            state=awaited_at_table(hand, me),
        )
        for hand in hands
    ]


def _pause_line(stored: TableGame, me: Seat) -> PauseLine:
    wanted = pausing.asking(stored.seats)
    others = [stored.names[seat] for seat in wanted if seat != me]
    at, moment = stored.table.pause_ends_at, runtime().now()
    with reading() as session:
        zone = zone_of(session, stored.seats[me])
    ends = timestamp(at, moment, zone).text if at else None
    rest = rest_note(stored.table, moment, zone) if stored.table.resting_at else None
    is_paused = stored.table.paused_at is not None
    return pause_line(others, is_asking=me in wanted, is_paused=is_paused, ends=ends, rest=rest)


def _nudge_line(session: Session, stored: TableGame, me: Seat) -> NudgeLine:
    found = nudge_of(session, stored, me, runtime().now())
    return NudgeLine.of(stored.names, found.open, found.done)


def _share_link(stored: TableGame, seat: SeatRow) -> str | None:
    """The path of the page on which the player shares the game; None if they may not."""
    return share_link(runtime().signer.token(links.seat_link(seat)), stored, seat.seat)


def _frame(
    session: Session,
    table: TableRow,
    game: GameRow | None,
    seats: Sequence[SeatRow],
    seat: SeatRow,
    follows: str | None,
    now: Place,
    *,
    goes_on: bool = False,
) -> dict[str, Any]:
    """The context that every page of a seat's game shares.

    `follows` is the URL of the page that follows the game, `now` the reader's place, to which what they do leads back.
    """
    moment = runtime().now()
    said = recent_lines(session, table, moment)
    latest = news_of(table, game, seats, seat.seat, said[-1].id if said else None, moment)
    talk = talk_sheet_of(said, table, seats, seat, zone_of(session, seat), moment, follows)
    return {
        "reader": seat.player_id,
        "play_link": follows,
        "follow": _follow(session, table, seat, follows, latest["version"], now, goes_on) if follows else None,
        "table_link": runtime().signer.local_url(links.seat_link(seat)) if seat.player_id else None,
        "host_link": host_link(table, seat),
        "offer_note": offer_note(session, seat),
        "talk": talk and replace(talk, action=f"{talk.action}{now.query}") if follows else talk,
    }


def _follow(
    session: Session, table: TableRow, seat: SeatRow, follows: str, version: str, now: Place, goes_on: bool
) -> Follow:
    """How a page of the seat follows its table."""
    live = plays_live(table)
    tap = tap_plays(session, seat.player_id, is_live=live)
    return Follow(follows, version, live, tap_plays=tap, shows=now.query, goes_on=goes_on)


def _what_was_done(stored: TableGame, seat: Seat, sheet: TurnSheet) -> str | None:
    """Says what the last turn of the seat in the current hand was, and what a pass brought; None if there is none."""
    last = _last_of(stored, seat)
    if last is None or not isinstance(last.turn, Pass):
        return turn_sentence(last) if last else None
    gave = sheet.gave if last.source in BY_PLAYER else turn_sentence(last)
    return f"{gave} {sheet.got}".strip()


def _last_of(stored: TableGame, seat: Seat) -> Record | None:
    """The last turn of the seat in the current hand; None if there is none."""
    played = reversed(stored.of_hand(stored.game.hand)[1:])
    return next((one for one in played if not isinstance(one.turn, Deal) and one.turn.seat == seat), None)


def _own_seat(seats: Sequence[SeatRow], link: PlayLink | SeatLink) -> SeatRow:
    """The seat of the link. Raises SeatLost if another player has it, LinkExpired if the player has ended the link."""
    return links.check_seat(link, next((seat for seat in seats if seat.seat == link.seat), None))
