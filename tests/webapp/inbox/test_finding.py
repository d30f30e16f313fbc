"""Finding which mails of a shared mailbox are ours, and the letter to which each belongs."""

import pytest

from tests.answers import answer, answered, mail, question, typed_pass, typed_turns
from tests.cast import letters, load, start_game
from tests.playing import play_first
from tests.runtimes import make_runtime
from tests.webapp.tables.hosted import BO, take_at_once
from webapp.core.addresses import Purpose
from webapp.games.asked.due import Due
from webapp.inbox.finding import (
    MailOfLostSeat,
    addressed_by,
    addresses_of,
    is_report,
    known_ids,
    recurring_lines,
    reported_by,
    sender_of,
)
from webapp.models import InboundRow, LetterKind, PlayerRow
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


def addressed(runtime, number, purpose=Purpose.REPLY):
    with runtime.database.reading() as session:
        return addressed_by(session, runtime, runtime.postmark.address(purpose, number))


def test_a_question_can_be_answered_by_its_legal_cards(runtime, leads):
    _, name, letter, may_play = leads
    found = addressed(runtime, letter.id)
    assert (found.purpose, found.letter.id, found.player.name) == (Purpose.REPLY, letter.id, name)
    assert found.due == Due(1, "trick 1")
    assert (found.asked.seat, found.asked.hand, found.asked.what) == (letter.seat, 1, "trick 1")
    assert list(found.asked.legal) == may_play
    assert found.asked.addresses == {f"{name.lower()}@example.org"}
    assert not found.is_ended


def test_the_answer_to_a_pass_names_cards_not_judged_yet(runtime):
    start_game(runtime)
    found = addressed(runtime, question(runtime, "Bo").id)
    assert (found.due, found.asked.legal, found.asked.pass_count) == (Due(1, "pass"), (), 3)


def test_once_a_question_is_over_no_card_can_answer_it(runtime, leads):
    game_id, _, letter, _ = leads
    play_first(runtime, game_id)
    while load(runtime, game_id).game.to_act != (letter.seat,):  # now asked for a later trick
        play_first(runtime, game_id)
    found = addressed(runtime, letter.id)
    assert (found.due, found.asked.legal) == (Due(1, "trick 1"), ())


def test_a_letter_about_no_game_takes_answers_and_asks_nothing(runtime):
    start_game(runtime)
    (confirm,) = letters(runtime, LetterKind.CONFIRM)
    found = addressed(runtime, confirm.id)
    assert (found.purpose, found.letter.id, found.due) == (Purpose.REPLY, confirm.id, None)
    assert (found.asked.what, found.asked.addresses, found.asked.cards) == ("confirm", {"ann@example.org"}, 0)


def test_a_lost_seat_answers_nothing_but_takes_bounces_and_complaints(runtime, game_id):
    letter = next(one for one in letters(runtime, LetterKind.TURNS) if one.seat == BO)
    take_at_once(runtime, game_id)
    with pytest.raises(MailOfLostSeat):
        addressed(runtime, letter.id)
    for purpose in (Purpose.BOUNCE, Purpose.UNSUBSCRIBE):
        found = addressed(runtime, letter.id, purpose)
        assert (found.player.name, found.asked, found.is_ended) == ("Bo", None, False)


@pytest.mark.parametrize(("lost", "is_ended"), [(0, False), (1, True), (2, True)])
def test_letters_of_before_an_intruder_was_shut_out_are_ended(runtime, lost, is_ended):
    start_game(runtime)
    letter = question(runtime, "Cy")
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, letter.player_id).letters_lost = letter.id - 1 + lost
    assert addressed(runtime, letter.id).is_ended is is_ended


def test_the_address_of_a_deleted_letter_stands_for_nothing(runtime):
    with pytest.raises(LookupError):
        addressed(runtime, 999)


BANNER = "~ Bitte prüfen: Post von draußen ~"


@pytest.fixture
def game_id(runtime):
    made = start_game(runtime)
    postman.deliver(runtime)
    return made


def send(runtime, game_id, name, seat, above=BANNER):
    return answer(runtime, question(runtime, name), mail(name, f"{above}\n\n{typed_pass(runtime, game_id, seat)}\n"))


def test_what_stands_above_the_answers_of_two_others_is_dropped(runtime, game_id):
    taken = [send(runtime, game_id, name, seat).taken_for for seat, name in enumerate(("Ann", "Bo", "Cy"))]
    assert taken == ["garbage", "garbage", "pass"]
    (record,) = typed_turns(runtime, game_id)
    assert record.turn.seat == 2
    assert answered(runtime) == ["unclear", "unclear"]


def test_what_one_player_types_twice_is_no_banner(runtime, game_id):
    for above in (BANNER, BANNER, "Something else"):
        answer(runtime, question(runtime, "Ann"), mail("Ann", f"{above}\n\n{typed_pass(runtime, game_id)}"))
    assert send(runtime, game_id, "Bo", 1).taken_for == "garbage"


def test_words_of_players_drop_nothing_without_an_answer_below(runtime, game_id):
    for name in ("Ann", "Bo"):
        answer(runtime, question(runtime, name), mail(name, f"{BANNER}\n\nWhat is void?"))
    assert send(runtime, game_id, "Cy", 2).taken_for == "garbage"


def test_mails_whose_text_is_forgotten_are_not_compared(runtime, game_id):
    for seat, name in enumerate(("Ann", "Bo")):
        row = send(runtime, game_id, name, seat)
        with runtime.database.writing() as session:
            session.get_one(InboundRow, row.id).raw = None
    with runtime.database.reading() as session:
        assert recurring_lines(session, InboundRow(player_id=99)) == frozenset()
