"""Takes a player's answer ahead: a card for the trick that lies on the table, before it is their turn.

It lies sealed in the row of the seat: nobody else learns of it before it is a card. It can be changed until then. If
the turn has come meanwhile, it is that card at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from hearts.cards import Card, Cards
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import View, view
from hearts.waits.ahead import USUAL, Ahead, Unless, came, choices_ahead, follows_ahead
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink, SeatLost
from webapp.games.asked.due import Due, due_of, later_due
from webapp.games.asked.whose_turn import ahead_of, keep_ahead, kept_ahead
from webapp.games.clock.presence import note_seen
from webapp.games.record import changing, store
from webapp.games.record.changing import Transaction
from webapp.games.record.links import check_seat
from webapp.games.record.store import TableGame
from webapp.models import KeptAhead, SeatRow, TurnSource
from webapp.outbox import questions
from webapp.play import taking
from webapp.presentation.ahead_text import Fault, again_sentence, fault_sentence


class TooLate(Exception):
    """The seat's turn has come already, or there is no trick to which it still has to play."""


@dataclass
class CannotAnswer(Refused):
    """The answer cannot be given: what is wrong, and with which card."""

    fault: Fault
    card: Card

    def __str__(self) -> str:
        return fault_sentence(self.fault, self.card)


@dataclass
class HasCome(Refused):
    """A refusal to play: the player's turn has come, and so has a case in which they want to be asked."""

    card: Card
    what: list[Unless]

    def __str__(self) -> str:
        return f"{again_sentence(self.card, self.what)} Choose again."


class AnsweredSince(Exception):
    """The player has given another answer since they gave this one, which came late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAhead:
    """A player's answer. `seen` is how many cards lay on the table when they looked; None: those that lie there."""

    card: Card
    unless: frozenset[Unless] = USUAL
    instead: Card | None = None
    lead: Card | None = None
    seen: int | None = None


def answer(
    runtime: Runtime,
    link: PlayLink,
    due: Due,
    given: AnswerAhead,
    now: datetime,
    source: TurnSource = TurnSource.PAGE,
    given_at: datetime | None = None,
) -> bool:
    """Keeps the answer to the trick that `due` names, or plays it if the player's turn has come.

    Returns whether it is kept for later. It was given now, or `given_at`. Raises CannotAnswer, HasCome, AnsweredSince,
    TooLate if the seat has played to that trick or does not play to it yet, SeatLost or LinkExpired. Nothing has
    changed then.
    """
    seat, stored = Seat(link.seat), _seen(runtime, link, due.hand)
    if due_of(stored.game, seat) == due:
        check_is_last(stored, seat, given_at)
        _play(runtime, link, stored, due, given, now, source)
        return False
    with changing.games(runtime, now) as transaction:
        session, stored = transaction.session, _opened(transaction, link, due.hand)
        is_later = later_due(stored.game, seat) == due
        if is_later:
            check_is_last(stored, seat, given_at)
            _seal(session, stored, seat, given, given_at or now)
            note_seen(session, link.player_id, now)
    if is_later:
        return True
    if due_of(stored.game, seat) != due:
        raise TooLate
    return answer(runtime, link, due, given, now, source, given_at)  # the turn has come meanwhile


def take_back(runtime: Runtime, link: PlayLink, now: datetime, hand: int | None = None) -> None:
    """Drops the answer. Raises TooLate if it is the seat's turn already, SeatLost or LinkExpired."""
    with changing.games(runtime, now) as transaction:
        stored, seat = _opened(transaction, link, hand), Seat(link.seat)
        if not choices_ahead(view(stored.game, seat)):
            raise TooLate
        keep_ahead(stored, seat, None)
        note_seen(transaction.session, link.player_id, now)


def _seen(runtime: Runtime, link: PlayLink, hand: int) -> TableGame:
    """The running game of the link's table about that hand, as it is now. Raises TooLate if it is over."""
    with runtime.database.reading() as session:
        stored = store.load_newest(session, link.table_id)
        check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))
    if stored is None or stored.at(hand).game.hand != hand:
        raise TooLate
    return stored.at(hand)


def _opened(transaction: Transaction, link: PlayLink, hand: int | None) -> TableGame:
    """The running game of the link's table about that hand, opened for a change. Raises TooLate if it is over."""
    game = transaction.running(link.table_id, hand)
    if game is None or hand not in (None, game.stored.game.hand):
        raise TooLate
    check_seat(link, game.seats[link.seat])
    return game.stored


def _seal(session: Session, stored: TableGame, seat: Seat, given: AnswerAhead, at: datetime) -> None:
    seen = view(stored.game, seat)
    keep_ahead(stored, seat, KeptAhead(_checked(seen, choices_ahead(seen), given), at))
    questions.supersede_asking(session, stored, stored.seats[seat])


def check_is_last(stored: TableGame, seat: Seat, given_at: datetime | None) -> None:
    """Raises AnsweredSince if the seat's player has answered the trick since then; None: it is answered now."""
    kept = kept_ahead(stored, seat) if given_at and ahead_of(stored, seat) else None
    if given_at and kept and kept.at and kept.at > given_at:
        raise AnsweredSince


def _play(
    runtime: Runtime, link: PlayLink, stored: TableGame, due: Due, given: AnswerAhead, now: datetime, source: TurnSource
) -> None:
    """Plays the card of the answer at the player's turn, and keeps the lead that they have chosen."""
    seen = view(stored.game, Seat(link.seat))
    ahead = _checked(seen, seen.legal, given)
    card = follows_ahead(ahead, seen)
    if card is None:
        raise HasCome(ahead.card, came(ahead, seen))
    kept = None if ahead.lead is None else KeptAhead(ahead)
    turn = Play(seen.seat, card)
    try:
        taking.take_turn(runtime, stored.id, due, turn, source, now, player_id=link.player_id, ahead=kept)
    except taking.TurnOver:
        raise TooLate from None
    except LookupError:
        raise SeatLost(link.table_id) from None


def _checked(seen: View, choices: Cards, given: AnswerAhead) -> Ahead:
    """The answer to the trick on the table, or to the one that the seat leads. Raises CannotAnswer."""
    for card in (given.card, given.instead):
        if card is not None and card not in choices:
            raise CannotAnswer(Fault.CARD, card)
    if given.instead is not None and (not given.unless or given.instead == given.card):
        raise CannotAnswer(Fault.CASE, given.instead)
    if given.lead is not None:
        _check_lead(seen, given.lead, [card for card in (given.card, given.instead) if card is not None])
    lying = seen.trick.cards if seen.trick else ()
    return Ahead(
        hand=seen.hand,
        trick=len(seen.tricks) + 1,
        card=given.card,
        seen=len(lying) if given.seen is None else min(given.seen, len(lying)),
        unless=given.unless,
        instead=given.instead,
        lead=given.lead,
    )


def _check_lead(seen: View, lead: Card, played: Sequence[Card]) -> None:
    """Raises CannotAnswer if the seat cannot lead that card after one of `played`."""
    if lead not in seen.held:
        raise CannotAnswer(Fault.LEAD, lead)
    if lead in played and seen.held.count(lead) < 2:
        raise CannotAnswer(Fault.TWICE, lead)
