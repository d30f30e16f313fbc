"""Texts that are composed together: each is what it would be by itself, and more of them take no more statements."""

import re
from collections import Counter
from contextlib import contextmanager
from email import message_from_string

import pytest
from sqlmodel import col, update

from hearts.seats import Seat
from tests.cast import letters, make_runtime, open_table, play_first, play_hand, start_game
from tests.playing import pass_all, pass_lowest
from tests.webapp.games.talking import ANN, BO, say
from tests.webapp.tables.hosted import table_of
from webapp.core.clocks import TolerantSigner
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, LetterState, TableRow, Talk
from webapp.outbox.leases import new_claim
from worker import composing, postman
from worker.batch import Batch


@pytest.fixture(params=["sqlite", "postgresql"])
def runtime(request, tmp_path):
    """Letters of games of all ages, with talk at some tables. The first mails of most threads are sent."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""
    made = make_runtime(tmp_path / "var", url)
    passing, playing, silenced, second_hand = (start_game(made) for _ in range(4))
    sides = start_game(made, at_once=4)
    postman.deliver(made)
    pass_lowest(made, passing, Seat(BO))
    pass_all(made, playing)
    pass_all(made, silenced)
    play_hand(made, second_hand)
    for _ in range(6):
        play_first(made, sides)
    for game_id in (playing, silenced):
        say(made, game_id, ANN, "Well played")
    with made.database.writing() as session:
        session.get_one(TableRow, table_of(made, silenced)).talk = Talk.NONE
    ask_by_themselves(made)
    yield made
    made.database.engine.dispose()


def ask_by_themselves(runtime):
    """Makes each question an email by itself, though most ask one of the same four players."""
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).where(col(LetterRow.kind) != LetterKind.DIGEST).values(requested=True))


@contextmanager
def another(runtime):
    """Another process on the same database, which has loaded no game."""
    made = Runtime(runtime.settings, runtime.now)
    yield made
    made.database.engine.dispose()


def queued(runtime):
    found = [one for one in letters(runtime) if one.state is LetterState.QUEUED and one.kind is not LetterKind.DIGEST]
    return {one.id: one.kind for one in found}


def texts(runtime, kinds):
    """What is composed of the letters as one chunk, without the library's random boundaries around pictures."""
    found = composing._texts(runtime, Batch(runtime, kinds, new_claim(), runtime.now()), list(kinds))
    return {number: text._replace(message=re.sub(r"===\d+==", "", text.message)) for number, text in found.items()}


def test_a_text_composed_with_others_is_what_it_is_by_itself(runtime, monkeypatch):
    monkeypatch.setattr(TolerantSigner, "get_timestamp", lambda _: 0)  # a link says in which second it was made
    kinds = queued(runtime)
    with another(runtime) as there:
        together = texts(there, kinds)
    assert together == {number: text for one in kinds.items() for number, text in texts(runtime, dict([one])).items()}
    mails = [message_from_string(text.message) for text in together.values() if text.message]
    assert len(mails) > 8
    assert {LetterKind.TURN, LetterKind.SCORE_SHEET} <= {kinds[one] for one, text in together.items() if text.message}
    assert len({mail["References"] for mail in mails if mail["References"]}) > 4
    said = ["SAID AT THE TABLE" in mail.get_payload(0).get_payload() for mail in mails]
    assert Counter(said).keys() == {True, False}


def test_letters_that_are_about_no_game_are_composed_together(tmp_path, caplog):
    runtime = make_runtime(tmp_path / "var")
    open_table(runtime)
    invitations = {one.id: one.kind for one in letters(runtime, LetterKind.INVITATION)}
    assert len(invitations) > 1
    assert texts(runtime, invitations).keys() == invitations.keys()
    postman.deliver(runtime)
    assert "one by one" not in caplog.text
    runtime.database.engine.dispose()
