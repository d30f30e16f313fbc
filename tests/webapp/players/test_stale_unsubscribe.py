"""A stale link to unsubscribe, in an email about a seat that has changed hands: it mutes that table, and no more."""

from datetime import timedelta

import pytest

from tests.answers import inbound, mail, send
from tests.cast import address, dump, letters, open_table, seats, start_game
from tests.table import Table
from tests.webapp.tables.hosted import BO, CY, accept, host_of, offer, replace_by_robot
from webapp.core.tokens import InvitationLink, UnsubscribeLink
from webapp.forms.opening import NewSeat
from webapp.inbox.acting import process_inbound
from webapp.models import Frequency, LetterKind, LetterState, PlayerRow, SeatState
from webapp.outbox.letters import ALL_TABLES
from webapp.players import preferences
from webapp.players.preferences import Stopped
from webapp.tables import hosting, seating
from worker import postman


def invitable(runtime, player_id: int) -> bool:
    with runtime.database.reading() as session:
        return session.get_one(PlayerRow, player_id).invitations


def click(runtime, client, table_id: int, seat: int, player_id: int):
    """The request of a mail program, from any email about that seat."""
    link = runtime.signer.local_url(UnsubscribeLink(table_id, seat, player_id))
    stopped = client.post(link, data={"List-Unsubscribe": "One-Click"})
    assert stopped.status_code == 200
    return stopped.text


def lose_seat(table: Table) -> int:
    """Bo's seat goes to a robot. Returns Bo's number."""
    bo = table.seats[BO].player_id
    replace_by_robot(table, BO)
    return bo


@pytest.mark.parametrize("by", ["link", "mail"])
@pytest.mark.parametrize("to", ["a robot", "somebody else"])
def test_one_click_after_losing_the_seat_mutes_no_other_table(runtime, client, table, to, by) -> None:
    postman.deliver(runtime)
    bo = lose_seat(table)
    if to == "somebody else":
        accept(runtime, offer(table))
        table.play_hand()
    postman.deliver(runtime)
    mine = [one for one in letters(runtime) if one.player_id == bo and one.table_id]
    assert {LetterKind.INVITATION, LetterKind.TURNS, LetterKind.REPLACED} <= {one.kind for one in mine}
    before = dump(runtime)["seat"]
    for letter in mine:
        if by == "link":
            page = click(runtime, client, letter.table_id, letter.seat, bo)
            assert "get any more mail about Ann&#39;s table" in page
            assert "you can still be invited" in page
        else:
            arrived = send(runtime, letter, mail("Bo", "unsubscribe"), to="u")
            process_inbound(runtime)
            assert inbound(runtime, arrived).outcome == "No more mail comes (rest)."
    assert invitable(runtime, bo)
    assert dump(runtime)["seat"] == before


def test_before_the_click_the_page_says_the_seat_changed_hands(runtime, client, table) -> None:
    bo = lose_seat(table)
    link = runtime.signer.local_url(UnsubscribeLink(table.table_id, BO, bo))
    before = dump(runtime)
    asked = client.get(link)
    assert "somebody else has it now" in asked.text
    assert "nobody can invite you" not in asked.text
    assert dump(runtime) == before


def test_only_waiting_mails_about_that_table_are_not_sent(runtime, client, table) -> None:
    bo = table.seats[BO].player_id
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo).frequency = Frequency.DAILY
    other = start_game(runtime)
    table.play_hand()
    lose_seat(table)
    click(runtime, client, table.table_id, BO, bo)
    queued = [one for one in letters(runtime) if one.state is LetterState.QUEUED]
    waits = [one for one in queued if one.player_id == bo and one.table_id]
    assert {one.table_id for one in waits} == {other.table_id}
    eves = offer(table).player_id
    assert [one.state for one in letters(runtime) if one.player_id == eves] == [LetterState.QUEUED] * 2


