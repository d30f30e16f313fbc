"""The page of a player between their turns: whose turn it is, and where they go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from webapp.games.asked.visit import StepKind, VisitStep
from webapp.models import Frequency
from webapp.presentation.phrasing import by_number, listed
from webapp.presentation.present import TurnSheet

MANY: Final = 3  # the most names that fit a heading
DONE: Final = "That's it. The others are next"
MAILS: Final[Mapping[Frequency, str]] = {
    Frequency.EVERY: "we'll email you",
    Frequency.DAILY: "we email you once a day",
    Frequency.LAST: "we email you before a deadline",
}


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


def awaited_text(names: Sequence[str], unreachable: Sequence[str]) -> str:
    """Says for whom the table waits, and who of them gets no mail."""
    lost = [f"{listed(unreachable)} cannot be reached by mail."] if unreachable else []
    return " ".join([f"Waiting for {listed(names)}.", *lost])


@dataclass(frozen=True, slots=True)
class Onward:
    """The way to the next step of a visit."""

    link: str
    text: str  # where it leads: "Play hand 2"
    asks: bool = True  # whether a decision or a result waits there


def onward_text(step: VisitStep, shown: int) -> str:
    """Says where the next `step` leads a reader who is shown the hand `shown`; empty if it stays there."""
    if step.hand == shown:
        return ""
    match step.kind:
        case StepKind.RESULT:
            return f"See how hand {step.hand} ended"
        case StepKind.DECISION:
            return f"Play hand {step.hand}"
        case _:
            return f"Look at hand {step.hand}"


def that_is_it(names: Sequence[str], mails: Frequency | None) -> str:
    """Returns the heading for a player for whom nothing waits: who plays next, by name, and when we email them."""
    who = listed(names) if 0 < len(names) <= MANY else ""
    done = by_number(len(names), f"That's it. {who} is next", f"That's it. {who} are next") if who else DONE
    return f"{done}; {MAILS[mails]}." if mails else f"{done}."
