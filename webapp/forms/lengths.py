"""How long a new game by mail is: the lengths that the form offers, and the days that they take."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from hearts.deal import one_round
from hearts.rules import Rules
from webapp.core.say import say, say_many
from webapp.presentation.phrasing import number_word


class Length(StrEnum):
    ROUND = "round"
    FIFTY = "50"
    HUNDRED = "100"


TARGETS: Final[Mapping[Length, int]] = {Length.FIFTY: 50, Length.HUNDRED: 100}


def with_length(rules: Rules, length: Length) -> Rules:
    """The same rules for a game of that length."""
    if target := TARGETS.get(length):
        return replace(rules, target=target)
    return replace(rules, hands=one_round(rules))


def length_labels(rules: Rules) -> dict[Length, str]:
    """Returns the form's label of each length, under these rules and with their number of players."""
    hands = one_round(rules)
    return {
        Length.ROUND: say_many(hands, "One round: one hand", "One round: {count} hands", count=number_word(hands)),
        Length.FIFTY: say("To 50 points"),
        Length.HUNDRED: say("To 100 points"),
    }


def length_lines() -> dict[Length, str]:
    """Returns the form's line of each length: how long the game takes."""
    return {
        Length.ROUND: say("Takes about a week."),
        Length.FIFTY: say("Takes about two weeks."),
        Length.HUNDRED: say("Takes about a month."),
    }
