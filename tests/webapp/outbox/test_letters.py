"""Letters about a game: those stale once somebody else has the seat, and those composed again after a refusal.

And that a Message-ID cannot be guessed.
"""

import pytest

from tests.cast import letters, load_to_change, start_game
from tests.runtimes import make_runtime
from webapp.models import LetterKind, LetterRow
from webapp.outbox import leases
from webapp.outbox.letters import is_stale
from worker import attempts
from worker.relay import NotSent, SmtpStep


@pytest.mark.parametrize(
    ("kind", "stale"),
    [
        (LetterKind.ANSWER, True),
        (LetterKind.SCORE_SHEET, False),
        (LetterKind.FINAL_SHEET, False),
    ],
)
def test_a_former_player_gets_sheets_but_no_cards(runtime, kind, stale):
    stored = load_to_change(runtime, start_game(runtime))
    letter = letters(runtime, LetterKind.TURNS)[1]
    letter.kind = kind
    stored.seats[letter.seat].player_id = stored.seats[0].player_id
    assert is_stale(letter, stored) is stale


@pytest.mark.parametrize(
    ("kind", "is_composed_anew"),
    [
        (LetterKind.TURNS, True),
        (LetterKind.SCORE_SHEET, False),
        (LetterKind.INVITATION, False),
    ],
)
def test_a_refused_mail_that_names_a_deadline_is_composed_anew(runtime, kind, is_composed_anew):
    start_game(runtime)
    question, claim = letters(runtime, LetterKind.TURNS)[0], leases.new_claim()
    with runtime.database.writing() as session:
        letter = session.merge(question)
        letter.kind, letter.message, letter.claimed_by = kind, "as composed", claim
    with runtime.database.writing() as session:
        attempts.note_refusal(session, question.id, claim, NotSent(SmtpStep.RECIPIENT, 450), runtime.now(), is_new=True)
    with runtime.database.reading() as session:
        assert (session.get_one(LetterRow, question.id).message is None) is is_composed_anew


def test_nobody_without_the_secret_key_can_compute_a_message_id(tmp_path):
    keys = [f"the key of service {name} for tests only" for name in ("one", "two")]
    services = [make_runtime(tmp_path / str(number), secret_keys=key) for number, key in enumerate(keys)]
    for service in services:
        start_game(service)
    one, two = ({letter.dedupe: letter.message_id for letter in letters(service)} for service in services)
    assert one.keys() == two.keys()
    assert not set(one.values()) & set(two.values())
    for service in services:
        service.database.engine.dispose()
