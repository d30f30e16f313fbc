"""An answer ahead in words, for its player alone: the form in which they give it, and why they are asked again."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hearts.cards import Card, card_text
from hearts.seats import Seat
from hearts.view import view
from hearts.waits.ahead import USUAL, Ahead, Unless, came, choices_ahead
from webapp.games.asked.choose_now import asked_before_turn
from webapp.games.asked.whose_turn import ahead_of, wait_of
from webapp.games.record.store import TableGame
from webapp.models import Wait
from webapp.presentation.faces import face
from webapp.presentation.phrasing import by_number, listed

_AGAIN: Final[Mapping[Unless, str]] = {
    Unless.QUEEN: "You chose {card} before your turn, but the queen of spades fell.",
    Unless.POINTS: "You chose {card} before your turn, but points fell.",
    Unless.WIN: "You chose {card} before your turn, but it would win the trick.",
}
_ASK_IF: Final[Mapping[Unless, str]] = {
    Unless.QUEEN: "We ask you again if the queen of spades falls.",
    Unless.POINTS: "We ask you again if other points fall.",
    Unless.WIN: "We ask you again if it would win the trick.",
}
_PLAY_IF: Final[Mapping[Unless, str]] = {
    Unless.QUEEN: "If the queen of spades falls, you play {card} instead.",
    Unless.POINTS: "If other points fall, you play {card} instead.",
    Unless.WIN: "If it would win the trick, you play {card} instead.",
}
ASKED: Final = "Choose now, and nobody has to wait for you."
SEALED: Final = "We play your card when your turn comes. Until then you can change it, and nobody else sees it."
CLOCK: Final = "Your time begins with your turn."
WE_MAY_PLAY: Final = "If you haven't chosen by your turn, and it hardly matters then, we may play for you."


class Fault(StrEnum):
    """A mistake in an answer ahead."""

    CARD = "card"  # it can't be played to the trick
    CASE = "case"  # a second card, but no case in which to play it
    LEAD = "lead"  # a card to lead that is not held
    TWICE = "twice"  # a card to play and to lead, but there is only one of it


_FAULTS: Final[Mapping[Fault, str]] = {
    Fault.CARD: "You can't play {card} to this trick.",
    Fault.CASE: "Say in which case you play {card} instead.",
    Fault.LEAD: "You don't have {card}.",
    Fault.TWICE: "You can't play {card} and lead it, too.",
}


@dataclass(frozen=True, slots=True)
class AheadSheet:
    """The form of an answer ahead."""

    cards: frozenset[str]  # the codes of the cards that can be chosen
    chosen: str  # the code of the one that is chosen: kept, or named by a link; empty if none is
    kept: str  # sentences that say what is kept; empty if nothing is
    asks_again: bool  # whether the player wants to be asked again if the trick gets points
    due: str = ""  # the trick that it answers: "trick 5"
    seen: int = 0  # how many cards lie there
    asked: tuple[str, ...] = ()  # sentences to a player who is asked before their turn; none if they are not


def ahead_sheet(stored: TableGame, seat: Seat, chosen: str = "") -> AheadSheet | None:
    """The form for the seat, on which the card of the code `chosen` may be chosen already.

    None if the seat has no card to play later to the trick on the table.
    """
    seen = view(stored.game, seat)
    cards = choices_ahead(seen)
    if not cards or seen.trick is None:
        return None
    kept = ahead_of(stored, seat)
    return AheadSheet(
        cards=frozenset(map(card_text, cards)),
        chosen=chosen if chosen in map(card_text, cards) else card_text(kept.card) if kept else "",
        kept=" ".join(kept_sentences(kept)) if kept else "",
        asks_again=kept is None or kept.unless >= USUAL,
        due=f"trick {len(seen.tricks) + 1}",
        seen=len(seen.trick.cards),
        asked=asked_sentences(stored, seat),
    )


def asked_sentences(stored: TableGame, seat: Seat) -> tuple[str, ...]:
    """Tells a player who is asked before their turn who plays before them, and what becomes of their answer.

    Empty if they are not asked so.
    """
    if asked_before_turn(stored, seat) is None:
        return ()
    we_may_play = wait_of(stored.table, stored.seats[seat]) in (Wait.SHORT, Wait.NONE)
    return (f"{before_you(stored, seat)} {ASKED}", *([WE_MAY_PLAY] if we_may_play else []))


def before_you(stored: TableGame, seat: Seat) -> str:
    """Says in a sentence who plays to the trick before the seat, which comes later."""
    players, first = stored.game.rules.players, stored.game.to_act[0]
    names = [stored.names[(first + step) % players] for step in range((seat - first) % players)]
    who = listed(names)
    return by_number(len(names), f"{who} plays before you.", f"{who} play before you.")


def kept_sentences(kept: Ahead) -> list[str]:
    """Tells the player what is kept of their answer."""
    sentences = [f"Your card is {face(kept.card).text}. Nobody else sees it."]
    for one in Unless:
        if one in kept.unless and kept.instead is None:
            sentences.append(_ASK_IF[one])
        elif one in kept.unless and kept.instead is not None:
            sentences.append(_PLAY_IF[one].format(card=face(kept.instead).text))
    if kept.lead is not None:
        sentences.append(f"If you win the trick, you lead {face(kept.lead).text}.")
    return sentences


def fault_sentence(fault: Fault, card: Card) -> str:
    """Tells the player in a sentence what is wrong with their answer."""
    return _FAULTS[fault].format(card=face(card).text)


def why_asked_again(stored: TableGame, seat: Seat) -> str:
    """Why the card that the player chose ahead is not played, as a sentence; empty if they chose none."""
    kept = ahead_of(stored, seat)
    if kept is None or seat not in stored.game.to_act:
        return ""
    found = came(kept, view(stored.game, seat))
    return again_sentence(kept.card if kept.instead is None or not found else kept.instead, found, kept.instead)


def again_sentence(card: Card, found: list[Unless], instead: Card | None = None) -> str:
    """Why `card`, which was chosen ahead, is not played: what has come, or that the rules forbid it."""
    text = face(card).text
    if found and instead is None:
        return _AGAIN[found[0]].format(card=text)
    return f"You chose {text} before your turn, but you can't play it now."
