"""A player's own seats and their running games: which they are, in which order, and for whom there are none."""

import pytest

from tests.cast import open_table, seats, start_game
from tests.mailing import player_id
from tests.runtimes import make_runtime
from tests.webapp.changing import change
from tests.webapp.tables.hosted import accept
from tests.webapp.tables.lending import ask
from webapp.core.tokens import LinkInvalid
from webapp.games.record.rows import locked_player
from webapp.models import GameRow, GameState, PlayerRow, SeatRow, SeatState
from webapp.players import away, own_seats
from webapp.players.own_seats import locked_games, seats_of

BO = 1


def tables_of(runtime, name, table_id=None):
    with runtime.database.reading() as session:
        return [seat.table_id for seat in seats_of(session, player_id(runtime, name), table_id)]


def games_of(runtime, name, table_id=None):
    with runtime.database.writing() as session:
        return [game.id for game in locked_games(session, player_id(runtime, name), table_id)]


def test_guests_have_a_seat_once_they_accept_hosts_at_once(runtime):
    playing = start_game(runtime).table_id
    inviting = open_table(runtime)
    assert tables_of(runtime, "Ann") == [playing, inviting]
    assert tables_of(runtime, "Bo") == [playing]


def test_a_seat_that_a_robot_has_got_is_nobody_s(runtime, table):
    change(runtime, SeatRow, (table.table_id, BO), player_id=None, state=SeatState.ROBOT)
    assert tables_of(runtime, "Bo") == games_of(runtime, "Bo") == []


def test_games_are_those_that_run_at_the_player_s_tables(runtime):
    first, over, last = (start_game(runtime) for _ in range(3))
    start_game(runtime, ("Ann", "Cy", "Di"), robots=1)  # without Bo
    change(runtime, GameRow, over.game_id, state=GameState.OVER)
    assert games_of(runtime, "Bo") == [first.game_id, last.game_id]
    assert games_of(runtime, "Bo", last.table_id) == [last.game_id]
    assert games_of(runtime, "Bo", over.table_id) == []
    assert tables_of(runtime, "Bo", over.table_id) == [over.table_id]


@pytest.fixture
def on_postgres(postgres_url, tmp_path):
    """A runtime on PostgreSQL: SQLite lets nobody else write meanwhile."""
    made = make_runtime(tmp_path / "var", postgres_url)
    yield made
    made.database.engine.dispose()


def test_what_was_read_before_the_locks_is_read_again(on_postgres):
    runtime = on_postgres
    table_id = start_game(runtime).table_id
    number = player_id(runtime, "Bo")
    with runtime.database.writing() as session:
        player, seat = session.get_one(PlayerRow, number), session.get_one(SeatRow, (table_id, BO))
        change(runtime, PlayerRow, number, tap_plays=True)
        change(runtime, SeatRow, (table_id, BO), mails=False)
        assert locked_player(session, number).tap_plays
        locked_games(session, number, None)
        assert (player.tap_plays, seat.mails) == (True, False)


def test_a_seat_lost_before_its_lock_stays_unchanged(on_postgres, monkeypatch):
    kept, lost = (start_game(on_postgres).table_id for _ in range(2))
    lock = own_seats.lock_games

    def lose_and_lock(*arguments):
        change(on_postgres, SeatRow, (lost, BO), player_id=None, state=SeatState.ROBOT)
        return lock(*arguments)

    monkeypatch.setattr(own_seats, "lock_games", lose_and_lock)
    away.go_away(on_postgres, player_id(on_postgres, "Bo"), {kept, lost}, None, on_postgres.now())
    assert [seats(on_postgres, table_id)[BO].away for table_id in (kept, lost)] == [True, False]


def test_who_is_back_gets_the_seat_a_friend_took(on_postgres, monkeypatch):
    table = start_game(on_postgres)
    asked = ask(table, BO)
    lock = own_seats.lock_games

    def accept_and_lock(*arguments):
        monkeypatch.setattr(own_seats, "lock_games", lock)
        accept(on_postgres, asked)
        return lock(*arguments)

    monkeypatch.setattr(own_seats, "lock_games", accept_and_lock)
    away.come_back(on_postgres, player_id(on_postgres, "Bo"), on_postgres.now())
    seat = seats(on_postgres, table.table_id)[BO]
    assert (seat.name, seat.away, seat.stands_in_for) == ("Bo", False, None)


@pytest.mark.parametrize("locked", [locked_player, lambda session, number: locked_games(session, number, None)])
def test_the_link_of_a_missing_player_is_invalid(runtime, table, locked):
    with runtime.database.writing() as session, pytest.raises(LinkInvalid):
        locked(session, 99)
