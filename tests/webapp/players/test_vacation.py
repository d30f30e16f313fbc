"""Vacation: each game has its own days; those that a player took by hand in an earlier version last."""

from datetime import UTC, datetime, timedelta

from tests.cast import seats, start_game
from tests.mailing import player_id
from tests.playing import waiting_game
from tests.submitting import words
from tests.webapp.vacations import left, play_until, table_url, take_by_hand, with_vacation
from webapp.models import SeatState, Vacation
from webapp.outbox.about_tables import OfferOver
from webapp.play import advancing
from webapp.play.seat_transfer import Occupant, transfer_seat
from webapp.players import away

BO, CY, DI = 1, 2, 3


def test_days_taken_by_hand_last_to_their_end(runtime, client):
    table = with_vacation(waiting_game(runtime))
    take_by_hand(table, CY, 2)
    assert table.due_at == datetime(2026, 3, 5, 10, tzinfo=UTC), "two days, a whole day, and the night"
    others = words(client.get(table_url(table, BO)))
    assert "Cy is away: the table waits until the end of Tue 3 March." in others
    table.play_first()
    play_until(table, CY)
    assert table.due_at == datetime(2026, 3, 5, 10, tzinfo=UTC), "a new question waits, too"
    away.come_back(runtime, player_id(runtime, "Cy"), runtime.now())
    assert (left(table), table.due_at) == (3, runtime.now() + timedelta(days=1))


def test_vacation_days_begin_anew_with_a_game_or_player(runtime):
    table = with_vacation(start_game(runtime))
    table_id = table.table_id
    take_by_hand(table, CY, 3)
    assert left(table) == 0
    with table.changing() as game:
        transfer_seat(game.transaction, game.seats[CY], Occupant(None, "Pip", SeatState.ROBOT), game)
        assert game.seats[CY].vacation is None
        game.seats[DI].vacation = Vacation(automatic=3)
        advancing.end_game(game, OfferOver.ENDED)
        advancing.start_game(game.transaction, game.table)
    assert [seat.vacation for seat in seats(runtime, table_id)] == [None] * 4
