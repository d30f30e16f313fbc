"""Heartbeats of a page: whose count, and before a game, too."""

import pytest

from tests.cast import dump, open_table, seats, start_game
from tests.playing import BO
from webapp.core.tokens import LinkInvalid
from webapp.games.clock.arriving import note_presence
from webapp.games.clock.presence import is_present
from webapp.games.record.rows import table_seats


def row_of(table, seat=BO):
    return table.seats[seat]


def test_only_the_seats_own_player_can_be_present_on_it(runtime):
    table = start_game(runtime, ("Ann", "Bo", "Cy"), robots=1)
    ann = row_of(table, 0).player_id
    before = dump(runtime)
    for seat, player_id in ((BO, ann), (3, ann), (9, ann)):
        for here in (True, False):
            with pytest.raises(LinkInvalid):
                note_presence(runtime, row_of(table).table_id, seat, player_id, runtime.now(), here=here)
    assert dump(runtime) == before


def test_a_seat_given_away_between_two_queries_accepts_no_heartbeat(runtime, monkeypatch):
    table = start_game(runtime)
    bo, cy = (row_of(table, seat).player_id for seat in (BO, 2))
    writing = runtime.database.writing

    def given_away():
        monkeypatch.undo()
        with writing() as rows:
            table_seats(rows, row_of(table).table_id)[BO].player_id = cy
        return writing()

    monkeypatch.setattr(runtime.database, "writing", given_away)
    with pytest.raises(LinkInvalid):
        table.beat(player_id=bo)
    assert row_of(table).here_at is None


def test_a_player_may_be_present_before_the_game(runtime):
    table_id = open_table(runtime)
    note_presence(runtime, table_id, 0, seats(runtime, table_id)[0].player_id, runtime.now())
    assert is_present(seats(runtime, table_id)[0], runtime.now())
