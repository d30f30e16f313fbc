"""A player leaves all tables: a robot or the owner gets their seats, and their invitations are declined."""

import pytest

from tests.cast import address, dump, letters, open_table, seats, start_game, table_row
from tests.mailing import player_id
from tests.webapp.changing import change
from tests.webapp.players.naming import forget, is_named, told
from tests.webapp.tables.hosted import offer
from tests.webapp.tables.lending import lend
from webapp.core.tokens import InvitationLink
from webapp.models import LetterKind, PlayerRow, SeatState, TableRow, TableState
from webapp.tables import seating
from webapp.tables.leaving import leave_all

ANN, BO, CY, DI = range(4)


@pytest.fixture
def game(either_runtime):
    """A game of which a hand is over."""
    table = start_game(either_runtime)
    table.play_hand()
    return table


def leave(runtime, name):
    """Makes Ann, Bo, … leave all tables, and keeps the rest of what is known of them."""
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, player_id(runtime, name))
    leave_all(runtime, player, runtime.now())


def test_a_forgotten_guest_declines_and_a_forgotten_host_closes(either_runtime):
    runtime = either_runtime
    table_id = open_table(runtime)
    bo, cy = seats(runtime, table_id)[BO], seats(runtime, table_id)[CY]
    seating.accept(runtime, InvitationLink(table_id, BO, bo.player_id), "Bo", "UTC", runtime.now())
    seating.accept(runtime, InvitationLink(table_id, CY, cy.player_id), "Cy", "UTC", runtime.now())
    forget(runtime, "Bo")  # has accepted
    forget(runtime, "Di")  # has not answered
    states = [seat.state for seat in seats(runtime, table_id)]
    assert states == [SeatState.HOST, SeatState.DECLINED, SeatState.ACCEPTED, SeatState.DECLINED]
    assert len(letters(runtime, LetterKind.DECLINED)) == 2
    assert table_row(runtime, table_id).state is TableState.INVITING
    forget(runtime, "Ann")
    assert table_row(runtime, table_id).state is TableState.OVER
    assert [letter.player_id for letter in letters(runtime, LetterKind.DECLINED)][2:] == [cy.player_id]
    for name in ("Ann", "Bo", "Di"):
        assert address(name) not in told(runtime)
        assert not is_named(runtime, name)


def test_a_seat_that_they_play_for_somebody_returns(either_runtime, game):
    runtime = either_runtime
    lend(game.on(runtime), DI)
    assert game.on(runtime).stored.names[DI] == "Eve (Di)"
    forget(runtime, "Eve")
    seat = game.on(runtime).stored.seats[DI]
    assert (seat.name, seat.away, seat.stands_in_for) == ("Di", True, None)
    assert not is_named(runtime, "Eve")


def test_a_friend_who_plays_for_them_plays_on(either_runtime, game):
    runtime = either_runtime
    lend(game.on(runtime), DI)
    forget(runtime, "Di")
    seat = game.on(runtime).stored.seats[DI]
    assert (seat.name, seat.lent.owner, seat.player_id) == (
        "Eve (Somebody)",
        "Somebody",
        player_id(runtime, "Eve"),
    )
    assert not is_named(runtime, "Di")


def test_leaving_replaces_guests_by_robots_and_makes_hosts_away(runtime):
    """Ann hosts both tables."""
    games = [start_game(runtime), start_game(runtime)]
    for name in ("Ann", "Bo"):
        leave(runtime, name)
    for seated in (table.seats for table in games):
        assert [seat.state for seat in seated[:CY]] == [SeatState.HOST, SeatState.ROBOT]
        assert [seat.away for seat in seated] == [True, False, False, False]
        assert (seated[ANN].name, seated[ANN].mails) == ("Ann", False)


def test_a_seat_that_is_offered_to_them_is_declined(runtime, table):
    offer(table)
    leave(runtime, "Eve")
    assert (table.seats[BO].offered_to, table.seats[BO].name) == (None, "Bo")


@pytest.mark.parametrize("name", ["Ann", "Bo"])
def test_leaving_once_more_changes_nothing(runtime, table, name):
    open_table(runtime)
    leave(runtime, name)
    before = dump(runtime)
    leave(runtime, name)
    assert dump(runtime) == before


@pytest.mark.parametrize("name", ["Ann", "Bo"])
def test_a_table_that_is_over_keeps_its_players(runtime, name):
    table_id = open_table(runtime)
    link = InvitationLink(table_id, BO, seats(runtime, table_id)[BO].player_id)
    seating.accept(runtime, link, "Bo", "UTC", runtime.now())
    change(runtime, TableRow, table_id, state=TableState.OVER)
    before = dump(runtime)
    leave(runtime, name)
    assert dump(runtime) == before


@pytest.mark.parametrize("name", ["Ann", "Bo"])
def test_no_mail_about_leaving_goes_to_who_leaves(runtime, table, name):
    open_table(runtime)
    own = {letter.id for letter in letters(runtime) if letter.player_id == player_id(runtime, name)}
    leave(runtime, name)
    assert {letter.id for letter in letters(runtime) if letter.player_id == player_id(runtime, name)} == own
