"""Vacation days on the pages: forms that are rejected, a player who is away, and what the host chooses."""

import pytest

from tests.cast import dump, load, start_game, table
from tests.mailing import preferences_url
from tests.submitting import FORM, check_refused, words
from tests.webapp.vacations import left, table_url, with_vacation
from webapp.games.links import host_link
from webapp.players import preferences

ANN, BO, CY = range(3)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        pytest.param({"days": "4"}, "so many vacation days", id="more than are left"),
        pytest.param({"days": "0"}, "so many vacation days", id="none"),
        pytest.param({"days": "-1"}, "buttons on this page", id="less than none"),
        pytest.param({"days": "²"}, "buttons on this page", id="no number"),
        pytest.param({"days": "1", "want": "money"}, "buttons on this page", id="something else"),
        pytest.param({"days": "1", "table": "x"}, "buttons on this page", id="no table"),
        pytest.param({"days": "1", "table": "999"}, "No game is played", id="another's table"),
    ],
)
def test_vacation_that_cannot_be_taken_is_rejected_with_a_message(runtime, client, form, sentence):
    game_id = with_vacation(runtime, start_game(runtime))
    before, data = dump(runtime), {"table": load(runtime, game_id).row.table_id, "want": "vacation", **form}
    check_refused(runtime, before, client.post(f"{preferences_url(runtime, 'Cy')}/vacation", data=data), 400, sentence)
    if "table" not in form:
        response = client.post(f"{table_url(runtime, game_id, CY)}/vacation", data=data)
        check_refused(runtime, before, response, 400, sentence)


def test_a_player_who_is_away_has_to_come_back_before_their_vacation(runtime, client):
    game_id = with_vacation(runtime, start_game(runtime))
    table_id, url = load(runtime, game_id).row.table_id, table_url(runtime, game_id, CY)
    assert "You have three vacation days left" in words(client.get(url))
    preferences.set_away(runtime, table_id, CY, away=True, now=runtime.now())
    assert "vacation days left" not in words(client.get(url))
    before = dump(runtime)
    response = client.post(f"{url}/vacation", data={"want": "vacation", "days": "1"})
    check_refused(runtime, before, response, 400, "Come back first")
    preferences.set_away(runtime, table_id, CY, away=False, now=runtime.now())
    assert client.post(f"{url}/vacation", data={"want": "vacation", "days": "1"}).status_code == 303
    assert left(runtime, game_id) == 2


def test_the_host_chooses_the_vacation_days_of_a_table_and_may_change_them(runtime, client):
    page = client.get("/tables/new").text
    assert '<option value="3" selected>3 days</option>' in page
    for days, status in (("4", 400), ("-1", 400), ("5", 303)):
        assert client.post("/tables/new", data={**FORM, "vacation_days": days}).status_code == status
    game_id = start_game(runtime)
    stored = load(runtime, game_id)
    url = runtime.signer.local_url(host_link(stored.table, stored.seats[ANN]))
    pace = {"pass_time": "86400", "play_time": "43200"}
    assert table(runtime, 1).vacation_days == 5
    before = dump(runtime)
    response = client.post(f"{url}/pace", data={**pace, "vacation_days": "6"})
    check_refused(runtime, before, response, 400, "Choose the vacation days from the list.")
    for sent, days, sentence in (
        ({"vacation_days": "2"}, 2, "Each player has two vacation days a game."),
        ({}, 2, "two vacation days"),  # a form from before there were any
        ({"vacation_days": "1"}, 1, "one vacation day"),
    ):
        assert client.post(f"{url}/pace", data={**pace, **sent}).status_code == 303
        assert table(runtime, stored.row.table_id).vacation_days == days
        assert sentence in words(client.get(table_url(runtime, game_id, BO)))
    client.post(f"{url}/pace", data={**pace, "play_time": "21600"})
    assert "vacation" not in words(client.get(table_url(runtime, game_id, BO))), "not at a quick pace"
