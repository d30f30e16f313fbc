"""Questions to a player who wants mail twice a day at most."""

from datetime import timedelta
from itertools import pairwise

import pytest
from sqlmodel import select

from tests.cast import load, start_game
from tests.mailing import EVERY, TWICE, letters_to, set_preferences
from tests.playing import play_first
from tests.runtimes import make_runtime
from tests.webapp.at_rest import rests
from webapp.models import LetterKind, LetterRow, TurnSource
from webapp.outbox.in_game import APART
from webapp.play import due_games
from webapp.tables.seating import player_at
from worker import postman

DAY = timedelta(days=1)


@pytest.fixture
def runtime(tmp_path, smtp_server):
    made = make_runtime(tmp_path / "var", smtp_url=smtp_server.url)
    made.now.at = made.now.at.replace(hour=9)
    yield made
    made.database.engine.dispose()


def first_mail(runtime, pace=DAY, frequency=TWICE):
    """A game has asked Bo for a pass by mail. Returns when that went out."""
    start_game(runtime, pace=pace)
    set_preferences(runtime, "Bo", frequency=frequency)
    postman.deliver(runtime)
    (first,) = letters_to(runtime, "Bo", LetterKind.PASS)
    return first.sent_at


def goes_at(runtime):
    """When the last of Bo's questions goes out."""
    return letters_to(runtime, "Bo", LetterKind.PASS)[-1].next_at


def test_the_next_question_goes_some_hours_after_the_last_mail(runtime):
    sent_at = first_mail(runtime)
    start_game(runtime, pace=DAY)
    assert goes_at(runtime) == sent_at + APART
    start_game(runtime, pace=DAY)
    assert goes_at(runtime) == sent_at + APART, "both go together"


def test_a_third_mail_waits_for_the_morning(runtime):
    first_mail(runtime)
    runtime.now.pass_by(APART)
    start_game(runtime, pace=DAY)
    postman.deliver(runtime)
    runtime.now.pass_by(timedelta(hours=1))
    start_game(runtime, pace=DAY)
    night = goes_at(runtime)
    assert (night.day, night.hour) == (runtime.now().day + 1, 7)


@pytest.mark.parametrize(
    ("pace", "frequency"), [(timedelta(hours=4), TWICE), (DAY, EVERY)], ids=["at a quick table", "wanting each turn"]
)
def test_a_question_goes_at_once(runtime, pace, frequency):
    first_mail(runtime, pace, frequency)
    start_game(runtime, pace=pace)
    assert goes_at(runtime) <= runtime.now()


def test_a_new_player_gets_two_mails_a_day_at_most(runtime):
    with runtime.database.writing() as session:
        assert player_at(session, "eve@example.org", "Eve", runtime.now()).frequency is TWICE


def ask_until_at_rest(runtime, game_id):
    """Lets deadlines pass and mail go out in its time, until the game rests."""
    while not rests(runtime, game_id):
        with runtime.database.reading() as session:
            waiting = session.exec(select(LetterRow.next_at).where(LetterRow.next_at.is_not(None))).all()
        wakes = load(runtime, game_id).row.wake_at
        runtime.now.at = max(runtime.now(), min(at for at in (*waiting, wakes) if at))
        due_games.play_due(runtime)
        postman.deliver(runtime)


def sent(runtime, name, *kinds):
    return [one for one in letters_to(runtime, name, *(kinds or LetterKind)) if one.sent_at]


@pytest.mark.parametrize("at_once", [1, 4])
def test_an_absent_player_gets_ten_mails_until_the_game_rests(runtime, at_once):
    game_id = start_game(runtime, ("Ann",), robots=3, pace=DAY, at_once=at_once)
    set_preferences(runtime, "Ann", frequency=TWICE)
    ask_until_at_rest(runtime, game_id)
    assert len(sent(runtime, "Ann")) <= 10
    reminded = [one.sent_at for one in sent(runtime, "Ann", LetterKind.REMINDER)]
    assert reminded
    assert all(later - one >= DAY for one, later in pairwise(reminded))


@pytest.mark.parametrize(("by", "goes_on"), [(TurnSource.REPLY, True), (TurnSource.PAGE, False)])
def test_who_answers_by_mail_is_asked_on_by_mail(runtime, by, goes_on):
    """Bo passes by an answer or on a page; then their first card is asked for."""
    first_mail(runtime)
    game_id = load(runtime, 1).id
    runtime.now.pass_by(timedelta(minutes=1))
    while not letters_to(runtime, "Bo", LetterKind.TURN):
        play_first(runtime, game_id, by)
    goes_at = letters_to(runtime, "Bo", LetterKind.TURN)[-1].next_at
    assert (goes_at == runtime.now()) is goes_on
