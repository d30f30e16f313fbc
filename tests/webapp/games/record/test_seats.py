"""A stand-in plays a seat for its owner: who is called what, and which offers end."""

import pytest

from webapp.games.record.seats import (
    clear_offer,
    is_lent,
    is_offered_by_host,
    is_stand_in_asked,
    mark_back,
    name_to,
    own_name,
    owner_id,
    owner_name,
    seat_of_owner,
)
from webapp.models import Lent, OfferState, SeatRow, SeatState

ANN, BO, EVE = 1, 2, 9


def own():
    return SeatRow(table_id=1, seat=2, player_id=ANN, name="Ann", state=SeatState.ACCEPTED)


def lent():
    """Eve plays for Ann."""
    row = SeatRow(table_id=1, seat=2, player_id=EVE, name="Eve (Ann)", state=SeatState.ACCEPTED, stands_in_for=ANN)
    row.lent = Lent(owner="Ann", stand_in="Eve", mails=False)
    return row


def test_a_seat_not_lent_has_one_name_and_player():
    row = own()
    assert (is_lent(row), owner_id(row), owner_name(row), own_name(row)) == (False, ANN, "Ann", "Ann")
    assert seat_of_owner(row) is row


def test_a_lent_seat_has_an_owner_and_a_stand_in():
    row = lent()
    assert (is_lent(row), owner_id(row), owner_name(row), own_name(row)) == (True, ANN, "Ann", "Eve")


def test_the_owners_mail_shows_their_seat_and_changes_no_row():
    row = lent()
    theirs = seat_of_owner(row)
    assert (theirs.table_id, theirs.seat, theirs.player_id, theirs.name, theirs.mails) == (1, 2, ANN, "Ann", False)
    assert (row.player_id, row.name, row.mails) == (EVE, "Eve (Ann)", True)


@pytest.mark.parametrize(("player", "name"), [(ANN, "Ann"), (EVE, "Eve"), (BO, "Eve (Ann)")])
def test_a_mail_addresses_each_by_their_own_name(player, name):
    assert name_to(lent(), player) == name


def test_a_robots_seat_has_no_owner():
    assert owner_id(SeatRow(table_id=1, seat=3, name="Pip", state=SeatState.ROBOT)) is None


@pytest.mark.parametrize(
    ("offer", "by_host", "by_player"),
    [
        (None, True, False),
        (OfferState.ACCEPTED, True, False),
        (OfferState.STAND_IN, False, True),
    ],
)
def test_coming_back_ends_the_stand_in_not_the_hosts_offer(offer, by_host, by_player):
    row = own()
    row.offered_to, row.offered_name, row.offer_state = EVE, "Eve", offer
    row.away, row.missed, row.robot_hand = True, 2, 4
    assert (is_offered_by_host(row), is_stand_in_asked(row)) == (by_host, by_player)
    mark_back(row)
    assert (row.away, row.missed, row.robot_hand) == (False, 0, None)
    assert (row.offered_to, row.offered_name) == ((EVE, "Eve") if by_host else (None, None))
    clear_offer(row)
    assert (is_offered_by_host(row), is_stand_in_asked(row), row.offered_name) == (False, False, None)
