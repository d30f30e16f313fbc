"""Takes a player's answer ahead: a card for the trick that lies on the table, before it is their turn.

It lies sealed in the row of the seat: nobody else learns of it before it is a card. It can be changed until then.
"""

from datetime import datetime

from hearts.cards import Card
from hearts.plans.ahead import Ahead, Unless, ahead_mapping, choices_ahead
from hearts.seats import Seat
from hearts.view import View, view
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink
from webapp.games import store
from webapp.games.links import check_seat
from webapp.games.planning import keep_ahead
from webapp.games.presence import lock_players, note_seen
from webapp.presentation.faces import face


class TooLate(Exception):
    """It is the seat's turn already, or there is no trick to which it still has to play."""


def choose_ahead(
    runtime: Runtime,
    link: PlayLink,
    card: Card,
    unless: frozenset[Unless],
    lead: Card | None,
    now: datetime,
    hand: int | None = None,
) -> None:
    """Keeps the answer for the trick on the table, instead of an earlier one; `hand` is the one that they look at.

    Raises Refused if the player does not hold a card, TooLate if it is their turn already, SeatLost or LinkExpired.
    """
    _keep(runtime, link, hand, now, (card, unless, lead))


def take_back(runtime: Runtime, link: PlayLink, now: datetime, hand: int | None = None) -> None:
    """Drops the answer. Raises TooLate if it is the seat's turn already, SeatLost or LinkExpired."""
    _keep(runtime, link, hand, now, None)


def _keep(
    runtime: Runtime,
    link: PlayLink,
    hand: int | None,
    now: datetime,
    answer: tuple[Card, frozenset[Unless], Card | None] | None,
) -> None:
    with runtime.database.writing() as session:
        stored = store.load_running(session, link.table_id, hand)
        if stored is None or hand not in (None, stored.game.hand):
            raise TooLate
        check_seat(link, stored.seats[link.seat])
        lock_players(session, stored.seats)
        seen = view(stored.game, Seat(link.seat))
        if not choices_ahead(seen):
            raise TooLate
        keep_ahead(stored, Seat(link.seat), None if answer is None else ahead_mapping(_checked(seen, *answer)))
        note_seen(session, link.player_id, now)


def _checked(seen: View, card: Card, unless: frozenset[Unless], lead: Card | None) -> Ahead:
    """The answer. Raises Refused if the card cannot follow, or if the player does not hold the card to lead besides."""
    if card not in choices_ahead(seen):
        raise Refused(f"You can't play {face(card).text} to this trick.")
    if lead is not None and lead not in seen.held:
        raise Refused(f"You don't have {face(lead).text}.")
    if lead == card and seen.held.count(card) < 2:
        raise Refused(f"You can't play {face(card).text} and lead it, too.")
    assert seen.trick is not None
    return Ahead(
        hand=seen.hand,
        trick=len(seen.tricks) + 1,
        card=card,
        seen=len(seen.trick.cards),
        unless=unless,
        lead=lead,
    )
