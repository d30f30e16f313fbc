"""Another game at the same table: proposed, agreed to, declined, and begun once."""

from functools import partial

import pytest

from tests.cast import NAMES, dump, letters, open_table, seat_link, seats, start_game, table_row
from tests.races import none_fails
from tests.table import Table
from tests.webapp.tables.another_game import agree, decline, finished_table, invitations, link, newest, play_out
from tests.webapp.tables.open_seats import states
from webapp.core.tokens import InvitationLink, LinkInvalid
from webapp.forms.opening import NewSeat
from webapp.games.record.seats import table_name
from webapp.models import LetterKind, SeatRow, SeatState, TableState
from webapp.tables import again, seating
from webapp.tables.again import AnotherGameState
from webapp.tables.seating import SeatGone

ANN, BO, CY, DI = range(4)


@pytest.fixture
def over(runtime) -> int:
    """The id of a table of four whose first game is over."""
    return finished_table(runtime)


def state_of(runtime, table_id: int, seat: int, number: int = 1) -> AnotherGameState:
    with runtime.database.reading() as session:
        return again.another_game(session, link(runtime, table_id, seat, number)).state


def asked(runtime) -> list[int]:
    """The seats for which invitations to another game were queued, without reminders."""
    return [letter.seat for letter in invitations(runtime) if letter.game_number == 2]


# proposing and agreeing


def test_the_first_player_who_wants_another_game_invites_the_others(runtime, over) -> None:
    agree(runtime, over, BO)
    assert table_row(runtime, over).state is TableState.INVITING
    assert states(runtime, over) == [SeatState.INVITED, SeatState.ACCEPTED, SeatState.INVITED, SeatState.INVITED]
    assert asked(runtime) == [ANN, CY, DI]
    assert [state_of(runtime, over, seat) for seat in range(4)] == [
        AnotherGameState.ASKED,
        AnotherGameState.AGREED,
        AnotherGameState.ASKED,
        AnotherGameState.ASKED,
    ]


def test_another_game_leaves_open_tables_their_names(runtime, over) -> None:
    first = open_table(runtime)
    agree(runtime, over, BO)
    assert [table_name(seats(runtime, table_id)) for table_id in (first, over)] == ["Ann's table", "Ann's table 2"]


def test_the_last_agreement_begins_another_game_by_the_same_rules(runtime, over) -> None:
    first = newest(runtime, over)
    agree(runtime, over, BO, ANN, DI)
    assert newest(runtime, over).id == first.id
    agree(runtime, over, CY)
    second = newest(runtime, over)
    assert (second.number, table_row(runtime, over).state) == (2, TableState.PLAYING)
    assert Table(runtime, second.id).game.rules == Table(runtime, first.id).game.rules
    assert Table(runtime, second.id).game.hand == 1
    assert states(runtime, over) == [SeatState.HOST, *[SeatState.ACCEPTED] * 3]
    assert {letter.seat for letter in letters(runtime, LetterKind.TURNS) if letter.game_id == second.id} == {0, 1, 2, 3}


def test_robots_always_want_another_game(runtime) -> None:
    table_id = finished_table(runtime, NAMES[:1], robots=3)
    agree(runtime, table_id, ANN)
    assert newest(runtime, table_id).number == 2
    assert states(runtime, table_id) == [SeatState.HOST, *[SeatState.ROBOT] * 3]


def test_agreeing_twice_is_the_same_as_once(runtime, over) -> None:
    agree(runtime, over, BO)
    before = dump(runtime)
    agree(runtime, over, BO)
    assert dump(runtime) == before


def test_the_link_changes_nothing_once_the_game_has_begun(runtime, over) -> None:
    agree(runtime, over, ANN, BO, CY, DI)
    before = dump(runtime)
    agree(runtime, over, ANN, BO)
    assert dump(runtime) == before
    assert state_of(runtime, over, ANN) is AnotherGameState.BEGUN


def test_a_third_game_needs_everybodys_consent_again(runtime, over) -> None:
    agree(runtime, over, ANN, BO, CY, DI)
    play_out(Table(runtime, newest(runtime, over).id))
    agree(runtime, over, CY, number=2)
    assert states(runtime, over)[BO] is SeatState.INVITED
    assert 3 in {letter.game_number for letter in letters(runtime, LetterKind.INVITATION)}
    agree(runtime, over, BO)
    assert states(runtime, over)[BO] is SeatState.INVITED, "the link of the first game agrees to the second one only"


def test_agreeing_to_play_again_ends_absence_and_muting(runtime, over) -> None:
    with runtime.database.writing() as session:
        di = session.get_one(SeatRow, (over, DI))
        di.away, di.mails, di.missed = True, False, 3
    agree(runtime, over, ANN)
    assert asked(runtime) == [BO, CY], "Di has muted the table"
    agree(runtime, over, DI)
    di = seats(runtime, over)[DI]
    assert (di.away, di.mails, di.missed) == (False, True, 0)


@pytest.mark.parametrize("round_", range(2))
def test_two_simultaneous_last_agreements_begin_one_game(either_runtime, round_) -> None:
    table_id = finished_table(either_runtime, NAMES[:3], robots=1)
    agree(either_runtime, table_id, ANN)
    tap_together(either_runtime, table_id, BO, CY)
    assert newest(either_runtime, table_id).number == 2
    assert table_row(either_runtime, table_id).state is TableState.PLAYING


def test_two_simultaneous_proposals_invite_everybody_once(either_runtime) -> None:
    table_id = finished_table(either_runtime, NAMES[:3], robots=1)
    tap_together(either_runtime, table_id, ANN, BO)
    assert states(either_runtime, table_id)[:3] == [SeatState.HOST, SeatState.ACCEPTED, SeatState.INVITED]
    assert asked(either_runtime).count(CY) == 1


