"""Serves the page of one turn: a pass, a card, or how a moon counts. GET shows it; POST plays, by `taking.take_turn`.

After the turn the player's visit goes on, on the page that follows the game (`play`). The link of a turn that is over
leads into the visit where its player is signed in or has just played; anywhere else it says what was played, and mails
its player the turn of now: anybody may have a forwarded mail.
"""

from collections.abc import Sequence
from dataclasses import replace

from flask import Blueprint, jsonify, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from hearts.game import IllegalTurn
from hearts.seats import Seat
from webapp.core.say import Refused, say
from webapp.core.tokens import LinkExpired, LinkInvalid, PlayLink, SeatLost, TurnLink
from webapp.forms.turns import read_turn
from webapp.games.asked.due import Due, answer_to, due_of
from webapp.games.record import links, store
from webapp.games.record.store import Record, TableGame
from webapp.models import TurnSource
from webapp.outbox import questions, turn_mail
from webapp.pages import limits, ways_in
from webapp.pages.at_table import Place, pause_page, place
from webapp.pages.common import page, reading, runtime
from webapp.pages.limits import Answer, TooMuchMail
from webapp.pages.play import play_page, question
from webapp.pages.waiting import handed_on, is_asked, turn_over
from webapp.pages.ways_in import SENT
from webapp.play import taking
from webapp.players import away, preferences
from webapp.presentation.turn_text import refusal_sentence, turn_sentence

blueprint = Blueprint("turns", __name__)


@blueprint.get("/turn/<token>")
def show(token: str) -> AnyResponse | str:
    link = runtime().signer.read(TurnLink, token)
    stored = _stored(link)
    if due_of(stored.game, Seat(link.seat)) == _due(link):
        return _question_page(link, stored, request.args.getlist("card"))
    if stored.table.rests:
        answer = _answer(link, stored)
        return pause_page(stored, stored.seats[link.seat], turn_sentence(answer) if answer else None)
    if way_in := ways_in.way_in(stored.seats[link.seat]):
        return redirect(way_in, 303)
    return _over_page(link, stored, _answer(link, stored))


@blueprint.get("/turn/<token>/now")
def now(token: str) -> AnyResponse:
    """Whether the turn still waits for the link's player, for a device that shows a notification of it."""
    link = runtime().signer.read(TurnLink, token, even_old=True)
    try:
        stored, seat = _stored(link), Seat(link.seat)
    except (SeatLost, LinkExpired):
        return jsonify(waits=False)
    return jsonify(waits=_due(link) == due_of(stored.game, seat))


@blueprint.post("/turn/<token>")
def play(token: str) -> AnyResponse | str | tuple[str, int]:
    link = runtime().signer.read(TurnLink, token)
    way = TurnSource.LINK if request.form.get("way") == "link" else TurnSource.PAGE
    try:
        turn = read_turn(Seat(link.seat), link.due, request.form.getlist("card"), request.form.get("moon", ""))
        answered = (runtime(), link.game_id, _due(link), turn, way, runtime().now())
        stored = taking.take_turn(*answered, player_id=link.player_id, links=link.links)
    except LookupError:
        _stored(link)
        raise LinkInvalid from None
    except Refused as error:
        return _refusal(link, str(error))
    except IllegalTurn:
        return _refusal(link, refusal_sentence(_stored(link).game, turn))
    except taking.TurnOver as over:
        stored = _noted_back(link)
        follows = _follows(link, stored)
        if over.answer is not None and over.answer.turn == turn:
            return redirect(f"/play/{follows}{Place(place().shown).query}" if follows else request.path, 303)
        return _too_late(link, stored, over.answer, follows), 409
    if stored.seats[link.seat].player_id != link.player_id:  # the card ended the hand: a newcomer has the seat
        return page(handed_on(stored, Seat(link.seat), turn))
    followed = _follows(link, stored)  # a page that follows the game has that link, whatever its browser's cookies
    follows = ways_in.enter(stored.seats[link.seat], is_turn=True) or (f"/play/{followed}" if followed else None)
    return redirect(f"{follows}{Place(place().shown).query}" if follows else request.path, 303)


@blueprint.post("/turn/<token>/back")
def come_back(token: str) -> Answer:
    """Sets a player who was away as back. Their turn of now comes by mail; where they are signed in, their visit goes
    on at once.
    """
    link = runtime().signer.read(TurnLink, token)
    stored = _noted_back(link)
    if way_in := ways_in.way_in(stored.seats[link.seat]):
        return redirect(way_in, 303)
    if not is_asked(stored, Seat(link.seat)) or due_of(stored.game, Seat(link.seat)) == _due(link):
        return redirect(f"/turn/{token}", 303)
    try:
        ways_in.mail_one(links.seat_link(stored.seats[link.seat]))
    except TooMuchMail as error:
        return limits.refused(_over_page(link, stored, _answer(link, stored), error=str(error)), error)
    return page(SENT)


