"""Finding which mails of a shared mailbox are ours, and the letter to which each belongs."""

import pytest

from tests.answers import mail, question
from tests.cast import letters, start_game
from tests.runtimes import make_runtime
from webapp.core.addresses import Purpose
from webapp.inbox.finding import addresses_of, is_report, known_ids, reported_by, sender_of
from webapp.models import LetterKind
from webapp.replies.received import parse_head
from worker import postman


@pytest.fixture
def runtime(tmp_path):
    made = make_runtime(tmp_path / "var", reply_mailbox="hearts@example.org")
    start_game(made)
    yield made
    made.database.engine.dispose()


@pytest.fixture
def letter(runtime):
    return question(runtime, "Ann")


def found(runtime, name="Ann", **headers):
    with runtime.database.reading() as session:
        return addresses_of(session, runtime, parse_head(mail(name, "QS", **headers)))


def address_of(runtime, letter, purpose=Purpose.REPLY):
    return runtime.postmark.address(purpose, letter.id)


def test_a_signed_address_is_enough(runtime, letter):
    assert found(runtime, To=f"Hearts <{address_of(runtime, letter).upper()}>") == [address_of(runtime, letter)]
    assert found(runtime, Delivered_To=address_of(runtime, letter)) == [address_of(runtime, letter)]


@pytest.mark.parametrize("field", ["In_Reply_To", "References"])
def test_an_answer_of_its_player_finds_a_letter(runtime, letter, field):
    assert found(runtime, **{field: f"<other@home> {letter.message_id}"}) == [address_of(runtime, letter)]


def test_an_answer_to_several_questions_is_about_the_first(runtime):
    start_game(runtime, at_once=4)
    postman.deliver(runtime)
    (letter,) = [one for one in letters(runtime, LetterKind.TURNS) if one.player_id == 1]
    assert (letter.about, letter.hand) == ("pass", 1)
    assert found(runtime, In_Reply_To=letter.message_id) == [address_of(runtime, letter)]


def test_an_answer_from_another_address_finds_its_letter(runtime, letter):
    """The letter's player hears of it."""
    assert found(runtime, "Bo", In_Reply_To=letter.message_id) == [address_of(runtime, letter)]


def test_a_strangers_mail_in_a_thread_is_left_alone(runtime, letter):
    """Ann has forwarded the letter, and Bo writes back to her."""
    thread = {"In_Reply_To": "<forwarded@home>", "References": f"{letter.message_id} <forwarded@home>"}
    assert found(runtime, "Bo", **thread) == []
    assert found(runtime, "Ann", **thread) == [address_of(runtime, letter)]
    assert found(runtime, From="Ann+cards@Example.org", **thread) == [address_of(runtime, letter)], "the same mailbox"


def test_our_own_letter_is_left_alone(runtime, letter):
    assert found(runtime, Message_ID=letter.message_id, References=letter.message_id) == []


def test_other_mail_is_left_alone(runtime, letter):
    assert found(runtime, To="hearts@example.org", In_Reply_To="<other@home>") == []


def test_a_report_finds_the_letter_that_it_returns(runtime, letter):
    raw = b"Return-Path: <>\n\nNo such user\n\n> Message-ID: " + letter.message_id.encode() + b"\n"
    assert is_report(parse_head(raw))
    with runtime.database.reading() as session:
        assert reported_by(session, runtime, raw) == [address_of(runtime, letter, Purpose.QUOTED)]
        assert reported_by(session, runtime, b"Return-Path: <>\n\nMessage-ID: <other@home>\n") == []


def test_the_sender_is_that_of_the_envelope():
    assert sender_of(parse_head(b"Return-Path: <>\nFrom: ann@example.org\n\n")) == ""
    assert sender_of(parse_head(b"From: Ann <Ann@example.org>\n\n")) == "ann@example.org"


def test_a_zero_byte_in_a_message_id_names_no_letter(either_runtime):
    head = parse_head(b"From: <ann@example.org>\r\nReferences: <a\x00b@b.c> <c@d.e>\r\n\r\n")
    with either_runtime.database.reading() as session:
        assert known_ids(session, [head]) == set()
        assert addresses_of(session, either_runtime, head) == []
