"""A seat's view of a game: exactly what its player would see at a real table.

Pages, mails, links and robots get a `View`, which is made only here. None of its fields reveals other seats' cards,
cards left over that this seat did not collect, or cards not yet dealt.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from hearts.cards import NONE, Card, Cards
from hearts.deal import Direction, receiver
from hearts.game import Game, Stage, direction_now, legal, moon_scores, why_not
from hearts.play import Trick
from hearts.rules import Rules
from hearts.score import HandScore, kitty_collector, piles, points_in
from hearts.seats import Seat, every_seat
from hearts.turns import MoonChoice
from hearts.words import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A game as `seat` sees it. From a hand's end to the next deal, the fields of a hand describe that hand."""

    rules: Rules
    seat: Seat
    hand: int
    """The number of the hand, from 1; 0 before the first deal."""
    dealer: Seat | None
    """None before the first deal."""
    stage: Stage
    to_act: tuple[Seat, ...]
    """The seats whose turn it is."""
    totals: tuple[int, ...]
    """By side, after the finished hands."""
    scores: tuple[HandScore, ...]
    """The finished hands."""
    winners: tuple[int, ...]
    """The sides that won; empty before the game is over."""
    direction: Direction
    """The direction of this hand's pass."""
    passed: tuple[Seat, ...]
    """The seats that have chosen the cards to pass."""
    given: Cards | None
    """The cards that this seat passed; None before it has chosen, and if nothing is passed."""
    received: Cards | None
    """The cards that this seat received; None before all have chosen."""
    held: Cards
    """The cards that this seat holds. Cards that it passes leave at once; it receives cards once all have chosen."""
    leader: Seat | None
    """The seat that led the first trick; None before that."""
    tricks: tuple[Trick, ...]
    """The finished tricks of this hand."""
    trick: Trick | None
    """The present trick; None between a finished trick and the next lead."""
    plays: tuple[Card, ...]
    """All cards of this hand in the order played."""
    kitty: Cards | None
    """The cards left over, if this seat collected them."""
    legal: Cards
    """The cards that this seat may play now, each face once; empty if it is not its turn to play."""
    refusals: Mapping[Card, Sentence]
    """From each held card that may not be played to the reason; empty if it is not its turn to play."""
    moon: Mapping[MoonChoice, HandScore]
    """The score of the hand for each way to count this seat's moon; empty unless the seat has to choose."""
    taken: tuple[int, ...]
    """By seat, the points taken so far in this hand; those in the kitty count if this seat has seen it."""
    broken: bool
    """Whether hearts are broken."""


def view(game: Game, seat: Seat) -> View:
    """Returns `game` as `seat` may see it."""
    kitty = _kitty(game, seat)
    awaited = game.stage is Stage.PLAY and seat in game.to_act
    may_play = legal(game, seat)
    return View(
        rules=game.rules,
        seat=seat,
        hand=game.hand,
        dealer=game.deal.dealer if game.deal else None,
        stage=game.stage,
        to_act=game.to_act,
        totals=game.totals,
        scores=game.scores,
        winners=game.winners,
        direction=direction_now(game),
        passed=tuple(Seat(passer) for passer, cards in enumerate(game.passes) if cards is not None),
        given=_given(game, seat),
        received=_received(game, seat),
        held=_held(game, seat),
        leader=game.opener if game.plays else None,
        tricks=game.tricks,
        trick=Trick(game.leader, game.on_table, None) if game.leader is not None and game.on_table else None,
        plays=game.plays,
        kitty=kitty,
        legal=may_play,
        refusals=_refusals(game, seat) if awaited else {},
        moon=moon_scores(game) if seat in game.to_act else {},
        taken=_taken(game, NONE if kitty is None else kitty),
        broken=game.broken,
    )


def _refusals(game: Game, seat: Seat) -> dict[Card, Sentence]:
    held = Cards(game.held_masks[seat]).faces()
    return {card: why for card in held if (why := why_not(game, seat, card))}


def _given(game: Game, seat: Seat) -> Cards | None:
    return game.passes[seat] if game.passes else None


def _received(game: Game, seat: Seat) -> Cards | None:
    if game.stage is Stage.PASS:
        return None
    giver = next(giver for giver in every_seat(game.rules.players) if _receives_from(game, seat, giver))
    return _given(game, giver)


def _receives_from(game: Game, seat: Seat, giver: Seat) -> bool:
    return receiver(giver, direction_now(game), game.rules.players) == seat


def _held(game: Game, seat: Seat) -> Cards:
    if not game.held:
        return NONE
    given = _given(game, seat)
    return game.held[seat] - given if given and game.stage is Stage.PASS else game.held[seat]


def _kitty(game: Game, seat: Seat) -> Cards | None:
    """The cards left over, if there are any and this seat collected them."""
    if not game.deal or not game.deal.kitty:
        return None
    return game.deal.kitty if kitty_collector(game.rules, game.tricks, finished=game.all_played) == seat else None


def _taken(game: Game, kitty: Cards) -> tuple[int, ...]:
    """By seat, the points taken so far; after the hand is scored, they include the kitty for all."""
    if score := game.score:
        return score.taken
    return points_in(game.rules, piles(game.rules, game.plays, game.won, kitty, finished=game.all_played))
