"""Guests whom a host is about to invite: who they are, and which of them do not know the host."""

import pytest
from sqlmodel import select

from hearts.rules import preset_rules
from tests.cast import NAMES, address, new_table, open_table, start_game
from tests.webapp.pages.causing_mail import guest, invite
from tests.webapp.tables.hosted import offer
from webapp.core.tokens import ConfirmLink, LinkInvalid
from webapp.forms.opening import OPEN_SEAT, NewSeat
from webapp.models import PlayerRow
from webapp.tables import seating
from webapp.tables.offers import invited_by_confirming, invited_by_giving, strangers


def test_a_guest_who_accepted_the_host_before_is_no_stranger(runtime):
    start_game(runtime, NAMES[:2], robots=2)
    for host in ("Eva", "Evb", "Evc"):
        invite(runtime, host, guest("Bo"))
    for _ in range(4):
        assert invite(runtime, "Ann", guest("Bo")).status_code == 303
    assert invite(runtime, "Evd", guest("Bo")).status_code == 429


def unconfirmed(runtime, *names):
    """A table that Ann has not confirmed yet, with these guests and a robot. Returns its id."""
    return seating.open_table(runtime, new_table(("Ann", *names), robots=1), runtime.now()).id


def player(session, name):
    return session.exec(select(PlayerRow).where(PlayerRow.address == address(name))).one()


def test_confirming_mails_the_guests_in_order_of_seats(runtime):
    table_id = unconfirmed(runtime, "Cy", "Bo")
    with runtime.database.reading() as session:
        found = invited_by_confirming(session, table_id)
        assert found == (player(session, "Ann").id, [guest("Cy"), guest("Bo")])


def test_confirming_mails_no_guest_who_declines_invitations(runtime):
    table_id = unconfirmed(runtime, "Bo", "Cy")
    with runtime.database.writing() as session:
        player(session, "Bo").invitations = False
        session.flush()
        assert invited_by_confirming(session, table_id)[1] == [guest("Cy")]


def test_confirming_once_more_mails_nobody(runtime):
    table_id = unconfirmed(runtime, "Bo", "Cy")
    seating.confirm(runtime, ConfirmLink(table_id), runtime.now())
    with runtime.database.reading() as session:
        assert invited_by_confirming(session, table_id)[1] == []


def test_an_unknown_table_has_no_guests(runtime):
    with runtime.database.reading() as session, pytest.raises(LinkInvalid):
        invited_by_confirming(session, 99)


@pytest.mark.parametrize("occupant", [None, OPEN_SEAT, NewSeat("Pip", None)])
def test_giving_a_seat_to_nobody_in_particular_mails_nobody(runtime, table, occupant):
    with runtime.database.reading() as session:
        assert invited_by_giving(session, table.table_id, 1, occupant) == []


def test_giving_a_seat_mails_its_newcomer_unless_already_offered(runtime, table):
    table_id = offer(table).table_id  # Bo's seat, to Eve
    with runtime.database.reading() as session:
        assert invited_by_giving(session, table_id, 1, guest("Eve")) == []
        assert invited_by_giving(session, table_id, 2, guest("Eve")) == [guest("Eve")]
        assert invited_by_giving(session, table_id, 1, guest("Di")) == [guest("Di")]
        assert invited_by_giving(session, table_id, 77, guest("Di")) == [guest("Di")]


def test_only_guests_who_accepted_the_hosts_seat_are_no_strangers(runtime):
    start_game(runtime, ("Ann", "Bo"), robots=1, rules=preset_rules("classic", players=3))
    start_game(runtime, ("Cy", "Di"), robots=1, rules=preset_rules("classic", players=3))
    open_table(runtime, ("Ann", "Di"), robots=1)
    guests = [guest(name) for name in ("Eve", "Di", "Bo")]
    with runtime.database.reading() as session:
        ann, cy = player(session, "Ann").id, player(session, "Cy").id
        assert strangers(session, ann, guests) == [guest("Eve"), guest("Di")]
        assert strangers(session, cy, guests) == [guest("Eve"), guest("Bo")]
        assert strangers(session, ann, []) == []
