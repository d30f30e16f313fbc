"""Games whose hands are played side by side: turns in any of them, through the path of a turn."""

import random

from hearts.cards import Cards
from hearts.game import Game, Stage, legal
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from tests.table import Table, has_two_tricks_left
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Decision, due_of
from webapp.games.record.store import TableGame
from webapp.models import TurnSource
from webapp.play import taking


def play_in(runtime: Runtime, stored: TableGame, rng: random.Random, way: TurnSource = TurnSource.PAGE) -> TableGame:
    """The game after a random turn in the hand that `stored` is about."""
    game = stored.game
    seat = rng.choice(game.to_act)
    due = due_of(game, seat)
    assert due is not None
    return taking.take_turn(runtime, stored.id, due, _turn(game, seat, rng), way, runtime.now())


def _turn(game: Game, seat: Seat, rng: random.Random) -> Decision:
    match game.stage:
        case Stage.PASS:
            return Pass(seat, Cards.of(rng.sample(list(game.held[seat]), game.rules.pass_count)))
        case Stage.MOON:
            return Moon(seat, MoonChoice.ADD)
        case _:
            return Play(seat, rng.choice(list(legal(game, seat))))


def play_on(table: Table, hand: TableGame, rng: random.Random) -> None:
    """A random turn in the hand; between the pass and its last two tricks, all that it has left until then."""
    if hand.game.stage is Stage.PLAY and max(map(len, hand.game.held)) > 2:
        table.leap(has_two_tricks_left, hand.game.hand)
    else:
        play_in(table.runtime, hand, rng)


def finish(table: Table, number: int) -> None:
    """Plays that hand alone to its end."""
    rng = random.Random(6)
    while (hand := table.hand(number)).game.to_act:
        play_on(table, hand, rng)


def play_hands(table: Table, hands: int, rng: random.Random) -> TableGame:
    """Plays until that many hands are scored, in a random order of hands."""
    while len((stored := table.stored).cycle.scores) < hands:
        play_on(table, rng.choice(list(stored.open_hands())), rng)
    return stored
