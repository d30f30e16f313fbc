"""Makes the context of a question to a seat: its sheet, with a link for each possible turn. Digests use it as well."""

from typing import Any

from hearts.cards import card_text
from hearts.game import Game, legal
from hearts.seats import Seat
from hearts.turns import MoonChoice
from webapp.core.runtime import Runtime
from webapp.games.due import Due, turn_link
from webapp.games.store import Stored
from webapp.models import PlayerRow
from webapp.presentation.sheets import deadline_of, turn_sheet_of


def question_context(runtime: Runtime, stored: Stored, seat: Seat, due: Due, player: PlayerRow) -> dict[str, Any]:
    """The context of a question: the seat's sheet, a link to its page and one for each possible choice, the deadline.

    The seat must be asked for `due`. Times are in the time zone of `player`, who has the seat.
    """
    link = runtime.signer.url(turn_link(stored, seat, due))
    return {
        "sheet": turn_sheet_of(stored, seat, player.time_zone, runtime.now()),
        "link": link,
        "card_links": {code: f"{link}?card={code}" for code in _codes(stored.game, seat, due)},
        "deadline": deadline_of(stored, player.time_zone, runtime.now()),
    }


def _codes(game: Game, seat: Seat, due: Due) -> list[str]:
    """What the seat may choose, as it stands in a link."""
    match due.what:
        case "moon":
            return [str(choice) for choice in MoonChoice]
        case "pass":
            return [card_text(card) for card in game.held[seat]]
        case _:
            return [card_text(card) for card in legal(game, seat)]