def tap_together(runtime, table_id: int, *those: int) -> None:
    none_fails(*(partial(again.agree, runtime, link(runtime, table_id, seat), runtime.now()) for seat in those))


# declining


def test_a_declined_seat_is_given_away_to_begin_the_game(runtime, over) -> None:
    agree(runtime, over, ANN, BO, CY)
    decline(runtime, over, DI)
    (notice,) = letters(runtime, LetterKind.DECLINED)
    assert (notice.seat, notice.about) == (ANN, "Di")
    seating.refill(runtime, seat_link(runtime, over, ANN), DI, None, runtime.now())
    assert newest(runtime, over).number == 2
    assert states(runtime, over)[DI] is SeatState.ROBOT


def test_the_old_game_keeps_the_names_of_its_players(runtime, over) -> None:
    first = newest(runtime, over).id
    agree(runtime, over, ANN, BO, CY)
    decline(runtime, over, DI)
    seating.refill(runtime, seat_link(runtime, over, ANN), DI, NewSeat("Emil", "emil@example.org"), runtime.now())
    assert Table(runtime, first).stored.names == list(NAMES)
    seating.accept(runtime, InvitationLink(over, DI, seats(runtime, over)[DI].player_id), "Emil", "UTC", runtime.now())
    assert Table(runtime, newest(runtime, over).id).stored.names == ["Ann", "Bo", "Cy", "Emil"]


def test_a_new_player_does_not_inherit_the_old_ones_absence(runtime, over) -> None:
    with runtime.database.writing() as session:
        di = session.get_one(SeatRow, (over, DI))
        di.away, di.missed = True, 3
    agree(runtime, over, ANN)
    decline(runtime, over, DI)
    seating.refill(runtime, seat_link(runtime, over, ANN), DI, NewSeat("Emil", "emil@example.org"), runtime.now())
    emil = seats(runtime, over)[DI]
    assert (emil.name, emil.away, emil.missed) == ("Emil", False, 0)


def test_a_player_who_declined_may_agree_after_all(runtime, over) -> None:
    agree(runtime, over, ANN, BO, CY)
    decline(runtime, over, DI)
    assert state_of(runtime, over, DI) is AnotherGameState.DECLINED
    agree(runtime, over, DI)
    assert newest(runtime, over).number == 2


def test_without_its_host_the_table_closes_and_others_are_notified(runtime, over) -> None:
    agree(runtime, over, BO)
    decline(runtime, over, ANN)
    assert table_row(runtime, over).state is TableState.OVER
    assert [(letter.seat, letter.about) for letter in letters(runtime, LetterKind.DECLINED)] == [(BO, "Ann")]
    assert [state_of(runtime, over, seat) for seat in range(4)] == [
        AnotherGameState.DECLINED,
        *[AnotherGameState.CLOSED] * 3,
    ]
    for seat in (BO, CY):
        with pytest.raises(SeatGone):
            agree(runtime, over, seat)


def test_a_host_who_changes_their_mind_opens_the_table_again(runtime, over) -> None:
    agree(runtime, over, BO)
    decline(runtime, over, ANN)
    agree(runtime, over, ANN)
    assert states(runtime, over) == [SeatState.HOST, SeatState.ACCEPTED, SeatState.INVITED, SeatState.INVITED]
    assert len(asked(runtime)) == 3, "nobody is asked twice"
    agree(runtime, over, CY, DI)
    assert newest(runtime, over).number == 2


def test_the_same_player_may_decline_before_every_game(runtime, over) -> None:
    agree(runtime, over, ANN)
    decline(runtime, over, DI)
    agree(runtime, over, DI, BO, CY)
    play_out(Table(runtime, newest(runtime, over).id))
    agree(runtime, over, ANN, number=2)
    decline(runtime, over, DI)
    assert len(letters(runtime, LetterKind.DECLINED)) == 2


# links and pages


def test_a_lost_seats_link_lets_nobody_agree(runtime, over) -> None:
    old = link(runtime, over, DI)
    agree(runtime, over, ANN)
    decline(runtime, over, DI)
    seating.refill(runtime, seat_link(runtime, over, ANN), DI, None, runtime.now())
    before = dump(runtime)
    with pytest.raises(SeatGone):
        again.agree(runtime, old, runtime.now())
    assert dump(runtime) == before


def test_a_game_that_was_not_played_has_no_successor(runtime, over) -> None:
    with pytest.raises(LinkInvalid):
        agree(runtime, over, ANN, number=2)


def test_nothing_is_proposed_while_a_game_is_running(runtime) -> None:
    table = start_game(runtime)
    table_id = table.table_id
    before = dump(runtime)
    agree(runtime, table_id, ANN)
    assert dump(runtime) == before


def test_the_host_fills_only_the_seats_of_others(runtime, over, client) -> None:
    agree(runtime, over, BO)
    page = client.get(runtime.signer.local_url(seat_link(runtime, over, ANN))).text
    assert page.count("<summary>Give away this seat") == 2


def test_the_record_of_the_last_game_stays_available(runtime, over, client) -> None:
    agree(runtime, over, ANN, BO, CY, DI)
    seat = runtime.signer.local_url(seat_link(runtime, over, BO))
    assert len(client.get(f"{seat}/record.json?game=1").json["hands"]) >= 1
    assert client.get(f"{seat}/record.json?game=2").json["hands"] == []
    assert client.get(f"{seat}/record.json?game=3").status_code == 403
