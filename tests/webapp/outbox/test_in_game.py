"""Score sheets: their row, and the thread of a game."""

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import delete

from tests.cast import start_game
from webapp.games.asked.due import Due
from webapp.games.record import store
from webapp.models import LetterKind, LetterRow
from webapp.outbox.questions import queue_in_game

BO, CY = 1, 2
FIRST, SECOND = Due(1, "sheet"), Due(2, "sheet")


@pytest.fixture
def session(runtime):
    """A transaction on a game about which there is no letter yet."""
    start_game(runtime)
    with runtime.database.writing() as opened:
        opened.exec(delete(LetterRow))
        yield opened


@pytest.fixture
def stored(session):
    return store.load(session, 1)


def mail(session, runtime, stored, due, seat=BO):
    return queue_in_game(session, runtime, LetterKind.SCORE_SHEET, stored, stored.seats[seat], due, runtime.now())


def test_mails_about_a_game_to_a_player_make_one_thread(session, runtime, stored):
    first = mail(session, runtime, stored, FIRST)
    assert first.thread_id is None
    first.message = "as composed"
    assert mail(session, runtime, stored, SECOND).thread_id == first.message_id
    assert mail(session, runtime, stored, FIRST, seat=CY).thread_id is None, "another player"


def test_a_letter_notes_its_subject_and_the_games_turn(session, runtime, stored):
    letter = mail(session, runtime, stored, FIRST)
    assert (letter.hand, letter.about, letter.turns) == (1, "sheet", stored.row.turns)
    assert (letter.game_id, letter.table_id, letter.seat) == (stored.id, stored.table.id, BO)
    assert letter.player_id == stored.seats[BO].player_id


def test_the_same_letter_is_queued_once(session, runtime, stored):
    mail(session, runtime, stored, FIRST)
    session.flush()
    with pytest.raises(IntegrityError), session.begin_nested():
        mail(session, runtime, stored, FIRST)
