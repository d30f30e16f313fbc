"""How long a new game by mail is: the lengths that the form offers, and the days that they take."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from hearts.deal import one_round
from hearts.rules import Rules
from webapp.presentation.clock_text import ROUND, TO_FIFTY, TO_HUNDRED
from webapp.presentation.phrasing import number_word


class Length(StrEnum):
    ROUND = "round"
    FIFTY = "50"
    HUNDRED = "100"


DAYS: Final[Mapping[Length, str]] = {
    Length.ROUND: f"about {ROUND}",
    Length.FIFTY: f"about {TO_FIFTY}",
    Length.HUNDRED: f"about {TO_HUNDRED}",
}
TARGETS: Final[Mapping[Length, int]] = {Length.FIFTY: 50, Length.HUNDRED: 100}


def with_length(rules: Rules, length: Length) -> Rules:
    """The same rules for a game of that length."""
    if target := TARGETS.get(length):
        return replace(rules, target=target)
    return replace(rules, hands=one_round(rules))


def length_labels(rules: Rules) -> dict[Length, str]:
    """Returns the form's label of each length, under these rules and with their number of players."""
    return {
        Length.ROUND: f"One round: {number_word(one_round(rules))} hands",
        Length.FIFTY: "To 50 points",
        Length.HUNDRED: "To 100 points",
    }
