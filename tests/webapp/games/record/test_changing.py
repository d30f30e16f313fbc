"""The transaction that changes games: it commits all or nothing, and rings for what is due then."""

from datetime import timedelta

import pytest

from hearts.cards import Cards
from hearts.seats import Seat
from hearts.turns import Pass
from tests.cast import start_game
from tests.rings import rings
from webapp.core.bell import DELIVER, PLAY_FOR_ABSENT
from webapp.games.record import changing
from webapp.games.record.store import Record
from webapp.models import TurnSource


def pass_and_fail(table):
    with table.changing() as game:
        game.append(Record(Pass(Seat(0), Cards.of(list(game.stored.game.held[0])[:3])), TurnSource.PAGE))
        game.row.wake_at = game.now
        game.session.flush()
        raise ZeroDivisionError


def test_what_fails_changes_nothing_and_rings_for_nobody(runtime, table):
    before = table.stored
    rings(runtime)
    with pytest.raises(ZeroDivisionError):
        pass_and_fail(table)
    assert table.stored.turns == before.turns
    assert rings(runtime) == []


@pytest.mark.parametrize(
    ("wakes", "wait", "rung"),
    [
        pytest.param(True, timedelta(), [DELIVER, PLAY_FOR_ABSENT], id="due"),
        pytest.param(True, timedelta(seconds=1), [DELIVER], id="not yet due"),
        pytest.param(False, timedelta(), [DELIVER], id="its caller goes on"),
    ],
)
def test_a_worker_is_woken_for_a_game_that_is_due(runtime, table, wakes, wait, rung):
    rings(runtime)
    with changing.game(runtime, table.game_id, runtime.now(), wakes_for_games=wakes) as game:
        game.row.wake_at = game.now + wait
    assert sorted(rings(runtime)) == sorted(rung)


def test_each_game_of_a_transaction_is_opened_once(runtime, table):
    other = start_game(runtime)
    with changing.games(runtime, runtime.now()) as transaction:
        first = transaction.game(table.game_id)
        table_id = table.table_id
        assert transaction.running(table_id) is transaction.game(table.game_id) is first
        assert transaction.game(other.game_id) is not first
