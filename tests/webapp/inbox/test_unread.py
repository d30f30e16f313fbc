"""An operator learns that answers by mail cannot be read, by mail and by the log."""

from datetime import timedelta

import pytest

from tests.cast import address, letters, start_game
from tests.runtimes import make_runtime
from webapp.games.clock import way_in
from webapp.models import LetterKind, PlayerRow
from worker import scheduler
from worker.mail import compose

MINUTE = timedelta(minutes=1)
BY_MAIL = {"smtp_url": "smtp://127.0.0.1:9", "reply_domain": "in.hearts.localhost"}


@pytest.fixture
def make(tmp_path):
    made = []

    def make(**settings):
        made.append(make_runtime(tmp_path / "var", **{**BY_MAIL, **settings}))
        way_in.note_read(made[-1], made[-1].now())
        return made[-1]

    yield make
    for one in made:
        one.database.engine.dispose()


def shut_for(runtime, minutes):
    for _ in range(minutes):
        runtime.now.pass_by(MINUTE)
        scheduler.tell_of_unread_answers(runtime)


def test_an_operator_is_mailed_once_that_answers_are_unread(make, caplog):
    runtime = make(operator_address="eve@example.org")
    since = f"{runtime.now():%H:%M}"
    shut_for(runtime, 60)
    (letter,) = letters(runtime, LetterKind.UNREAD)
    with runtime.database.reading() as session:
        operator = session.get_one(PlayerRow, letter.player_id)
        message = compose(runtime, session, letter)
    assert operator.address == "eve@example.org"
    assert message["Subject"] == f"Answers cannot be read since Mon 2 March, {since} (UTC)"
    assert caplog.text.count("answers cannot be read since 2026-03-02") == 1


def test_a_host_who_plays_gets_it_as_that_player(make):
    runtime = make(operator_address=address("Ann"))
    start_game(runtime)
    way_in.note_read(runtime, runtime.now())
    shut_for(runtime, 60)
    (letter,) = letters(runtime, LetterKind.UNREAD)
    assert letter.player_id == 1


def test_nothing_is_mailed_of_answers_read_again_meanwhile(make):
    runtime = make(operator_address="eve@example.org")
    shut_for(runtime, 60)
    way_in.note_read(runtime, runtime.now())
    (letter,) = letters(runtime, LetterKind.UNREAD)
    with runtime.database.reading() as session:
        assert compose(runtime, session, letter) is None


@pytest.mark.parametrize(
    ("settings", "minutes", "logged"),
    [
        pytest.param({}, 60, 1, id="nobody named"),
        pytest.param({"operator_address": "eve@example.org"}, 10, 0, id="a restart"),
        pytest.param({"operator_address": "eve@example.org", "reply_domain": ""}, 60, 0, id="no answers by mail"),
    ],
)
def test_nobody_is_mailed_where_nothing_is_wrong(make, settings, minutes, logged, caplog):
    runtime = make(**settings)
    shut_for(runtime, minutes)
    assert letters(runtime, LetterKind.UNREAD) == []
    assert caplog.text.count("answers cannot be read") == logged
