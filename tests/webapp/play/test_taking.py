"""The path of a turn, and what must hold when several take it at once."""

from datetime import timedelta

import pytest

from hearts.cards import Cards
from hearts.game import IllegalTurn, Stage, legal
from hearts.seats import Seat
from hearts.turns import Deal, Pass, Play
from tests.cast import NAMES, PACE, start_game
from tests.playing import (
    codes,
    waiting_game,
)
from tests.submitting import posts_at_once
from tests.table import ask_all
from tests.webapp.at_rest import put_to_rest, rests
from tests.webapp.logged import logged_events
from webapp.core.tokens import LinkExpired
from webapp.games.asked.due import Due, due_of
from webapp.games.record import store
from webapp.models import TurnSource
from webapp.play import taking
from webapp.play.taking import ChosenTurn

LEASE = timedelta(seconds=5)
ROBOT, AWAY, TIMEOUT = TurnSource.ROBOT, TurnSource.AWAY, TurnSource.TIMEOUT


def test_turns_are_numbered_gaplessly_from_one_with_their_source(runtime):
    table = start_game(runtime)
    table.play_hand()
    rows = table.turns
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert table.row.turns == len(rows)
    assert {row.source for row in rows} - {TurnSource.CLAIM} == {TurnSource.FORCED, TurnSource.PAGE}


def test_an_illegal_turn_changes_nothing(runtime):
    table = start_game(runtime)
    before = table.turns
    turn = Pass(Seat(0), Cards.of(list(table.game.held[1])[:3]))
    with pytest.raises(IllegalTurn):
        taking.take_turn(runtime, table.game_id, Due(1, "pass"), turn, TurnSource.PAGE, runtime.now())
    assert table.turns == before


def test_an_expired_turn_is_answered_with_what_was_played(runtime):
    table = start_game(runtime)
    played = table.pass_lowest(0).records[-1].turn
    with pytest.raises(taking.TurnOver) as over:
        table.pass_lowest(0)
    assert over.value.answer.turn == played


def test_twenty_simultaneous_posts_of_one_turn_make_one_record(either_runtime):
    runtime = either_runtime
    table = start_game(runtime)
    url = runtime.signer.local_url(table.turn_link(0))
    held = list(table.game.held[0])
    before = len(table.turns)
    statuses = posts_at_once(runtime, 20, lambda client: client.post(url, data={"card": codes(held[:3])}))
    assert statuses == {303: 20}, "the same cards again are the same success"
    assert len(table.turns) == before + 1


def test_one_of_twenty_simultaneous_answers_counts_and_others_learn_it(either_runtime):
    runtime = either_runtime
    table = start_game(runtime)
    url = runtime.signer.local_url(table.turn_link(0))
    held = list(table.game.held[0])
    choices = iter([codes([held[n % 13], held[(n + 1) % 13], held[(n + 5) % 13]]) for n in range(13)])
    statuses = posts_at_once(runtime, 13, lambda client: client.post(url, data={"card": next(choices)}))
    assert statuses == {303: 1, 409: 12}
    assert [type(row.turn) for row in table.turns] == [Deal, Pass]


def test_a_game_can_be_loaded_as_at_an_earlier_turn(runtime):
    table = start_game(runtime)
    table.pass_all()
    with runtime.database.reading() as session:
        then = store.load(session, table.game_id, turns=1)
    assert then.game.stage is Stage.PASS
    assert then.game.to_act == (0, 1, 2, 3)


def first_turn(stored, seat):
    """The lowest cards that the seat may pass, or the first that it may play."""
    if stored.game.stage is Stage.PASS:
        return Pass(Seat(seat), Cards.of(list(stored.game.held[seat])[:3]))
    return Play(Seat(seat), next(iter(legal(stored.game, Seat(seat)))))


def chosen(stored, seat, source, **more):
    """A turn of the seat that the service has chosen."""
    due = due_of(stored.game, Seat(seat))
    assert due is not None
    return ChosenTurn(due, first_turn(stored, seat), source, **more)


