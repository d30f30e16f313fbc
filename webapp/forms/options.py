"""The options of the rules as a form offers them: the label of each, and the effect of every value.

`hearts.rules` defines the options; `presentation.house_rules` describes a table's rules as a whole.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from hearts.rules import PRESETS, BadRules, Preset, choices
from webapp.presentation.faces import said
from webapp.presentation.phrasing import number_word

PRESETS_CHOICE: Final = ""
"""The value of a field that leaves an option as the preset has it."""


@dataclass(frozen=True, slots=True)
class Option:
    """One field. `effects` are pairs of a value and a description of its effect, the preset's choice first."""

    name: str  # as in Rules
    label: str
    effects: tuple[tuple[str, str], ...]
    hint: str


@dataclass(frozen=True, slots=True)
class OptionGroup:
    heading: str
    options: tuple[Option, ...]


def _option(name: str, label: str, *effects: str, hint: str = "") -> Option:
    """An option; `effects` are the descriptions in the order of `choices(name)`."""
    words = zip(map(_text, choices(name)), effects, strict=True)
    return Option(name, label, ((PRESETS_CHOICE, "As chosen above"), *words), hint)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


GROUPS: Final = (
    OptionGroup(
        "Cards and teams",
        (
            _option("packs", "Packs", "One, for three to seven players", "Two, for six to eleven players"),
            _option(
                "cancellation",
                "Equal cards in a trick",
                "Cancel each other; two pairs, and nobody wins the trick",
                "Cancel each other, however many pairs there are",
                hint="Only with two packs.",
            ),
            _option(
                "kitty",
                "Kitty",
                "None: low cards are taken out until the deal comes out even",
                "Cards left over go to the player who takes the first points",
                "Cards left over go to the player who takes the first heart",
                "Cards left over go to the winner of the first trick",
                "Cards left over go to the winner of the last trick",
                hint="Only with one pack.",
            ),
            _option("partnership", "Teams", "Everybody plays alone", "Two teams of two, partners across"),
        ),
    ),
    OptionGroup(
        "Passing",
        (
            _option(
                "passing",
                "Where cards are passed",
                "Left, right, across, then a hand without",
                "Left, right, across",
                "Left, right, then a hand without",
                "Left and right by turns",
                "Always left",
                "Always right",
                "Nowhere: no cards are passed",
                hint="With an odd number of players, nothing goes across.",
            ),
            _option("pass_count", "How many", "One card", "Two cards", "Three cards", "Four cards", "Five cards"),
        ),
    ),
    OptionGroup(
        "Leading",
        (
            _option(
                "opening",
                "The first lead",
                "The player with the lowest club leads it",
                "The player with the lowest club leads any club",
                "The player left of the dealer leads",
            ),
            _option(
                "opening_ban",
                "What may not be led then",
                "Hearts and the queen of spades",
                "Hearts only",
                hint="Only where the player left of the dealer leads.",
            ),
            _option("hearts_lead", "Hearts may be led", "Once they are broken", "At any time"),
            _option(
                "queen_breaks",
                "What breaks hearts",
                "A heart that is played",
                "A heart, or leading the queen of spades",
                "A heart, or the queen of spades however she is played",
            ),
            _option("queen_lead", "The queen of spades may be led", "At any time", "Once hearts are broken"),
        ),
    ),
    OptionGroup(
        "Discarding",
        (
            _option("first_trick_points", "Points on the first trick", "May not be discarded", "May be discarded"),
            _option("queen_discard", "The queen of spades may be discarded", "At any time", "Once hearts are broken"),
        ),
    ),
    OptionGroup(
        "Points",
        (
            _option("queen_points", "The queen of spades costs", "13 points", "Nothing: only hearts count"),
            _option("jack_points", "The jack of diamonds takes off", "Nothing", "5 points", "10 points"),
            _option(
                "moon",
                "Shooting the moon",
                "The points go to everybody else",
                "The points come off the shooter's total",
                "To everybody else, unless the shooter would lose the game by that",
                "The shooter chooses: to everybody else, or off",
            ),
            _option("sun", "Winning every trick", "Is a moon like any other", "Counts the moon double"),
            _option("no_tricks_bonus", "Winning no trick at all", "Takes nothing off", "Takes 5 points off"),
            _option("fifty_bonus", "A total of exactly 50, 100, 150 …", "Stays as it is", "Drops by 50"),
        ),
    ),
    OptionGroup(
        "The end",
        (
            _option(
                "tie_break",
                "A tie for the lowest total",
                "They share the win",
                "Further hands, until one is lowest alone",
            ),
        ),
    ),
)
NAMES: Final = tuple(option.name for group in GROUPS for option in group.options)


def values_of(name: str) -> dict[str, Any]:
    """The values of an option, by the text that its field sends."""
    return {_text(value): value for value in choices(name)}


def misfit(error: BadRules, preset: Preset, players: int, chosen: Collection[str]) -> tuple[str, str]:
    """Returns the name of the field to change if options contradict each other, and a sentence on how.

    `chosen` are the names of the options that the form sets; the preset determines the others.
    """
    label, count = said(PRESETS[preset].label), number_word(players)
    option = error.option if error.option and error.option in chosen else "preset"
    match error.option:
        case "packs" if players > 7:
            if option == "packs":
                return option, f"You are {count}, and that takes two packs: choose two, or at most seven seats."
            return option, f"You are {count}, and that takes two packs: choose Cancellation, or at most seven seats."
        case "packs" if option == "packs":
            return (
                option,
                f"Two packs are for six to eleven players, and you are {count}: choose one, or fill more seats.",
            )
        case "packs":
            return (
                option,
                f"{label} is for six to eleven players, and you are {count}: choose another way to play, or fill more"
                " seats.",
            )
        case "partnership" if option == "partnership":
            return option, f"Teams are for four players, and you are {count}: seat four, or let everybody play alone."
        case "partnership":
            return (
                option,
                f"{label} is for four players, and you are {count}: seat four, or choose another way to play.",
            )
        case "kitty":
            if option == "kitty":
                return option, "A kitty is for one pack, and these are two: choose none, or one pack."
            return "packs", f"{label} has a kitty, which is for one pack: choose one pack, or no kitty."
        case "opening":
            why = "With two packs nobody alone holds the lowest club."
            if option == "opening":
                return option, f"{why} Let the player left of the dealer lead."
            return "packs", f"{why} Choose Cancellation, or let the player left of the dealer lead."
        case _:
            return "preset", f"These rules do not go together: {error}."
