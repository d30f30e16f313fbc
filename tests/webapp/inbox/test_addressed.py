"""The letter addressed by an address of ours, its player, and the answers that it accepts."""

import pytest

from tests.answers import question
from tests.cast import letters, start_game
from tests.webapp.tables.hosted import BO, take_at_once
from webapp.core.addresses import Purpose
from webapp.games.asked.due import Due
from webapp.inbox.finding import MailOfLostSeat, addressed_by
from webapp.models import LetterKind, PlayerRow


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
    table, _, letter, _ = leads
    table.play_first()
    while table.game.to_act != (letter.seat,):  # now asked for a later trick
        table.play_first()
    found = addressed(runtime, letter.id)
    assert (found.due, found.asked.legal) == (Due(1, "trick 1"), ())


def test_a_letter_about_no_game_takes_answers_and_asks_nothing(runtime):
    start_game(runtime)
    (confirm,) = letters(runtime, LetterKind.CONFIRM)
    found = addressed(runtime, confirm.id)
    assert (found.purpose, found.letter.id, found.due) == (Purpose.REPLY, confirm.id, None)
    assert (found.asked.what, found.asked.addresses, found.asked.cards) == ("confirm", {"ann@example.org"}, 0)


def test_a_lost_seat_answers_nothing_but_takes_bounces_and_complaints(runtime, table):
    letter = next(one for one in letters(runtime, LetterKind.TURNS) if one.seat == BO)
    take_at_once(table)
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
