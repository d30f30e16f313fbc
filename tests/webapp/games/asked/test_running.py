"""Running games: which wait for a player, in which order, and with which question."""

from datetime import timedelta

from hearts.robot import Level
from hearts.seats import Seat
from tests.cast import NAMES, start_game
from tests.due_games import make_due_games
from tests.mailing import player_id
from tests.table import Table
from tests.webapp.changing import change
from webapp.games.asked.due import due_of
from webapp.games.asked.running import running_games, waiting_games
from webapp.models import GameRow, GameState, SeatRow


def waiting(runtime, name="Ann"):
    """The ids of the games that wait for the player, in their order."""
    with runtime.database.reading() as session:
        return [game.row.id for game in waiting_games(session, player_id(runtime, name))]


def test_the_nearest_deadline_comes_first_and_a_paused_clock_last(runtime):
    make_due_games(runtime, 3, Level.RULE)
    for game_id, hours in ((1, 9), (2, 2), (3, 5)):
        Table(runtime, game_id).set_due(runtime.now() + timedelta(hours=hours))
    assert waiting(runtime) == [2, 3, 1]
    Table(runtime, 2).set_due(None)
    assert waiting(runtime) == [3, 1, 2]


def test_no_turn_awaits_players_away_or_done_or_finished_games(runtime):
    make_due_games(runtime, 4, Level.RULE)
    Table(runtime, 1).play_first()
    change(runtime, SeatRow, (2, 0), away=True)
    change(runtime, GameRow, 3, state=GameState.OVER)
    assert waiting(runtime) == [4]


def test_the_hand_alone_gives_the_whole_games_question(either_runtime):
    table = start_game(either_runtime)
    hands = set()
    while len(hands) < 2:
        game = table.game
        for seat, name in enumerate(NAMES):
            with either_runtime.database.reading() as session:
                (running,) = running_games(session, player_id(either_runtime, name))
            assert running.due == due_of(game, Seat(seat))
            assert running.hand.to_act == game.to_act
        hands.add(game.hand)
        for _ in range(5):
            table.play_first()
