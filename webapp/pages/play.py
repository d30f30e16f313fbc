"""The page that follows the game, one step of its player's visit after the other, and the requests that it makes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from hearts.cards import NotACard, parse_code
from hearts.seats import Seat
from webapp.core.say import Refused, say
from webapp.core.tokens import LinkExpired, PlayLink
from webapp.forms.fields import LONGEST_ECHO, BadField, read_number
from webapp.games import talk
from webapp.games.asked.due import Due, turn_link
from webapp.games.asked.visit import StepKind, VisitStep, hands_of, last_choice, next_step
from webapp.games.asked.whose_turn import asked_of
from webapp.games.clock import arriving
from webapp.games.record import store
from webapp.games.record.store import TableGame
from webapp.models import GameState, SeatRow, TurnSource
from webapp.outbox import questions
from webapp.pages import limits, ways_in
from webapp.pages.at_table import (
    AtTable,
    GamePage,
    Place,
    framed,
    news_response,
    pause_line_of,
    place,
    place_in,
    robot_hand,
    tabs_of,
)
from webapp.pages.common import page, reading, runtime
from webapp.pages.limits import Answer, TooMuchMail
from webapp.pages.waiting import between_games, hand_end, waiting
from webapp.pages.ways_in import SENT, OldLinkPage
from webapp.players import ahead, away
from webapp.presentation.happened import Unsaid, happened
from webapp.presentation.present import TurnSheet
from webapp.presentation.sheets import goal_for_newcomer, turn_sheet_of, zone_of
from webapp.presentation.turn_text import dropped_sentence, played_sentence
from webapp.robots.thinking import ASKED, RobotHelp, robot_help
from webapp.tables import agreeing, seating

blueprint = Blueprint("play", __name__)


# Makes the page that asks a player for a card, a pass, or how a moon counts, for all addresses at which it opens.


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPage(AtTable):
    """A page that asks for something; a practice hand needs no more than what has no default."""

    sheet: TurnSheet
    chosen: Sequence[str]
    way: TurnSource
    action: str | None = None  # None: the address of the page
    shown: int | None = None  # up to which record the reader was shown how hands ended
    robot: RobotHelp | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPage(QuestionPage):
    """Asks for a card of a trick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassPage(QuestionPage):
    goal: str = ""  # of the game, for a newcomer


@dataclass(frozen=True, slots=True, kw_only=True)
class MoonPage(QuestionPage):
    """Asks how a moon counts."""


PAGES: Final[dict[str, type[QuestionPage]]] = {"pass": PassPage, "moon": MoonPage}  # everything else is a trick


def question(
    stored: TableGame,
    seat: Seat,
    due: Due,
    *,
    follows: str | None,
    action: str,
    chosen: Sequence[str] = (),
    error: str | None = None,
) -> QuestionPage:
    """The page that asks the player of `seat` for `due`, for which the seat must be asked now.

    `follows` is the URL of the page that follows the game for this player, `action` the URL of the turn.
    """
    row, moment = stored.seats[seat], runtime().now()
    now = Place(place_in(stored, seat).shown, at=due.hand)
    robot = robot_help(stored, seat, asked=request.args.get(ASKED) == "1", chosen=chosen)
    with reading() as session:
        sheet = turn_sheet_of(stored, seat, zone_of(session, row), moment)
        page = PAGES.get(due.what, TurnPage)(
            sheet=sheet,
            chosen=chosen,
            way=TurnSource.LINK if chosen and not error else TurnSource.PAGE,
            error=error,
            action=action,
            kind=f"{stored.row.number} {due.hand} {due.what}",
            shown=now.shown,
            since=happened(stored, seat, sheet),
            tabs=tabs_of(stored, seat, follows, now),
            pause=pause_line_of(stored, seat) if follows else None,
            robot_hand=robot_hand(stored, row, follows),
            robot=robot,
        )
        if isinstance(page, PassPage):
            page = replace(page, goal=goal_for_newcomer(session, stored, row))
        return framed(page, session, stored.table, stored.row, stored.seats, row, follows, now)


