"""The host's link by messenger: what it gives, whom the host refuses, how it ends, and when the game begins."""

from datetime import timedelta

import pytest

from tests.cast import letters, seat_link, seats, table_row
from tests.webapp.tables.guests_by_link import come, deal, open_linked
from tests.webapp.tables.open_seats import ANN, BO, CY, PIP, accept, join, listed, player
from webapp.core.tokens import HostLink, LinkInvalid, MessengerLink, SeatLink
from webapp.forms.opening import OPEN_SEAT
from webapp.models import LetterKind, SeatState, TableState
from webapp.tables import hosting, lobby, messenger, seating
from webapp.tables.lobby import Closed, NoOpenSeat
from webapp.tables.seating import SeatGone
from worker import postman

BEGUN = TableState.PLAYING


def anns(runtime, table_id):
    return seat_link(runtime, table_id, ANN)


def seen(runtime, table_id):
    with runtime.database.reading() as session:
        return messenger.linked_table(session, MessengerLink(table_id, table_row(runtime, table_id).link_number))


def why_closed(runtime, table_id, name="Eve", number=None):
    with pytest.raises(NoOpenSeat) as refusal:
        come(runtime, table_id, name, number)
    return refusal.value.why


def test_a_seat_for_the_link_is_not_in_the_lobby(runtime):
    table_id = open_linked(runtime, PIP)
    assert listed(runtime) == []
    with pytest.raises(NoOpenSeat):
        join(runtime, table_id, "Eve")
    assert table_row(runtime, table_id).state is TableState.INVITING


def test_the_link_gives_no_seat_that_is_for_the_lobby(runtime):
    table_id = open_linked(runtime, OPEN_SEAT, PIP)
    assert come(runtime, table_id, "Bo") == 1
    assert why_closed(runtime, table_id, "Cy") is Closed.FULL
    assert seats(runtime, table_id)[2].state is SeatState.OPEN


def test_the_host_deals_when_the_last_guest_has_come(runtime):
    table_id = open_linked(runtime, PIP, free=2)
    come(runtime, table_id, "Bo")
    assert table_row(runtime, table_id).state is TableState.INVITING
    come(runtime, table_id, "Cy")
    assert table_row(runtime, table_id).state is TableState.INVITING
    deal(runtime, table_id)
    assert table_row(runtime, table_id).state is BEGUN
    assert not any(seat.by_link for seat in seats(runtime, table_id))
    assert not table_row(runtime, table_id).has_strangers


def test_guests_see_first_names_of_those_who_sit_there_only(runtime):
    table_id = open_linked(runtime, BO, CY, PIP)
    accept(runtime, table_id, 2)
    found = seen(runtime, table_id)
    assert found.hosts == "Ann's table"
    assert found.company == "Ann, Bo and Pip (robot) sit there. One seat is free."
    names = [seat.name for seat in found.summary.seats]
    assert names == ["Ann", "Open seat", "Bo", "Player 4", "Pip"]


def test_a_refused_guest_loses_the_seat_and_cannot_come_back(runtime):
    table_id = open_linked(runtime, PIP, free=2)
    seat = come(runtime, table_id, "Bo")
    messenger.refuse(runtime, anns(runtime, table_id), seat, runtime.now())
    freed = seats(runtime, table_id)[seat]
    assert (freed.state, freed.player_id, freed.name, freed.by_link) == (SeatState.OPEN, None, "Open seat", True)
    assert [letter.reason for letter in letters(runtime, LetterKind.REPLACED)] == ["refused"]
    assert why_closed(runtime, table_id, "Bo") is Closed.REFUSED
    assert come(runtime, table_id, "Cy") == seat


def test_a_refused_guest_comes_back_by_no_other_spelling(runtime):
    table_id = open_linked(runtime, PIP, free=2)
    messenger.refuse(runtime, anns(runtime, table_id), come(runtime, table_id, "Bo"), runtime.now())
    assert why_closed(runtime, table_id, "Bo+again") is Closed.REFUSED


def test_a_refused_guest_may_come_if_the_host_invites_them(runtime):
    table_id = open_linked(runtime, PIP, free=2)
    messenger.refuse(runtime, anns(runtime, table_id), come(runtime, table_id, "Bo"), runtime.now())
    seating.refill(runtime, anns(runtime, table_id), 1, BO, runtime.now())
    accept(runtime, table_id, 1)
    assert seats(runtime, table_id)[1].state is SeatState.ACCEPTED


@pytest.mark.parametrize("number", [0, 2, 3, 9], ids=["the host", "an invited player", "a robot", "no seat"])
def test_only_guests_of_the_link_are_refused(runtime, number):
    table_id = open_linked(runtime, BO, PIP)
    accept(runtime, table_id, 2)
    with pytest.raises(SeatGone):
        messenger.refuse(runtime, anns(runtime, table_id), number, runtime.now())


