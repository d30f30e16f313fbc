"""The turns that the service plays in a hand, and which of them are taken together."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event

from hearts.game import Stage, apply, new_game
from hearts.robot import PLAYOUTS, Level, consider
from hearts.turns import Pass
from hearts.view import view
from tests.cast import NAMES, start_game
from tests.due_games import make_due_games
from tests.playing import codes
from tests.runtimes import make_runtime
from tests.servers import LONG
from tests.table import Table
from webapp.games.record import store
from webapp.models import GameRow, TurnSource
from webapp.play import runs
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


def play_hand_by_hand(table):
    """Answers what is left to the players, until the hand is scored."""
    while not table.game.scores:
        table.play_for_absent()
        if not table.game.scores:
            table.play_first()


def played(table):
    return [(record.turn, record.source, record.choice) for record in table.records]


def test_a_run_plays_asks_and_sets_clocks_like_single_turns(tmp_path, monkeypatch):
    plays = []
    for singly in (False, True):
        runtime = make_runtime(tmp_path / str(singly))
        runtime.chance.seed(5)
        if singly:
            one_by_one(monkeypatch)
        table = start_game(runtime, NAMES[:1], robots=3)
        table.pass_all([0])
        play_hand_by_hand(table)
        with runtime.database.reading() as session:
            row = session.get_one(GameRow, table.game_id)
        plays.append((played(table), row.due_at, row.wake_at))
    assert plays[0] == plays[1]


def test_a_run_that_takes_long_is_taken_in_parts(runtime, monkeypatch):
    table = start_game(runtime, NAMES[:1], robots=3)
    table.pass_all([0])
    one_by_one(monkeypatch)
    with transactions(runtime) as taken:
        turns = table.play_for_absent()
    passes = sum(isinstance(row.turn, Pass) and row.source is TurnSource.ROBOT for row in table.turns)
    assert turns > passes == 3
    assert len(taken) == 1 + turns - passes, "one for the passes, which are due together, and one for each card"


def test_seats_passing_together_are_played_for_in_one_transaction(runtime):
    make_due_games(runtime, 1, Level.RULE)
    with transactions(runtime) as taken:
        Table(runtime, 1).play_for_absent()
    passes = [(row.turn.seat, row.source) for row in Table(runtime, 1).turns if isinstance(row.turn, Pass)]
    assert sorted(passes) == [(0, TurnSource.TIMEOUT), *((seat, TurnSource.ROBOT) for seat in (1, 2, 3))]
    assert len(taken) == 2, "one for the passes, and one for the cards of robots after them"


def test_a_player_passing_meanwhile_does_not_stop_the_others_passes(runtime, monkeypatch):
    make_due_games(runtime, 1, Level.RULE)
    link = runtime.signer.local_url(Table(runtime, 1).turn_link(0))
    mine = list(Table(runtime, 1).game.held[0])[:3]
    think, thoughts = thinking.think, []

    def think_slowly(game, seat, level, **options):
        thoughts.append((game.stage, seat))
        if thoughts[-1] == (Stage.PASS, 3):
            with make_site(runtime).test_client() as client:
                assert client.post(link, data={"card": codes(mine)}).status_code == 303
        return think(game, seat, level, **options)

    monkeypatch.setattr(thinking, "think", think_slowly)
    Table(runtime, 1).play_for_absent()
    passes = {row.turn.seat: row.source for row in Table(runtime, 1).turns if isinstance(row.turn, Pass)}
    assert passes == {0: TurnSource.PAGE, **dict.fromkeys((1, 2, 3), TurnSource.ROBOT)}
    assert len(set(thoughts)) == len(thoughts), "the robot thinks about each pass once"


@pytest.mark.parametrize(("most", "hurried"), [(1, False), (0, True)])
def test_robots_hurry_while_too_many_games_wait(runtime, monkeypatch, most, hurried):
    monkeypatch.setitem(thinking.QUEUES, Level.STRONG, most)
    monkeypatch.setattr(thinking, "MAX_SECONDS", LONG)
    table = start_game(runtime, NAMES[:1], robots=3)
    with runtime.database.writing() as session:
        store.load(session, table.game_id).table.robots = Level.STEADY
    table.play_for_absent()
    playouts = [row.choice.playouts for row in table.turns if isinstance(row.turn, Pass)]
    assert len(playouts) == 3
    assert all((number <= PLAYOUTS[Level.STEADY]) == hurried for number in playouts)


def test_every_automatic_card_can_be_reproduced_from_its_record(runtime):
    table = start_game(runtime, NAMES[:2], robots=2)
    table.miss_deadline()
    automatic = [record for record in table.records if record.source in (TurnSource.TIMEOUT, TurnSource.ROBOT)]
    assert {record.source: record.choice.level for record in automatic} == {
        TurnSource.ROBOT: "rule",
        TurnSource.TIMEOUT: "strong",
    }
    game = new_game(table.game.rules)
    for turn, _, choice, *_ in table.records:
        if choice:
            asked = {"level": Level(choice.level), "playouts": choice.playouts, "seed": choice.seed}
            assert consider(view(game, turn.seat), **asked).turn == turn
        game = apply(game, turn)