# Makes the page that follows a game, which shows one step of its player's visit after the other.
# `webapp.games.asked.visit` decides which: how a hand ended, a trick that goes on, the page of a turn, which posts to
# the turn's own address, or the table.


def play_page(token: str, *, error: str | None = None, unsaid: Unsaid | None = None) -> str:
    """The step of their visit at which the player of a PlayLink is now, with what was refused.

    Raises LinkInvalid, SeatLost if another player has the seat, LinkExpired if the player has ended the link.
    """
    return page(replace(_visit(token), error=error, unsaid=unsaid))


def _visit(token: str) -> GamePage:
    link, address = runtime().signer.read(PlayLink, token), f"/play/{token}"
    me = Seat(link.seat)
    with reading() as session:
        stored = store.load_newest(session, link.table_id)
        seat = seating.own_seat(session, link)
        if stored is None:
            return between_games(session, seat, None, address)
        now = place_in(stored, me)
        hands = hands_of(stored, me)
        chosen = next((one for one in hands if one.number == now.hand), None)  # what they have chosen to look at
        if chosen is None:
            step = next_step(hands, now.shown or 0, at=now.at, waits=now.waits)
        elif chosen.asks:
            step = VisitStep(StepKind.DECISION, chosen.number)
        else:
            step = VisitStep(StepKind.RESULT if chosen.ended else StepKind.NOTHING, chosen.number)
        stored = stored.at(step.hand)
        if step.kind is StepKind.RESULT:
            return hand_end(session, seat, stored, step.hand, now, address)
        if stored.row.state is not GameState.PLAYING:
            return between_games(session, seat, stored, address)
        due = asked_of(stored, me) if step.kind is StepKind.DECISION else None
        if due is None:
            return waiting(session, seat, stored, address, now, step.kind)
    action = runtime().signer.local_url(turn_link(stored, me, due))
    asked = question(stored, me, due, follows=address, action=action)
    since = "" if asked.since.summary or not place().query else _played_beside(stored, me)
    return replace(asked, done=dropped_sentence(stored, me) or since)


def _played_beside(stored: TableGame, me: Seat) -> str:
    """Says what the seat's player chose last, if that was in another hand that still runs; else empty."""
    last, beside = last_choice(stored.records, stored, me), {one.game.hand for one in stored.open_hands()}
    is_beside = last is not None and last.hand in beside - {stored.game.hand}
    if last is None or not is_beside:
        return ""
    return say("Hand {hand}: {sentence}", hand=last.hand, sentence=played_sentence(last.turn))


# Serves the page that follows the game, for a player who has come to play, and the requests that it makes.
# `ahead` takes the cards that are chosen on it before their turn.

_SECONDS: Final = re.compile(r"[0-9]{1,7}")
_LINE: Final = re.compile(r"[0-9]{1,9}")  # the id of a line of talk


def still_there(action: str, error: str | None = None) -> OldLinkPage:
    """The page to which an old link of the page leads, whose button sends a POST to `action`."""
    return OldLinkPage(
        heading=say("Still there?"),
        sentences=(say("This page was opened more than twelve hours ago. Your game goes on."),),
        button=say("Mail me a fresh link"),
        action=action,
        error=error,
    )


@blueprint.get("/play/<token>")
def show(token: str) -> AnyResponse | str | tuple[str, int]:
    try:
        return play_page(token)
    except LinkExpired:
        _, seat = _old_link(token)
        if way_in := ways_in.way_in(seat):
            return redirect(way_in, 303)
        return page(still_there(f"/play/{token}/mail")), 410


