"""A live pace: how long a player has, and when the others stop waiting for them."""

import random
from datetime import timedelta

import pytest

from tests.cast import NAMES, PACE, load, start_game, turn_link
from tests.playing import BO, ask_all, awaited, beat, pass_all, play_first
from tests.sites import site_of
from tests.webapp.games.live import (
    FIRST,
    LIVE,
    MINUTE,
    SECOND,
    arrive,
    live_game,
    mails,
    play_at_deadline,
    play_until,
    seat_of,
    time_left,
    wait,
)
from tests.webapp.going_away import set_away
from webapp.games.clock.hours import arrival_time
from webapp.games.clock.pace import LIVE_PACES, plays_live
from webapp.games.record import store
from webapp.models import LetterKind, TableRow
from webapp.outbox import turn_mail
from webapp.outbox.timing import Cause
from webapp.play import due_games

# How long a player has


@pytest.mark.parametrize(
    ("pace", "first", "later"),
    [
        pytest.param(7, 300, 60, id="seconds"),
        pytest.param(30, 300, 60, id="half a minute"),
        pytest.param(60, 300, 120, id="a minute: twice that, so that one is left for a player who comes in time"),
        pytest.param(300, 600, 600, id="five minutes"),
    ],
)
def test_an_absent_player_gets_time_to_come_more_at_first(pace, first, later):
    given = [arrival_time(timedelta(seconds=pace), is_first=is_first).total_seconds() for is_first in (True, False)]
    assert given == [first, later]


def test_at_the_first_question_an_absent_player_has_five_minutes(runtime):
    game_id = live_game(runtime)
    assert time_left(runtime, game_id) == FIRST


def test_a_present_player_gets_the_pace_an_absent_one_more(runtime):
    game_id = live_game(runtime)
    pass_all(runtime, game_id)
    absent = (awaited(runtime, game_id) + 1) % 4  # who has not been asked for a card yet
    arrive(runtime, game_id, {0, 1, 2, 3} - {absent})
    play_until(runtime, game_id, absent)
    assert time_left(runtime, game_id) == MINUTE, "it is not the first question of the game"
    while awaited(runtime, game_id) == absent:
        play_first(runtime, game_id)
    assert time_left(runtime, game_id) == LIVE


@pytest.mark.parametrize("pace", [*LIVE_PACES])
def test_every_live_deadline_takes_effect_only_when_over(runtime, pace):
    game_id = live_game(runtime, pace=pace)
    pass_all(runtime, game_id)
    arrive(runtime, game_id)
    play_first(runtime, game_id)
    assert time_left(runtime, game_id) == pace
    wait(runtime, pace - SECOND)
    assert (due_games.claim_due(runtime, runtime.now()), due_games.play_for_absent(runtime, game_id)) == ([], 0)
    wait(runtime, SECOND)
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]
    assert due_games.play_for_absent(runtime, game_id) >= 1


def test_passing_and_playing_have_separate_paces(runtime):
    game_id = live_game(runtime, pace=PACE)
    with runtime.database.writing() as session:
        store.load(session, game_id).table.play_seconds = 15
    arrive(runtime, game_id)
    assert time_left(runtime, game_id) == PACE, "passing is by mail"
    pass_all(runtime, game_id)
    assert time_left(runtime, game_id) == LIVE, "and later turns are live"


def test_a_player_arriving_while_asked_gets_the_pace_from_then(runtime):
    game_id = live_game(runtime)
    due_at = load(runtime, game_id).row.due_at
    wait(runtime, FIRST - LIVE - SECOND)
    beat(runtime, game_id)
    assert load(runtime, game_id).row.due_at == due_at, "it comes no earlier, and the player has more than the pace"
    wait(runtime, LIVE)
    beat(runtime, game_id, 2)
    row = load(runtime, game_id).row
    assert row.due_at == row.wake_at == runtime.now() + LIVE, "one second is not enough"


def test_a_deadline_claimed_before_the_player_came_still_takes_effect(runtime):
    game_id = live_game(runtime)
    wait(runtime, FIRST)
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]
    beat(runtime, game_id)
    assert due_games.play_for_absent(runtime, game_id) == 0
    wait(runtime, LIVE)
    assert due_games.claim_due(runtime, runtime.now()) == [game_id], "and not only when the lease is over"


@pytest.mark.parametrize("pace", [timedelta(seconds=7), LIVE, MINUTE])
def test_coming_and_going_cannot_delay_the_others_for_ever(runtime, pace):
    game_id = live_game(runtime, pace=pace)
    pass_all(runtime, game_id)
    play_until(runtime, game_id)
    asked_at = runtime.now()
    for step in range(50):
        wait(runtime, 6 * SECOND)
        beat(runtime, game_id, here=step % 2 == 0)
    assert load(runtime, game_id).row.due_at <= asked_at + arrival_time(pace, is_first=False) + pace


