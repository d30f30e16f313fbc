"""What a player who follows a game sees between their turns: whose turn it is, and how the last hand ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from webapp.presentation.chart import Chart
from webapp.presentation.phrasing import by_number, listed
from webapp.presentation.present import ScoreSheet, TrickSheet, TurnSheet


def who_acts(sheet: TurnSheet) -> str:
    """E.g. "Bo's turn" or "Bo and Cy choose cards to pass"; the sheet's headline if it is nobody's turn."""
    names = [person.name for person in sheet.people if person.is_awaited]
    if not names:
        return sheet.headline
    who = listed(names)
    match sheet.stage:
        case "pass":
            return by_number(len(names), f"{who} chooses cards to pass", f"{who} choose cards to pass")
        case "moon":
            return f"{who} says how the moon counts"
        case _ if sheet.trick is not None and not sheet.trick.laid:
            return f"{who} leads trick {sheet.trick.number}"
        case _:
            return f"{who}'s turn"


@dataclass(frozen=True, slots=True)
class NudgeLine:
    """Whom the reader may have reminded, and whom somebody has; None: nobody."""

    open: str | None = None
    done: str | None = None

    @classmethod
    def of(cls, names: Sequence[str], may_be: Sequence[int], have_been: Sequence[int]) -> Self:
        """From the names and the seats."""
        return cls(*(listed([names[seat] for seat in seats]) if seats else None for seats in (may_be, have_been)))


@dataclass(frozen=True, slots=True)
class LastHand:
    """The hand before the present one, shown until that one has a trick to show."""

    score: ScoreSheet
    sheet: TurnSheet  # the hand at its end, as the reader saw it
    story: tuple[str, ...]  # who took the queen, who shot the moon
    chart: Chart  # the race so far

    @property
    def number(self) -> int:
        return self.score.hands[-1].number

    @property
    def trick(self) -> TrickSheet:
        """Its last."""
        return self.sheet.tricks[-1]

    @property
    def sentence(self) -> str:
        """The points of each side."""
        return f"Hand {self.number} is over: {listed([f'{side.name} {side.hand_text}' for side in self.score.sides])}."
