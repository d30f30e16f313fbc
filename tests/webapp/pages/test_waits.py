"""How long we wait where it hardly matters: chosen from a game, from an email, and from the preferences."""

import re

import pytest

from tests.cast import dump, give_waits, load, seat_link, seats, start_game
from tests.playing import pass_all, play_first
from tests.submitting import words
from webapp.core.tokens import PlayLink, PreferencesLink
from webapp.games.asked.whose_turn import wait_of
from webapp.models import PlayerRow, TurnSource, Wait
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


def wait_at(runtime, game_id, seat=ANN):
    stored = load(runtime, game_id)
    return wait_of(stored.table, stored.seats[seat])


@pytest.mark.parametrize("page", [play_page, mailed_page], ids=["from the game", "from an email"])
def test_a_wait_is_chosen_for_one_table(client, runtime, game_id, page):
    other = start_game(runtime)
    at = page(runtime, game_id)
    response = client.post(f"{at}/wait", data={"wait": "none"})
    assert (response.status_code, response.location) == (303, at)
    assert wait_at(runtime, game_id) == Wait.NONE
    assert wait_at(runtime, game_id, BO) is wait_at(runtime, other) is None
    assert client.get(at).status_code == 200


def test_a_default_is_chosen_among_the_preferences(client, runtime, game_id):
    at = preferences_page(runtime, game_id)
    assert client.post(f"{at}/wait", data={"wait": "short"}).status_code == 303
    assert "Saved, for all your tables and for new games." in words(client.get(f"{at}?done=wait"))
    assert "When a choice hardly matters, we wait at least 4 hours for you." in words(client.get(at))
    assert wait_at(runtime, game_id) == wait_at(runtime, start_game(runtime)) == Wait.SHORT


def test_a_box_makes_a_table_s_wait_the_default(client, runtime, game_id):
    client.post(f"{play_page(runtime, game_id)}/wait", data={"wait": "none", "everywhere": "yes"})
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, row_of(runtime, game_id).player_id)
    assert player.wait == Wait.NONE


def test_a_link_of_an_older_mail_opens_the_page(client, runtime, game_id):
    client.post(f"{play_page(runtime, game_id)}/wait", data={"wait": "none"})
    page = client.get(f"{mailed_page(runtime, game_id)}/plan?asking=ask").get_data(as_text=True)
    assert 'value="none" checked' in page


@pytest.mark.parametrize("fields", [{}, {"wait": "cat"}, {"asking": "cat"}])
def test_an_invalid_wait_is_refused_and_changes_nothing(client, runtime, game_id, fields):
    before = dump(runtime)
    response = client.post(f"{play_page(runtime, game_id)}/wait", data=fields)
    assert response.status_code == 400
    assert "Please look at this again" in words(response)
    assert dump(runtime) == before


def test_a_hand_is_handed_over_and_taken_back(client, runtime, game_id):
    pass_all(runtime, game_id)
    at = play_page(runtime, game_id)
    client.post(f"{at}/wait", data={"wait": "robot"})
    assert row_of(runtime, game_id).robot_hand == 1
    due_games.play_for_absent(runtime, game_id)
    assert "A robot plays this hand for you." in words(client.get(at))
    assert client.get(f"{at}/wait").status_code == 200
    client.post(f"{at}/wait", data={"wait": "full"})
    assert row_of(runtime, game_id).robot_hand is None
    assert "A robot plays this hand for you." not in words(client.get(at))


def test_the_others_see_no_wait(client, runtime, game_id):
    others = [play_page(runtime, game_id, seat) for seat in (1, 2, 3)]
    before = [words(client.get(page)) for page in others]
    client.post(f"{play_page(runtime, game_id)}/wait", data={"wait": "none"})
    assert [words(client.get(page)) for page in others] == before


def test_a_page_tells_its_player_what_we_have_played(client, runtime, game_id):
    give_waits(runtime, game_id, *[Wait.NONE] * 4)
    pass_all(runtime, game_id)
    play_hand_until(runtime, game_id, tricks=3)
    played = [one.turn.seat for one in load(runtime, game_id).records if one.source is TurnSource.WAIT]
    assert played
    for seat in range(4):
        page = words(client.get(f"{play_page(runtime, game_id, seat)}/wait"))
        assert ("Played for you in this hand" in page) is (seat in played)
        assert len(re.findall(r"Trick \d: We ", page)) == played.count(seat)


def play_hand_until(runtime, game_id, tricks):
    """Answers what is left to the players, until so many tricks are over."""
    while len(load(runtime, game_id).game.tricks) < tricks:
        if not due_games.play_for_absent(runtime, game_id):
            play_first(runtime, game_id)


def test_somebody_else_s_link_changes_no_wait(client, runtime, game_id):
    row = row_of(runtime, game_id)
    stolen = runtime.signer.local_url(PlayLink(row.table_id, ANN, row_of(runtime, game_id, BO).player_id))
    assert client.get(f"{stolen}/wait").status_code in (403, 404, 410)
    assert client.post(f"{stolen}/wait", data={"wait": "none"}).status_code in (403, 404, 410)
