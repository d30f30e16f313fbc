"""Turns of the cast that many tests begin with, and what was written of them; further ones in `tests.cast`."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlmodel import select

from hearts.cards import Card, Cards, card_text, suit
from hearts.game import Game, Stage
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Pass
from tests.cast import copied, load, play_first, start_game
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due
from webapp.games.clock.presence import note_presence
from webapp.games.record import store
from webapp.games.record.store import TableGame
from webapp.models import TurnRow, TurnSource
from webapp.play import taking

QUICK = preset_rules("quick", target=30)  # more than a hand has points, so that there are two hands
BO = 1


def pass_lowest(runtime: Runtime, game_id: int, seat: int) -> TableGame:
    held = load(runtime, game_id).game.held[seat]
    turn = Pass(Seat(seat), Cards.of(list(held)[:3]))
    return taking.take_turn(runtime, game_id, Due(1, "pass"), turn, TurnSource.PAGE, runtime.now())


def pass_all(runtime: Runtime, game_id: int, seats: Iterable[int] = range(4)) -> None:
    for seat in seats:
        pass_lowest(runtime, game_id, seat)


def awaited(runtime: Runtime, game_id: int) -> int:
    """The one seat that is to act."""
    (seat,) = load(runtime, game_id).game.to_act
    return seat


def beat(
    runtime: Runtime,
    game_id: int,
    seat: int = BO,
    *,
    here: bool = True,
    idle: timedelta | None = timedelta(),
    player_id: int | None = None,
) -> None:
    """A heartbeat of the player's page, who last did something there `idle` ago, or (not `here`) its report that they
    leave it.
    """
    row = load(runtime, game_id).seats[seat]
    note_presence(runtime, row.table_id, seat, player_id or row.player_id or 0, runtime.now(), here=here, idle=idle)


def records(runtime: Runtime, game_id: int) -> list[TurnRow]:
    with runtime.database.reading() as session:
        found = session.exec(select(TurnRow).where(TurnRow.game_id == game_id).order_by(TurnRow.number))
        return list(found)


def codes(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]


@copied
def waiting_game(runtime: Runtime) -> int:
    """A game in which Bo has led, Cy is to play, and everybody can follow with a choice of cards."""
    made = start_game(runtime)
    while not _bo_has_led(load(runtime, made).game):
        play_first(runtime, made)
    return made


def _bo_has_led(game: Game) -> bool:
    if game.stage is not Stage.PLAY or len(game.on_table) != 1 or game.leader != BO:
        return False
    led = suit(game.on_table[0])
    return all(sum(suit(card) is led for card in held) > 1 for seat, held in enumerate(game.held) if seat != BO)


def following_cards(runtime: Runtime, game_id: int, seat: int) -> list[Card]:
    """The cards with which the seat can follow suit."""
    game = load(runtime, game_id).game
    led = suit(game.on_table[0])
    return [card for card in game.held[seat] if suit(card) is led]


def due_at(runtime: Runtime, game_id: int) -> datetime | None:
    """The deadline of the game's first question."""
    return load(runtime, game_id).row.due_at


def in_play(runtime: Runtime, game_id: int) -> TableGame:
    """The game as a page loads it."""
    with runtime.database.reading() as session:
        return store.load(session, game_id)
