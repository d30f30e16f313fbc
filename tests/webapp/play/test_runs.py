"""The turns that the service plays in a hand, and which of them are taken together."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event

from hearts.game import Stage, apply, new_game
from hearts.robot import PLAYOUTS, Level, consider
from hearts.turns import Pass
from hearts.view import view
from tests.cast import NAMES, load, start_game, turn_link
from tests.due_games import make_due_games
from tests.playing import codes, miss_deadline, pass_all, play_first, records
from tests.runtimes import make_runtime
from webapp.games.record import store
from webapp.models import GameRow, TurnSource
from webapp.play import due_games, runs
from webapp.robots import thinking
from webapp.site import make_site

pytestmark = pytest.mark.usefixtures("same_seed")


@contextmanager
def transactions(runtime):
    """Gathers something for each transaction that is committed."""
    taken = []

    def note(_connection):
        taken.append(1)

    event.listen(runtime.database.engine, "commit", note)
    yield taken
    event.remove(runtime.database.engine, "commit", note)


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """No run is taken in parts because the machine is slow."""
    monkeypatch.setattr(runs, "LONGEST", timedelta(hours=1))


def one_by_one(monkeypatch):
    """Each turn is taken before the next one is thought about."""
    monkeypatch.setattr(runs, "LONGEST", timedelta(seconds=-1))


def play_hand_by_hand(runtime, game_id):
    """Answers what is left to the players, until the hand is scored."""
    while not load(runtime, game_id).game.scores:
        due_games.play_for_absent(runtime, game_id)
        if not load(runtime, game_id).game.scores:
            play_first(runtime, game_id)


def played(runtime, game_id):
    return [(record.turn, record.source, record.choice) for record in load(runtime, game_id).records]


def test_a_run_plays_asks_and_sets_clocks_like_single_turns(tmp_path, monkeypatch):
    plays = []
    for singly in (False, True):
        runtime = make_runtime(tmp_path / str(singly))
        runtime.chance.seed(5)
        if singly:
            one_by_one(monkeypatch)
        game_id = start_game(runtime, NAMES[:1], robots=3)
        pass_all(runtime, game_id, [0])
        play_hand_by_hand(runtime, game_id)
        with runtime.database.reading() as session:
            row = session.get_one(GameRow, game_id)
        plays.append((played(runtime, game_id), row.due_at, row.wake_at))
    assert plays[0] == plays[1]


def test_a_run_that_takes_long_is_taken_in_parts(runtime, monkeypatch):
    game_id = start_game(runtime, NAMES[:1], robots=3)
    pass_all(runtime, game_id, [0])
    one_by_one(monkeypatch)
    with transactions(runtime) as taken:
        turns = due_games.play_for_absent(runtime, game_id)
    passes = sum(isinstance(row.turn, Pass) and row.source is TurnSource.ROBOT for row in records(runtime, game_id))
    assert turns > passes == 3
    assert len(taken) == 1 + turns - passes, "one for the passes, which are due together, and one for each card"


def test_seats_passing_together_are_played_for_in_one_transaction(runtime):
    make_due_games(runtime, 1, Level.RULE)
    with transactions(runtime) as taken:
        due_games.play_for_absent(runtime, 1)
    passes = [(row.turn.seat, row.source) for row in records(runtime, 1) if isinstance(row.turn, Pass)]
    assert sorted(passes) == [(0, TurnSource.TIMEOUT), *((seat, TurnSource.ROBOT) for seat in (1, 2, 3))]
    assert len(taken) == 2, "one for the passes, and one for the cards of robots after them"


def test_a_player_passing_meanwhile_does_not_stop_the_others_passes(runtime, monkeypatch):
    make_due_games(runtime, 1, Level.RULE)
    link = runtime.signer.local_url(turn_link(runtime, 1, 0))
    mine = list(load(runtime, 1).game.held[0])[:3]
    think, thoughts = thinking.think, []

    def think_slowly(game, seat, level, **options):
        thoughts.append((game.stage, seat))
        if thoughts[-1] == (Stage.PASS, 3):
            with make_site(runtime).test_client() as client:
                assert client.post(link, data={"card": codes(mine)}).status_code == 303
        return think(game, seat, level, **options)

    monkeypatch.setattr(thinking, "think", think_slowly)
    due_games.play_for_absent(runtime, 1)
    passes = {row.turn.seat: row.source for row in records(runtime, 1) if isinstance(row.turn, Pass)}
    assert passes == {0: TurnSource.PAGE, **dict.fromkeys((1, 2, 3), TurnSource.ROBOT)}
    assert len(set(thoughts)) == len(thoughts), "the robot thinks about each pass once"


@pytest.mark.parametrize(("most", "hurried"), [(1, False), (0, True)])
def test_robots_hurry_while_too_many_games_wait(runtime, monkeypatch, most, hurried):
    monkeypatch.setitem(thinking.QUEUES, Level.STRONG, most)
    game_id = start_game(runtime, NAMES[:1], robots=3)
    with runtime.database.writing() as session:
        store.load(session, game_id).table.robots = Level.STEADY
    due_games.play_for_absent(runtime, game_id)
    playouts = [row.choice.playouts for row in records(runtime, game_id) if isinstance(row.turn, Pass)]
    assert len(playouts) == 3
    assert all((number <= PLAYOUTS[Level.STEADY]) == hurried for number in playouts)


def test_every_automatic_card_can_be_reproduced_from_its_record(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2)
    miss_deadline(runtime, game_id)
    automatic = [
        record for record in load(runtime, game_id).records if record.source in (TurnSource.TIMEOUT, TurnSource.ROBOT)
    ]
    assert {record.source: record.choice.level for record in automatic} == {
        TurnSource.ROBOT: "rule",
        TurnSource.TIMEOUT: "strong",
    }
    game = new_game(load(runtime, game_id).game.rules)
    for turn, _, choice, *_ in load(runtime, game_id).records:
        if choice:
            asked = {"level": Level(choice.level), "playouts": choice.playouts, "seed": choice.seed}
            assert consider(view(game, turn.seat), **asked).turn == turn
        game = apply(game, turn)
