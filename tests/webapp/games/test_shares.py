"""Shares of a result: what those are called whose names are not shared."""

import pytest

from webapp.games.shares import seat_word


@pytest.mark.parametrize(
    ("players", "own", "words"),
    [
        (4, 0, "South West North East"),
        (4, 2, "North East South West"),
        (3, 0, "South West East"),
        (3, 1, "East South West"),
    ],
)
def test_small_tables_name_seats_clockwise_from_the_southern_player(players, own, words):
    assert [seat_word(seat, own, players) for seat in range(players)] == words.split()


@pytest.mark.parametrize("players", [5, 11])
def test_large_tables_number_seats_clockwise_from_the_player(players):
    own = players - 1
    numbers = [seat_word(seat, own, players) for seat in (own, *range(own))]
    assert numbers == [f"Seat {number}" for number in range(1, players + 1)]
