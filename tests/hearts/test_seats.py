"""Seats and sides: neighbours around the table, and the seats that are scored together."""

import pytest

from hearts.seats import Seat, across, every_seat, left, right, side_of, sides

PLAYERS = range(3, 12)


@pytest.mark.parametrize("players", PLAYERS)
def test_left_goes_once_round_the_table_and_right_goes_back(players):
    there, back = [Seat(0)], [Seat(0)]
    for _ in range(players):
        there.append(left(there[-1], players))
        back.append(right(back[-1], players))
    assert tuple(there) == (*every_seat(players), 0)
    assert back == there[::-1]


@pytest.mark.parametrize("players", [4, 6, 8, 10])
def test_across_is_equally_far_to_the_left_and_right(players):
    for seat in every_seat(players):
        opposite = across(seat, players)
        assert (opposite - seat) % players == (seat - opposite) % players == players // 2


def test_partners_sit_across_and_everybody_else_plays_alone():
    assert sides(4, partnership=True) == ((0, 2), (1, 3))
    assert sides(3, partnership=False) == ((0,), (1,), (2,))


@pytest.mark.parametrize(("players", "partnership"), [(4, True), *((players, False) for players in PLAYERS)])
def test_every_seat_is_on_its_own_side(players, partnership):
    found = sides(players, partnership=partnership)
    assert sorted(seat for side in found for seat in side) == list(every_seat(players))
    assert all(side_of(seat, partnership=partnership) == number for number, side in enumerate(found) for seat in side)
