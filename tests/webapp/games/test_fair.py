"""The shuffle as its players see it, and what the mail of a deal says of it."""

import pytest

from hearts.seats import Seat
from tests.cast import open_table, seats, start_game
from tests.mailing import letters_to
from tests.playing import QUICK
from tests.webapp.tables.hosted import BO, composed, offer
from webapp.core.tokens import InvitationLink
from webapp.games.fair import dealt_sentences, opened_sentences, shuffle_of
from webapp.games.record import sealed
from webapp.games.record.finished import HandNotScored, proved_deal
from webapp.games.record.sealed import list_of
from webapp.models import LetterKind, RestorationRow, SeatRow
from webapp.tables import seating


def shuffle(runtime, table_id, number, player_id, words=""):
    with runtime.database.reading() as session:
        return shuffle_of(session, seats(runtime, table_id), number, player_id, words)


def test_a_player_sees_their_words_and_all_parts(runtime):
    table_id = open_table(runtime)
    bo = seats(runtime, table_id)[BO]
    seating.accept(runtime, InvitationLink(table_id, BO, bo.player_id), "Bo", "UTC", runtime.now(), "the cat")
    found = shuffle(runtime, table_id, BO, bo.player_id)
    part = seats(runtime, table_id)[BO].shuffle_part
    assert (found.words, found.parts[BO]) == ("the cat", ("Bo", part))
    assert (found.list, found.others) == (list_of([None, part, None, None]), list_of([None] * 4))


def test_a_newcomer_sees_no_words_of_the_present_player(runtime):
    table = start_game(runtime)
    table_id = table.table_id
    with runtime.database.writing() as session:
        sealed.give_words(session, session.get_one(SeatRow, (table_id, BO)), "the cat")
    link = offer(table, BO)
    assert shuffle(runtime, table_id, BO, link.player_id).words == ""
    assert shuffle(runtime, table_id, BO, link.player_id, " typed ").words == "typed"


def test_the_first_deal_is_told_and_one_after_a_restore(runtime):
    table, told = start_game(runtime, rules=QUICK), []
    for number in range(2):
        with runtime.database.writing() as session:
            told.append(dealt_sentences(session, table.stored, Seat(BO)))
            if not number:
                now = runtime.now()
                session.add(RestorationRow(backed_up_at=now, restored_at=now, letters=0, number=1))
        table.play_hand()
    assert told[0][0].startswith("With these two numbers you can check the cards of hand 1 later. ")
    assert told[1][-1] == "Hand 2 is the first after this service was restored from a backup."


def test_a_hand_dealt_with_the_same_words_is_not_told(runtime):
    table = start_game(runtime, rules=QUICK)
    table.play_hand()
    with runtime.database.reading() as session:
        assert dealt_sentences(session, table.stored, Seat(BO)) == []


def test_the_sheet_opens_the_secret_that_dealt_its_hand(runtime):
    table = start_game(runtime, rules=QUICK)
    table.play_hand()
    with runtime.database.reading() as session:
        stored = table.stored
        (sentence,) = opened_sentences(session, stored, [1])
        proof = proved_deal(session, stored, 1)
        with pytest.raises(HandNotScored):
            opened_sentences(session, stored, [2])
    assert sentence == f"The secret of hand 1, number 0, is open: {proof['fair']['secret']}."
    (sheet,) = letters_to(runtime, "Bo", LetterKind.SCORE_SHEET)
    assert proof["fair"]["secret"] in composed(runtime, sheet)["plain"]
