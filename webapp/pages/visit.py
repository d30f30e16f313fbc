"""Makes the page that follows a game, which shows one step of its player's visit after the other.

`webapp.games.asked.visit` decides which: how a hand ended, a trick that goes on, the page of a turn, which posts to the
turn's own address, or the table.
"""

from dataclasses import replace

from hearts.seats import Seat
from webapp.core.tokens import PlayLink
from webapp.games.asked.due import turn_link
from webapp.games.asked.visit import StepKind, VisitStep, hands_of, last_choice, next_step
from webapp.games.asked.whose_turn import asked_of
from webapp.games.record import store
from webapp.games.record.store import TableGame
from webapp.models import GameState
from webapp.pages.at_table import GamePage, Place, place, place_in
from webapp.pages.common import page, reading, runtime
from webapp.pages.question import question
from webapp.pages.waiting import between_games, hand_end, waiting
from webapp.presentation.talk import Unsaid
from webapp.presentation.turn_text import dropped_sentence, played_sentence
from webapp.tables import seating


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
        step = _step(stored, me, now)
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
    return f"Hand {last.hand}: {played_sentence(last.turn)}" if last and is_beside else ""


def _step(stored: TableGame, me: Seat, now: Place) -> VisitStep:
    """The reader's step, or the one of the hand that they have chosen to look at."""
    hands = hands_of(stored, me)
    chosen = next((one for one in hands if one.number == now.hand), None)
    if chosen is None:
        return next_step(hands, now.shown or 0, at=now.at, waits=now.waits)
    if chosen.asks:
        return VisitStep(StepKind.DECISION, chosen.number)
    return VisitStep(StepKind.RESULT if chosen.ended else StepKind.NOTHING, chosen.number)
