"""The result of a game: who won, who took the queen of spades how often, who shot the moon, and the race.

All numbers come from the score sheet. The page of a shared result shows it, and `webapp.pictures.result` draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.rules import Rules
from webapp.games.record.store import TableGame
from webapp.presentation.chart import Chart, race
from webapp.presentation.phrasing import by_number, counted, listed
from webapp.presentation.scoresheet import QUEEN, ScoreSheet
from webapp.presentation.sheets import score_sheet_of
from webapp.presentation.summary import game_text

FEW = 3  # names in a sentence


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A player, or a team, in the whole game."""

    place: int
    name: str
    total: int
    is_winner: bool
    queens: int  # of spades, taken
    moons: int  # shot; a sun is one, too

    @property
    def queens_text(self) -> str:
        return f"Queen of spades taken {counted(self.queens, 'time')}"

    @property
    def moons_text(self) -> str:
        return f"Moon shot {counted(self.moons, 'time')}"


@dataclass(frozen=True, slots=True)
class Result:
    headline: str  # "Bo wins with 54"
    sentence: str  # "Bo wins with 54 points, after 9 hands."
    game_text: str  # "Classic, 4 players, to 100 points"
    moments: tuple[str, ...]  # "Di took the queen of spades most often: 4 times."
    lines: tuple[ResultLine, ...]  # the best placed first
    chart: Chart

    @property
    def description(self) -> str:
        """The result in a few sentences, for those who see no picture."""
        totals = ", ".join(f"{line.name} {line.total}" for line in self.lines)
        return " ".join([self.sentence, *self.moments, f"{totals}."])


def result_of(stored: TableGame) -> Result:
    """The result of a game that has at least one finished hand."""
    return result(stored.game.rules, score_sheet_of(stored))


def result(rules: Rules, score: ScoreSheet) -> Result:
    """The same, from the game's score sheet."""
    lines = tuple(_line(score, side) for side in sorted(range(len(score.sides)), key=lambda n: score.sides[n].place))
    chart = race(score)
    assert chart is not None
    return Result(score.headline, score.sentence, game_text(rules), _moments(lines), lines, chart)


def _line(score: ScoreSheet, number: int) -> ResultLine:
    side, cells = score.sides[number], [hand.cells[number] for hand in score.hands]
    marks = [mark for cell in cells for mark in cell.marks]
    queens = marks.count(QUEEN)
    return ResultLine(side.place, side.name, side.total, side.is_winner, queens, len(marks) - queens)


def _moments(lines: Sequence[ResultLine]) -> tuple[str, ...]:
    return tuple(filter(None, (_queens(lines), *_moons(lines))))


def _queens(lines: Sequence[ResultLine]) -> str:
    most = max(line.queens for line in lines)
    takers = [line.name for line in lines if line.queens == most]
    is_clear = len(takers) == 1 or not any("and" in name.split() for name in takers)
    if not most or len(takers) > FEW or len(takers) == len(lines) or not is_clear:
        return ""
    who, times = listed(takers), counted(most, "time")
    if any(0 < line.queens < most for line in lines):
        return by_number(
            len(takers),
            f"{who} took the queen of spades most often: {times}.",
            f"{who} took the queen of spades most often: {times} each.",
        )
    return by_number(
        len(takers), f"{who} took the queen of spades {times}.", f"{who} took the queen of spades {times} each."
    )


def _moons(lines: Sequence[ResultLine]) -> list[str]:
    shooters = [line for line in lines if line.moons]
    if len(shooters) > FEW:
        return [f"{counted(len(shooters), 'player')} shot the moon."]
    return [f"{line.name} shot the moon {counted(line.moons, 'time')}." for line in shooters]
