"""Hands side by side: the hands of a game that are dealt together and played at the same time.

A `Cycle` holds them, as one `Game` for each hand; with one hand at once, that is the game itself. The order in which
its hands go on makes no difference to the score: moons, bonuses and totals are reckoned in the order of the hands'
numbers, so a finished hand has no score as long as an earlier one is being played. The game ends with a cycle, if the
totals after it say so.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

from hearts.deal import dealt_together, hands_at_once
from hearts.game import Game, IllegalTurn, Stage, apply, decided_score, new_game
from hearts.rules import Rules
from hearts.score import HandScore, is_over
from hearts.turns import Deal, MoonChoice, Turn

FINISHED = (Stage.DONE, Stage.DEAL, Stage.OVER)
"""The stages of a hand whose last trick is over, and whose moon is counted."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """The hands dealt last, and the scores of the game so far."""

    rules: Rules
    at_once: int
    """How many hands are dealt together (`deal.dealt_together`): one, or as many as the directions of the pass."""
    hands: tuple[Game, ...]
    """In the order of their numbers. Each knows all `scores`. Before the first deal, and where only the scores of the
    hands before a deal are known, one game without cards."""
    choices: tuple[MoonChoice | None, ...] = (None,)
    """By hand, how a shooter has chosen to count the moon; None if none has."""

    @property
    def scores(self) -> tuple[HandScore, ...]:
        """The hands scored so far: those that are finished, as long as no earlier one is still being played."""
        return self.hands[0].scores

    @property
    def is_being_dealt(self) -> bool:
        """Whether some of the hands that are dealt together are dealt, and others are not."""
        last = self.hands[-1].hand
        return last > 0 and last + 1 in dealt_together(self.rules, self.at_once, last)

    @property
    def stage(self) -> Stage:
        """`deal` if the next hand has to be dealt, `over`, or else the stage of the first hand that is played."""
        if self.is_being_dealt:
            return Stage.DEAL
        return next((game.stage for game in self.hands if game.stage not in FINISHED), self.hands[0].stage)

    @property
    def next_hand(self) -> int:
        """The number of the hand to be dealt next."""
        return self.hands[-1].hand + 1

    @property
    def open_hands(self) -> tuple[Game, ...]:
        """The hands that wait for a seat, in the order of their numbers."""
        return tuple(game for game in self.hands if game.to_act)

    def hand(self, number: int) -> Game | None:
        """The game of that hand; None if it is not one of those dealt last."""
        return next((game for game in self.hands if game.hand == number), None)


def new_cycle(rules: Rules, at_once: int) -> Cycle:
    """A game before its first deal. Raises ValueError if these rules do not allow `at_once` hands at the same time."""
    if at_once not in hands_at_once(rules):
        raise ValueError(f"under these rules {' or '.join(map(str, hands_at_once(rules)))} hands are played at once")
    return Cycle(rules, at_once, (new_game(rules),))


def before_hand(rules: Rules, number: int, scores: tuple[HandScore, ...]) -> Game:
    """A game that deals hand `number` next, after the hands before it, whose scores are among `scores`."""
    begun = new_game(rules)
    begun.hand, begun.scores = number - 1, scores[: number - 1]
    return begun


def before_deal(rules: Rules, at_once: int) -> Cycle:
    """A game before its first deal. Raises ValueError as `new_cycle`, unless its hands are played one by one."""
    return Cycle(rules, 1, (new_game(rules),)) if at_once == 1 else new_cycle(rules, at_once)


def replay_hands(rules: Rules, at_once: int, turns: Iterable[tuple[int, Turn]]) -> Cycle:
    """The game after these turns, each with the number of its hand. Raises IllegalTurn."""
    return play_on(before_deal(rules, at_once), turns)


def play_on(cycle: Cycle, turns: Iterable[tuple[int, Turn]]) -> Cycle:
    """The cycle after these turns, each with the number of its hand. Raises IllegalTurn."""
    if cycle.at_once == 1:
        return Cycle(cycle.rules, 1, (reduce(apply, (turn for _, turn in turns), cycle.hands[0]),))
    return reduce(lambda before, named: apply_to_hand(before, *named), turns, cycle)


def apply_to_hand(cycle: Cycle, number: int, turn: Turn) -> Cycle:
    """The cycle after `turn` in hand `number`; `cycle` itself does not change.

    Raises IllegalTurn if the rules refuse the turn, or if that hand is not being played.
    """
    if cycle.at_once == 1 and number == cycle.hands[0].hand + isinstance(turn, Deal):
        return replace(cycle, hands=(apply(cycle.hands[0], turn),))
    if isinstance(turn, Deal):
        return _deal(cycle, number, turn)
    before = cycle.hand(number)
    if before is None:
        raise IllegalTurn(f"hand {number} is not being played")
    place, after = cycle.hands.index(before), apply(before, turn)
    if after.stage not in FINISHED:
        return replace(cycle, hands=(*cycle.hands[:place], after, *cycle.hands[place + 1 :]))
    choices = (*cycle.choices[:place], after.scores[-1].moon_choice, *cycle.choices[place + 1 :])
    done = _at(after, Stage.DONE, cycle.scores)
    return _scored(replace(cycle, hands=(*cycle.hands[:place], done, *cycle.hands[place + 1 :]), choices=choices))


def _deal(cycle: Cycle, number: int, turn: Deal) -> Cycle:
    """The cycle with one more hand, or the first hand of the next cycle."""
    last = cycle.hands[-1]
    if number != cycle.next_hand:
        raise IllegalTurn(f"hand {number} may not be dealt: it is the deal of hand {cycle.next_hand}")
    if cycle.is_being_dealt:
        dealt = apply(_at(last, Stage.DEAL, cycle.scores), turn)
        return replace(cycle, hands=(*cycle.hands, dealt), choices=(*cycle.choices, None))
    if cycle.open_hands:
        raise IllegalTurn(f"hand {cycle.open_hands[0].hand} is not finished")
    return replace(cycle, hands=(apply(last, turn),), choices=(None,))


def _scored(cycle: Cycle) -> Cycle:
    """The cycle with a score for each finished hand that has no unfinished one before it, and its stage after that."""
    scores = cycle.scores
    for game, choice in zip(cycle.hands, cycle.choices, strict=True):
        if game.stage is not Stage.DONE:
            break
        if game.hand > len(scores):
            scores = (*scores, decided_score(_at(game, Stage.DONE, scores), choice))
    if cycle.is_being_dealt or any(game.stage is not Stage.DONE for game in cycle.hands):
        return replace(cycle, hands=tuple(_at(game, game.stage, scores) for game in cycle.hands))
    stage = Stage.OVER if is_over(cycle.rules, len(scores), scores[-1].totals) else Stage.DEAL
    return replace(cycle, hands=tuple(_at(game, stage, scores) for game in cycle.hands))


def _at(game: Game, stage: Stage, scores: tuple[HandScore, ...]) -> Game:
    """The same hand at another stage, in a game with these scores."""
    new = game.copy()
    new.stage, new.scores = stage, scores
    return new
