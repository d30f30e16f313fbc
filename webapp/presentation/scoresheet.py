"""A score sheet: standings, a line for every hand, who took the queen, who shot the moon.

`hearts.score` computes the sums; nothing is counted again here. `story` describes what happened in a hand.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from hearts.rules import Rules
from hearts.score import HandScore, is_over, lowest_sides
from hearts.seats import sides
from webapp.presentation.faces import TEXT_STYLE
from webapp.presentation.phrasing import counted, listed, shortened, signed

FEW_SIDES = 5  # with so many, most of a name fits over its column on a phone


@dataclass(frozen=True, slots=True)
class Mark:
    """A note beside the points of a hand, as on paper."""

    symbol: str
    letter: str  # the same in plain text
    meaning: str


QUEEN: Final = Mark(f"Q♠{TEXT_STYLE}", "Q", "took the queen of spades")
MOON: Final = Mark(f"☾{TEXT_STYLE}", "M", "shot the moon")
SUN: Final = Mark(f"☀{TEXT_STYLE}", "S", "won every trick and shot the sun")


@dataclass(frozen=True, slots=True)
class Cell:
    points: int
    total: int
    marks: tuple[Mark, ...] = ()

    @property
    def signed_points(self) -> str:
        return signed(self.points)

    @property
    def noted(self) -> tuple[tuple[str, str], ...]:
        """The marks, each once, as a symbol and its meaning; "2 Q♠" if both queens were taken."""
        counts = Counter(self.marks)
        return tuple(
            (mark.symbol, mark.meaning) if times == 1 else (f"{times}{mark.symbol}", f"{mark.meaning}, {times} of them")
            for mark, times in counts.items()
        )

    @property
    def points_text(self) -> str:
        """For plain text: `+26Q`."""
        return signed(self.points) + "".join(mark.letter for mark in self.marks)


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand: a cell for each side, and its story in sentences."""

    number: int
    dealer: str
    cells: tuple[Cell, ...]
    story: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideLine:
    """A player, or a team."""

    name: str  # "Ann", "Ann and Cy"
    short: str  # for a narrow column; unique in the sheet
    total: int
    place: int  # equal totals share a place
    is_winner: bool
    hand_points: int | None  # in the latest hand

    @property
    def hand_text(self) -> str:
        return "" if self.hand_points is None else signed(self.hand_points)


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    sides: tuple[SideLine, ...]
    hands: tuple[HandLine, ...]
    target: int
    over: bool
    headline: str  # "Bo leads with 22"
    sentence: str  # the same in full

    @property
    def standings(self) -> tuple[SideLine, ...]:
        return tuple(sorted(self.sides, key=lambda side: side.place))

    @property
    def column(self) -> int:
        """The width of a column in plain text, in characters."""
        return 8 if len(self.sides) <= FEW_SIDES else 6

    @property
    def legend(self) -> tuple[Mark, ...]:
        """The marks that occur in the sheet."""
        borne = {mark for hand in self.hands for cell in hand.cells for mark in cell.marks}
        return tuple(mark for mark in (QUEEN, MOON, SUN) if mark in borne)


def score_sheet(
    rules: Rules,
    names: Sequence[str],
    scores: Sequence[HandScore],
    winners: Collection[int] = (),
    stories: Sequence[tuple[str, ...]] = (),
    *,
    is_ended: bool = False,
) -> ScoreSheet:
    """The sheet of the finished hands.

    `names` are by seat; `winners` are the sides that won, empty before the end; `stories` are by hand, or empty. With
    `is_ended` the host has ended the game, and nobody has won.
    """
    teams = sides(rules.players, partnership=rules.partnership)
    side_names = [listed([names[seat] for seat in team]) for team in teams]
    totals = scores[-1].totals if scores else (0,) * rules.sides
    latest = scores[-1].points if scores else (None,) * rules.sides
    shorts = _shorts([[names[seat] for seat in team] for team in teams])
    lines = tuple(
        SideLine(name, short, total, _place(total, totals), side in winners, points)
        for side, (name, short, total, points) in enumerate(zip(side_names, shorts, totals, latest, strict=True))
    )
    by_hand = stories or [()] * len(scores)
    hands = tuple(_hand_line(rules, names, score, story) for score, story in zip(scores, by_hand, strict=True))
    where = _ended_text(lines, scores) if is_ended else _standing_text(rules, lines, scores, over=bool(winners))
    headline, sentence = where
    return ScoreSheet(lines, hands, rules.target, bool(winners), headline, sentence)


