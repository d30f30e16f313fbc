"""Going on live: who has to want it, what takes a tap back, what ends it, and that nobody loses a turn by it."""

from datetime import timedelta

import pytest

from tests.cast import dump, letters, load, play_link, seats, start_game
from tests.playing import beat, play_first
from tests.submitting import soup, words
from tests.together import ANN, BO, CY, DI, EVERYBODY, beats, is_live, stay
from webapp.core.refusal import Refused
from webapp.games.clock.together import PACE
from webapp.models import TurnSource
from webapp.play import due_games
from webapp.tables import going_live

A_MOMENT, A_WHILE = timedelta(seconds=2), timedelta(seconds=20)


def vote(runtime, game_id, *who, wanted=True):
    for seat in who:
        going_live.vote(runtime, play_link(runtime, game_id, seat), wanted=wanted, now=runtime.now())


def wanting(runtime, game_id):
    return [seat.seat for seat in seats(runtime, load(runtime, game_id).row.table_id) if seat.wants_live]


@pytest.fixture(params=[1, 4], ids=["one hand", "four hands at once"])
def slow(runtime, request):
    """A game whose players all look at it."""
    game_id = start_game(runtime, at_once=request.param)
    beats(runtime, game_id)
    return game_id


def test_a_slow_game_is_live_once_all_players_want_it(runtime, slow):
    before = len(letters(runtime))
    vote(runtime, slow, ANN, BO, CY)
    vote(runtime, slow, BO, wanted=False)
    vote(runtime, slow, DI)
    assert not is_live(runtime, slow)
    vote(runtime, slow, BO)
    stored = load(runtime, slow)
    assert (stored.table.play_time, wanting(runtime, slow)) == (PACE, [])
    assert [hand.game.hand for hand in stored.open_hands()] == [1], "hands at once are played one after another"
    assert stored.row.due_at - runtime.now() <= 4 * PACE
    assert len(letters(runtime)) == before, "no mail is about it"
    play_first(runtime, slow)
    assert is_live(runtime, slow)


@pytest.mark.parametrize("who", [BO, DI], ids=["who had tapped", "who had not"])
def test_whoever_leaves_takes_all_taps_back(runtime, game_id, who):
    beats(runtime, game_id)
    vote(runtime, game_id, ANN, BO, CY)
    beat(runtime, game_id, who, here=False)
    runtime.now.pass_by(A_WHILE)
    with pytest.raises(Refused):
        vote(runtime, game_id, DI)
    beats(runtime, game_id)
    vote(runtime, game_id, DI)
    assert wanting(runtime, game_id) == [DI]
    assert not is_live(runtime, game_id)


def test_a_page_in_place_of_another_takes_no_tap_back(runtime, game_id):
    beats(runtime, game_id)
    vote(runtime, game_id, BO)
    beat(runtime, game_id, BO, here=False)
    runtime.now.pass_by(A_MOMENT)
    beat(runtime, game_id, BO)
    assert wanting(runtime, game_id) == [BO]


def test_nobody_goes_live_without_a_player_who_has_left(runtime, game_id):
    beats(runtime, game_id, (ANN, BO, CY))
    before = dump(runtime)
    with pytest.raises(Refused, match="Somebody has left"):
        vote(runtime, game_id, ANN)
    assert dump(runtime) == before


def test_live_play_ends_once_it_waits_for_who_has_left(runtime, slow):
    vote(runtime, slow, *EVERYBODY)
    (left, *_) = load(runtime, slow).game.to_act
    beat(runtime, slow, left, here=False)
    stay(runtime, slow, runtime.now() + 10 * PACE, set(EVERYBODY) - {left})
    due_games.play_for_absent(runtime, slow)
    stored = load(runtime, slow)
    assert not is_live(runtime, slow)
    assert TurnSource.TIMEOUT not in {record.source for record in stored.records}
    assert stored.row.due_at - runtime.now() > timedelta(hours=6), "who has left has their slow time"


def test_the_page_asks_and_one_tap_ends_live_play(runtime, slow, client):
    pages = [runtime.signer.local_url(play_link(runtime, slow, seat)) for seat in EVERYBODY]
    for page in pages:
        assert "ach card has 1 minute." in words(client.get(page))
        form = soup(client.get(page)).select_one("form[action*='/live']")
        done = client.post(form["action"], data={form.button["name"]: form.button["value"]})
        assert done.location.startswith(page)
    assert is_live(runtime, slow)
    form = soup(client.get(pages[CY])).select_one("form[action*='/live']")
    assert "You play live: 1 minute for each card" in words(client.get(pages[CY]))
    client.post(form["action"], data={form.button["name"]: form.button["value"]})
    assert not is_live(runtime, slow)
    assert client.get(pages[CY]).status_code == 200


def test_a_refused_tap_is_a_sentence_on_the_page(runtime, game_id, client):
    page = runtime.signer.local_url(play_link(runtime, game_id, ANN))
    assert "Play on live" not in words(client.get(page))
    refused = client.post(f"{page}/live", data={"want": "yes"})
    assert refused.status_code == 409
    assert "Somebody has left" in words(refused)


def test_pages_hear_who_wants_to_play_on_live(runtime, game_id, client):
    path = f"{runtime.signer.local_url(play_link(runtime, game_id, DI))}/now"
    versions = [client.get(path).json["version"]]
    beats(runtime, game_id)
    versions.append(client.get(path).json["version"])
    for seat in EVERYBODY:
        vote(runtime, game_id, seat)
        versions.append(client.get(path).json["version"])
    assert len(set(versions)) == len(versions)
