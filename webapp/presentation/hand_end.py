"""How a hand ended: who took what, the moon, the points, and where everybody stands."""

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES
from hearts.rules import Rules
from hearts.score import HandScore
from hearts.seats import sides
from webapp.presentation.chart import Chart
from webapp.presentation.faces import face
from webapp.presentation.happened import Happened
from webapp.presentation.phrasing import by_number, counted, listed, signed
from webapp.presentation.present import TurnSheet
from webapp.presentation.tricks import TrickSheet


@dataclass(frozen=True, slots=True)
class EndLine:
    """A player, or a team, at the end of a hand."""

    name: str
    took: str  # "Q♠ and 4 hearts"; empty if nothing that counts
    points: str  # "+17"
    total: int | None  # after the hand; None as long as an earlier hand is being played


@dataclass(frozen=True, slots=True)
class HandEnd:
    """A finished hand, for one of its players."""

    sheet: TurnSheet  # the hand at its end, as they saw it
    since: Happened
    lines: tuple[EndLine, ...]  # the fewest points first
    story: tuple[str, ...]
    chart: Chart | None  # the race so far; None as long as the hand is not counted
    running: tuple[int, ...]  # the earlier hands that are still being played
    moon: str = ""  # who shot the moon or the sun, as a sentence without its full stop

    @property
    def number(self) -> int:
        return self.sheet.hand

    @property
    def trick(self) -> TrickSheet:
        """The hand's last trick."""
        return self.sheet.tricks[-1]

    @property
    def sentence(self) -> str:
        """The points of each side."""
        return end_sentence(self.number, self.lines)

    @property
    def note(self) -> str:
        """When the points count, if they do not count yet."""
        if not self.running:
            return ""
        hands = listed([str(number) for number in self.running])
        return by_number(
            len(self.running),
            f"These points count once hand {hands} is over.",
            f"These points count once hands {hands} are over.",
        )


def end_sentence(hand: int, lines: Sequence[EndLine]) -> str:
    """Says that a hand is over, with the points of each side."""
    return f"Hand {hand} is over: {listed([f'{line.name} {line.points}' for line in lines])}."


def moon_text(rules: Rules, names: Sequence[str], score: HandScore) -> str:
    """E.g. "Bo shot the moon"; empty if nobody did."""
    if score.moon is None:
        return ""
    who = listed([names[seat] for seat in sides(rules.players, partnership=rules.partnership)[score.moon]])
    return f"{who} shot the sun" if score.sun else f"{who} shot the moon"


def end_lines(rules: Rules, names: Sequence[str], score: HandScore, *, is_counted: bool) -> tuple[EndLine, ...]:
    """The lines of a finished hand; `names` are by seat. Totals count only if it `is_counted`."""
    teams = sides(rules.players, partnership=rules.partnership)
    order = sorted(range(len(teams)), key=lambda side: score.points[side])
    return tuple(
        EndLine(
            listed([names[seat] for seat in teams[side]]),
            _took(rules, teams[side], score),
            signed(score.points[side]),
            score.totals[side] if is_counted else None,
        )
        for side in order
    )


def _took(rules: Rules, team: Sequence[int], score: HandScore) -> str:
    """The penalty cards among those that the team has taken."""
    queens, jacks = (sum(taken[seat] for seat in team) for taken in (score.queens, score.jacks))
    hearts = sum(score.taken[seat] for seat in team) - queens * rules.queen_points
    parts = [face(QUEEN_OF_SPADES).text] * queens if rules.queen_points else []
    parts += [face(JACK_OF_DIAMONDS).text] * jacks if rules.jack_points else []
    parts += [counted(hearts, "heart")] if hearts else []
    return listed(parts) if parts else ""
