"""People who never answered, whom others only named, are forgotten; who did anything, or wants no mail, is kept."""

from contextlib import suppress
from datetime import timedelta
from threading import Thread

import pytest
from sqlmodel import select, update

from tests.cast import address, dump, letters, new_table, open_table, seats, start_game, table_row
from tests.sites import site_of
from tests.submitting import words
from tests.webapp.players.naming import is_named, told
from tests.webapp.tables.hosted import BO, CY, DI, accept, host_of, offer
from tests.webapp.tables.open_seats import ASKING, PIP, RUBY, code, invitation
from tests.webapp.tables.open_seats import open_table as open_seats_table
from webapp.core.tokens import UnsubscribeLink
from webapp.forms.opening import OPEN_SEAT, NewSeat
from webapp.models import PlayerRow, SeatRow, SeatState, TableState
from webapp.players import forgetting
from webapp.tables import hosting, seating
from webapp.tables.run_out import KEPT_FOR
from worker import postman, scheduler

LONG = KEPT_FOR + timedelta(days=4)


def player_id(runtime, name):
    """Of whom has the address now; None if nobody has."""
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow.id).where(PlayerRow.address == address(name))).first()


def tidy_after(runtime, time):
    runtime.now.pass_by(time)
    scheduler.delete_old(runtime)


def test_the_address_of_a_guest_who_never_answered_is_forgotten(either_runtime):
    runtime = either_runtime
    table_id = open_table(runtime)
    accept(runtime, invitation(runtime, table_id, CY), "Cy")
    seating.decline(runtime, invitation(runtime, table_id, DI), runtime.now())
    postman.deliver(runtime)
    runtime.now.pass_by(timedelta(days=3))
    postman.deliver(runtime)
    tidy_after(runtime, KEPT_FOR - timedelta(hours=1))
    assert None not in (player_id(runtime, "Bo"), player_id(runtime, "Di"))
    tidy_after(runtime, timedelta(days=1))
    said = told(runtime)
    assert not any(address(name) in said or is_named(runtime, name) for name in ("Bo", "Di"))
    assert None not in (player_id(runtime, "Ann"), player_id(runtime, "Cy"))
    bo, cy, di = seats(runtime, table_id)[BO:]
    assert (bo.has_run_out, cy.name, di.state, di.name) == (True, "Cy", SeatState.DECLINED, "Somebody")
    before = dump(runtime)
    scheduler.delete_old(runtime)
    assert dump(runtime) == before


def test_a_host_who_never_confirmed_goes_with_their_guests(runtime):
    table_id = seating.open_table(runtime, new_table(), runtime.now()).id
    postman.deliver(runtime)
    tidy_after(runtime, LONG)
    assert table_row(runtime, table_id).state is TableState.OVER
    assert "example.org" not in told(runtime)
    assert not is_named(runtime, "Ann")


def test_a_stranger_who_never_took_a_requested_seat_is_forgotten(runtime, client):
    table_id = open_seats_table(runtime, OPEN_SEAT, PIP, RUBY)
    client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    tidy_after(runtime, LONG)
    assert not is_named(runtime, "Eve")
    assert player_id(runtime, "Ann")


def test_a_player_with_a_game_or_another_invitation_is_kept(runtime):
    table = start_game(runtime)
    offer(table)
    runtime.now.pass_by(timedelta(days=50))
    open_table(runtime, ("Bo", "Eve", "Di"))
    tidy_after(runtime, timedelta(days=14))
    assert all(player_id(runtime, name) for name in ("Ann", "Bo", "Cy", "Di", "Eve"))
    assert table.stored.names == ["Ann", "Bo", "Cy", "Di"]


@pytest.mark.parametrize("wish", [{"invitations": False}, {"unreachable_at": True}], ids=["unsubscribed", "complained"])
def test_a_wish_for_no_mail_is_kept_with_the_address(runtime, wish):
    table_id = open_table(runtime)
    bo = player_id(runtime, "Bo")
    values = {name: runtime.now() if value is True else value for name, value in wish.items()}
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).where(PlayerRow.id == bo).values(**values))
    tidy_after(runtime, LONG)
    assert seats(runtime, table_id)[BO].has_run_out
    assert (player_id(runtime, "Bo"), player_id(runtime, "Di")) == (bo, None)
    with suppress(seating.NotInvitable):
        hosting.give_seat(runtime, host_of(runtime, table_id), BO, NewSeat("Bob", address("Bo")), runtime.now())
        postman.deliver(runtime)
    assert [letter.message for letter in letters(runtime) if letter.player_id == bo] == [None] * 2


def test_an_old_unsubscribe_link_says_that_the_address_is_forgotten(runtime):
    table_id = open_table(runtime)
    link = UnsubscribeLink(table_id, BO, player_id(runtime, "Bo"))
    tidy_after(runtime, LONG)
    page = site_of(runtime).test_client().post(runtime.signer.local_url(link), data={"List-Unsubscribe": "One-Click"})
    assert page.status_code == 410
    assert "We have forgotten your address" in words(page)


def test_who_is_just_being_invited_is_not_forgotten(either_runtime):
    runtime = either_runtime
    open_table(runtime)
    runtime.now.pass_by(LONG)
    table_id, bo = open_seats_table(runtime, OPEN_SEAT, PIP, RUBY), player_id(runtime, "Bo")
    tidying = Thread(target=scheduler.delete_old, args=[runtime])
    with runtime.database.writing() as session:
        invited = seating.seat_for(session, table_id, BO, NewSeat("Bob", address("Bo")), runtime.now())
        tidying.start()
        tidying.join(0.5)
        seat = session.get_one(SeatRow, (table_id, BO))
        seat.player_id, seat.state = invited.player_id, invited.state
    tidying.join()
    assert seats(runtime, table_id)[BO].player_id == player_id(runtime, "Bo") == bo
    assert player_id(runtime, "Di") is None


def test_an_invitation_while_its_guest_is_being_forgotten_reaches_them(either_runtime):
    runtime = either_runtime
    table_id = open_table(runtime)
    bo = player_id(runtime, "Bo")
    runtime.now.pass_by(LONG)
    host, guest = host_of(runtime, table_id), NewSeat("Bob", address("Bo"))
    inviting = Thread(target=hosting.give_seat, args=[runtime, host, CY, guest, runtime.now()])
    with runtime.database.writing() as session:
        player = session.get_one(PlayerRow, bo, with_for_update=True)
        forgetting.erase(session, player, runtime.now())
        session.flush()
        inviting.start()
        inviting.join(0.5)
    inviting.join()
    invited = seats(runtime, table_id)[CY]
    assert invited.state is SeatState.INVITED
    assert invited.player_id == player_id(runtime, "Bo") != bo
