"""Letters about a decision in a game: their thread, which of them ask, and which an answer supersedes."""

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import delete, select

from tests.cast import start_game
from tests.mailing import BUNDLED, EVERY
from webapp.games.asked.due import Due
from webapp.games.record import store
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox.in_game import letters_asking, queue_in_game, supersede_answered

BO, CY = 1, 2
PASS, FIRST, SECOND, NEXT_HAND = Due(1, "pass"), Due(1, "trick 1"), Due(1, "trick 2"), Due(2, "pass")


@pytest.fixture
def game_id(runtime):
    """A game about which there is no letter yet."""
    made = start_game(runtime)
    with runtime.database.writing() as session:
        session.exec(delete(LetterRow))
    return made


@pytest.fixture
def session(runtime, game_id):
    with runtime.database.writing() as opened:
        yield opened


@pytest.fixture
def stored(session, game_id):
    return store.load(session, game_id)


def mail(session, runtime, stored, due, kind=LetterKind.TURN, seat=BO, again=""):
    return queue_in_game(session, runtime, kind, stored, stored.seats[seat], due, runtime.now(), again)


def mail_by_itself(session, runtime, stored, due):
    with session.begin_nested():
        mail(session, runtime, stored, due)


def kinds(session):
    return [(letter.kind, letter.state) for letter in session.exec(select(LetterRow).order_by(LetterRow.id))]


def test_mails_about_a_hand_to_a_player_make_one_thread(session, runtime, stored):
    first = mail(session, runtime, stored, PASS)
    assert first.thread_id is None
    for later in (FIRST, SECOND):
        assert mail(session, runtime, stored, later).thread_id == first.message_id
    assert mail(session, runtime, stored, NEXT_HAND).thread_id is None, "another hand"
    assert mail(session, runtime, stored, FIRST, seat=CY).thread_id is None, "another player"


def test_a_letter_notes_its_subject_and_the_games_turn(session, runtime, stored):
    letter = mail(session, runtime, stored, FIRST)
    assert (letter.hand, letter.about, letter.turns) == (1, "trick 1", stored.row.turns)
    assert (letter.game_id, letter.table_id, letter.seat) == (stored.id, stored.table.id, BO)
    assert letter.player_id == stored.seats[BO].player_id


def test_the_same_letter_is_queued_again_only_on_purpose(session, runtime, stored):
    one, more = mail(session, runtime, stored, FIRST), mail(session, runtime, stored, FIRST, again=" again")
    assert one.message_id != more.message_id
    with pytest.raises(IntegrityError):
        mail_by_itself(session, runtime, stored, FIRST)


@pytest.mark.parametrize(
    ("frequency", "question", "expected"),
    [
        pytest.param(EVERY, LetterKind.TURN, [(LetterKind.TURN, LetterState.QUEUED)], id="a mail for each turn"),
        pytest.param(
            BUNDLED,
            LetterKind.TURN,
            [(LetterKind.TURN, LetterState.HELD), (LetterKind.DIGEST, LetterState.QUEUED)],
            id="a digest is queued with what it holds",
        ),
    ],
)
def test_a_question_goes_or_waits_as_its_player_prefers(session, runtime, stored, frequency, question, expected):
    player = session.get_one(PlayerRow, stored.seats[BO].player_id)
    player.frequency, player.seen_at = frequency, None
    mail(session, runtime, stored, FIRST, question)
    assert kinds(session) == expected


def test_only_a_decisions_questions_and_reminders_ask_its_present_player(session, runtime, stored):
    asking = [mail(session, runtime, stored, FIRST, kind) for kind in (LetterKind.TURN, LetterKind.REMINDER)]
    mail(session, runtime, stored, FIRST, LetterKind.PLAYED_FOR_YOU)
    mail(session, runtime, stored, SECOND)
    mail(session, runtime, stored, FIRST, seat=CY)
    seat = stored.seats[BO]
    assert letters_asking(session, stored.id, seat, FIRST) == asking
    assert letters_asking(session, stored.id + 1, seat, FIRST) == []
    assert letters_asking(session, stored.id, seat, Due(1, "trick 9")) == []
    newcomer = SeatRow(table_id=seat.table_id, seat=BO, player_id=stored.seats[CY].player_id, name="Eve")
    assert letters_asking(session, stored.id, newcomer, FIRST) == []


@pytest.mark.parametrize(
    ("state", "then"),
    [
        (LetterState.QUEUED, LetterState.SUPERSEDED),
        (LetterState.HELD, LetterState.SUPERSEDED),
        (LetterState.SENT, LetterState.SENT),
        (LetterState.FAILED, LetterState.FAILED),
    ],
)
def test_an_answer_supersedes_waiting_letters_even_when_already_loaded(session, runtime, stored, state, then):
    letter, other = mail(session, runtime, stored, FIRST), mail(session, runtime, stored, SECOND)
    letter.state = state
    supersede_answered(session, stored.id, stored.seats[BO], FIRST)
    assert (letter.state, other.state) == (then, LetterState.QUEUED)
    assert (letter.next_at is None) is (then is LetterState.SUPERSEDED)
