"""An invitation that nobody answers runs out: its seat is free, everybody's else is as it was, and games go on."""

from datetime import timedelta
from threading import Thread

import pytest

from tests.cast import NAMES, address, dump, new_table, open_table, seats, start_game, table_row
from tests.races import at_once
from tests.sites import site_of
from tests.submitting import words
from tests.webapp.tables.hosted import ANN, BO, CY, DI, EVE, accept, end_game, host_of, offer
from tests.webapp.tables.open_seats import invitation
from webapp.core.tokens import AgainLink, SeatLink
from webapp.games.record.rows import table_seats
from webapp.models import SeatState, TableRow, TableState
from webapp.players import away
from webapp.tables import again, hosting, run_out, seating
from webapp.tables.run_out import KEPT_FOR, NOBODY
from webapp.tables.seating import SeatGone

LONG = KEPT_FOR + timedelta(days=4)  # the second mail comes after three


def withdraw_after(runtime, time):
    runtime.now.pass_by(time)
    return run_out.withdraw_old(runtime, runtime.now())


def test_an_invitation_expires_sixty_days_after_its_last_mail(either_runtime):
    runtime = either_runtime
    table_id = open_table(runtime)
    accept(runtime, invitation(runtime, table_id, CY), "Cy")
    before = dump(runtime)
    assert withdraw_after(runtime, KEPT_FOR + timedelta(days=2)) == 0
    assert dump(runtime) == before
    assert withdraw_after(runtime, timedelta(days=2)) == 1
    ann, bo, cy, di = seats(runtime, table_id)
    assert (ann.state, cy.state, cy.name) == (SeatState.HOST, SeatState.ACCEPTED, "Cy")
    assert [(seat.has_run_out, seat.name, seat.player_id) for seat in (bo, di)] == [(True, NOBODY, None)] * 2
    before = dump(runtime)
    assert run_out.withdraw_old(runtime, runtime.now()) == 0
    assert dump(runtime) == before


def test_more_tables_than_one_transaction_holds_are_all_checked(runtime, monkeypatch):
    monkeypatch.setattr(run_out, "TABLES_AT_ONCE", 2)
    tables = [seating.open_table(runtime, new_table(NAMES[:3]), runtime.now()).id for _ in range(5)]
    assert withdraw_after(runtime, LONG) == 5
    assert {table_row(runtime, one).state for one in tables} == {TableState.OVER}


def test_the_host_reads_that_it_ran_out_and_invites_again(runtime):
    table_id = open_table(runtime)
    withdraw_after(runtime, LONG)
    host = seats(runtime, table_id)[ANN]
    client = site_of(runtime).test_client()
    for link in (SeatLink(table_id, ANN, host.player_id), host_of(runtime, table_id)):
        page = client.get(runtime.signer.local_url(link))
        assert page.status_code == 200
        assert words(page).count("the invitation ran out") >= 3
        assert address("Bo") not in page.text
    hosting.give_seat(runtime, host_of(runtime, table_id), BO, EVE, runtime.now())
    assert [seat.has_run_out for seat in seats(runtime, table_id)] == [False, False, True, True]
    assert withdraw_after(runtime, timedelta(days=30)) == 0
    accept(runtime, invitation(runtime, table_id, BO))
    assert seats(runtime, table_id)[BO].state is SeatState.ACCEPTED


def test_of_a_simultaneous_answer_and_end_only_one_wins(either_runtime):
    runtime = either_runtime
    table_id = open_table(runtime)
    link = invitation(runtime, table_id, BO)
    runtime.now.pass_by(LONG)
    answered, _ = at_once(
        lambda: seating.accept(runtime, link, "Bo", "UTC", runtime.now()),
        lambda: run_out.withdraw_old(runtime, runtime.now()),
    )
    bo = seats(runtime, table_id)[BO]
    if isinstance(answered, SeatGone):
        assert bo.has_run_out
    else:
        assert (answered, bo.state, bo.player_id) == (None, SeatState.ACCEPTED, link.player_id)
    assert all(seat.has_run_out for seat in seats(runtime, table_id)[CY:])


def test_an_answer_that_is_being_given_is_waited_for(either_runtime):
    runtime = either_runtime
    table_id = open_table(runtime)
    runtime.now.pass_by(LONG)
    withdrawing = Thread(target=run_out.withdraw_old, args=[runtime, runtime.now()])
    with runtime.database.writing() as session:
        row = session.get_one(TableRow, table_id, with_for_update={"key_share": True})
        bo = table_seats(session, table_id)[BO]
        withdrawing.start()
        withdrawing.join(0.5)
        seating.take_seat(row, bo)
    withdrawing.join()
    assert (seats(runtime, table_id)[BO].state, seats(runtime, table_id)[BO].name) == (SeatState.ACCEPTED, "Bo")
    assert seats(runtime, table_id)[CY].has_run_out


@pytest.mark.parametrize("is_stand_in", [False, True], ids=["by the host", "by a player who is away"])
def test_an_unanswered_offer_ends_and_the_game_goes_on(either_runtime, is_stand_in):
    runtime = either_runtime
    table = start_game(runtime)
    if is_stand_in:
        bo = table.seats[BO].player_id
        away.ask(runtime, bo, table.table_id, EVE, runtime.now())
    else:
        offer(table)
    before = table.stored
    assert withdraw_after(runtime, LONG) == 1
    after = table.stored
    assert [seat.offered_to for seat in after.seats] == [None] * 4
    assert [seat.player_id for seat in after.seats] == [seat.player_id for seat in before.seats]
    assert (after.table.state, after.row.turns) == (TableState.PLAYING, before.row.turns)


def test_a_newcomer_who_has_accepted_keeps_the_promise(runtime):
    table = start_game(runtime)
    link = offer(table)
    accept(runtime, link)
    assert withdraw_after(runtime, LONG) == 0
    assert table.seats[BO].offered_to == link.player_id


def test_an_invitation_to_another_game_does_not_expire(runtime):
    table = start_game(runtime)
    table_id = table.table_id
    end_game(runtime, table_id)
    host = seats(runtime, table_id)[ANN]
    again.agree(runtime, AgainLink(table_id, ANN, host.player_id, 1), runtime.now())
    assert seats(runtime, table_id)[DI].state is SeatState.INVITED
    before = dump(runtime)
    assert withdraw_after(runtime, LONG) == 0
    assert dump(runtime) == before