@blueprint.post("/play/<token>/mail")
def mail_way_in(token: str) -> Answer:
    """Mails the player of a link that may be too old a fresh one: that of their turn, or one that signs them in."""
    link, _ = _old_link(token)
    try:
        ways_in.mail_one(link)
    except TooMuchMail as error:
        return limits.refused(page(still_there(request.path, str(error))), error)
    return page(SENT)


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
    arriving.note_presence(runtime(), *seat, runtime().now(), here=here, idle=idle, visits=link.visits)
    if _LINE.fullmatch(read := request.form.get("read", "")):
        talk.note_read(runtime(), link, int(read))
    return news_response(link)


@blueprint.post("/play/<token>/back")
def come_back(token: str) -> AnyResponse:
    """Sets a player who was away as back."""
    link = runtime().signer.read(PlayLink, token)
    with reading() as session:
        seating.own_seat(session, link)
    away.come_back(runtime(), link.player_id, runtime().now(), link.table_id)
    return redirect(f"/play/{token}", 303)


@blueprint.post("/play/<token>/talk")
def add_line(token: str) -> Answer:
    """Says the phrase that was tapped, or else the text that was typed."""
    link = runtime().signer.read(PlayLink, token)
    text = request.form.get("phrase") or request.form.get("text", "")
    try:
        questions.say_line(runtime(), link, text, runtime().now())
    except (Refused, talk.TalkLimitReached) as error:
        status = 429 if isinstance(error, talk.TalkLimitReached) else 400
        return play_page(token, unsaid=Unsaid(text[:LONGEST_ECHO], str(error))), status
    return redirect(f"/play/{token}{place().query}#talk", 303)


@blueprint.post("/play/<token>/pause")
def vote(token: str) -> Answer:
    """Notes whether the player wants a pause of the clock, or its end."""
    link, wanted = runtime().signer.read(PlayLink, token), request.form.get("want") == "yes"
    try:
        agreeing.vote_pause(runtime(), link, wanted=wanted, now=runtime().now())
    except Refused as error:
        return play_page(token, error=str(error)), 409
    return redirect(f"/play/{token}{place().query}", 303)


@blueprint.post("/play/<token>/live")
def go_live(token: str) -> Answer:
    """Notes whether the player would play on live, or ends that."""
    link, want = runtime().signer.read(PlayLink, token), request.form.get("want")
    try:
        if want == "end":
            agreeing.end_live(runtime(), link, runtime().now())
        else:
            agreeing.vote_live(runtime(), link, wanted=want == "yes", now=runtime().now())
    except Refused as error:
        return play_page(token, error=str(error)), 409
    return redirect(f"/play/{token}{place().query}", 303)


def _old_link(token: str) -> tuple[PlayLink, SeatRow]:
    """The link, however old it is, and its seat. Raises SeatLost, or LinkExpired if its player has ended it."""
    link = runtime().signer.read(PlayLink, token, even_old=True)
    with reading() as session:
        return link, seating.own_seat(session, link)


# Takes the cards that players choose ahead, from the page on which they wait for their turn.


@blueprint.post("/play/<token>/ahead")
def choose(token: str) -> AnyResponse | tuple[str, int]:
    """Keeps the tapped card, or takes it back; plays it if the turn has come meanwhile."""
    link = runtime().signer.read(PlayLink, token)
    try:
        _take_form(link)
    except ahead.HasPoints as error:
        return play_page(token, error=str(error)), 409
    except Refused as error:
        return play_page(token, error=str(error)), 400
    except ahead.TooLate:
        return play_page(token, error=say("The table has moved on: look again.")), 409
    return redirect(f"/play/{token}{place().query}", 303)


def _take_form(link: PlayLink) -> None:
    """Keeps or takes back the card of the form. Raises what `players.ahead` does, and BadField."""
    form, now = request.form, runtime().now()
    due = Due(read_number(form.get("hand", "")), form.get("due", ""))
    if form.get("want") == "take-back":
        ahead.take_back(runtime(), link, due, now)
        return
    try:
        card = parse_code(form.get("ahead", ""))
    except NotACard:
        raise BadField(say("Choose a card.")) from None
    ahead.choose(runtime(), link, due, card, now, seen=read_number(form.get("seen", "")))
