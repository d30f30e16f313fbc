"""Carrying out what a host proposed a day ago: the game ends, or a robot has the seat, whatever else happens then."""

from datetime import timedelta

import pytest

from tests.cast import letters, start_game, table_row
from tests.mailing import player_id
from tests.table import ask_all
from tests.webapp.at_rest import put_to_rest
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import ANN, BO, CY, DI, give, host_of, seats_mailed
from webapp.games.book import MIDDLE, rating_of
from webapp.games.clock.hours import AFTER_QUIET_HOURS
from webapp.models import GameState, LetterKind, PlayerRow, SeatState, TableRow
from webapp.tables import hosting
from worker import postman

A_DAY = timedelta(days=1)
NIGHT = timedelta(hours=9) + AFTER_QUIET_HOURS


def pause(table):
    hosting.pause(table.runtime, host_of(table.runtime, table.table_id), paused=True, now=table.runtime.now())


def send_all(runtime):
    """Sends the mails about the proposal, each as it is due."""
    for letter in letters(runtime, LetterKind.PROPOSED):
        runtime.now.at = max(runtime.now(), letter.next_at)
        ask_all(runtime)


def wait_while_all_are_away(table):
    for seat in (BO, CY, DI):
        set_away(table.runtime, table.table_id, seat, away=True)


@pytest.mark.parametrize("state", [pause, put_to_rest, wait_while_all_are_away])
def test_after_a_day_the_game_ends_in_any_state(runtime, table, state):
    state(table)
    table_id = table.table_id
    assert hosting.end_game(runtime, host_of(runtime, table_id), runtime.now())
    (proposal,) = table_row(runtime, table_id).proposals
    assert A_DAY <= proposal.ends_at - runtime.now() <= A_DAY + NIGHT
    send_all(runtime)
    runtime.now.at = proposal.ends_at - timedelta(seconds=1)
    table.play_for_absent()
    assert table.row.state is GameState.PLAYING
    runtime.now.at = proposal.ends_at
    assert table.row.wake_at <= runtime.now()
    table.play_for_absent()
    assert table.row.state is GameState.OVER
    assert seats_mailed(runtime, LetterKind.ENDED) == [ANN, BO, CY, DI]
    postman.deliver(runtime)
    mail = " ".join(letters(runtime, LetterKind.ENDED)[0].message.replace("=\n", "").split())
    assert "The game has ended, as Ann, who hosts the table, proposed." in mail


def test_after_a_day_a_robot_has_the_seat(runtime):
    table = start_game(runtime)
    give(table, BO, None)
    (proposal,) = table_row(runtime, table.table_id).proposals
    ask_all(runtime)
    runtime.now.at = proposal.ends_at
    table.play_for_absent()
    assert table.seats[BO].state is SeatState.ROBOT
    assert table_row(runtime, table.table_id).proposals is None
    assert seats_mailed(runtime, LetterKind.REPLACED) == [BO]


@pytest.mark.parametrize("late", [timedelta(), timedelta(hours=5)], ids=["as the day ends", "later"])
def test_the_day_begins_once_the_mails_have_gone(runtime, late):
    table = start_game(runtime)
    hosting.end_game(runtime, host_of(runtime, table.table_id), runtime.now())
    pause(table)
    runtime.now.pass_by(A_DAY)
    table.play_for_absent()
    runtime.now.pass_by(late)
    ask_all(runtime)
    sent_at = runtime.now()
    while table.row.state is GameState.PLAYING:
        runtime.now.at = table.row.wake_at
        table.play_for_absent()
    assert runtime.now() >= sent_at + A_DAY


def test_the_end_ends_what_else_is_due_then(runtime):
    table = start_game(runtime)
    hosting.end_game(runtime, host_of(runtime, table.table_id), runtime.now())
    send_all(runtime)
    give(table, BO, None)
    pause(table)
    runtime.now.pass_by(A_DAY)
    table.play_for_absent()
    assert table.row.state is GameState.OVER
    assert table_row(runtime, table.table_id).proposals is None


@pytest.mark.parametrize("strangers", [True, False])
def test_a_host_who_ends_a_rated_game_alone_is_last(runtime, strangers):
    table = start_game(runtime)
    table.play_hand()
    with runtime.database.writing() as session:
        session.get_one(TableRow, table.table_id).has_strangers = strangers
    hosting.end_game(runtime, host_of(runtime, table.table_id), runtime.now())
    (proposal,) = table_row(runtime, table.table_id).proposals
    send_all(runtime)
    runtime.now.at = proposal.ends_at
    table.play_for_absent()
    with runtime.database.reading() as session:
        rated = [rating_of(session.get_one(PlayerRow, player_id(runtime, name))) for name in ("Ann", "Bo", "Cy", "Di")]
    assert table.row.state is GameState.OVER
    assert [one and one.number < MIDDLE for one in rated] == ([True] + [False] * 3 if strangers else [None] * 4)
