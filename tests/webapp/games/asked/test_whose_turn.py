"""The cards that are played without asking, those left to their players, and what happens at the same moment."""

from datetime import timedelta

import pytest

from hearts.game import Stage, apply, legal, new_game
from hearts.robot import has_a_choice
from hearts.turns import Play
from hearts.view import view
from hearts.waits import Price, default_card, small_price
from tests.cast import PACE, give_waits, load, start_game
from tests.playing import miss_deadline, pass_all
from tests.races import at_once, check_replays
from tests.webapp.with_waits import play_hand_by_hand, player_of, questions, started
from webapp.core.tokens import PlayLink
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import HARDLY, awaited, pending
from webapp.models import SeatRow, TableRow, TurnSource, Wait
from webapp.play import due_games, taking
from webapp.robots import thinking

pytestmark = pytest.mark.usefixtures("same_seed")


@pytest.mark.parametrize(
    ("wait", "most"), [(None, 52), (Wait.FULL, 48), (Wait.NONE, 20)], ids=["every card", "full time", "not at all"]
)
def test_the_shorter_the_waits_the_less_often_the_table_waits(runtime, wait, most):
    game_id = started(runtime, *[wait] * 4)
    waits = play_hand_by_hand(runtime, game_id)
    assert waits <= most
    assert len(questions(runtime)) == 4 + waits, "everybody's pass, and nothing that we have played"
    sources = {record.source for record in load(runtime, game_id).records}
    assert (TurnSource.WAIT in sources) is (wait is not None)


def test_each_card_played_for_a_player_can_be_checked(runtime):
    game_id = started(runtime, *[Wait.NONE] * 4)
    play_hand_by_hand(runtime, game_id)
    game, found = new_game(load(runtime, game_id).game.rules), []
    for turn, source, choice, *_ in load(runtime, game_id).records:
        if source is TurnSource.WAIT:
            seen = view(game, turn.seat)
            assert default_card(seen) == turn.card
            assert has_a_choice(seen) is (choice.by == HARDLY)
            if choice.by == HARDLY:
                price = small_price(seen, turn.card, choice.seed)
                assert (price.cost, price.playouts) == (choice.cost, choice.playouts)
                assert price.cost < choice.limit
            found.append(choice.by)
        game = apply(game, turn)
    assert len(found) > 13, "more cards than one player holds"


def test_a_decision_that_matters_is_left_to_its_player_once(runtime, monkeypatch):
    looks = []
    monkeypatch.setattr(thinking, "small_price", lambda *given: looks.append(given) and None)
    game_id = started(runtime, *[Wait.NONE] * 4)
    assert pending(load(runtime, game_id))
    assert not [letter for letter in questions(runtime) if letter.about != "pass"], "nobody is asked yet"
    assert load(runtime, game_id).row.due_at is None
    runtime.now.pass_by(timedelta(seconds=3))
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]
    assert due_games.play_for_absent(runtime, game_id) == 0
    stored = load(runtime, game_id)
    assert awaited(stored) == stored.game.to_act
    assert stored.row.due_at == runtime.now() + PACE
    assert [letter.about for letter in questions(runtime) if letter.about != "pass"] == ["trick 1"]
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert len(looks) == 1
    assert due_games.claim_due(runtime, runtime.now()) == [], "the game sleeps until the deadline"


def test_no_page_asks_before_the_robot_has_looked(runtime, client):
    """Else we might play while they choose."""
    game_id = started(runtime, *[Wait.NONE] * 4)
    seat, stored = pending(load(runtime, game_id)).seat, load(runtime, game_id)
    page = runtime.signer.local_url(PlayLink(stored.row.table_id, seat, player_of(runtime, game_id, seat)))
    html = client.get(page).get_data(as_text=True)

    assert 'name="card"' not in html
    assert "data-asked" not in html


def test_another_worker_replaces_one_that_dies_while_looking(runtime):
    game_id = started(runtime, *[Wait.NONE] * 4)
    assert pending(load(runtime, game_id))
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]
    runtime.now.pass_by(due_games.LEASES[0])
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]


def test_at_a_missed_deadline_the_robot_plays_what_matters(runtime, monkeypatch):
    monkeypatch.setattr(thinking, "small_price", lambda *_: None)
    game_id = started(runtime, *[Wait.NONE] * 4)
    due_games.play_for_absent(runtime, game_id)
    late = load(runtime, game_id).game.to_act[0]
    monkeypatch.setattr(thinking, "small_price", lambda *_: Price(0.1, 100, 7))  # it is not asked a second time
    miss_deadline(runtime, game_id)
    plays = [record for record in load(runtime, game_id).records if isinstance(record.turn, Play)]
    record = next(record for record in plays if record.turn.seat == late)
    assert record.source is TurnSource.TIMEOUT
    assert record.choice.reason


def test_the_tables_wait_holds_where_none_was_chosen(runtime):
    game_id = start_game(runtime)
    with runtime.database.writing() as session:
        row = session.get_one(TableRow, load(runtime, game_id).row.table_id)
        row.wait = Wait.NONE
        session.get_one(SeatRow, (row.id, 1)).wait = Wait.FULL
    pass_all(runtime, game_id)
    play_hand_by_hand(runtime, game_id)
    reasons = {seat: set() for seat in range(4)}
    for turn, source, choice, *_ in load(runtime, game_id).records:
        if source is TurnSource.WAIT:
            reasons[turn.seat].add(choice.by)
    assert HARDLY not in reasons[1]
    assert all(HARDLY in reasons[seat] for seat in (0, 2, 3))


def test_a_live_table_asks_for_every_card(runtime):
    game_id = start_game(runtime, pace=timedelta(seconds=60))
    give_waits(runtime, game_id, *[Wait.NONE] * 4)
    pass_all(runtime, game_id)
    assert awaited(load(runtime, game_id)) == load(runtime, game_id).game.to_act
    assert not [record for record in load(runtime, game_id).records if record.source is TurnSource.WAIT]


# at the same moment


def test_two_cards_at_one_moment_make_one_record(either_runtime):
    for _ in range(5):
        game_id = started(either_runtime, *[Wait.NONE] * 4)
        stored = load(either_runtime, game_id)
        waiting = pending(stored)
        due = due_of(stored.game, waiting.seat)
        card = next(iter(legal(stored.game, waiting.seat)))
        link = (either_runtime, game_id, due, Play(waiting.seat, card), TurnSource.LINK, either_runtime.now())
        by_hand, *_ = at_once(
            lambda link=link: taking.take_turn(*link),
            lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id),
            lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id),
        )
        answer = [record for record in load(either_runtime, game_id).records if isinstance(record.turn, Play)]
        first = next(record for record in answer if record.turn.seat == waiting.seat)
        assert (first.source is TurnSource.LINK) is not isinstance(by_hand, taking.TurnOver)
        check_replays(either_runtime, game_id)


def test_a_game_survives_a_look_and_a_deadline_together(either_runtime):
    for _ in range(3):
        game_id = started(either_runtime, None, Wait.NONE, None, Wait.NONE)
        either_runtime.now.pass_by(PACE * 2)
        outcomes = at_once(*[lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id)] * 3)
        assert not [one for one in outcomes if isinstance(one, Exception)]
        check_replays(either_runtime, game_id)
        stored = load(either_runtime, game_id)
        assert awaited(stored) == stored.game.to_act
        assert stored.row.due_at is not None or stored.game.stage is Stage.OVER
