"""A sealed game: its seal comes before all words, words count from the next deal on, and each hand is opened alone."""

import pytest
from sqlmodel import delete, select

from hearts.fair import ERAS, HANDS, digest_of
from hearts.record import parse_record, record_text
from hearts.rules import preset_rules
from hearts.verify import Mailbox, Refused, verify
from tests.cast import NAMES, letters, new_table, open_table, seats
from tests.playing import QUICK
from tests.side_by_side import finish
from tests.table import Table
from tests.webapp.tables.hosted import BO, accept, end_game, offer, replace_by_robot
from tests.webapp.tables.lending import come_back, lend
from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime
from webapp.core.tokens import ConfirmLink, InvitationLink, era_of
from webapp.games.record.finished import HandNotScored, proved_deal, proved_record
from webapp.games.record.sealed import NO_LETTERS, deal, from_hex, list_of
from webapp.models import DealtRow, RestorationRow, SealRow
from webapp.tables import seating

WORDS = {"Ann": "the cat is fat", "Bo": " Grüße aus\tKöln ", "Cy": "", "Di": "7 ♥ for luck"}


def rows(runtime, kind):
    with runtime.database.reading() as session:
        return session.exec(select(kind)).all()


def start_with_words(runtime, rules=QUICK, at_once=1):
    """A game for which all but Cy have given words."""
    table_id = open_table(runtime, rules=rules, at_once=at_once)
    for seat in seats(runtime, table_id)[1:]:
        link = InvitationLink(table_id, seat.seat, seat.player_id)
        seating.accept(runtime, link, seat.name, "UTC", runtime.now(), WORDS[seat.name])
    with runtime.database.reading() as session:
        return Table(runtime, seating.current_game(session, table_id).id)


def record(table):
    """The record of the game, as anybody reads it."""
    stored = table.stored
    with table.runtime.database.reading() as session:
        return parse_record(record_text(proved_record(session, stored)))


def box(runtime, number, words, **more):
    (seal, *_) = rows(runtime, SealRow)
    return Mailbox(bytes.fromhex(seal.root), number, words, **more)


def test_players_who_gave_words_can_prove_each_hand(either_runtime):
    table = start_with_words(either_runtime)
    table.play_hand()
    table.play_hand()
    for number, name in ((1, "Bo"), (3, "Di")):
        verdict = verify(record(table), box(either_runtime, number, WORDS[name]))
        assert (verdict.hands, verdict.missing) == (2, ())


def test_a_seal_is_there_before_the_host_confirms(runtime):
    table_id = open_table(runtime, NAMES[:1], robots=3)
    (seal,) = rows(runtime, SealRow)
    assert (seal.table_id, seal.game_number) == (table_id, 1)


def test_the_words_of_the_host_are_stirred_in(runtime):
    table = seating.open_table(runtime, new_table(NAMES[:1], robots=3, rules=QUICK), runtime.now())
    seating.confirm(runtime, ConfirmLink(table.id), runtime.now(), WORDS["Ann"])
    game_id = rows(runtime, DealtRow)[0].game_id
    Table(runtime, game_id).play_hand()
    assert verify(record(Table(runtime, game_id)), box(runtime, 0, WORDS["Ann"])).missing == ()


def test_only_finished_hands_are_opened(runtime):
    table = start_with_words(runtime)
    assert [hand.fair for hand in record(table).hands] == []
    table.play_hand()
    assert [hand.fair.proof.leaf for hand in record(table).hands] == [0]
    with runtime.database.reading() as session, pytest.raises(HandNotScored):
        proved_deal(session, table.stored, 2)


def test_side_by_side_a_hand_opens_when_it_is_scored(runtime):
    table = start_with_words(runtime, preset_rules("classic"), at_once=4)
    finish(table, 2)
    assert record(table).hands == ()
    finish(table, 1)
    assert [hand.fair.proof.leaf for hand in record(table).hands] == [0, 1]
    assert verify(record(table), box(runtime, BO, WORDS["Bo"])).hands == 2


def test_an_ended_game_opens_its_finished_hands_alone(runtime):
    table = start_with_words(runtime)
    table.play_hand()
    end_game(runtime, table.table_id)
    assert [hand.fair.proof.leaf for hand in record(table).hands] == [0]


def test_the_next_game_is_sealed_anew_without_words(runtime):
    table = start_with_words(runtime)
    end_game(runtime, table.table_id)
    first, second = rows(runtime, SealRow)
    assert (second.game_number, second.master != first.master) == (2, True)
    assert {(seat.shuffle_words, seat.shuffle_part) for seat in seats(runtime, first.table_id)} == {(None, None)}


