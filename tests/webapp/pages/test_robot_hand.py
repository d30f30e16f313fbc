"""A player lets a robot play the present hand by a button, and plays it themselves again by another one."""

import pytest

from tests.cast import dump, load, seat_link, seats
from tests.playing import pass_all
from tests.submitting import words
from webapp.core.tokens import PlayLink
from webapp.play import due_games

ANN, BO = 0, 1


def row_of(runtime, game_id, seat=ANN):
    return seats(runtime, load(runtime, game_id).row.table_id)[seat]


def play_page(runtime, game_id):
    row = row_of(runtime, game_id)
    return runtime.signer.local_url(PlayLink(row.table_id, ANN, row.player_id))


def seat_page(runtime, game_id):
    return runtime.signer.local_url(seat_link(runtime, load(runtime, game_id).row.table_id, ANN))


@pytest.mark.parametrize("page", [play_page, seat_page], ids=["where they follow the game", "in a new browser"])
def test_a_hand_is_handed_over_and_taken_back(client, runtime, game_id, page):
    pass_all(runtime, game_id)
    at, game = page(runtime, game_id), play_page(runtime, game_id)
    assert 'name="who" value="robot"' in client.get(game).text
    response = client.post(f"{at}/robot", data={"who": "robot"})
    assert (response.status_code, response.location) == (303, at)
    assert row_of(runtime, game_id).robot_hand == 1
    due_games.play_for_absent(runtime, game_id)
    assert "A robot plays this hand for you." in words(client.get(game))
    client.post(f"{at}/robot", data={"who": "player"})
    assert row_of(runtime, game_id).robot_hand is None
    assert "A robot plays this hand for you." not in words(client.get(game))


def test_somebody_else_s_link_hands_nothing_over(client, runtime, game_id):
    row, before = row_of(runtime, game_id), dump(runtime)
    stolen = runtime.signer.local_url(PlayLink(row.table_id, ANN, row_of(runtime, game_id, BO).player_id))
    assert client.post(f"{stolen}/robot", data={"who": "robot"}).status_code in (403, 404, 410)
    assert dump(runtime) == before
