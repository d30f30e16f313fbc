"""Questions to a player who wants mail twice a day at most."""

from datetime import timedelta

import pytest

from tests.cast import make_runtime, start_game
from tests.mailing import EVERY, TWICE, letters_to, set_preferences
from webapp.models import LetterKind
from webapp.outbox.in_game import APART
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
