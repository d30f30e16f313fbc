"""Makes the context of a question to a seat: its sheet, with a link for each possible turn. Digests use it as well."""

from typing import Any

from hearts.cards import card_text
from hearts.game import legal
from hearts.seats import Seat
from hearts.turns import MoonChoice
from webapp.core.runtime import Runtime
from webapp.games.due import Due, turn_link
from webapp.games.store import Stored
from webapp.models import PlayerRow
from webapp.presentation.sheets import deadline_of, turn_sheet_of


def question_context(runtime: Runtime, stored: Stored, seat: Seat, due: Due, player: PlayerRow) -> dict[str, Any]:
    """The context of a question: the sheet of the seat, a link to its page, a link for each legal card, the deadline.

    The seat must be asked for `due`. Times are in the time zone of `player`, who has the seat.
    """
    link = runtime.signer.url(turn_link(stored, seat, due))
    codes = MoonChoice if due.what == "moon" else map(card_text, legal(stored.game, seat))
    return {
        "sheet": turn_sheet_of(stored, seat, player.time_zone, runtime.now()),
        "link": link,
        "card_links": {str(code): f"{link}?card={code}" for code in codes},
        "deadline": deadline_of(stored, player.time_zone, runtime.now()),
    }
