"""The copies of a game, with which the benchmark fills a database, are games like any other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.load.copies import copy_games, count_steps
from tests.cast import ask_all, letters, load, make_runtime, play_first, start_game
from webapp.check import doctor
from webapp.check.mail_records import State
from webapp.core.runtime import Runtime
from webapp.models import LetterKind
from worker import postman

COPIES = 5


@pytest.fixture(params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Runtime]:
    """A game in its first trick, and copies of it."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    runtime = make_runtime(tmp_path, url)
    game_id = start_game(runtime, at_once=4)
    for _ in range(18):
        play_first(runtime, game_id)
    ask_all(runtime)
    engine = runtime.database.engine
    copy_games(engine, count_steps(engine), COPIES)
    yield runtime
    engine.dispose()


def test_every_copy_is_the_same_game_at_a_table_of_its_own(filled: Runtime) -> None:
    pattern, *copies = (load(filled, game_id) for game_id in range(1, COPIES + 2))
    for copy in copies:
        assert copy.cycle == pattern.cycle
        assert copy.records == pattern.records
    stored = [pattern, *copies]
    assert len({one.table.code for one in stored}) == len(stored)
    assert len({seat.player_id for one in stored for seat in one.seats}) == 4 * len(stored)


def test_a_copy_is_played_on_and_its_player_is_asked_by_mail(filled: Runtime) -> None:
    before = len(letters(filled))
    after = play_first(filled, COPIES)
    (asked, *_) = (one for one in letters(filled)[before:] if one.kind in (LetterKind.TURN, LetterKind.PASS))
    assert asked.game_id == COPIES
    assert asked.player_id in {seat.player_id for seat in after.seats}
    assert postman.deliver(filled) > 0


def test_the_doctor_finds_nothing_wrong_with_copies(filled: Runtime) -> None:
    play_first(filled, COPIES)  # so that the newest mails are made with the service's key
    assert [one for one in doctor.examine(filled, filled.now()) if one.state is State.MISSING] == []
