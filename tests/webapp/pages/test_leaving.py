"""Leaving a table for good, by the link in the last mail to a player who has muted it."""

import pytest

from tests.cast import dump, load, seats, start_game
from tests.webapp.tables.hosted import ANN, BO
from webapp.core.tokens import LeaveLink
from webapp.models import SeatState


@pytest.fixture
def table_id(runtime):
    return load(runtime, start_game(runtime)).row.table_id


def url_of(runtime, table_id, number, **columns):
    row = seats(runtime, table_id)[number]
    return runtime.signer.local_url(
        LeaveLink(**{"table_id": table_id, "seat": number, "player_id": row.player_id, **columns})
    )


def test_one_tap_hands_the_seat_to_a_robot_for_good(runtime, client, table_id):
    url, before = url_of(runtime, table_id, BO), dump(runtime)
    assert "Hand your seat to a robot for good?" in client.get(url).text
    assert dump(runtime) == before, "a GET only looks"
    for _ in range(2):
        done = client.post(url)
        assert (done.status_code, "You have no seat at" in done.text) == (200, True)
    row = seats(runtime, table_id)[BO]
    assert (row.state, row.player_id) == (SeatState.ROBOT, None)


def test_the_host_keeps_the_seat(runtime, client, table_id):
    url, before = url_of(runtime, table_id, ANN), dump(runtime)
    assert "There is nothing to hand over" in client.get(url).text
    assert client.post(url).status_code == 200
    assert dump(runtime)["seat"] == before["seat"]


@pytest.mark.parametrize(
    ("columns", "status"),
    [
        pytest.param({"player_id": 1}, 200, id="of another player"),
        pytest.param({"links": 7}, 410, id="that was ended"),
        pytest.param({"seat": 9}, 403, id="to no seat"),
    ],
)
def test_eves_link_gives_no_seat_away(runtime, client, table_id, columns, status):
    url, before = url_of(runtime, table_id, BO, **columns), dump(runtime)
    assert client.post(url).status_code == status
    assert dump(runtime)["seat"] == before["seat"]
