"""Reviews a finished hand: what the robot would have done at each decision, and what the player's turn cost instead.

The robot decides from the view that the seat had at that time, so it knows no more than the player did. Costs are
estimates; hand, budget and seed determine them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, assert_never

from hearts.cards import card_text
from hearts.game import Game, apply
from hearts.robot import are_alike, consider, has_a_choice, weighed
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn
from hearts.view import View, view
from hearts.words import Sentence, read, written

PLAYOUTS: Final = 300
"""The default limit of roll-outs for each of the robot's choices."""
_WEIGHED: Final = 8
"""By what factor more roll-outs compare the player's turn with it, because the difference of the two is small."""
MIN_COST: Final = 1.0
"""The least cost of a turning point, in points."""
_CLEAR_COST: Final = 2.0
"""The least cost of a card that is said to have cost the most, in points; `bench.costliest` measures how often that is
so."""
_CLEARLY: Final = 0.5
"""By how many points more than any other card it must have cost."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """The robot's opinion on a decision. Points are those of the hand for the side of `seat`, on average."""

    turn: int
    """The number of the turn within the hand; the deal is 1."""
    trick: int
    """The number of the trick; 0 for a pass, the last trick for the choice of a moon."""
    seat: Seat
    played: str
    """The player's decision in the robot's notation: `QS`, `AS KS QS`, `add`."""
    better: str
    """The robot's choice; if `cost` is 0, the same as `played` or equivalent to it."""
    played_points: float
    better_points: float
    cost: float
    """How many points more `played` cost than `better`; never negative."""
    reason: Sentence
    """The robot's reason for `better`."""


class NotAnOpinion(ValueError):
    """The mapping is no opinion."""


def review(
    before: Game,
    turns: Iterable[Turn],
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    stop: Callable[[], bool] | None = None,
) -> tuple[Opinion, ...]:
    """The opinions on the decisions among `turns`, a hand from its deal on, which was played in the game `before`.

    Turns without a real alternative are left out. `stop` is called before each decision; once it returns True, the
    review ends there. Raises IllegalTurn if the rules refuse a turn.
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
    """The up to `most` opinions on the turns that cost the most, and at least `MIN_COST`, in order of cost."""
    costly = [opinion for opinion in opinions if opinion.cost >= MIN_COST]
    return tuple(sorted(costly, key=lambda opinion: -opinion.cost)[:most])


def costliest_card(opinions: Iterable[Opinion]) -> Opinion | None:
    """Of the opinions on the cards of one seat, the one on the card that clearly cost the most; None if none did.

    A pass and a moon are no cards. Estimates of about the same cost do not tell which of two cost more.
    """
    plays = (one for one in opinions if one.trick and one.played not in list(MoonChoice))
    cards = sorted(plays, key=lambda one: -one.cost)
    if not cards or cards[0].cost < _CLEAR_COST:
        return None
    return cards[0] if len(cards) == 1 or cards[0].cost - cards[1].cost >= _CLEARLY else None


def _can_be_weighed(turn: Turn) -> bool:
    """Whether the robot considers such a turn: it never passes two equal cards."""
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
    """A decision in the notation of `Choice.expected`: a card, cards, or a word. Raises ValueError for a deal."""
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
    return {**asdict(opinion), "reason": written(opinion.reason)}


def parse_opinion(mapping: Mapping[str, Any]) -> Opinion:
    """The opinion that `opinion_mapping` wrote. Raises NotAnOpinion. Not checked: whether it fits a hand."""
    if not isinstance(mapping, Mapping) or set(mapping) != set(_KINDS):
        raise NotAnOpinion(f"an opinion has the fields {', '.join(_KINDS)}")
    for name, kind in _KINDS.items():
        value = mapping[name]
        if isinstance(value, bool) or not isinstance(value, kind):
            raise NotAnOpinion(f"{name} of an opinion may not be {value!r:.40}")
    return Opinion(**{**mapping, "reason": read(mapping["reason"])})


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
