"""A finished hand with all cards open, which everybody may see.

Only this module gives out the cards of all seats, and only of hands that have been scored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from hearts.cycle import before_hand
from hearts.game import Game, apply
from hearts.rules import Rules
from hearts.score import HandScore
from webapp.games.record.records import Record
from webapp.games.record.store import TableGame


class HandNotScored(Exception):
    """The hand is being played or has not been dealt yet: nobody may see its cards."""


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """One hand from its deal to its score."""

    number: int
    names: Sequence[str]
    before: Game
    records: tuple[Record, ...]  # the deal first
    games: tuple[Game, ...]  # the game after each of them

    @property
    def rules(self) -> Rules:
        return self.before.rules

    @property
    def score(self) -> HandScore:
        return self.games[-1].scores[-1]


def finished_hand(stored: TableGame, number: int) -> FinishedHand:
    """Hand `number` of the game. Raises HandNotScored, or LookupError if `number` is below 1."""
    if number < 1:
        raise LookupError(f"no hand {number}")
    if number > len(stored.game.scores):
        raise HandNotScored
    records = stored.of_hand(number)
    before = before_hand(stored.game.rules, number, stored.cycle.scores)
    games = accumulate((record.turn for record in records), apply, initial=before)
    return FinishedHand(number, stored.names_of_hand(number), before, records, tuple(games)[1:])
