"""A game at one moment: `Game`, and what may be read off it without asking the rules.

Turns are applied in `game`, which alone makes games other than a new one; what one seat may see of a game is in `view`.
"""

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
    """What a game waits for."""

    DEAL = "deal"
    PASS = "pass"
    PLAY = "play"
    MOON = "moon"
    OVER = "over"


class Game:
    """A game under `rules` before its first deal; `apply` makes the others. Never changed, only read.

    What belongs to a hand stays as it was when the hand ended until the next one is dealt. Attributes named `…_mask`
    are masks of `Cards`: a game is made anew for every turn, and integers are quickly made.
    """

    __slots__ = (
        "allowed_mask",
        "broken",
        "deal",
        "gathered",
        "hand",
        "held_masks",
        "law",
        "leader",
        "led_mask",
        "on_table",
        "opener",
        "passes",
        "scores",
        "stage",
        "to_act",
        "won",
    )

    law: Law
    """What the rules of the table come to in play."""
    scores: tuple[HandScore, ...]
    """The finished hands."""
    stage: Stage
    to_act: tuple[Seat, ...]
    """The seats that are awaited: none before a deal and when the game is over."""
    hand: int
    """The number of the hand, from 1; 0 before the first deal."""
    deal: Deal | None
    passes: tuple[Cards | None, ...]
    """By seat, what it gave away; None for a seat that has not chosen, and where nothing is passed."""
    opener: Seat | None
    """Who leads, or led, the first trick."""
    leader: Seat | None
    """Who leads, or led, the trick being played."""
    led_mask: int
    """The suit led to the trick being played; 0 before the lead."""
    on_table: tuple[Card, ...]
    """The cards of the trick being played."""
    gathered: tuple[tuple[Card, ...], ...]
    """The cards of this hand's finished tricks."""
    won: tuple[Seat | None, ...]
    """The winners of this hand's finished tricks; None where nobody won."""
    held_masks: tuple[int, ...]
    """By seat, what it holds; while cards are passed, what it was dealt."""
    allowed_mask: int
    """What the seat that is awaited to play may play, each face once."""
    broken: bool
    """Whether hearts are broken."""

    def __init__(self, rules: Rules) -> None:
        self.law = law(rules)
        self.scores = ()
        self.stage = Stage.DEAL
        self.to_act = ()
        self.hand = 0
        self.deal = None
        self.passes = ()
        self.opener = None
        self.leader = None
        self.led_mask = 0
        self.on_table = ()
        self.gathered = ()
        self.won = ()
        self.held_masks = ()
        self.allowed_mask = 0
        self.broken = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and all(getattr(self, name) == getattr(other, name) for name in Game.__slots__)

    def __hash__(self) -> int:
        return hash((self.rules, self.hand, self.stage, self.plays, self.held_masks))

    @property
    def rules(self) -> Rules:
        return self.law.rules

    @property
    def held(self) -> tuple[Cards, ...]:
        """By seat, what it holds; while cards are passed, what it was dealt."""
        return tuple(map(Cards, self.held_masks))

    @property
    def totals(self) -> tuple[int, ...]:
        """By side, after the finished hands."""
        return self.scores[-1].totals if self.scores else (0,) * self.rules.sides

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that won; none before the game is over."""
        return lowest_sides(self.totals) if self.stage is Stage.OVER else ()

    @property
    def trick(self) -> int:
        """The number, from 1, of the trick being played or awaited, then of the last one; 0 before the first deal."""
        return min(len(self.won) + 1, cards_each(self.rules)) if self.deal else 0

    @property
    def plays(self) -> tuple[Card, ...]:
        """Every card of this hand in the order played."""
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
        """Whether every trick of this hand is played."""
        return self.hand > 0 and not any(self.held_masks)
