"""The turns of a game, and their JSON form.

A game is a fold over its turns; only `game.apply` checks whether a turn is legal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, assert_never

from hearts.cards import Card, Cards, card_text, parse_code
from hearts.seats import Seat


class MoonChoice(StrEnum):
    """A shooter's choice: the others add the pack total, or the shooter subtracts it."""

    ADD = "add"
    SUBTRACT = "subtract"


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: the dealer, the cards of each seat, and the cards left over."""

    dealer: Seat
    held: tuple[Cards, ...]
    kitty: Cards


@dataclass(frozen=True, slots=True)
class Pass:
    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class Play:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Moon:
    """The choice, by the seat that shot the moon, of how it counts."""

    seat: Seat
    choice: MoonChoice


Turn = Deal | Pass | Play | Moon


class NotATurn(ValueError):
    """The mapping is no turn."""


def turn_mapping(turn: Turn) -> dict[str, Any]:
    """The turn as a JSON mapping; `parse_turn` reads it back."""
    match turn:
        case Deal():
            held = [str(cards) for cards in turn.held]
            return {"turn": "deal", "dealer": turn.dealer, "held": held, "kitty": str(turn.kitty)}
        case Pass():
            return {"turn": "pass", "seat": turn.seat, "cards": str(turn.cards)}
        case Play():
            return {"turn": "play", "seat": turn.seat, "card": card_text(turn.card)}
        case Moon():
            return {"turn": "moon", "seat": turn.seat, "choice": str(turn.choice)}
        case _:
            assert_never(turn)


def parse_turn(mapping: Mapping[str, Any]) -> Turn:
    """The turn that `turn_mapping` wrote. Raises NotATurn. Not checked: whether the rules allow it."""
    try:
        match mapping["turn"]:
            case "deal":
                held = tuple(Cards.parse(cards) for cards in mapping["held"])
                return Deal(_seat(mapping["dealer"]), held, Cards.parse(mapping["kitty"]))
            case "pass":
                return Pass(_seat(mapping["seat"]), Cards.parse(mapping["cards"]))
            case "play":
                return Play(_seat(mapping["seat"]), parse_code(mapping["card"]))
            case "moon":
                return Moon(_seat(mapping["seat"]), MoonChoice(mapping["choice"]))
            case kind:
                raise NotATurn(f"there is no turn {kind!r}")
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise NotATurn(f"not a turn: {error}") from error


def _seat(number: object) -> Seat:
    if type(number) is not int or number < 0:
        raise NotATurn(f"{number!r} is not a seat")
    return Seat(number)
