"""How long a game takes: the days by mail, of people who look into their mail a few times a day, and the minutes live.

Pages and mails read it here. `make pace` measures the days, `python -m bench.live` the minutes (docs/pace.md).
"""

from math import ceil
from typing import Final

from hearts.deal import one_round
from hearts.rules import Rules
from webapp.presentation.phrasing import by_number, number_word

ROUND: Final = "a week"  # the hands of all directions of the pass, dealt at once
ROUND_ALONE: Final = "a month"  # the same, one hand after the other
TO_FIFTY: Final = "two weeks"
TO_HUNDRED: Final = "a month"
SHORT: Final = 50  # points
HAND_LIVE: Final = 5  # minutes
HANDS_TO_HUNDRED: Final = 11  # half as many to 50 points


def days_of(rules: Rules, at_once: int) -> str:
    """How long a game takes of which so many hands are dealt at once: "about a week"."""
    is_round = 0 < rules.hands <= one_round(rules)
    if at_once == 1:
        return f"about {ROUND_ALONE}" if is_round else "some months"
    if rules.hands and not is_round:
        return "some weeks"
    if is_round:
        return f"about {ROUND}"
    return f"about {TO_FIFTY}" if rules.target <= SHORT else f"about {TO_HUNDRED}"


def live_length_of(rules: Rules) -> str:
    """How long a game takes that is played live: "about 20 minutes"."""
    hands = rules.hands or ceil(HANDS_TO_HUNDRED * rules.target / 100)
    hours, minutes = divmod(HAND_LIVE * hands, 60)
    if minutes >= 55:
        hours, minutes = hours + 1, 0
    if not hours:
        return f"about {minutes} minutes"
    if minutes >= 30:
        return f"about {hours}½ hours"
    return by_number(hours, "about an hour", f"about {hours} hours")


def why_at_once(at_once: int) -> str:
    """Says why a table plays several hands at once, in two sentences; empty if it plays one after the other."""
    if at_once == 1:
        return ""
    why = f"We deal {number_word(at_once)} hands at once, so that a round takes {ROUND} and not {ROUND_ALONE}."
    return f"{why} Each waits for nobody but its own players."
