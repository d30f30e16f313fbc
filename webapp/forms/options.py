"""The options of the rules as a form offers them: the label of each, and the effect of every value.

`hearts.rules` defines the options; `presentation.house_rules` describes a table's rules as a whole.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from hearts.rules import PRESETS, BadRules, Preset, choices
from webapp.core.say import say, say_as
from webapp.presentation.faces import said
from webapp.presentation.phrasing import number_word, some_points

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
    return Option(name, label, ((PRESETS_CHOICE, say("As chosen above")), *words), hint)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def option_groups() -> tuple[OptionGroup, ...]:
    """All options, as the form groups them."""
    return (
        OptionGroup(
            say("Cards and teams"),
            (
                _option(
                    "packs",
                    say_as("packs of cards", "Packs"),
                    say("One, for three to seven players"),
                    say("Two, for six to eleven players"),
                ),
                _option(
                    "cancellation",
                    say("Equal cards in a trick"),
                    say("Cancel each other; two pairs, and nobody wins the trick"),
                    say("Cancel each other, however many pairs there are"),
                    hint=say("Only with two packs."),
                ),
                _option(
                    "kitty",
                    say("Kitty"),
                    say("None: low cards are taken out until the deal comes out even"),
                    say("Cards left over go to the player who takes the first points"),
                    say("Cards left over go to the player who takes the first heart"),
                    say("Cards left over go to the winner of the first trick"),
                    say("Cards left over go to the winner of the last trick"),
                    hint=say("Only with one pack."),
                ),
                _option(
                    "partnership", say("Teams"), say("Everybody plays alone"), say("Two teams of two, partners across")
                ),
            ),
        ),
        OptionGroup(
            say_as("a heading", "Passing"),
            (
                _option(
                    "passing",
                    say("Where cards are passed"),
                    say("Left, right, across, then a hand without"),
                    say("Left, right, across"),
                    say("Left, right, then a hand without"),
                    say("Left and right by turns"),
                    say("Always left"),
                    say("Always right"),
                    say("Nowhere: no cards are passed"),
                    hint=say("With an odd number of players, nothing goes across."),
                ),
                _option(
                    "pass_count",
                    say_as("cards to pass", "How many"),
                    say("One card"),
                    say("Two cards"),
                    say("Three cards"),
                    say("Four cards"),
                    say("Five cards"),
                ),
            ),
        ),
        OptionGroup(
            say_as("a heading", "Leading"),
            (
                _option(
                    "opening",
                    say("The first lead"),
                    say("The player with the lowest club leads it"),
                    say("The player with the lowest club leads any club"),
                    say("The player left of the dealer leads"),
                ),
                _option(
                    "opening_ban",
                    say("What may not be led then"),
                    say("Hearts and the queen of spades"),
                    say("Hearts only"),
                    hint=say("Only where the player left of the dealer leads."),
                ),
                _option("hearts_lead", say("Hearts may be led"), say("Once they are broken"), say("At any time")),
                _option(
                    "queen_breaks",
                    say("What breaks hearts"),
                    say("A heart that is played"),
                    say("A heart, or leading the queen of spades"),
                    say("A heart, or the queen of spades however she is played"),
                ),
                _option(
                    "queen_lead",
                    say("The queen of spades may be led"),
                    say("At any time"),
                    say("Once hearts are broken"),
                ),
            ),
        ),
        OptionGroup(
            say_as("a heading", "Discarding"),
            (
                _option(
                    "first_trick_points",
                    say("Points on the first trick"),
                    say("May not be discarded"),
                    say("May be discarded"),
                ),
                _option(
                    "queen_discard",
                    say("The queen of spades may be discarded"),
                    say("At any time"),
                    say("Once hearts are broken"),
                ),
            ),
        ),
        OptionGroup(
            say_as("a heading", "Points"),
            (
                _option(
                    "queen_points",
                    say("The queen of spades costs"),
                    some_points(13),
                    say("Nothing: only hearts count"),
                ),
                _option(
                    "jack_points",
                    say("The jack of diamonds takes off"),
                    say_as("points", "Nothing"),
                    some_points(5),
                    some_points(10),
                ),
                _option(
                    "moon",
                    say("Shooting the moon"),
                    say("The points go to everybody else"),
                    say("The points come off the shooter's total"),
                    say("To everybody else, unless the shooter would lose the game by that"),
                    say("The shooter chooses: to everybody else, or off"),
                ),
                _option(
                    "sun", say("Winning every trick"), say("Is a moon like any other"), say("Counts the moon double")
                ),
                _option(
                    "no_tricks_bonus",
                    say("Winning no trick at all"),
                    say("Takes nothing off"),
                    say("Takes 5 points off"),
                ),
                _option(
                    "fifty_bonus", say("A total of exactly 50, 100, 150 …"), say("Stays as it is"), say("Drops by 50")
                ),
            ),
        ),
        OptionGroup(
            say_as("a heading", "The end"),
            (
                _option(
                    "tie_break",
                    say("A tie for the lowest total"),
                    say("They share the win"),
                    say("Further hands, until one is lowest alone"),
                ),
            ),
        ),
    )


NAMES: Final = tuple(option.name for group in option_groups() for option in group.options)


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
                return option, say(
                    "You are {count}, and that takes two packs: choose two, or at most seven seats.", count=count
                )
            return option, say(
                "You are {count}, and that takes two packs: choose Cancellation, or at most seven seats.", count=count
            )
        case "packs" if option == "packs":
            return option, say(
                "Two packs are for six to eleven players, and you are {count}: choose one, or fill more seats.",
                count=count,
            )
        case "packs":
            return option, say(
                "{preset} is for six to eleven players, and you are {count}: choose another way to play, or fill more"
                " seats.",
                preset=label,
                count=count,
            )
        case "partnership" if option == "partnership":
            return option, say(
                "Teams are for four players, and you are {count}: seat four, or let everybody play alone.", count=count
            )
        case "partnership":
            return option, say(
                "{preset} is for four players, and you are {count}: seat four, or choose another way to play.",
                preset=label,
                count=count,
            )
        case "kitty":
            if option == "kitty":
                return option, say("A kitty is for one pack, and these are two: choose none, or one pack.")
            return "packs", say(
                "{preset} has a kitty, which is for one pack: choose one pack, or no kitty.", preset=label
            )
        case "opening":
            if option == "opening":
                return option, say(
                    "With two packs nobody alone holds the lowest club. Let the player left of the dealer lead."
                )
            return "packs", say(
                "With two packs nobody alone holds the lowest club. Choose Cancellation, or let the player left of the"
                " dealer lead."
            )
        case _:
            return "preset", say("These rules do not go together: {reason}.", reason=error)
