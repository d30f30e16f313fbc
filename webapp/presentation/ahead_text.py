"""An answer ahead in words, for its player alone: the form in which they give it, and why they are asked again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hearts.cards import card_text
from hearts.plans.ahead import USUAL, Unless, came, choices_ahead
from hearts.seats import Seat
from hearts.view import view
from webapp.games.planning import ahead_of
from webapp.games.store import Stored
from webapp.presentation.faces import face

LABELS: Final[Mapping[Unless, str]] = {
    Unless.QUEEN: "the queen of spades falls",
    Unless.POINTS: "other points fall",
    Unless.WIN: "I would win the trick",
}
_AGAIN: Final[Mapping[Unless, str]] = {
    Unless.QUEEN: "You chose {card} ahead, but the queen of spades fell.",
    Unless.POINTS: "You chose {card} ahead, but points fell.",
    Unless.WIN: "You chose {card} ahead, but it would win the trick.",
}


@dataclass(frozen=True, slots=True)
class AheadSheet:
    """The form of an answer ahead."""

    cards: frozenset[str]  # the codes of the cards that can be chosen
    chosen: str  # the code of the one that is kept, empty if none is
    kept: str  # a sentence that says so
    unless: tuple[tuple[str, str, bool], ...]  # value, label, whether it is ticked
    leads: tuple[tuple[str, str], ...]  # value and label of the cards to lead if the trick is won
    lead: str


def ahead_sheet(stored: Stored, seat: Seat) -> AheadSheet | None:
    """The form for the seat; None if it has no card to play later to the trick on the table."""
    seen = view(stored.game, seat)
    cards = choices_ahead(seen)
    if not cards:
        return None
    kept = ahead_of(stored, seat)
    ticked = USUAL if kept is None else kept.unless
    return AheadSheet(
        cards=frozenset(map(card_text, cards)),
        chosen=card_text(kept.card) if kept else "",
        kept=f"Your answer is {face(kept.card).text}. Nobody else knows it." if kept else "",
        unless=tuple((one.value, label, one in ticked) for one, label in LABELS.items()),
        leads=tuple((card_text(card), face(card).text) for card in seen.held.faces()),
        lead=card_text(kept.lead) if kept and kept.lead is not None else "",
    )


def why_asked_again(stored: Stored, seat: Seat) -> str:
    """Why the card that the player chose ahead is not played, as a sentence; empty if they chose none."""
    kept = ahead_of(stored, seat)
    if kept is None or seat not in stored.game.to_act:
        return ""
    found = came(kept, view(stored.game, seat))
    card = face(kept.card).text
    return _AGAIN[found[0]].format(card=card) if found else f"You chose {card} ahead, but it can't be played now."