def test_a_player_with_another_seat_there_mutes_that_seat(runtime, client, table) -> None:
    table_id, bo = table.table_id, lose_seat(table)
    accept(runtime, offer(table, CY, NewSeat("Bo", address("Bo"))), "Bo")
    table.play_hand()
    assert table.seats[CY].player_id == bo
    page = click(runtime, client, table_id, BO, bo)
    assert "Your seat is still yours" in page
    row = table.seats[CY]
    assert (row.away, row.mails) == (False, False)
    waiting = [one.kind for one in letters(runtime) if one.player_id == bo and one.state is LetterState.QUEUED]
    assert waiting == [LetterKind.MUTED]
    assert invitable(runtime, bo)
    client.post(f"{runtime.signer.local_url(UnsubscribeLink(table_id, BO, bo))}/back")
    row = table.seats[CY]
    assert (row.away, row.mails) == (False, True)


@pytest.mark.parametrize("is_accepted", [False, True])
def test_a_player_offered_another_seat_declines_only_that_offer(runtime, client, table, is_accepted) -> None:
    table_id, bo = table.table_id, lose_seat(table)
    link = offer(table, CY, NewSeat("Bo", address("Bo")))
    if is_accepted:
        accept(runtime, link, "Bo")
    assert "you can still be invited" in click(runtime, client, table_id, BO, bo)
    assert table.seats[CY].offered_to is None
    assert [one.about for one in letters(runtime, LetterKind.DECLINED)] == ["Bo"]
    assert invitable(runtime, bo)


def test_a_guest_replaced_before_answering_may_still_be_invited_elsewhere(runtime, client) -> None:
    table_id = open_table(runtime)
    bo = seats(runtime, table_id)[BO].player_id
    hosting.give_seat(runtime, host_of(runtime, table_id), BO, NewSeat("Eve", address("Eve")), runtime.now())
    click(runtime, client, table_id, BO, bo)
    assert invitable(runtime, bo)
    assert seats(runtime, table_id)[BO].state is SeatState.INVITED


def test_an_open_invitation_is_declined_until_that_is_undone(runtime, client, table) -> None:
    link = offer(table)
    at = UnsubscribeLink(link.table_id, link.seat, link.player_id)
    assert "Nobody can invite you" in click(runtime, client, *_values(at))
    assert not invitable(runtime, link.player_id)
    undone = client.post(f"{runtime.signer.local_url(at)}/back")
    assert "You may be invited again" in undone.text
    assert invitable(runtime, link.player_id)


def test_a_click_for_all_tables_stops_mails_about_lost_seats(runtime, client, table) -> None:
    bo = table.seats[BO].player_id
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo).frequency = Frequency.DAILY
    other = start_game(runtime)
    table.play_hand()
    lose_seat(table)
    page = click(runtime, client, *ALL_TABLES, bo)
    assert "You won't get any more mail about any table" in page
    assert invitable(runtime, bo)
    row = other.seats[BO]
    assert (row.away, row.mails) == (False, False)
    runtime.now.pass_by(timedelta(days=2))
    postman.deliver(runtime)
    assert [one for one in letters(runtime, LetterKind.TURNS) if one.player_id == bo and one.message] == []


def test_a_click_of_a_player_without_any_seat_changes_nothing(runtime, table) -> None:
    bo = lose_seat(table)
    postman.deliver(runtime)
    before = dump(runtime)
    at = UnsubscribeLink(table.table_id, BO, bo)
    assert preferences.unsubscribe(runtime, at, runtime.now()).stopped is Stopped.REST
    everywhere = UnsubscribeLink(*ALL_TABLES, bo)
    assert preferences.unsubscribe(runtime, everywhere, runtime.now()).stopped is Stopped.ALL
    after = dump(runtime)
    assert {name: rows for name, rows in after.items() if name != "player"} == {
        name: rows for name, rows in before.items() if name != "player"
    }
    assert invitable(runtime, bo)


def test_another_players_mail_about_the_same_seat_is_not_stopped(runtime, table) -> None:
    """The new player of a seat mutes its mails; the invitation of the newcomer goes out all the same."""
    link = offer(table)
    bo = table.seats[BO].player_id
    preferences.unsubscribe(runtime, UnsubscribeLink(link.table_id, BO, bo), runtime.now())
    assert [one.state for one in letters(runtime) if one.player_id == link.player_id] == [LetterState.QUEUED] * 2
    seating.decline(runtime, InvitationLink(link.table_id, BO, link.player_id), runtime.now())


def _values(link: UnsubscribeLink) -> tuple[int, int, int]:
    return link.table_id, link.seat, link.player_id
