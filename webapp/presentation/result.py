"""The result of a game: who won, who took the queen of spades how often, who shot the moon, and the race.

All numbers come from the score sheet. The page of a shared result shows it, and `webapp.pictures.result` draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.rules import Rules
from webapp.core.say import say, say_many
from webapp.games.record.store import TableGame
from webapp.presentation.chart import Chart, race
from webapp.presentation.phrasing import listed
from webapp.presentation.scoresheet import ScoreSheet, SideLine
from webapp.presentation.sheets import score_sheet_of
from webapp.presentation.summary import game_text

FEW = 3  # names in a sentence


@dataclass(frozen=True, slots=True)
class Result:
    headline: str  # "Bo wins with 54"
    sentence: str  # "Bo wins with 54 points, after 9 hands."
    game_text: str  # "Classic, 4 players, to 100 points"
    moments: tuple[str, ...]  # "Di took the queen of spades most often: 4 times."
    lines: tuple[SideLine, ...]  # the best placed first
    chart: Chart

    @property
    def description(self) -> str:
        """The result in a few sentences, for those who see no picture."""
        totals = ", ".join(f"{line.name} {line.total}" for line in self.lines)
        return " ".join([self.sentence, *self.moments, say("{totals}.", totals=totals)])


def result_of(stored: TableGame) -> Result:
    """The result of a game that has at least one finished hand."""
    return result(stored.game.rules, score_sheet_of(stored))


def result(rules: Rules, score: ScoreSheet) -> Result:
    """The same, from the game's score sheet."""
    chart = race(score)
    assert chart is not None
    lines = score.standings
    return Result(score.headline, score.sentence, game_text(rules), _moments(lines), lines, chart)


def _moments(lines: Sequence[SideLine]) -> tuple[str, ...]:
    return tuple(filter(None, (_queens(lines), *_moons(lines))))


def _queens(lines: Sequence[SideLine]) -> str:
    most = max(line.queens for line in lines)
    takers = [line for line in lines if line.queens == most]
    is_clear = len(takers) == 1 or all(len(line.names) == 1 for line in takers)
    if not most or len(takers) > FEW or len(takers) == len(lines) or not is_clear:
        return ""
    who = listed([line.name for line in takers])
    if any(0 < line.queens < most for line in lines):
        return say_many(
            len(takers),
            "{names} took the queen of spades most often: {times}.",
            "{names} took the queen of spades most often: {times} each.",
            names=who,
            times=_times(most),
        )
    if len(takers) == 1:
        return say_many(
            most,
            "{name} took the queen of spades once.",
            "{name} took the queen of spades {number} times.",
            name=who,
        )
    return say_many(
        most,
        "{names} took the queen of spades once each.",
        "{names} took the queen of spades {number} times each.",
        names=who,
    )


def _times(number: int) -> str:
    return say_many(number, "once", "{number} times")


def _moons(lines: Sequence[SideLine]) -> list[str]:
    shooters = [line for line in lines if line.moons]
    if len(shooters) > FEW:
        return [say_many(len(shooters), "{number} player shot the moon.", "{number} players shot the moon.")]
    return [
        say_many(line.moons, "{name} shot the moon once.", "{name} shot the moon {number} times.", name=line.name)
        for line in shooters
    ]
