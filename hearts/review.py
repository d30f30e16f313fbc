"""A finished hand looked at again: what the robot would have done at each decision, and what doing otherwise cost.

The robot is asked from the view that the seat had at that moment: it knows no more than the player did. Costs are
estimates, the same every time for the same hand, budget and seed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, assert_never

from hearts.cards import card_text
from hearts.game import Game, apply
from hearts.robot import are_alike, consider, has_a_choice, weighed
from hearts.seats import Seat
from hearts.turns import Deal, Moon, Pass, Play, Turn
from hearts.view import View, view

PLAYOUTS: Final = 300
"""The most roll-outs that the robot's choice takes, unless told otherwise."""
_WEIGHED: Final = 8
"""How many times as many weigh what was done against it: the difference of two is asked for, and is small."""
WORTH_TELLING: Final = 1.0
"""The points that a turning point costs at least."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the robot thinks of a decision. Points are those of the hand for the side of `seat`, on average."""

    turn: int
    """The number of the turn within the hand; the deal is 1."""
    trick: int
    """0 where cards were passed; where a moon was counted, the last trick."""
    seat: Seat
    played: str
    """What was done, as the robot names alternatives: `QS`, `AS KS QS`, `add`."""
    better: str
    """What the robot would have done; the same as `played`, or something that comes to the same, where `cost` is 0."""
    played_points: float
    better_points: float
    cost: float
    """How many points it cost not to do what the robot would have done; never less than 0."""
    reason: str
    """The robot's, for what it would have done."""


class NotAnOpinion(ValueError):
    """A mapping that holds no opinion."""


def review(
    before: Game,
    turns: Iterable[Turn],
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    stop: Callable[[], bool] | None = None,
) -> tuple[Opinion, ...]:
    """An opinion on each decision among the `turns` of a hand that begins with its deal in the game `before`.

    Turns without a real alternative are left out. `stop` is asked before each decision and may end the review: what
    comes after has no opinions then. Raises IllegalTurn where the rules refuse a turn.
    """
    found, game = [], before
    for number, turn in enumerate(turns, 1):
        if not isinstance(turn, Deal) and not (stop and stop()):
            seen = view(game, turn.seat)
            if has_a_choice(seen) and _can_be_weighed(turn):
                found.append(_opinion(seen, turn, game.trick, number, playouts, seed + number))
        game = apply(game, turn)
    return tuple(found)


def turning_points(opinions: Iterable[Opinion], most: int = 3) -> tuple[Opinion, ...]:
    """The opinions on what cost most, dearest first: `most` at most, and each worth telling."""
    told = [opinion for opinion in opinions if opinion.cost >= WORTH_TELLING]
    return tuple(sorted(told, key=lambda opinion: -opinion.cost)[:most])


def _can_be_weighed(turn: Turn) -> bool:
    """Whether the robot knows it as an alternative: it never passes two equal cards."""
    return not isinstance(turn, Pass) or turn.cards == turn.cards.faces()


def _opinion(seen: View, turn: Pass | Play | Moon, trick: int, number: int, playouts: int, seed: int) -> Opinion:
    choice = consider(seen, playouts=playouts, seed=seed)
    played, better = alternative_text(turn), alternative_text(choice.turn)
    if isinstance(turn, Moon) or are_alike(seen, turn, choice.turn):
        points = tuple(choice.expected.get(word, 0.0) for word in (played, better))
    else:
        points = weighed(seen, (turn, choice.turn), playouts=_WEIGHED * playouts, seed=seed)
    return Opinion(
        turn=number,
        trick=0 if isinstance(turn, Pass) else trick,
        seat=turn.seat,
        played=played,
        better=better,
        played_points=round(points[0], 2),
        better_points=round(points[1], 2),
        cost=round(max(0.0, points[0] - points[1]), 2),
        reason=choice.why,
    )


def alternative_text(turn: Turn) -> str:
    """A decision as `Choice.expected` names it: a card, cards, or a word. Raises ValueError for a deal."""
    match turn:
        case Play(card=card):
            return card_text(card)
        case Pass(cards=cards):
            return str(cards)
        case Moon(choice=choice):
            return str(choice)
        case Deal():
            raise ValueError("a deal is no decision")
        case _:
            assert_never(turn)


def opinion_mapping(opinion: Opinion) -> dict[str, Any]:
    """The opinion as JSON values; `parse_opinion` reads it back."""
    return asdict(opinion)


def parse_opinion(mapping: Mapping[str, Any]) -> Opinion:
    """The opinion that `opinion_mapping` wrote. Raises NotAnOpinion; whether it fits a hand is not checked."""
    if not isinstance(mapping, Mapping) or set(mapping) != set(_KINDS):
        raise NotAnOpinion(f"an opinion has the fields {', '.join(_KINDS)}")
    for name, kind in _KINDS.items():
        value = mapping[name]
        if isinstance(value, bool) or not isinstance(value, kind):
            raise NotAnOpinion(f"{name} of an opinion may not be {value!r:.40}")
    return Opinion(**mapping)


_KINDS: Final[Mapping[str, Any]] = {
    "turn": int,
    "trick": int,
    "seat": int,
    "played": str,
    "better": str,
    "played_points": (int, float),
    "better_points": (int, float),
    "cost": (int, float),
    "reason": str,
}