def test_nobody_is_refused_once_the_game_has_begun(runtime):
    table_id = open_linked(runtime, PIP, PIP)
    seat = come(runtime, table_id, "Bo")
    deal(runtime, table_id)
    with pytest.raises(SeatGone):
        messenger.refuse(runtime, anns(runtime, table_id), seat, runtime.now())


def test_only_the_host_decides_about_guests(runtime):
    table_id = open_linked(runtime, BO, PIP, free=2)
    accept(runtime, table_id, 3)
    seat = come(runtime, table_id, "Cy")
    bo = SeatLink(table_id, 3, player(runtime, "Bo"))
    for act in (
        lambda: messenger.refuse(runtime, bo, seat, runtime.now()),
        lambda: messenger.take_link_back(runtime, bo, 1, runtime.now()),
        lambda: messenger.deal(runtime, bo, runtime.now()),
    ):
        with pytest.raises(SeatGone):
            act()


def test_a_link_taken_back_stops_and_the_new_one_works(runtime):
    table_id = open_linked(runtime, PIP, free=2)
    for _ in range(2):  # a second click takes back the old one only
        messenger.take_link_back(runtime, anns(runtime, table_id), 1, runtime.now())
    assert table_row(runtime, table_id).link_number == 2
    assert why_closed(runtime, table_id, "Bo", number=1) is Closed.OLD
    assert come(runtime, table_id, "Bo", number=2) == 1


def test_a_link_to_a_table_that_has_begun_says_so(runtime):
    table_id = open_linked(runtime, PIP, PIP)
    come(runtime, table_id, "Bo")
    deal(runtime, table_id)
    assert why_closed(runtime, table_id, "Cy") is Closed.BEGUN
    with pytest.raises(LinkInvalid), runtime.database.reading() as session:
        messenger.linked_table(session, MessengerLink(999, 1))


def test_a_host_who_does_not_deal_is_asked_once_more(runtime):
    table_id = open_linked(runtime, PIP, PIP)
    come(runtime, table_id, "Bo")
    came_at = runtime.now()
    for days, mails in ((0, 1), (0.9, 1), (1, 2), (9, 2)):
        runtime.now.at = came_at + timedelta(days=days)
        postman.deliver(runtime)
        assert len([one for one in letters(runtime, LetterKind.SEATS) if one.message]) == mails


def test_a_host_who_has_dealt_is_asked_no_more(runtime):
    table_id = open_linked(runtime, PIP, PIP)
    come(runtime, table_id, "Bo")
    postman.deliver(runtime)
    deal(runtime, table_id)
    runtime.now.at += timedelta(days=2)
    postman.deliver(runtime)
    assert len([one for one in letters(runtime, LetterKind.SEATS) if one.message]) == 1


def test_the_host_is_asked_and_deals(runtime):
    table_id = open_linked(runtime, PIP, PIP)
    deal(runtime, table_id)
    come(runtime, table_id, "Bo")
    assert table_row(runtime, table_id).state is TableState.INVITING
    messenger.take_link_back(runtime, anns(runtime, table_id), 1, runtime.now())
    assert [letter.reason for letter in letters(runtime, LetterKind.SEATS)] == ["all_here", "all_here"]
    deal(runtime, table_id)
    assert table_row(runtime, table_id).state is BEGUN


def test_a_table_without_guests_waits_for_nobody(runtime):
    table_id = open_linked(runtime, BO, PIP)
    accept(runtime, table_id, 2)
    seating.play_now(runtime, anns(runtime, table_id), runtime.now())
    assert table_row(runtime, table_id).state is BEGUN


def test_a_robot_in_the_seat_of_a_guest_is_none(runtime):
    table_id = open_linked(runtime, PIP, free=2)
    seat = come(runtime, table_id, "Bo")
    hosting.give_seat(runtime, HostLink(table_id, player(runtime, "Ann")), seat, None, runtime.now())
    guests = messenger.guests_of(table_row(runtime, table_id), seats(runtime, table_id))
    assert guests is not None
    assert guests.came == ()


def test_what_the_host_sees_of_the_link(runtime):
    table_id = open_linked(runtime, PIP, free=2)
    come(runtime, table_id, "Bo")
    guests = messenger.guests_of(table_row(runtime, table_id), seats(runtime, table_id))
    assert guests is not None
    assert (guests.link, guests.came) == (MessengerLink(table_id, 1), ((1, "Bo"),))
    assert not guests.may_deal
    other = open_linked(runtime, BO, PIP, free=0)
    assert messenger.guests_of(table_row(runtime, other), seats(runtime, other)) is None


def test_the_lobby_asks_for_no_seat_of_the_link(runtime):
    table_id = open_linked(runtime, PIP)
    with pytest.raises(NoOpenSeat):
        lobby.ask_for_seat(runtime, table_id, "Eve", "eve@example.org", "UTC", runtime.now())
    lobby.ask_for_seat(runtime, table_id, "Eve", "eve@example.org", "UTC", runtime.now(), by_link=1)
    (letter,) = letters(runtime, LetterKind.JOIN)
    assert letter.about == "Eve"