def test_the_words_of_a_newcomer_count_from_the_next_deal(runtime):
    table = start_with_words(runtime, preset_rules("classic"))
    link = offer(table, BO)
    seating.accept(runtime, link, "Eve", "UTC", runtime.now(), "late but here")
    table.play_hand()
    table.play_hand()
    kept = record(table)
    assert verify(kept, box(runtime, BO, "late but here", since=2)).missing == ()
    assert verify(kept, box(runtime, BO, WORDS["Bo"], until=1)).missing == ()
    with pytest.raises(Refused, match="hand 1"):
        verify(kept, box(runtime, BO, "late but here"))


@pytest.mark.parametrize("who", ["robot", "silent newcomer"])
def test_a_part_stays_under_a_robot_and_a_silent_newcomer(runtime, who):
    table = start_with_words(runtime, preset_rules("classic"))
    if who == "robot":
        replace_by_robot(table, BO)
    else:
        accept(runtime, offer(table, BO))
    table.play_hand()
    table.play_hand()
    assert verify(record(table), box(runtime, BO, WORDS["Bo"])).missing == ()
    assert seats(runtime, table.table_id)[BO].shuffle_words is None, "nobody else sees the words"


def test_an_owner_who_lends_the_seat_keeps_their_words(runtime):
    table = start_with_words(runtime, preset_rules("classic"))
    bo = seats(runtime, table.table_id)[BO]
    link = lend(table, BO)
    lent = seats(runtime, table.table_id)[BO]
    assert (lent.shuffle_words, lent.shuffle_part) == (None, bo.shuffle_part)
    come_back(runtime, link, bo.player_id)
    assert seats(runtime, table.table_id)[BO].shuffle_words == "Grüße aus Köln"


def test_the_first_words_stand(runtime):
    table_id = open_table(runtime)
    link = InvitationLink(table_id, BO, seats(runtime, table_id)[BO].player_id)
    for words in ("the first", "the second"):
        seating.accept(runtime, link, "Bo", "UTC", runtime.now(), words)
    assert seats(runtime, table_id)[BO].shuffle_words == "the first"


@pytest.mark.parametrize(("number", "leaf"), [(1, HANDS + 1), (ERAS - 1, (ERAS - 1) * HANDS + 1), (ERAS, None)])
def test_no_secret_deals_again_after_a_restore(runtime, number, leaf):
    table = start_with_words(runtime)
    with runtime.database.writing() as session:
        now = runtime.now()
        session.add(RestorationRow(backed_up_at=now, restored_at=now, letters=0, number=number))
    table.play_hand()
    assert [row.leaf for row in rows(runtime, DealtRow)] == [0] + [leaf] * (leaf is not None)


def noted(runtime):
    """How many hands the data folder notes as dealt."""
    return int((runtime.settings.data_dir / "dealt").read_text())


def test_each_deal_is_noted_outside_the_database(runtime):
    table = start_with_words(runtime)
    assert noted(runtime) == 1
    table.play_hand()
    assert noted(runtime) == 2


def test_a_deal_that_is_rolled_back_is_not_noted(runtime):
    table = start_with_words(runtime)

    def fail():
        with table.changing() as game:
            deal(game.session, game.stored, runtime.chance, runtime.settings.data_dir, game.now)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert noted(runtime) == 1


def test_an_older_database_deals_with_other_secrets_once(runtime, caplog):
    table = start_with_words(runtime, preset_rules("quick", target=90))
    (runtime.settings.data_dir / "dealt").write_text("3")  # two more than the database knows
    for _ in range(2):
        table.play_hand()
    assert [row.leaf for row in rows(runtime, DealtRow)] == [0, HANDS + 1, HANDS + 2]
    assert [(row.number, row.letters) for row in rows(runtime, RestorationRow)] == [(1, NO_LETTERS)]
    assert noted(runtime) == 3
    assert (
        caplog.messages.count("the database is older than DATA_DIR: hands are dealt with other secrets from now on")
        == 1
    )
    assert verify(record(table), box(runtime, BO, WORDS["Bo"], restored=(2,))).missing == ()


def test_an_older_database_loses_no_answers_by_mail(runtime):
    table = start_with_words(runtime)
    before = letters(runtime)[-1]
    address = runtime.address_in_mail(Purpose.REPLY, before.id)
    (runtime.settings.data_dir / "dealt").write_text("9")
    table.play_hand()
    again = Runtime(runtime.settings, runtime.now)
    assert era_of(again.eras(), letters(runtime)[-1].id) == ""
    assert again.address_in_mail(Purpose.REPLY, before.id) == address


def test_a_game_that_was_opened_without_a_seal_goes_on(runtime):
    table = start_with_words(runtime)
    with runtime.database.writing() as session:
        session.exec(delete(SealRow))
        session.exec(delete(DealtRow))
    table.play_hand()
    assert rows(runtime, DealtRow) == []
    assert record(table).fair is None


def test_the_list_is_the_digest_of_all_parts(runtime):
    start_with_words(runtime)
    (dealt,) = rows(runtime, DealtRow)
    assert [part is None for part in dealt.parts] == [True, False, True, False]
    assert list_of(dealt.parts) == digest_of(from_hex(dealt.parts)).hex()
