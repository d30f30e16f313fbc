"""Going on live: who has to want it, what takes a tap back, what ends it, and that nobody loses a turn by it."""

import random
from datetime import timedelta

import pytest

from hearts.game import legal
from hearts.turns import Play
from tests.cast import PACE as SLOW
from tests.cast import dump, leave, letters, load, play_link, seats, start_game
from tests.playing import ask_all, awaited, beat, due_at, pass_all, play_first, records
from tests.races import check_replays
from tests.side_by_side import hand, play_in
from tests.submitting import soup, words
from tests.together import ANN, BO, CY, DI, EVERYBODY, beats, come_together, is_live, missed, part, stay, vote
from tests.webapp.tables.hosted import table_of
from webapp.core.say import Refused
from webapp.games.asked.due import due_of
from webapp.games.clock.hours import fair_time
from webapp.games.clock.presence import LIVE_PACE, MAX_MISSED_DEADLINES
from webapp.models import LetterKind, LetterState, SeatRow, TurnSource
from webapp.play import due_games, taking

A_MOMENT, A_WHILE = timedelta(seconds=2), timedelta(seconds=20)


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
    assert (stored.table.play_time, wanting(runtime, slow)) == (LIVE_PACE, [])
    assert [hand.game.hand for hand in stored.open_hands()] == [1], "hands at once are played one after another"
    assert stored.row.due_at - runtime.now() <= 4 * LIVE_PACE
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
    stay(runtime, slow, runtime.now() + 10 * LIVE_PACE, set(EVERYBODY) - {left})
    due_games.play_for_absent(runtime, slow)
    stored = load(runtime, slow)
    assert not is_live(runtime, slow)
    assert TurnSource.TIMEOUT not in {record.source for record in stored.records}
    assert stored.row.due_at - runtime.now() > timedelta(hours=6), "who has left has their slow time"


@pytest.fixture
def live(runtime, game_id):
    """A slow game that the whole cast plays live, in the first trick."""
    pass_all(runtime, game_id)
    come_together(runtime, game_id)
    return game_id


def test_who_leaves_while_the_robot_thinks_is_not_played_for(runtime, live):
    game = load(runtime, live).game
    (asked,) = game.to_act
    beat(runtime, live, asked, here=False)
    runtime.now.at = due_at(runtime, live)
    turn = Play(asked, next(iter(legal(game, asked))))
    with pytest.raises(taking.TurnOver):
        taking.take_turn(runtime, live, due_of(game, asked), turn, TurnSource.TIMEOUT, runtime.now())


def test_a_present_players_second_missed_deadline_ends_live_play(runtime, live):
    asked = awaited(runtime, live)
    stay(runtime, live, due_at(runtime, live))
    assert due_games.play_for_absent(runtime, live) == 1
    while awaited(runtime, live) != asked:
        play_first(runtime, live)
    assert is_live(runtime, live)
    stay(runtime, live, due_at(runtime, live))
    assert due_games.play_for_absent(runtime, live) == 0
    timeouts = [record for record in records(runtime, live) if record.source is TurnSource.TIMEOUT]
    assert [record.turn.seat for record in timeouts] == [asked]
    assert not is_live(runtime, live)
    assert missed(runtime, live) == [0, 0, 0, 0], "what was missed live does not count afterwards"


def test_after_live_play_the_awaited_player_gets_time_and_mail(runtime, live):
    ask_all(runtime)
    for _ in range(3):
        play_first(runtime, live)
    asked, before = awaited(runtime, live), len(letters(runtime, LetterKind.TURNS))
    part(runtime, live, DI)
    assert load(runtime, live).table.play_time == SLOW
    assert due_at(runtime, live) >= runtime.now() + SLOW
    leave(runtime)
    new = letters(runtime, LetterKind.TURNS)[before:]
    assert [(letter.seat, letter.state) for letter in new] == [(asked, LetterState.QUEUED)]


def test_everybody_plays_each_card_live(runtime, game_id):
    pass_all(runtime, game_id)
    asked = awaited(runtime, game_id)
    with runtime.database.writing() as session:
        seat = session.get_one(SeatRow, (table_of(runtime, game_id), asked))
        seat.robot_hand, seat.missed = 1, MAX_MISSED_DEADLINES - 1
    come_together(runtime, game_id)
    assert missed(runtime, game_id) == [0, 0, 0, 0]
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert awaited(runtime, game_id) == asked


def test_hands_at_once_follow_each_other_live_and_lose_nothing(runtime):
    game_id, rng = start_game(runtime, at_once=4), random.Random(1)
    come_together(runtime, game_id)
    assert [number for number, clock in load(runtime, game_id).row.clocks.items() if clock.due_at] == [1]
    play_in(runtime, hand(runtime, game_id, 4), rng)
    assert hand(runtime, game_id, 4).clock.due_at is None
    while hand(runtime, game_id, 1).game.to_act:
        play_in(runtime, hand(runtime, game_id, 1), rng)
    stored = load(runtime, game_id)
    assert [one.game.hand for one in stored.open_hands()] == [2]
    assert stored.row.due_at == stored.row.clocks[2].due_at == runtime.now() + LIVE_PACE
    part(runtime, game_id, BO)
    stored = load(runtime, game_id)
    assert [one.game.hand for one in stored.open_hands()] == [2, 3, 4]
    assert all(one.clock.due_at >= runtime.now() + fair_time(SLOW) for one in stored.open_hands())
    check_replays(runtime, game_id)


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
