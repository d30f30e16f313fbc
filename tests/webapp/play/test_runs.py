"""The turns that the service plays in a hand, and which of them are taken together."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event

from hearts.ahead import Ahead
from hearts.cards import Suit, in_suit
from hearts.game import Stage, apply, new_game
from hearts.robot import PLAYOUTS, Level, consider, has_a_choice
from hearts.turns import Pass, Play
from hearts.view import view
from hearts.waits import default_card, small_price
from tests.cast import NAMES, PACE, give_waits, load, start_game, turn_link
from tests.due_games import make_due_games
from tests.playing import codes, miss_deadline, pass_all, records
from tests.runtimes import make_runtime
from tests.webapp.with_waits import play_hand_by_hand, questions, started
from webapp.games.asked.whose_turn import HARDLY, awaited
from webapp.games.record import store
from webapp.models import GameRow, KeptAhead, SeatRow, TurnSource, Wait
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


def meanwhile(monkeypatch, thought, do):
    """Does something while the robot looks for the time of that number."""
    small_price, looks = thinking.small_price, []

    def look(game, pending):
        looks.append(pending.seat)
        if len(looks) == thought:
            do(game, looks)
        return small_price(game, pending)

    monkeypatch.setattr(thinking, "small_price", look)
    return looks


def played(runtime, game_id):
    return [(record.turn, record.source, record.choice) for record in load(runtime, game_id).records]


def test_cards_that_hardly_matter_in_a_row_are_one_transaction(runtime):
    game_id = started(runtime, *[Wait.NONE] * 4)
    before = len(records(runtime, game_id))
    with transactions(runtime) as taken:
        turns = due_games.play_for_absent(runtime, game_id)
    hardly = [row for row in records(runtime, game_id)[before:] if row.choice and row.choice.cost is not None]
    assert len(hardly) == turns >= 3
    assert len(taken) == 1


@pytest.mark.parametrize("robots", [0, 3])
def test_a_run_plays_asks_and_sets_clocks_like_single_turns(tmp_path, monkeypatch, robots):
    plays = []
    for singly in (False, True):
        runtime = make_runtime(tmp_path / str(singly))
        runtime.chance.seed(5)
        if singly:
            one_by_one(monkeypatch)
        game_id = start_game(runtime, NAMES[: 4 - robots], robots=robots)
        give_waits(runtime, game_id, *[Wait.NONE] * (4 - robots))
        pass_all(runtime, game_id, range(4 - robots))
        play_hand_by_hand(runtime, game_id)
        asked = [(letter.about, letter.seat, letter.state) for letter in questions(runtime)]
        with runtime.database.reading() as session:
            row = session.get_one(GameRow, game_id)
        plays.append((played(runtime, game_id), sorted(asked), row.due_at, row.wake_at, row.left_to_player))
    assert plays[0] == plays[1]


def test_a_run_ends_with_a_question_in_one_transaction(runtime, monkeypatch):
    game_id = started(runtime, *[Wait.NONE] * 4)
    small_price, looks = thinking.small_price, []
    monkeypatch.setattr(
        thinking, "small_price", lambda *given: looks.append(given) or (small_price(*given) if len(looks) < 3 else None)
    )
    with transactions(runtime) as taken:
        assert due_games.play_for_absent(runtime, game_id) == 2
    assert len(taken) == 1
    stored = load(runtime, game_id)
    assert awaited(stored) == stored.game.to_act
    assert stored.row.due_at == runtime.now() + PACE
    assert stored.row.left_to_player == stored.last_turn
    assert [letter.seat for letter in questions(runtime) if letter.about != "pass"] == [*stored.game.to_act]
    assert len(looks) == 3


def test_a_run_that_takes_long_is_taken_in_parts(runtime, monkeypatch):
    game_id = started(runtime, *[Wait.NONE] * 4)
    one_by_one(monkeypatch)
    with transactions(runtime) as taken:
        turns = due_games.play_for_absent(runtime, game_id)
    assert turns >= 3
    stored = load(runtime, game_id)
    is_left = stored.row.left_to_player == stored.last_turn
    assert len(taken) == turns + is_left, "and one if a card is left to its player"


def test_an_answer_meanwhile_ends_the_run_at_that_card(runtime, monkeypatch):
    """The cards after theirs were chosen for another trick."""
    game_id = started(runtime, *[Wait.NONE] * 4)
    answered = []

    def answer(game, looks):
        seat = looks[1]
        stored = load(runtime, game_id)
        mine = Ahead(hand=1, trick=1, card=min(stored.game.held[seat] & in_suit(Suit.CLUBS)), seen=1)
        with runtime.database.writing() as session:
            session.get_one(SeatRow, (stored.row.table_id, seat)).ahead = {1: KeptAhead(mine)}
        answered.append(Play(seat, mine.card))

    looks = meanwhile(monkeypatch, 3, answer)
    due_games.play_for_absent(runtime, game_id)
    cards = [record for record in load(runtime, game_id).records if isinstance(record.turn, Play)]
    theirs = next(record for record in cards if record.turn.seat == looks[1])
    assert (theirs.turn, theirs.source) == (answered[0], TurnSource.AHEAD)
    check_unasked(load(runtime, game_id))


def test_a_run_ignores_the_deadline_of_an_earlier_question(runtime):
    game_id = started(runtime, Wait.NONE, None, Wait.NONE, Wait.NONE)
    with runtime.database.writing() as session:
        session.get_one(GameRow, game_id).due_at = runtime.now() - PACE
    answers = runs.run_of(load(runtime, game_id), lambda: 0, runtime.now()).answers
    assert {answer.source for answer in answers} == {TurnSource.WAIT}


def test_a_changed_wait_drops_the_card_of_a_run(runtime, monkeypatch):
    game_id = started(runtime, *[Wait.NONE] * 4)

    def change(game, looks):
        with runtime.database.writing() as session:
            table_id = session.get_one(GameRow, game_id).table_id
            session.get_one(SeatRow, (table_id, looks[0])).wait = Wait.FULL

    looks = meanwhile(monkeypatch, 2, change)
    due_games.play_for_absent(runtime, game_id)
    assert awaited(load(runtime, game_id)) == (looks[0],)


def check_unasked(stored):
    """Each card that we played is the default one in the hand as it was then, at the price that its record has."""
    game = new_game(stored.game.rules)
    for turn, source, choice, *_ in stored.records:
        if source is TurnSource.WAIT:
            seen = view(game, turn.seat)
            assert default_card(seen) == turn.card
            assert has_a_choice(seen) is (choice.by == HARDLY)
            if choice.by == HARDLY:
                assert small_price(seen, turn.card, choice.seed).cost == choice.cost
        game = apply(game, turn)


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
