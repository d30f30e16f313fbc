"""Turns of the cast that many tests begin with, and what was written of them; further ones in `tests.cast`."""

from collections.abc import Iterable

from sqlmodel import select

from hearts.cards import Card, Cards, card_text
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Pass
from tests.cast import load
from tests.remembered import remembered
from webapp import service
from webapp.core.runtime import Runtime
from webapp.games.due import Due
from webapp.games.presence import note_presence
from webapp.games.store import Stored
from webapp.models import TurnRow, TurnSource

QUICK = preset_rules("quick", target=30)  # more than a hand has points, so that there are two hands
BO = 1


def pass_lowest(runtime: Runtime, game_id: int, seat: int) -> Stored:
    held = load(runtime, game_id).game.held[seat]
    turn = Pass(Seat(seat), Cards.of(list(held)[:3]))
    return service.take_turn(runtime, game_id, Due(1, "pass"), turn, TurnSource.PAGE, runtime.now())


def pass_all(runtime: Runtime, game_id: int, seats: Iterable[int] = range(4)) -> None:
    _pass_all(runtime, game_id, tuple(seats))


@remembered
def _pass_all(runtime: Runtime, game_id: int, seats: tuple[int, ...]) -> None:
    for seat in seats:
        pass_lowest(runtime, game_id, seat)


def awaited(runtime: Runtime, game_id: int) -> int:
    """The one seat that is to act."""
    (seat,) = load(runtime, game_id).game.to_act
    return seat


def beat(runtime: Runtime, game_id: int, seat: int = BO, *, here: bool = True, player_id: int | None = None) -> None:
    """A heartbeat of the player's page, or (not `here`) the report that they leave it."""
    row = load(runtime, game_id).seats[seat]
    note_presence(runtime, row.table_id, seat, player_id or row.player_id or 0, runtime.now(), here=here)


def records(runtime: Runtime, game_id: int) -> list[TurnRow]:
    with runtime.database.reading() as session:
        found = session.exec(select(TurnRow).where(TurnRow.game_id == game_id).order_by(TurnRow.number))
        return list(found)


def codes(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]