def _hand_line(rules: Rules, names: Sequence[str], score: HandScore, story: tuple[str, ...]) -> HandLine:
    teams = sides(rules.players, partnership=rules.partnership)
    cells = tuple(
        Cell(score.points[side], score.totals[side], _marks(rules, score, side, [score.queens[seat] for seat in team]))
        for side, team in enumerate(teams)
    )
    return HandLine(score.number, names[score.dealer], cells, story)


def _marks(rules: Rules, score: HandScore, side: int, queens: Sequence[int]) -> tuple[Mark, ...]:
    shot = () if score.moon != side else (SUN,) if score.sun else (MOON,)
    return (QUEEN,) * (sum(queens) if rules.queen_points else 0) + shot


def _standing_text(
    rules: Rules, lines: Sequence[SideLine], scores: Sequence[HandScore], *, over: bool
) -> tuple[str, str]:
    """The headline and the sentence of a sheet."""
    if not scores:
        return "no hand scored yet", f"No hand has been scored yet. The game ends at {rules.target} points."
    totals = [line.total for line in lines]
    first = [lines[side] for side in lowest_sides(totals)]
    names, total = listed([line.name for line in first]), first[0].total
    many = len(first) > 1 or " and " in names
    each = " each" if len(first) > 1 else ""
    if over:
        verb = "share the win" if len(first) > 1 else "win" if many else "wins"
        headline = f"{_short_names(first)} {verb} with {total}"
        return headline, f"{names} {verb} with {counted(total, 'point')}{each}, after {counted(len(scores), 'hand')}."
    verb = "lead" if many else "leads"
    headline = f"{_short_names(first)} {verb} with {total}"
    sentence = f"{names} {verb} with {counted(total, 'point')}{each}. {_distance_text(rules, lines, totals)}"
    return headline, sentence


def _ended_text(lines: Sequence[SideLine], scores: Sequence[HandScore]) -> tuple[str, str]:
    """The same for a game that its host has ended early."""
    ended = "The host ended the game"
    if not scores:
        return ended, f"{ended} before a hand was scored."
    lowest = [lines[side] for side in lowest_sides([line.total for line in lines])]
    had = f"{listed([line.name for line in lowest])} had the lowest total, {counted(lowest[0].total, 'point')}"
    return ended, f"{ended} after {counted(len(scores), 'hand')}. {had}{' each' if len(lowest) > 1 else ''}."


def _distance_text(rules: Rules, lines: Sequence[SideLine], totals: Sequence[int]) -> str:
    """How near the end of the game is."""
    if max(totals) >= rules.target and not is_over(rules, totals):
        return "Nobody has the lowest total alone, so another hand is played."
    nearest = [line.name for line in lines if line.total == max(totals)]
    if len(nearest) == len(lines):
        return f"The game ends at {rules.target}."
    verb = "are" if len(nearest) > 1 or " and " in nearest[0] else "is"
    return f"The game ends at {rules.target}; {listed(nearest)} {verb} nearest to it with {max(totals)}."


def _short_names(lines: Sequence[SideLine]) -> str:
    """The names of these sides for a subject line."""
    return f"{len(lines)} players" if len(lines) > 2 else shortened(listed([line.name for line in lines]))


def _place(total: int, totals: Sequence[int]) -> int:
    return 1 + sum(other < total for other in totals)


def short_names(names: Sequence[str]) -> list[str]:
    """A short, unique name for each, for narrow columns."""
    return _shorts([[name] for name in names])


def _shorts(teams: Sequence[Sequence[str]]) -> list[str]:
    """A short name for every side: initials for a team; names that are equal after cutting get a number."""
    longest = 7 if len(teams) <= FEW_SIDES else 3
    cut = ["+".join(name[:3] for name in team) if len(team) > 1 else team[0][:longest].strip() for team in teams]
    return [
        short if cut.count(short) == 1 else f"{short[: longest - 2].strip()}{number}"
        for number, short in enumerate(cut, 1)
    ]
