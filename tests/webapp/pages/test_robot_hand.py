"""A player lets a robot play the present hand by a button, and plays it themselves again by another one."""

import pytest

from tests.cast import dump, seat_link, seats
from tests.submitting import words
from webapp.core.tokens import PlayLink

ANN, BO = 0, 1


def row_of(table, seat=ANN):
    return seats(table.runtime, table.table_id)[seat]


def play_page(table):
    row = row_of(table)
    return table.runtime.signer.local_url(PlayLink(row.table_id, ANN, row.player_id))


def seat_page(table):
    return table.runtime.signer.local_url(seat_link(table.runtime, table.table_id, ANN))


@pytest.mark.parametrize("page", [play_page, seat_page], ids=["where they follow the game", "in a new browser"])
def test_a_hand_is_handed_over_and_taken_back(client, runtime, table, page):
    table.pass_all()
    at, game = page(table), play_page(table)
    assert 'name="who" value="robot"' in client.get(game).text
    response = client.post(f"{at}/robot", data={"who": "robot"})
    assert (response.status_code, response.location) == (303, at)
    assert row_of(table).robot_hand == 1
    table.play_for_absent()
    assert "A robot plays this hand for you." in words(client.get(game))
    client.post(f"{at}/robot", data={"who": "player"})
    assert row_of(table).robot_hand is None
    assert "A robot plays this hand for you." not in words(client.get(game))


def test_somebody_else_s_link_hands_nothing_over(client, runtime, table):
    row, before = row_of(table), dump(runtime)
    stolen = runtime.signer.local_url(PlayLink(row.table_id, ANN, row_of(table, BO).player_id))
    assert client.post(f"{stolen}/robot", data={"who": "robot"}).status_code in (403, 404, 410)
    assert dump(runtime) == before
