"""Carrying out what a host proposed a day ago: the game ends, or a robot has the seat, whatever else happens then."""

from datetime import timedelta

import pytest

from tests.cast import letters, load, start_game, table
from tests.mailing import player_id
from tests.playing import ask_all, play_hand
from tests.webapp.at_rest import put_to_rest
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import ANN, BO, CY, DI, give, host_of, seat_of, seats_mailed, table_of
from webapp.games.book import MIDDLE, rating_of
from webapp.games.clock.hours import AFTER_QUIET_HOURS
from webapp.models import GameState, LetterKind, PlayerRow, SeatState, TableRow
from webapp.play import due_games
from webapp.tables import hosting
from worker import postman

A_DAY = timedelta(days=1)
NIGHT = timedelta(hours=9) + AFTER_QUIET_HOURS


def pause(runtime, game_id):
    hosting.pause(runtime, host_of(runtime, table_of(runtime, game_id)), paused=True, now=runtime.now())


def send_all(runtime):
    """Sends the mails about the proposal, each as it is due."""
    for letter in letters(runtime, LetterKind.PROPOSED):
        runtime.now.at = max(runtime.now(), letter.next_at)
        ask_all(runtime)


def wait_while_all_are_away(runtime, game_id):
    for seat in (BO, CY, DI):
        set_away(runtime, table_of(runtime, game_id), seat, away=True)


@pytest.mark.parametrize("state", [pause, put_to_rest, wait_while_all_are_away])
def test_after_a_day_the_game_ends_in_any_state(runtime, game_id, state):
    state(runtime, game_id)
    table_id = table_of(runtime, game_id)
    assert hosting.end_game(runtime, host_of(runtime, table_id), runtime.now())
    (proposal,) = table(runtime, table_id).proposals
    assert A_DAY <= proposal.ends_at - runtime.now() <= A_DAY + NIGHT
    send_all(runtime)
    runtime.now.at = proposal.ends_at - timedelta(seconds=1)
    due_games.play_for_absent(runtime, game_id)
    assert load(runtime, game_id).row.state is GameState.PLAYING
    runtime.now.at = proposal.ends_at
    assert load(runtime, game_id).row.wake_at <= runtime.now()
    due_games.play_for_absent(runtime, game_id)
    assert load(runtime, game_id).row.state is GameState.OVER
    assert seats_mailed(runtime, LetterKind.ENDED) == [ANN, BO, CY, DI]
    postman.deliver(runtime)
    mail = " ".join(letters(runtime, LetterKind.ENDED)[0].message.replace("=\n", "").split())
    assert "The game has ended, as Ann, who hosts the table, proposed." in mail


def test_after_a_day_a_robot_has_the_seat(runtime):
    game_id = start_game(runtime)
    give(runtime, game_id, BO, None)
    (proposal,) = table(runtime, table_of(runtime, game_id)).proposals
    ask_all(runtime)
    runtime.now.at = proposal.ends_at
    due_games.play_for_absent(runtime, game_id)
    assert seat_of(runtime, game_id, BO).state is SeatState.ROBOT
    assert table(runtime, table_of(runtime, game_id)).proposals is None
    assert seats_mailed(runtime, LetterKind.REPLACED) == [BO]


@pytest.mark.parametrize("late", [timedelta(), timedelta(hours=5)], ids=["as the day ends", "later"])
def test_the_day_begins_once_the_mails_have_gone(runtime, late):
    game_id = start_game(runtime)
    hosting.end_game(runtime, host_of(runtime, table_of(runtime, game_id)), runtime.now())
    pause(runtime, game_id)
    runtime.now.pass_by(A_DAY)
    due_games.play_for_absent(runtime, game_id)
    runtime.now.pass_by(late)
    ask_all(runtime)
    sent_at = runtime.now()
    while load(runtime, game_id).row.state is GameState.PLAYING:
        runtime.now.at = load(runtime, game_id).row.wake_at
        due_games.play_for_absent(runtime, game_id)
    assert runtime.now() >= sent_at + A_DAY


def test_the_end_ends_what_else_is_due_then(runtime):
    game_id = start_game(runtime)
    hosting.end_game(runtime, host_of(runtime, table_of(runtime, game_id)), runtime.now())
    send_all(runtime)
    give(runtime, game_id, BO, None)
    pause(runtime, game_id)
    runtime.now.pass_by(A_DAY)
    due_games.play_for_absent(runtime, game_id)
    assert load(runtime, game_id).row.state is GameState.OVER
    assert table(runtime, table_of(runtime, game_id)).proposals is None


@pytest.mark.parametrize("strangers", [True, False])
def test_a_host_who_ends_a_rated_game_alone_is_last(runtime, strangers):
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    with runtime.database.writing() as session:
        session.get_one(TableRow, table_of(runtime, game_id)).has_strangers = strangers
    hosting.end_game(runtime, host_of(runtime, table_of(runtime, game_id)), runtime.now())
    (proposal,) = table(runtime, table_of(runtime, game_id)).proposals
    send_all(runtime)
    runtime.now.at = proposal.ends_at
    due_games.play_for_absent(runtime, game_id)
    with runtime.database.reading() as session:
        rated = [rating_of(session.get_one(PlayerRow, player_id(runtime, name))) for name in ("Ann", "Bo", "Cy", "Di")]
    assert load(runtime, game_id).row.state is GameState.OVER
    assert [one and one.number < MIDDLE for one in rated] == ([True] + [False] * 3 if strangers else [None] * 4)
