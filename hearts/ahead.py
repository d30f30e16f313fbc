"""A card ahead: the card that a player has chosen for the trick on the table before it is their turn.

It is played at their turn, unless the rules forbid it then, or the trick got points since it was chosen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hearts.cards import NONE, Card, Cards, NotACard, card_text, in_suit, parse_code, suit
from hearts.game import Stage
from hearts.view import View


class BadAhead(ValueError):
    """A mapping is no card ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """The card for one trick of one hand."""

    hand: int
    trick: int
    card: Card
    seen: int
    """How many cards lay on the table when it was chosen."""


def choices_ahead(view: View) -> Cards:
    """The cards that the seat may choose ahead for the trick on the table; none if it has no card to play to it later.

    Those of the suit led, if it has any; else all: what else bars a card may change before its turn.
    """
    if view.stage is not Stage.PLAY or view.trick is None or view.seat in view.to_act:
        return NONE
    if (view.seat - view.trick.leader) % view.rules.players < len(view.trick.cards):
        return NONE
    return (view.held & in_suit(suit(view.trick.cards[0])) or view.held).faces()


def is_for(ahead: Ahead, view: View) -> bool:
    """Whether the card is for the trick to which the seat has to play next."""
    return view.stage is Stage.PLAY and (ahead.hand, ahead.trick) == (view.hand, len(view.tricks) + 1)


def has_points_since(ahead: Ahead, view: View) -> bool:
    """Whether a penalty card was played to the trick of the card since it was chosen."""
    lying = view.trick.cards if view.trick else ()
    return any(card in view.rules.penalty_cards for card in lying[ahead.seen :])


def follows_ahead(ahead: Ahead, view: View) -> Card | None:
    """The card to follow with; None if the player has to be asked. It must be for this trick."""
    return ahead.card if ahead.card in view.legal and not has_points_since(ahead, view) else None


def ahead_mapping(ahead: Ahead) -> dict[str, Any]:
    """The card ahead as JSON values; `parse_ahead` reads it back."""
    return {"hand": ahead.hand, "trick": ahead.trick, "card": card_text(ahead.card), "seen": ahead.seen}


def parse_ahead(mapping: Mapping[str, Any]) -> Ahead:
    """The card ahead that `ahead_mapping` wrote. Raises BadAhead."""
    try:
        return Ahead(
            hand=int(mapping["hand"]),
            trick=int(mapping["trick"]),
            card=parse_code(mapping["card"]),
            seen=int(mapping["seen"]),
        )
    except (KeyError, TypeError, NotACard, ValueError) as error:
        raise BadAhead(f"not a card ahead: {error}") from error
