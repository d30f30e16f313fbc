"""The players whose answer a game waits for, and the cards that are played without one.

A card that was chosen ahead is its player's own, and so comes first. The only legal card, and one that is worth the
same as every other, follow the turn before them at once. Every other choice waits for its player.
"""

from functools import lru_cache
from typing import Final, TypeVar

from hearts.ahead import Ahead, follows_ahead, is_for
from hearts.claim import claim, played_out
from hearts.game import Game, Stage, legal
from hearts.robot import has_a_choice
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from webapp.games.asked.due import Due, due_of
from webapp.games.record import sealed
from webapp.games.record.changing import OpenGame
from webapp.games.record.store import Record, TableGame
from webapp.models import Grounds, KeptAhead, TurnSource

# The records that need no decision: a deal, the only legal card, or a whole rest that one seat must win.


def deal_record(game: OpenGame) -> Record:
    """The deal after the hand that was dealt last."""
    runtime = game.runtime
    dealt = sealed.deal(game.session, game.stored, runtime.chance, runtime.settings.data_dir, game.now)
    return Record(dealt, TurnSource.FORCED)


def forced_records(game: Game) -> list[Record]:
    """The next cards that need no decision, in order; none if somebody has to decide, or no card is to be played."""
    if game.stage is not Stage.PLAY:
        return []
    (seat,) = game.to_act
    cards = set(legal(game, seat))
    if len(cards) == 1:
        return [Record(Play(seat, cards.pop()), TurnSource.FORCED)]
    rest = claim(view(game, seat))
    return [Record(turn, TurnSource.CLAIM) for turn in played_out(game, rest)] if rest and rest.any_order else []


_S = TypeVar("_S", bound=TableGame)
_REMEMBERED: Final = 1024  # decisions of which a process remembers whether they are one; each keeps its hand, some kB
# Why nobody was asked, as the record says it. Older records name a rule by which the card was chosen instead.
SAME: Final = "same"  # every card was worth the same
HARDLY: Final = "hardly"  # in older records: the choice hardly mattered
ROBOT: Final = "robot"  # the player let a robot play the hand


def awaited(stored: TableGame) -> tuple[Seat, ...]:
    """The seats whose players have to answer themselves now."""
    return tuple(seat for seat in stored.game.to_act if not stored.is_played_by_robot(seat))


def first_asked(stored: _S, seat: Seat) -> _S:
    """The same about the hand that has asked the player of `seat` for longest, if one asks them."""
    asking = [hand for hand in stored.open_hands() if seat in awaited(hand)]
    return min(asking, key=lambda hand: hand.clock.asked_at.isoformat() if hand.clock.asked_at else "", default=stored)


def asked_of(stored: TableGame, seat: Seat) -> Due | None:
    """Returns the question that the player of `seat` has to answer now; None if there is none."""
    return due_of(stored.game, seat) if seat in awaited(stored) else None


def ahead_of(stored: TableGame, seat: Seat) -> Ahead | None:
    """The card that the seat's player has chosen ahead for the trick to which it plays next; None if there is none."""
    kept = kept_ahead(stored, seat)
    return kept.ahead if kept and is_for(kept.ahead, view(stored.game, seat)) else None


def kept_ahead(stored: TableGame, seat: Seat) -> KeptAhead | None:
    """The card ahead in the row of the seat, for whatever trick of the hand; None if there is none."""
    return (stored.seats[seat].ahead or {}).get(stored.game.hand)


def keep_ahead(stored: TableGame, seat: Seat, chosen: KeptAhead | None) -> None:
    """Keeps the card for a trick of the hand in the row of the seat; None: drops it. Of a single hand, only the present
    one has a card.
    """
    row, hand = stored.seats[seat], stored.game.hand
    before = {} if stored.row.at_once == 1 else row.ahead or {}
    others = {number: kept for number, kept in before.items() if number != hand}
    row.ahead = {**others, **({} if chosen is None else {hand: chosen})} or None


def ahead_records(stored: TableGame) -> list[Record]:
    """The card that the seat at turn has chosen ahead, as a list of its record; empty if it has to be asked."""
    seat = stored.game.to_act[0]
    kept = ahead_of(stored, seat)
    card = follows_ahead(kept, view(stored.game, seat)) if kept else None
    return [] if card is None else [Record(Play(seat, card), TurnSource.AHEAD)]


def unasked_records(stored: TableGame) -> list[Record]:
    """The next records of the hand that need nobody's answer, in order; empty if there is none."""
    return forced_records(stored.game) or ahead_records(stored) or same_records(stored)


def same_records(stored: TableGame) -> list[Record]:
    """The card of the seat at turn, as a list of its record, where each is worth the same; empty if it has a choice."""
    game = stored.game
    seat = game.to_act[0]
    if game.stage is not Stage.PLAY or stored.is_played_by_robot(seat) or _has_a_choice(game):
        return []
    return [Record(Play(seat, min(legal(game, seat))), TurnSource.AS_WISHED, Grounds(by=SAME))]


@lru_cache(_REMEMBERED)  # a turn, its run and its pages ask for it often
def _has_a_choice(game: Game) -> bool:
    """Whether the seat at turn has cards of different worth."""
    return has_a_choice(view(game, game.to_act[0]))
