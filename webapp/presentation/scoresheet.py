"""A score sheet in words and numbers: standings, a line for every hand, who took the queen, who shot the moon.

The sums are those of `hearts.score`; nothing is counted again here. What happened in a hand is told by `story`.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from hearts.rules import Rules
from hearts.score import HandScore, is_over, lowest_sides
from hearts.seats import sides
from webapp.presentation.faces import TEXT_STYLE
from webapp.presentation.words import counted, listed, shortened, signed

FEW_SIDES = 5  # as many have room for most of a name over their column on a phone


@dataclass(frozen=True, slots=True)
class Mark:
    """What is noted beside the points of a hand, as on paper."""

    symbol: str
    letter: str  # the same in plain text
    words: str


QUEEN: Final = Mark(f"Q♠{TEXT_STYLE}", "Q", "took the queen of spades")
MOON: Final = Mark(f"☾{TEXT_STYLE}", "M", "shot the moon")
SUN: Final = Mark(f"☀{TEXT_STYLE}", "S", "won every trick and shot the sun")


@dataclass(frozen=True, slots=True)
class Cell:
    points: int
    total: int
    marks: tuple[Mark, ...] = ()

    @property
    def points_words(self) -> str:
        return signed(self.points)

    @property
    def noted(self) -> tuple[tuple[str, str], ...]:
        """The marks, each once, as shown and in words; "2 Q♠" where both queens were taken."""
        counts = Counter(self.marks)
        return tuple(
            (mark.symbol, mark.words) if times == 1 else (f"{times}{mark.symbol}", f"{mark.words}, {times} of them")
            for mark, times in counts.items()
        )

    @property
    def points_text(self) -> str:
        """For plain text: `+26Q`."""
        return signed(self.points) + "".join(mark.letter for mark in self.marks)


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand: a cell for each side, and sentences that tell what happened."""

    number: int
    dealer: str
    cells: tuple[Cell, ...]
    story: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideLine:
    """A player, or a team."""

    name: str  # "Ann", "Ann and Cy"
    short: str  # for the head of a narrow column; no two are alike
    total: int
    place: int  # equal totals share a place
    is_winner: bool
    hand_points: int | None  # in the latest hand

    @property
    def hand_words(self) -> str:
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
        """How many characters a column has in plain text."""
        return 8 if len(self.sides) <= FEW_SIDES else 6

    @property
    def legend(self) -> tuple[Mark, ...]:
        """The marks that the sheet bears."""
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

    `names` are by seat, `winners` are the sides that won, none before the end; `stories` are by hand, or there is none.
    With `is_ended` no other hand is played although nobody has won.
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
    told = stories or [()] * len(scores)
    hands = tuple(_hand_line(rules, names, score, story) for score, story in zip(scores, told, strict=True))
    where = _where_it_ended(lines, scores) if is_ended else _where_it_stands(rules, lines, scores, over=bool(winners))
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


def _where_it_stands(
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
    sentence = f"{names} {verb} with {counted(total, 'point')}{each}. {_how_far(rules, lines, totals)}"
    return headline, sentence


def _where_it_ended(lines: Sequence[SideLine], scores: Sequence[HandScore]) -> tuple[str, str]:
    """The same of a game that its host has ended before its end."""
    ended = "The host ended the game"
    if not scores:
        return ended, f"{ended} before a hand was scored."
    lowest = [lines[side] for side in lowest_sides([line.total for line in lines])]
    had = f"{listed([line.name for line in lowest])} had the lowest total, {counted(lowest[0].total, 'point')}"
    return ended, f"{ended} after {counted(len(scores), 'hand')}. {had}{' each' if len(lowest) > 1 else ''}."


def _how_far(rules: Rules, lines: Sequence[SideLine], totals: Sequence[int]) -> str:
    """How near the end is, where the game is not over."""
    if max(totals) >= rules.target and not is_over(rules, totals):
        return "Nobody has the lowest total alone, so another hand is played."
    nearest = [line.name for line in lines if line.total == max(totals)]
    if len(nearest) == len(lines):
        return f"The game ends at {rules.target}."
    verb = "are" if len(nearest) > 1 or " and " in nearest[0] else "is"
    return f"The game ends at {rules.target}; {listed(nearest)} {verb} nearest to it with {max(totals)}."


def _short_names(lines: Sequence[SideLine]) -> str:
    """For a subject line."""
    return f"{len(lines)} players" if len(lines) > 2 else shortened(listed([line.name for line in lines]))


def _place(total: int, totals: Sequence[int]) -> int:
    return 1 + sum(other < total for other in totals)


def short_names(names: Sequence[str]) -> list[str]:
    """A short name for each, for the head of a narrow column; no two are alike."""
    return _shorts([[name] for name in names])


def _shorts(teams: Sequence[Sequence[str]]) -> list[str]:
    """A short name for every side: a team by its initials; cut names that come out alike are told apart by a number."""
    longest = 7 if len(teams) <= FEW_SIDES else 3
    cut = ["+".join(name[:3] for name in team) if len(team) > 1 else team[0][:longest].strip() for team in teams]
    return [
        short if cut.count(short) == 1 else f"{short[: longest - 2].strip()}{number}"
        for number, short in enumerate(cut, 1)
    ]
