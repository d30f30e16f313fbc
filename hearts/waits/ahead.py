"""An answer ahead: the card that a player has chosen before it was their turn, and when they want to be asked again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from hearts.cards import NONE, QUEEN_OF_SPADES, Card, Cards, NotACard, card_text, in_suit, parse_code, suit
from hearts.game import Stage
from hearts.view import View
from hearts.waits.default_card import wins_so_far


class Unless(StrEnum):
    """A case in which the player wants to be asked again."""

    QUEEN = "queen"
    """The queen of spades was played to the trick since."""
    POINTS = "points"
    """A penalty card was played to the trick since."""
    WIN = "win"
    """The card would win the trick so far."""


USUAL: Final = frozenset({Unless.QUEEN, Unless.POINTS})


class BadAhead(ValueError):
    """A mapping is no answer ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """The answer to one trick of one hand."""

    hand: int
    trick: int
    card: Card
    seen: int
    """How many cards lay on the table when it was given."""
    unless: frozenset[Unless] = USUAL
    instead: Card | None = None
    """The card to play if something of `unless` has come; None: the player is asked again."""
    lead: Card | None = None
    """The card to lead to the next trick, if this one is won."""


def choices_ahead(view: View) -> Cards:
    """The cards that the seat may choose ahead for the trick on the table; none if it has no card to play to it later.

    Those of the suit led, if it has any; else all: what else bars a card may change before its turn.
    """
    if view.stage is not Stage.PLAY or view.trick is None or view.seat in view.to_act:
        return NONE
    if (view.seat - view.trick.leader) % view.rules.players < len(view.trick.cards):
        return NONE
    return (view.held & in_suit(suit(view.trick.cards[0])) or view.held).faces()


def foreseen(view: View) -> View | None:
    """The view as if it were the seat's turn already, with its choices ahead; None if it has no choice among them."""
    choices = choices_ahead(view)
    return replace(view, to_act=(view.seat,), legal=choices) if len(choices) > 1 else None


def is_for(ahead: Ahead, view: View) -> bool:
    """Whether the answer is to the trick to which the seat has to play now."""
    return view.stage is Stage.PLAY and (ahead.hand, ahead.trick) == (view.hand, len(view.tricks) + 1)


def follows_ahead(ahead: Ahead, view: View) -> Card | None:
    """The card to follow with; None if the player has to be asked again. The answer must be to this trick."""
    card = ahead.instead if came(ahead, view) else ahead.card
    return card if card is not None and card in view.legal else None


def leads_ahead(ahead: Ahead, view: View) -> Card | None:
    """The card to lead, if the trick of the answer was won and the card was chosen for that; else None."""
    is_next = view.stage is Stage.PLAY and (ahead.hand, ahead.trick) == (view.hand, len(view.tricks))
    is_led_by_winner = is_next and view.trick is None and view.tricks[-1].winner == view.seat
    return ahead.lead if is_led_by_winner and ahead.lead is not None and ahead.lead in view.legal else None


def came(ahead: Ahead, view: View) -> list[Unless]:
    """Returns the cases of the answer that have occurred, in which the player wants to be asked again."""
    return [one for one in Unless if one in ahead.unless and _CAME[one](ahead, view)]


def ahead_mapping(ahead: Ahead) -> dict[str, Any]:
    """The answer as JSON values; `parse_ahead` reads it back."""
    return {
        "hand": ahead.hand,
        "trick": ahead.trick,
        "card": card_text(ahead.card),
        "seen": ahead.seen,
        "unless": [one.value for one in Unless if one in ahead.unless],
        "instead": None if ahead.instead is None else card_text(ahead.instead),
        "lead": None if ahead.lead is None else card_text(ahead.lead),
    }


def parse_ahead(mapping: Mapping[str, Any]) -> Ahead:
    """The answer that `ahead_mapping` wrote, also before there was `instead`. Raises BadAhead."""
    try:
        return Ahead(
            hand=int(mapping["hand"]),
            trick=int(mapping["trick"]),
            card=parse_code(mapping["card"]),
            seen=int(mapping["seen"]),
            unless=frozenset(map(Unless, mapping["unless"])),
            instead=None if mapping.get("instead") is None else parse_code(mapping["instead"]),
            lead=None if mapping["lead"] is None else parse_code(mapping["lead"]),
        )
    except (KeyError, TypeError, NotACard, ValueError) as error:
        raise BadAhead(f"not an answer ahead: {error}") from error


def _since(ahead: Ahead, view: View) -> tuple[Card, ...]:
    """The cards of the trick that were played after the answer."""
    return view.trick.cards[ahead.seen :] if view.trick else ()


def _queen(ahead: Ahead, view: View) -> bool:
    return bool(view.rules.queen_points) and QUEEN_OF_SPADES in _since(ahead, view)


def _points(ahead: Ahead, view: View) -> bool:
    return any(card in view.rules.penalty_cards for card in _since(ahead, view))


def _win(ahead: Ahead, view: View) -> bool:
    return wins_so_far(view, ahead.card)


_CAME: Final[Mapping[Unless, Callable[[Ahead, View], bool]]] = {
    Unless.QUEEN: _queen,
    Unless.POINTS: _points,
    Unless.WIN: _win,
}