@blueprint.post("/turn/<token>/sign-in")
def mail_sign_in(token: str) -> Answer:
    """Mails the link's player a link that signs them in, for a browser that is not known to be theirs."""
    link = runtime().signer.read(TurnLink, token)
    stored = _stored(link)
    try:
        ways_in.mail_sign_in(link.player_id)
    except TooMuchMail as error:
        over = turn_over(stored, Seat(link.seat), _answer(link, stored), _path())
        return limits.refused(page(replace(over, error=str(error))), error)
    return page(SENT)


@blueprint.post("/turn/<token>/again")
def mail_again(token: str) -> Answer:
    """Queues the mail of the turn once more."""
    link = runtime().signer.read(TurnLink, token)
    _stored(link)
    try:
        preferences.mail_again(runtime(), link.game_id, Seat(link.seat), _due(link), runtime().now())
    except LookupError:
        raise LinkInvalid from None
    except taking.TurnOver as over:
        return _over_page(link, _stored(link), over.answer), 409
    except Refused as error:
        return _question_page(link, _stored(link), error=str(error)), 409
    except questions.TooSoon:
        sentence = say("We have just written to you about this turn. If nothing has come in ten minutes, try again.")
        wait = {"Retry-After": str(int(turn_mail.AGAIN_AFTER.total_seconds()))}
        return _question_page(link, _stored(link), error=sentence), 429, wait
    return redirect(f"/turn/{token}?mailed=yes", 303)


def _due(link: TurnLink) -> Due:
    return Due(link.hand, link.due)


def _answer(link: TurnLink, stored: TableGame) -> Record | None:
    """The turn with which the seat answered the link's question; None if there is none."""
    return answer_to(stored.records, Seat(link.seat), _due(link))


def _stored(link: TurnLink) -> TableGame:
    """The game of the link.

    Raises LinkInvalid if there is none, SeatLost if another player has the seat, LinkExpired if the link was ended, and
    SeatLent if somebody plays for the player of the link.
    """
    try:
        with reading() as session:
            stored = store.load(session, link.game_id, hand=link.hand)
            links.check_seat(link, stored.seats[link.seat])
    except LookupError:
        raise LinkInvalid from None
    return stored


def _noted_back(link: TurnLink) -> TableGame:
    """The game of the link, after its player was set as back: they are doing something here."""
    stored = _stored(link)
    seat = stored.seats[link.seat]
    if not seat.away:
        return stored
    away.come_back(runtime(), link.player_id, runtime().now(), seat.table_id)
    return _stored(link)


def _refusal(link: TurnLink, sentence: str) -> tuple[str, int]:
    stored = _stored(link)
    if due_of(stored.game, Seat(link.seat)) != _due(link):
        return _too_late(link, stored, _answer(link, stored), _follows(link, stored)), 409
    return _question_page(link, stored, request.form.getlist("card"), sentence), 400


def _follows(link: TurnLink, stored: TableGame) -> str | None:
    """The token by which the posting page follows the game, if it is for the same player and seat; else None.

    A player who has such a token keeps following the game; the page of a turn that is over gives it to nobody.
    """
    token = request.form.get("play", "").removeprefix("/play/")
    try:
        follows = runtime().signer.read(PlayLink, token)
    except (LinkInvalid, LinkExpired):
        return None
    return token if follows == links.play_link(stored.seats[link.seat]) else None


def _too_late(link: TurnLink, stored: TableGame, answer: Record | None, follows: str | None) -> str:
    """The page that says what somebody played before; it is the page that follows the game if there is a token."""
    if follows is None:
        return _over_page(link, stored, answer)
    return play_page(follows, error=turn_sentence(answer) if answer else say("It is not your turn."))


def _question_page(link: TurnLink, stored: TableGame, chosen: Sequence[str] = (), error: str | None = None) -> str:
    row, due = stored.seats[link.seat], _due(link)
    follows = ways_in.page_to_follow(row)
    asked = question(stored, Seat(link.seat), due, follows=follows, action=_path(), chosen=chosen, error=error)
    again = f"{_path()}/again" if row.mails else None
    sign_in = None if follows else f"{_path()}/sign-in"
    return page(replace(asked, again_action=again, sign_in_action=sign_in, mailed="mailed" in request.args))


def _over_page(link: TurnLink, stored: TableGame, answer: Record | None, *, error: str | None = None) -> str:
    over = turn_over(stored, Seat(link.seat), answer, _path())
    return page(replace(over, error=error, sign_in_action=f"{_path()}/sign-in"))


def _path() -> str:
    """The path of the turn's own page, also for requests of its buttons."""
    return f"/turn/{(request.view_args or {})['token']}"
