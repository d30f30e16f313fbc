"""A live pace: how long a player has, and when the others stop waiting for them."""

import random
from datetime import timedelta

import pytest

from tests.cast import NAMES, PACE, start_game
from tests.playing import BO
from tests.sites import site_of
from tests.table import ask_all
from tests.webapp.games.live import (
    FIRST,
    LIVE,
    MINUTE,
    SECOND,
    live_game,
    mails,
    play_until,
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
    table = live_game(runtime)
    assert time_left(table) == FIRST


def test_a_present_player_gets_the_pace_an_absent_one_more(runtime):
    table = live_game(runtime)
    table.pass_all()
    absent = (table.awaited + 1) % 4  # who has not been asked for a card yet
    table.beats({0, 1, 2, 3} - {absent})
    play_until(table, absent)
    assert time_left(table) == MINUTE, "it is not the first question of the game"
    while table.awaited == absent:
        table.play_first()
    assert time_left(table) == LIVE


@pytest.mark.parametrize("pace", [*LIVE_PACES])
def test_every_live_deadline_takes_effect_only_when_over(runtime, pace):
    table = live_game(runtime, pace=pace)
    table.pass_all()
    table.beats()
    table.play_first()
    assert time_left(table) == pace
    wait(runtime, pace - SECOND)
    assert (due_games.claim_due(runtime, runtime.now()), table.play_for_absent()) == ([], 0)
    wait(runtime, SECOND)
    assert due_games.claim_due(runtime, runtime.now()) == [table.game_id]
    assert table.play_for_absent() >= 1


def test_passing_and_playing_have_separate_paces(runtime):
    table = live_game(runtime, pace=PACE)
    with runtime.database.writing() as session:
        store.load(session, table.game_id).table.play_seconds = 15
    table.beats()
    assert time_left(table) == PACE, "passing is by mail"
    table.pass_all()
    assert time_left(table) == LIVE, "and later turns are live"


def test_a_player_arriving_while_asked_gets_the_pace_from_then(runtime):
    table = live_game(runtime)
    due_at = table.due_at
    wait(runtime, FIRST - LIVE - SECOND)
    table.beat()
    assert table.due_at == due_at, "it comes no earlier, and the player has more than the pace"
    wait(runtime, LIVE)
    table.beat(2)
    row = table.row
    assert row.due_at == row.wake_at == runtime.now() + LIVE, "one second is not enough"


def test_a_deadline_claimed_before_the_player_came_still_takes_effect(runtime):
    table = live_game(runtime)
    wait(runtime, FIRST)
    assert due_games.claim_due(runtime, runtime.now()) == [table.game_id]
    table.beat()
    assert table.play_for_absent() == 0
    wait(runtime, LIVE)
    assert due_games.claim_due(runtime, runtime.now()) == [table.game_id], "and not only when the lease is over"


@pytest.mark.parametrize("pace", [timedelta(seconds=7), LIVE, MINUTE])
def test_coming_and_going_cannot_delay_the_others_for_ever(runtime, pace):
    table = live_game(runtime, pace=pace)
    table.pass_all()
    play_until(table)
    asked_at = runtime.now()
    for step in range(50):
        wait(runtime, 6 * SECOND)
        table.beat(here=step % 2 == 0)
    assert table.due_at <= asked_at + arrival_time(pace, is_first=False) + pace


@pytest.mark.parametrize("pace", LIVE_PACES)
def test_a_player_absent_when_asked_gets_the_pace_on_arrival(runtime, pace):
    table = live_game(runtime, pace=pace)
    table.pass_all()
    chance = random.Random(pace.seconds)
    for _ in range(3):
        play_until(table)
        gone_before, comes = chance.choice([5, 20, 60]), chance.random()
        table.beat()
        table.beat(here=False)
        while BO in table.game.to_act:
            table.play_first()
        wait(runtime, gone_before * SECOND)
        play_until(table)
        due_at = table.due_at
        wait(runtime, time_left(table) * comes)
        table.beat()
        assert time_left(table) >= pace
        assert table.due_at >= due_at


def test_at_other_paces_presence_changes_no_deadline(runtime):
    for pace in (SECOND, timedelta(minutes=10), PACE):
        table = start_game(runtime, pace=pace)
        due_at = table.due_at
        wait(runtime, pace / 2)
        table.beats()
        assert table.due_at == due_at
        table.pass_all()
        assert time_left(table) >= pace


# When nobody waits for a player any more


def test_an_absent_player_is_away_and_mailed_after_one_deadline(runtime):
    table = live_game(runtime, here={0, 2, 3})
    table.pass_all({0, 2, 3})
    ask_all(runtime)
    wait(runtime, FIRST)
    table.beats({0, 2, 3})
    assert table.play_for_absent() >= 1
    assert table.seats[BO].away
    while table.game.hand == 1:
        if BO in table.game.to_act:
            assert table.row.wake_at == runtime.now(), "nobody waits for the player"
            table.play_for_absent()
        else:
            table.play_first()
    kinds = [(one.kind, one.reason) for one in mails(table, BO)]
    asked, told = (LetterKind.TURNS, Cause.REPLY), (LetterKind.TURNS, Cause.MISSED)
    assert kinds == [asked, told], "the first question, and then no card, no question, no sheet of a hand"


def test_a_slow_present_player_is_mailed_after_three_missed_deadlines(runtime):
    table = live_game(runtime)
    table.pass_all()
    for missed in (1, 2, 3):
        play_until(table)
        wait(runtime, table.due_at - runtime.now())
        for seat in range(4):
            table.beat(seat, idle=MINUTE)
        wait(runtime, max(time_left(table), timedelta()))
        assert table.play_for_absent() >= 1
        assert (table.seats[BO].missed, table.seats[BO].away) == (missed, missed == 3)
        assert told(table, BO) == (missed == 3)


def test_the_players_page_shows_what_was_played_for_them(runtime):
    table = live_game(runtime, here=range(4))
    table.pass_all()
    play_until(table)
    url = runtime.signer.local_url(table.turn_link(BO))
    table.beats()
    table.miss_deadline()
    assert "The deadline was over. We played" in site_of(runtime).test_client().get(url).text


def test_a_player_only_robots_await_is_mailed_but_not_away(runtime):
    table = live_game(runtime, names=NAMES[:1], robots=3)
    for _ in range(4):
        table.miss_deadline()
        turn_mail.queue_due(runtime, runtime.now())
    assert (table.seats[0].missed, table.seats[0].away) == (4, False)
    assert told(table, 0) == 1


def told(table, seat):
    """How many mails have told the player that they missed a deadline."""
    turn_mail.queue_due(table.runtime, table.runtime.now())
    return sum(one.reason == Cause.MISSED for one in mails(table, seat, LetterKind.TURNS))


def test_a_returned_player_has_time_to_come(runtime):
    table = live_game(runtime)
    table_id = table.table_id
    table.pass_all()
    play_until(table)
    table.miss_deadline()
    play_until_bos_turn(table)
    table.play_for_absent()
    set_away(runtime, table_id, BO, away=False)
    play_until(table)
    assert time_left(table) == FIRST


def play_until_bos_turn(table):
    """Lets everybody else play until it is the turn of Bo, who is away."""
    while BO not in table.game.to_act:
        table.play_first()


DAY = 24 * 60 * 60


@pytest.mark.parametrize(
    ("seconds", "live"),
    [
        ({}, False),
        ({"play_seconds": 1}, False),
        ({"pass_seconds": 60}, True),
        ({"play_seconds": 60}, True),
        ({"live_seconds": 60}, True),
    ],
)
def test_a_table_is_live_if_its_passes_or_cards_are(seconds, live):
    assert plays_live(TableRow(**{"pass_seconds": DAY, "play_seconds": DAY, **seconds})) is live
