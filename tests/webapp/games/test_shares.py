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
def test_at_a_small_table_seats_are_named_clockwise_from_the_player_in_the_south(players, own, words):
    assert [seat_word(seat, own, players) for seat in range(players)] == words.split()


@pytest.mark.parametrize("players", [5, 11])
def test_at_a_large_table_seats_are_counted_clockwise_from_the_player(players):
    own = players - 1
    numbers = [seat_word(seat, own, players) for seat in (own, *range(own))]
    assert numbers == [f"Seat {number}" for number in range(1, players + 1)]
