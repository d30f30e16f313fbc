"""What whoever follows a game is told between her own turns: who is awaited, and how the hand before this one ended."""

from dataclasses import dataclass

from webapp.presentation.present import ScoreSheet, TrickSheet, TurnSheet
from webapp.presentation.words import listed


def who_acts(sheet: TurnSheet) -> str:
    """Such as "Bo is to play", "Bo and Cy choose cards to pass"; where nobody is awaited, as the sheet is headed."""
    names = [person.name for person in sheet.people if person.is_awaited]
    if not names:
        return sheet.headline
    who = listed(names)
    match sheet.stage:
        case "pass":
            return f"{who} {'chooses' if len(names) == 1 else 'choose'} cards to pass"
        case "moon":
            return f"{who} says how the moon counts"
        case _ if sheet.trick is not None and not sheet.trick.laid:
            return f"{who} leads trick {sheet.trick.number}"
        case _:
            return f"{who} is to play"


@dataclass(frozen=True, slots=True)
class LastHand:
    """The hand before the one being played, as long as that has no trick to show."""

    score: ScoreSheet
    trick: TrickSheet  # its last

    @property
    def number(self) -> int:
        return self.score.hands[-1].number

    @property
    def sentence(self) -> str:
        """What each side got."""
        return f"Hand {self.number} is over: {listed([f'{side.name} {side.hand_words}' for side in self.score.sides])}."
