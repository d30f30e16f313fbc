"""Going on live: who has to want it, what takes a tap back, what ends it, and that nobody loses a turn by it."""

import random
from datetime import timedelta

import pytest

from hearts.game import legal
from hearts.turns import Play
from tests.cast import PACE as SLOW
from tests.cast import dump, leave, letters, start_game
from tests.races import check_replays
from tests.side_by_side import play_in
from tests.submitting import soup, words
from tests.table import EVERYBODY, ask_all
from webapp.core.say import Refused
from webapp.games.asked.due import due_of
from webapp.games.clock.hours import fair_time
from webapp.games.clock.presence import LIVE_PACE, MAX_MISSED_DEADLINES
from webapp.models import LetterKind, LetterState, SeatRow, TurnSource
from webapp.play import taking

ANN, BO, CY, DI = EVERYBODY
A_MOMENT, A_WHILE = timedelta(seconds=2), timedelta(seconds=20)


def wanting(table):
    return [seat.seat for seat in table.seats if seat.wants_live]


def missed(table):
    return [seat.missed for seat in table.seats]


@pytest.fixture(params=[1, 4], ids=["one hand", "four hands at once"])
def slow(runtime, request):
    """A game whose players all look at it."""
    table = start_game(runtime, at_once=request.param)
    table.beats()
    return table


def test_a_slow_game_is_live_once_all_players_want_it(runtime, slow):
    before = len(letters(runtime))
    slow.vote(ANN, BO, CY)
    slow.vote(BO, wanted=False)
    slow.vote(DI)
    assert not slow.is_live
    slow.vote(BO)
    stored = slow.stored
    assert (stored.table.play_time, wanting(slow)) == (LIVE_PACE, [])
    assert [hand.game.hand for hand in stored.open_hands()] == [1], "hands at once are played one after another"
    assert stored.row.due_at - runtime.now() <= 4 * LIVE_PACE
    assert len(letters(runtime)) == before, "no mail is about it"
    slow.play_first()
    assert slow.is_live


@pytest.mark.parametrize("who", [BO, DI], ids=["who had tapped", "who had not"])
def test_whoever_leaves_takes_all_taps_back(runtime, table, who):
    table.beats()
    table.vote(ANN, BO, CY)
    table.beat(who, here=False)
    runtime.now.pass_by(A_WHILE)
    with pytest.raises(Refused):
        table.vote(DI)
    table.beats()
    table.vote(DI)
    assert wanting(table) == [DI]
    assert not table.is_live


def test_a_page_in_place_of_another_takes_no_tap_back(runtime, table):
    table.beats()
    table.vote(BO)
    table.beat(BO, here=False)
    runtime.now.pass_by(A_MOMENT)
    table.beat(BO)
    assert wanting(table) == [BO]


def test_nobody_goes_live_without_a_player_who_has_left(runtime, table):
    table.beats((ANN, BO, CY))
    before = dump(runtime)
    with pytest.raises(Refused, match="Somebody has left"):
        table.vote(ANN)
    assert dump(runtime) == before


def test_live_play_ends_once_it_waits_for_who_has_left(runtime, slow):
    slow.vote(*EVERYBODY)
    (left, *_) = slow.stored.game.to_act
    slow.beat(left, here=False)
    slow.stay(runtime.now() + 10 * LIVE_PACE, set(EVERYBODY) - {left})
    slow.play_for_absent()
    stored = slow.stored
    assert not slow.is_live
    assert TurnSource.TIMEOUT not in {record.source for record in stored.records}
    assert stored.row.due_at - runtime.now() > timedelta(hours=6), "who has left has their slow time"


@pytest.fixture
def live(runtime, table):
    """A slow game that the whole cast plays live, in the first trick."""
    table.pass_all()
    table.come_together()
    return table


def test_who_leaves_while_the_robot_thinks_is_not_played_for(runtime, live):
    game = live.stored.game
    (asked,) = game.to_act
    live.beat(asked, here=False)
    runtime.now.at = live.due_at
    turn = Play(asked, next(iter(legal(game, asked))))
    with pytest.raises(taking.TurnOver):
        taking.take_turn(runtime, live.game_id, due_of(game, asked), turn, TurnSource.TIMEOUT, runtime.now())