@pytest.mark.parametrize("pace", LIVE_PACES)
def test_a_player_absent_when_asked_gets_the_pace_on_arrival(runtime, pace):
    game_id = live_game(runtime, pace=pace)
    pass_all(runtime, game_id)
    chance = random.Random(pace.seconds)
    for _ in range(3):
        play_until(runtime, game_id)
        gone_before, comes = chance.choice([5, 20, 60]), chance.random()
        beat(runtime, game_id)
        beat(runtime, game_id, here=False)
        while BO in load(runtime, game_id).game.to_act:
            play_first(runtime, game_id)
        wait(runtime, gone_before * SECOND)
        play_until(runtime, game_id)
        due_at = load(runtime, game_id).row.due_at
        wait(runtime, time_left(runtime, game_id) * comes)
        beat(runtime, game_id)
        assert time_left(runtime, game_id) >= pace
        assert load(runtime, game_id).row.due_at >= due_at


def test_at_other_paces_presence_changes_no_deadline(runtime):
    for pace in (SECOND, timedelta(minutes=10), PACE):
        game_id = start_game(runtime, pace=pace)
        due_at = load(runtime, game_id).row.due_at
        wait(runtime, pace / 2)
        arrive(runtime, game_id)
        assert load(runtime, game_id).row.due_at == due_at
        pass_all(runtime, game_id)
        assert time_left(runtime, game_id) >= pace


# When nobody waits for a player any more


def test_an_absent_player_is_away_and_mailed_after_one_deadline(runtime):
    game_id = live_game(runtime, here={0, 2, 3})
    pass_all(runtime, game_id, {0, 2, 3})
    ask_all(runtime)
    wait(runtime, FIRST)
    arrive(runtime, game_id, {0, 2, 3})
    assert due_games.play_for_absent(runtime, game_id) >= 1
    assert seat_of(runtime, game_id).away
    while load(runtime, game_id).game.hand == 1:
        if BO in load(runtime, game_id).game.to_act:
            assert load(runtime, game_id).row.wake_at == runtime.now(), "nobody waits for the player"
            due_games.play_for_absent(runtime, game_id)
        else:
            play_first(runtime, game_id)
    kinds = [(one.kind, one.reason) for one in mails(runtime, BO, game_id)]
    asked, told = (LetterKind.TURNS, Cause.REPLY), (LetterKind.TURNS, Cause.MISSED)
    assert kinds == [asked, told], "the first question, and then no card, no question, no sheet of a hand"


def test_a_slow_present_player_is_mailed_after_three_missed_deadlines(runtime):
    game_id = live_game(runtime)
    pass_all(runtime, game_id)
    for missed in (1, 2, 3):
        play_until(runtime, game_id)
        wait(runtime, load(runtime, game_id).row.due_at - runtime.now())
        for seat in range(4):
            beat(runtime, game_id, seat, idle=MINUTE)
        wait(runtime, max(time_left(runtime, game_id), timedelta()))
        assert due_games.play_for_absent(runtime, game_id) >= 1
        assert (seat_of(runtime, game_id).missed, seat_of(runtime, game_id).away) == (missed, missed == 3)
        assert told(runtime, game_id, BO) == (missed == 3)


def test_the_players_page_shows_what_was_played_for_them(runtime):
    game_id = live_game(runtime, here=range(4))
    pass_all(runtime, game_id)
    play_until(runtime, game_id)
    url = runtime.signer.local_url(turn_link(runtime, game_id, BO))
    arrive(runtime, game_id)
    play_at_deadline(runtime, game_id)
    assert "The deadline was over. We played" in site_of(runtime).test_client().get(url).text


def test_a_player_only_robots_await_is_mailed_but_not_away(runtime):
    game_id = live_game(runtime, names=NAMES[:1], robots=3)
    for _ in range(4):
        play_at_deadline(runtime, game_id)
        turn_mail.queue_due(runtime, runtime.now())
    assert (seat_of(runtime, game_id, 0).missed, seat_of(runtime, game_id, 0).away) == (4, False)
    assert told(runtime, game_id, 0) == 1


def told(runtime, game_id, seat):
    """How many mails have told the player that they missed a deadline."""
    turn_mail.queue_due(runtime, runtime.now())
    return sum(one.reason == Cause.MISSED for one in mails(runtime, seat, game_id, LetterKind.TURNS))


def test_a_returned_player_has_time_to_come(runtime):
    game_id = live_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    pass_all(runtime, game_id)
    play_until(runtime, game_id)
    play_at_deadline(runtime, game_id)
    play_until_bos_turn(runtime, game_id)
    due_games.play_for_absent(runtime, game_id)
    set_away(runtime, table_id, BO, away=False)
    play_until(runtime, game_id)
    assert time_left(runtime, game_id) == FIRST


def play_until_bos_turn(runtime, game_id):
    """Lets everybody else play until it is the turn of Bo, who is away."""
    while BO not in load(runtime, game_id).game.to_act:
        play_first(runtime, game_id)


DAY = 24 * 60 * 60


@pytest.mark.parametrize(
    ("seconds", "live"),
    [({}, False), ({"pass_seconds": 60}, True), ({"play_seconds": 60}, True), ({"live_seconds": 60}, True)],
)
def test_a_table_is_live_if_its_passes_or_cards_are(seconds, live):
    assert plays_live(TableRow(**{"pass_seconds": DAY, "play_seconds": DAY, **seconds})) is live
