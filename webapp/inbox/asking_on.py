"""Asks a player who answers by mail on by mail: of several questions a mail shows the first alone with its cards."""

from contextlib import suppress

from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.games.asked.whose_turn import asked_of, first_asked
from webapp.games.record import store
from webapp.kinds import KINDS
from webapp.models import LetterRow, LetterState, PlayerRow
from webapp.outbox import timing
from webapp.outbox.in_game import letters_asking
from webapp.outbox.questions import TooSoon
from webapp.play.taking import TurnOver
from webapp.players import preferences


def ask_on(runtime: Runtime, answered: LetterRow) -> None:
    """Mails the question that has waited longest for the player of the letter, if mails have only named it so far.

    Not to a player who wants digests, and not where nobody opens our pages: there a mail shows all its questions.
    """
    if not runtime.settings.has_pages:
        return
    with runtime.database.reading() as session:
        hand = first_asked(store.load(session, answered.of_game), answered.of_seat)
        due, seat = asked_of(hand, answered.of_seat), hand.seats[answered.of_seat]
        if due is None or seat.player_id != answered.player_id:
            return
        asking = [one for one in letters_asking(session, hand.id, seat, due) if KINDS[one.kind].is_question]
        wants_digests = timing.wants_digests(session.get_one(PlayerRow, answered.player_id))
    if asking and not wants_digests and all(one.state is LetterState.BUNDLED for one in asking):
        with suppress(TooSoon, TurnOver, Refused, LookupError):
            preferences.mail_again(runtime, hand.id, answered.of_seat, due, runtime.now())