def test_a_present_players_second_missed_deadline_ends_live_play(runtime, live):
    asked = live.awaited
    live.stay(live.due_at)
    assert live.play_for_absent() == 1
    while live.awaited != asked:
        live.play_first()
    assert live.is_live
    live.stay(live.due_at)
    assert live.play_for_absent() == 0
    timeouts = [record for record in live.turns if record.source is TurnSource.TIMEOUT]
    assert [record.turn.seat for record in timeouts] == [asked]
    assert not live.is_live
    assert missed(live) == [0, 0, 0, 0], "what was missed live does not count afterwards"


def test_after_live_play_the_awaited_player_gets_time_and_mail(runtime, live):
    ask_all(runtime)
    for _ in range(3):
        live.play_first()
    asked, before = live.awaited, len(letters(runtime, LetterKind.TURNS))
    live.part(DI)
    assert live.stored.table.play_time == SLOW
    assert live.due_at >= runtime.now() + SLOW
    leave(runtime)
    new = letters(runtime, LetterKind.TURNS)[before:]
    assert [(letter.seat, letter.state) for letter in new] == [(asked, LetterState.QUEUED)]


def test_everybody_plays_each_card_live(runtime, table):
    table.pass_all()
    asked = table.awaited
    with runtime.database.writing() as session:
        seat = session.get_one(SeatRow, (table.table_id, asked))
        seat.robot_hand, seat.missed = 1, MAX_MISSED_DEADLINES - 1
    table.come_together()
    assert missed(table) == [0, 0, 0, 0]
    assert table.play_for_absent() == 0
    assert table.awaited == asked


def test_hands_at_once_follow_each_other_live_and_lose_nothing(runtime):
    table, rng = start_game(runtime, at_once=4), random.Random(1)
    table.come_together()
    assert [number for number, clock in table.row.clocks.items() if clock.due_at] == [1]
    play_in(runtime, table.hand(4), rng)
    assert table.hand(4).clock.due_at is None
    while table.hand(1).game.to_act:
        play_in(runtime, table.hand(1), rng)
    stored = table.stored
    assert [one.game.hand for one in stored.open_hands()] == [2]
    assert stored.row.due_at == stored.row.clocks[2].due_at == runtime.now() + LIVE_PACE
    table.part(BO)
    stored = table.stored
    assert [one.game.hand for one in stored.open_hands()] == [2, 3, 4]
    assert all(one.clock.due_at >= runtime.now() + fair_time(SLOW) for one in stored.open_hands())
    check_replays(table)


def test_the_page_asks_and_one_tap_ends_live_play(runtime, slow, client):
    pages = [runtime.signer.local_url(slow.play_link(seat)) for seat in EVERYBODY]
    for page in pages:
        assert "ach card has 1 minute." in words(client.get(page))
        form = soup(client.get(page)).select_one("form[action*='/live']")
        done = client.post(form["action"], data={form.button["name"]: form.button["value"]})
        assert done.location.startswith(page)
    assert slow.is_live
    form = soup(client.get(pages[CY])).select_one("form[action*='/live']")
    assert "You play live: 1 minute for each card" in words(client.get(pages[CY]))
    client.post(form["action"], data={form.button["name"]: form.button["value"]})
    assert not slow.is_live
    assert client.get(pages[CY]).status_code == 200


def test_a_refused_tap_is_a_sentence_on_the_page(runtime, table, client):
    page = runtime.signer.local_url(table.play_link(ANN))
    assert "Play on live" not in words(client.get(page))
    refused = client.post(f"{page}/live", data={"want": "yes"})
    assert refused.status_code == 409
    assert "Somebody has left" in words(refused)


def test_pages_hear_who_wants_to_play_on_live(runtime, table, client):
    path = f"{runtime.signer.local_url(table.play_link(DI))}/now"
    versions = [client.get(path).json["version"]]
    table.beats()
    versions.append(client.get(path).json["version"])
    for seat in EVERYBODY:
        table.vote(seat)
        versions.append(client.get(path).json["version"])
    assert len(set(versions)) == len(versions)
