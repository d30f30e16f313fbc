"""How long we wait where it hardly matters: chosen from a game, from an email, and from the preferences."""

import re

import pytest

from hearts.plans import ASK, NO_WAIT, SHORT_WAIT, Asking, Plan
from tests.cast import dump, load, seat_link, seats, start_game
from tests.playing import pass_all
from tests.submitting import words
from webapp.core.tokens import PlayLink, PreferencesLink
from webapp.games.planning import plan_of
from webapp.models import GameRow, PlayerRow, SeatRow, TableRow
from webapp.play import due_games

ANN, BO = 0, 1


def row_of(runtime, game_id, seat=ANN):
    return seats(runtime, load(runtime, game_id).row.table_id)[seat]


def play_page(runtime, game_id, seat=ANN):
    row = row_of(runtime, game_id, seat)
    return runtime.signer.local_url(PlayLink(row.table_id, seat, row.player_id))


def mailed_page(runtime, game_id, seat=ANN):
    return runtime.signer.local_url(seat_link(runtime, load(runtime, game_id).row.table_id, seat))


def preferences_page(runtime, game_id, seat=ANN):
    return runtime.signer.local_url(PreferencesLink(row_of(runtime, game_id, seat).player_id, 0))


def plan_at(runtime, game_id, seat=ANN):
    stored = load(runtime, game_id)
    return plan_of(stored.table, stored.seats[seat])


@pytest.mark.parametrize("page", [play_page, mailed_page], ids=["from the game", "from an email"])
def test_a_wait_is_chosen_for_one_table(client, runtime, game_id, page):
    other = start_game(runtime)
    at = page(runtime, game_id)
    response = client.post(f"{at}/plan", data={"wait": "none"})
    assert (response.status_code, response.location) == (303, at)
    assert plan_at(runtime, game_id) == NO_WAIT
    assert plan_at(runtime, game_id, BO) == plan_at(runtime, other) == ASK
    assert client.get(at).status_code == 200


def test_a_default_is_chosen_among_the_preferences(client, runtime, game_id):
    at = preferences_page(runtime, game_id)
    assert client.post(f"{at}/plan", data={"wait": "short"}).status_code == 303
    assert "Saved, for all your tables and for new games." in words(client.get(f"{at}?done=plan"))
    assert "When a choice hardly matters, we wait 4 hours for you." in words(client.get(at))
    assert plan_at(runtime, game_id) == plan_at(runtime, start_game(runtime)) == SHORT_WAIT


def test_a_box_makes_a_table_s_wait_the_default(client, runtime, game_id):
    client.post(f"{play_page(runtime, game_id)}/plan", data={"wait": "none", "everywhere": "yes"})
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, row_of(runtime, game_id).player_id)
    assert player.plan == NO_WAIT


def test_a_mailed_link_chooses_in_advance_and_changes_nothing(client, runtime, game_id):
    client.post(f"{play_page(runtime, game_id)}/plan", data={"wait": "none"})
    before = dump(runtime)
    page = client.get(f"{mailed_page(runtime, game_id)}/plan?asking=ask").get_data(as_text=True)
    assert 'value="full" checked' in page
    assert dump(runtime) == before


@pytest.mark.parametrize("fields", [{}, {"wait": "cat"}, {"asking": "cat"}])
def test_an_invalid_wait_is_refused_and_changes_nothing(client, runtime, game_id, fields):
    before = dump(runtime)
    response = client.post(f"{play_page(runtime, game_id)}/plan", data=fields)
    assert response.status_code == 400
    assert "Please look at this again" in words(response)
    assert dump(runtime) == before


def test_a_hand_is_handed_over_and_taken_back(client, runtime, game_id):
    pass_all(runtime, game_id)
    at = play_page(runtime, game_id)
    client.post(f"{at}/plan", data={"wait": "robot"})
    assert row_of(runtime, game_id).robot_hand == 1
    due_games.play_for_absent(runtime, game_id)
    assert "A robot plays this hand for you." in words(client.get(at))
    assert client.get(f"{at}/plan").status_code == 200
    client.post(f"{at}/plan", data={"wait": "full"})
    assert row_of(runtime, game_id).robot_hand is None
    assert "A robot plays this hand for you." not in words(client.get(at))


def test_the_others_see_no_wait(client, runtime, game_id):
    others = [play_page(runtime, game_id, seat) for seat in (1, 2, 3)]
    before = [words(client.get(page)) for page in others]
    client.post(f"{play_page(runtime, game_id)}/plan", data={"wait": "none"})
    assert [words(client.get(page)) for page in others] == before


def test_a_page_tells_its_player_what_we_have_played(client, runtime, game_id):
    with runtime.database.writing() as session:
        table_id = session.get_one(GameRow, game_id).table_id
        session.get_one(TableRow, table_id).guards = False
        for seat in range(4):
            session.get_one(SeatRow, (table_id, seat)).plan = Plan(asking=Asking.MATTERS, after_trick=3)
    pass_all(runtime, game_id)
    stored = load(runtime, game_id)
    assert len(stored.game.tricks) == 3
    for seat in range(4):
        page = words(client.get(f"{play_page(runtime, game_id, seat)}/plan"))
        assert "Played for you in this hand" in page
        assert 1 <= len(re.findall(r"Trick \d: We ", page)) <= 3


def test_somebody_else_s_link_changes_no_wait(client, runtime, game_id):
    row = row_of(runtime, game_id)
    stolen = runtime.signer.local_url(PlayLink(row.table_id, ANN, row_of(runtime, game_id, BO).player_id))
    assert client.get(f"{stolen}/plan").status_code in (403, 404, 410)
    assert client.post(f"{stolen}/plan", data={"wait": "none"}).status_code in (403, 404, 410)
