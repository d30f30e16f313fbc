"""A score sheet in words and numbers: standings, a line for every hand, and what happened in each.

The sums are those of `hearts.score`; nothing is counted again here.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hearts.rules import Rules
from hearts.score import HandScore, is_over, lowest_sides
from hearts.seats import sides
from hearts.turns import MoonChoice
from webapp.words import counted, listed, shortened, signed

FEW_SIDES = 5  # as many have room for most of a name over their column on a phone


@dataclass(frozen=True, slots=True)
class Cell:
    points: int
    total: int

    @property
    def points_words(self) -> str:
        return signed(self.points)


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
        return 8 if len(self.sides) <= FEW_SIDES else 5


def score_sheet(
    rules: Rules, names: Sequence[str], scores: Sequence[HandScore], winners: Collection[int] = ()
) -> ScoreSheet:
    """The sheet of the finished hands; `names` are by seat, `winners` are the sides that won, none before the end."""
    teams = sides(rules.players, partnership=rules.partnership)
    side_names = [listed([names[seat] for seat in team]) for team in teams]
    totals = scores[-1].totals if scores else (0,) * rules.sides
    latest = scores[-1].points if scores else (None,) * rules.sides
    shorts = _shorts([[names[seat] for seat in team] for team in teams])
    lines = tuple(
        SideLine(name, short, total, _place(total, totals), side in winners, points)
        for side, (name, short, total, points) in enumerate(zip(side_names, shorts, totals, latest, strict=True))
    )
    hands = tuple(_hand_line(rules, names, side_names, score) for score in scores)
    headline, sentence = _where_it_stands(rules, lines, scores, over=bool(winners))
    return ScoreSheet(lines, hands, rules.target, bool(winners), headline, sentence)


def hand_story(rules: Rules, names: Sequence[str], side_names: Sequence[str], score: HandScore) -> tuple[str, ...]:
    """What is worth telling of a hand, in the order that people tell it."""
    moon = _moon_story(rules, side_names, score)
    story = [moon] if moon else _points_story(rules, names, score)
    if rules.jack_points:
        for name, jacks in _those(names, score.jacks):
            cards = "the jack of diamonds" if jacks == 1 else "both jacks of diamonds"
            story.append(f"{name} took {cards}: {-rules.jack_points * jacks} off.")
    if rules.no_tricks_bonus and not moon:
        none = [name for name, won in zip(names, score.tricks_won, strict=True) if won == 0]
        story.extend(f"{name} won no trick: {-rules.no_tricks_bonus} off." for name in none)
    story.extend(
        f"{side_names[side]} stood at exactly {score.totals[side] + 50} and got 50 off." for side in score.fifties
    )
    return tuple(story)


def _moon_story(rules: Rules, side_names: Sequence[str], score: HandScore) -> str:
    if score.moon is None:
        return ""
    shooter = side_names[score.moon]
    shot = f"{shooter} won every trick and shot the sun" if score.sun else f"{shooter} shot the moon"
    worth = rules.pack_total * (2 if score.sun else 1)
    if score.moon_choice is MoonChoice.SUBTRACT:
        return f"{shot}: {worth} points off."
    return f"{shot}: {worth} points for everybody else."


def _points_story(rules: Rules, names: Sequence[str], score: HandScore) -> list[str]:
    """Who took the queen, and who took most; in one sentence where both are the same."""
    most = max(score.taken)
    takers = [name for name, taken in zip(names, score.taken, strict=True) if taken == most]
    leader = takers[0] if most and len(takers) == 1 else None
    queens = _those(names, score.queens)
    if rules.queen_points and rules.packs == 1 and leader and [name for name, _ in queens] == [leader]:
        return [f"{leader} took the queen of spades, and with it most points: {most}."]
    story = _queen_story(rules, queens)
    return [*story, f"{leader} took most points: {most}."] if leader else story


def _queen_story(rules: Rules, takers: Sequence[tuple[str, int]]) -> list[str]:
    if not rules.queen_points:
        return []
    if not takers:
        return ["Nobody took the queen of spades."]
    if rules.packs == 1:
        return [f"{takers[0][0]} took the queen of spades."]
    return [f"{name} took {'both queens' if queens == 2 else 'a queen'} of spades." for name, queens in takers]


def _those(names: Sequence[str], counts: Sequence[int]) -> list[tuple[str, int]]:
    return [(name, count) for name, count in zip(names, counts, strict=True) if count]


def _hand_line(rules: Rules, names: Sequence[str], side_names: Sequence[str], score: HandScore) -> HandLine:
    cells = tuple(Cell(points, total) for points, total in zip(score.points, score.totals, strict=True))
    return HandLine(score.number, names[score.dealer], cells, hand_story(rules, names, side_names, score))


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


def _shorts(teams: Sequence[Sequence[str]]) -> list[str]:
    """A short name for every side: a team by its initials; cut names that come out alike are told apart by a number."""
    longest = 7 if len(teams) <= FEW_SIDES else 3
    cut = ["+".join(name[:3] for name in team) if len(team) > 1 else team[0][:longest].strip() for team in teams]
    return [
        short if cut.count(short) == 1 else f"{short[: longest - 2].strip()}{number}"
        for number, short in enumerate(cut, 1)
    ]