def is_played(table, *answers):
    """Whether the service may play these turns now, and plays them all."""
    before = len(table.turns)
    try:
        _, count = taking.take_turns(table.runtime, table.game_id, answers, LEASE, table.runtime.now())
    except taking.TurnOver:
        return len(table.turns) != before
    assert count == len(answers)
    return True


@pytest.mark.parametrize(("of_player", "error"), [({"player_id": 99}, LookupError), ({"links": 9}, LinkExpired)])
def test_only_the_seats_player_with_a_current_link_plays(runtime, of_player, error):
    table = start_game(runtime)
    stored, before = table.stored, table.turns
    answer = (Due(1, "pass"), first_turn(stored, 0), TurnSource.PAGE, runtime.now())
    with pytest.raises(error):
        taking.take_turn(runtime, table.game_id, *answer, **of_player)
    assert table.turns == before
    seat = stored.seats[0]
    taking.take_turn(runtime, table.game_id, *answer, player_id=seat.player_id, links=seat.links)
    assert len(table.turns) == len(before) + 1


def test_a_turn_for_another_question_is_over(runtime):
    table = start_game(runtime)
    turn = first_turn(table.stored, 0)
    for due in (Due(2, "pass"), Due(1, "trick 1")):
        with pytest.raises((taking.TurnOver, LookupError)):
            taking.take_turn(runtime, table.game_id, due, turn, TurnSource.PAGE, runtime.now())
    assert [type(row.turn) for row in table.turns] == [Deal]


def test_a_players_turn_sets_a_resting_game_going(runtime):
    table = waiting_game(runtime)
    put_to_rest(table)
    seat = table.game.to_act[0]
    assert not is_played(table, chosen(table.stored, seat, AWAY))
    table.play_first()
    assert not rests(table)
    assert table.due_at is not None


@pytest.mark.parametrize(
    ("source", "seat", "late", "may"),
    [
        pytest.param(ROBOT, 1, False, True, id="a robot for its own seat"),
        pytest.param(ROBOT, 0, False, False, id="a robot for a player who is there"),
        pytest.param(AWAY, 0, False, False, id="for a player who is back"),
        pytest.param(TIMEOUT, 0, False, False, id="before the deadline"),
        pytest.param(TIMEOUT, 0, True, True, id="after the deadline"),
        pytest.param(TIMEOUT, 1, True, False, id="a robot misses no deadline"),
    ],
)
def test_the_service_plays_only_for_whom_it_may(runtime, source, seat, late, may):
    table = start_game(runtime, NAMES[:1], robots=3)
    ask_all(runtime)
    runtime.now.pass_by(PACE + timedelta(days=1) if late else timedelta())
    assert is_played(table, chosen(table.stored, seat, source)) is may


def test_a_card_chosen_for_another_hand_is_dropped(runtime):
    table = start_game(runtime, NAMES[:1], robots=3)
    stored = table.stored
    table.pass_lowest(0)
    assert not is_played(table, chosen(stored, 1, ROBOT, seen=stored.game))
    assert is_played(table, chosen(stored, 1, ROBOT, seen=table.game))


def test_turns_together_leave_out_what_is_over(runtime):
    table = start_game(runtime, NAMES[:1], robots=3)
    stored = table.stored
    answers = [chosen(stored, seat, ROBOT) for seat in (1, 0, 2)]
    with logged_events() as events:
        _, count = taking.take_turns(runtime, table.game_id, answers, LEASE, runtime.now())
    assert count == 2
    assert [row.turn.seat for row in table.turns[1:]] == [1, 2]
    assert [(one["seat"], one["source"]) for one in events if one["event"] == "turn"] == [(1, "robot"), (2, "robot")]
    row = table.row
    assert (row.wake_at, row.claims) == (runtime.now() + LEASE, 1), "its worker goes on with the third robot"
