"""The state of a game: `Game`, and what follows from it without applying the rules.

Only `game` makes games other than a new one, by applying turns; `view` says what one seat may see of a game.
"""

from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from hearts.cards import Card, Cards
from hearts.deal import cards_each
from hearts.play import Law, Trick, law
from hearts.rules import Rules
from hearts.score import HandScore, lowest_sides
from hearts.seats import Seat
from hearts.turns import Deal


class Stage(StrEnum):
    """The step for which a game waits."""

    DEAL = "deal"
    PASS = "pass"
    PLAY = "play"
    MOON = "moon"
    DONE = "done"
    """The hand is over, others that were dealt with it are not (`hearts.cycle`)."""
    OVER = "over"


@dataclass(slots=True)
class Game:
    """A game under `rules` before its first deal; `apply` makes all others. Treat it as immutable.

    The attributes of a hand keep their values after its end until the next deal. Those named `…_mask` are masks of
    `Cards`: every turn makes a new game, and integers are cheap to make.
    """

    law: Law
    """The steps and cards that follow from the rules."""
    scores: tuple[HandScore, ...] = ()
    """The finished hands."""
    stage: Stage = Stage.DEAL
    to_act: tuple[Seat, ...] = ()
    """The seats whose turn it is; empty before a deal and when the game is over."""
    hand: int = 0
    """The number of the hand, from 1; 0 before the first deal."""
    deal: Deal | None = None
    passes: tuple[Cards | None, ...] = ()
    """By seat, the cards that it passed; None for a seat that has not chosen, and if nothing is passed."""
    opener: Seat | None = None
    """The seat that leads, or led, the first trick."""
    leader: Seat | None = None
    """The seat that leads, or led, the present trick."""
    led_mask: int = 0
    """The suit led to the present trick; 0 before the lead."""
    on_table: tuple[Card, ...] = ()
    """The cards of the present trick."""
    gathered: tuple[tuple[Card, ...], ...] = ()
    """The cards of this hand's finished tricks."""
    won: tuple[Seat | None, ...] = ()
    """The winners of this hand's finished tricks; None for a trick that nobody won."""
    held_masks: tuple[int, ...] = ()
    """By seat, what it holds; while cards are passed, what it was dealt."""
    allowed_mask: int = 0
    """The cards that the seat at turn may play, each face once."""
    broken: bool = False
    """Whether hearts are broken."""

    def __hash__(self) -> int:
        return hash((self.hand, self.held_masks, self.on_table))

    def copy(self) -> "Game":
        """A copy for `hearts.game` to change before anybody sees it; attribute by attribute, which is fastest."""
        new = object.__new__(Game)
        new.law = self.law
        new.scores = self.scores
        new.stage = self.stage
        new.to_act = self.to_act
        new.hand = self.hand
        new.deal = self.deal
        new.passes = self.passes
        new.opener = self.opener
        new.leader = self.leader
        new.led_mask = self.led_mask
        new.on_table = self.on_table
        new.gathered = self.gathered
        new.won = self.won
        new.held_masks = self.held_masks
        new.allowed_mask = self.allowed_mask
        new.broken = self.broken
        return new

    @property
    def rules(self) -> Rules:
        return self.law.rules

    @property
    def held(self) -> tuple[Cards, ...]:
        """By seat, the cards that it holds; during the pass, those that it was dealt."""
        return tuple(map(Cards, self.held_masks))

    @property
    def totals(self) -> tuple[int, ...]:
        """By side, after the finished hands."""
        return self.scores[-1].totals if self.scores else (0,) * self.rules.sides

    @property
    def score(self) -> HandScore | None:
        """The score of this hand; None until it is scored."""
        return next((score for score in reversed(self.scores) if score.number == self.hand), None)

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that won; empty before the game is over."""
        return lowest_sides(self.totals) if self.stage is Stage.OVER else ()

    @property
    def trick(self) -> int:
        """The number, from 1, of the present or next trick, at the end of the last one; 0 before the first deal."""
        return min(len(self.won) + 1, cards_each(self.rules)) if self.deal else 0

    @property
    def plays(self) -> tuple[Card, ...]:
        """All cards of this hand in the order played."""
        return (*chain.from_iterable(self.gathered), *self.on_table)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks of this hand."""
        finished: list[Trick] = []
        leader = self.opener
        for cards, won_by in zip(self.gathered, self.won, strict=True):
            assert leader is not None
            finished.append(Trick(leader, cards, won_by))
            leader = leader if won_by is None else won_by
        return tuple(finished)

    @property
    def all_played(self) -> bool:
        """Whether all tricks of this hand are finished."""
        return self.hand > 0 and not any(self.held_masks)


def new_game(rules: Rules) -> Game:
    """A game under `rules` before its first deal."""
    return Game(law(rules))
