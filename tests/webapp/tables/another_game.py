"""Tables whose game is over, and players who want another."""

import random

from hearts.cards import Cards
from hearts.deal import deal, dealer_after
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from hearts.turns import Moon, MoonChoice, Pass, Play
from tests.cast import NAMES, letters, seats, start_game
from tests.copying import copied
from tests.table import Table
from webapp.core.tokens import AgainLink, InvitationLink
from webapp.games.record.store import Record
from webapp.models import GameState, LetterKind, TableState, TurnSource
from webapp.tables import again, seating


@copied
def finished_table(runtime, names=NAMES, robots: int = 0) -> int:
    """A table whose first game is over. Returns its id."""
    rules = preset_rules("classic", players=len(names) + robots, target=10)  # over after a hand
    table = start_game(runtime, names, robots, rules)
    play_out(table)
    return table.table_id


def play_out(table: Table) -> None:
    """Plays the first legal card for everybody until the game is over; queues no mail."""
    chance = random.Random(table.game_id)
    with table.changing() as game:
        while game.stored.game.stage is not Stage.OVER:
            game.append(Record(_any_turn(game.stored.game, chance), TurnSource.PAGE))
        game.row.state, game.row.due_at, game.row.wake_at = GameState.OVER, None, None
        game.table.state = TableState.OVER


def _any_turn(game, chance: random.Random):
    if game.stage is Stage.DEAL:
        return deal(game.rules, dealer_after(game.deal.dealer, game.rules), chance)
    seat = game.to_act[0]
    match game.stage:
        case Stage.PASS:
            return Pass(seat, Cards.of(list(game.held[seat])[:3]))
        case Stage.MOON:
            return Moon(seat, MoonChoice.ADD)
        case _:
            return Play(seat, next(iter(legal(game, seat))))


def link(runtime, table_id: int, seat: int, number: int = 1) -> AgainLink:
    return AgainLink(table_id, seat, seats(runtime, table_id)[seat].player_id or 0, number)


def agree(runtime, table_id: int, *those: int, number: int = 1) -> None:
    for seat in those:
        again.agree(runtime, link(runtime, table_id, seat, number), runtime.now())


def newest(runtime, table_id: int):
    with runtime.database.reading() as session:
        return seating.current_game(session, table_id)


def invitations(runtime):
    """The first ones, which nobody has been reminded of."""
    return [letter for letter in letters(runtime, LetterKind.INVITATION) if not letter.again]


def decline(runtime, table_id: int, seat: int) -> None:
    player_id = seats(runtime, table_id)[seat].player_id or 0
    seating.decline(runtime, InvitationLink(table_id, seat, player_id), runtime.now())
