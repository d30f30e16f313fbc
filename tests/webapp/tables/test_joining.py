"""Joining a table: how a stranger, and only one, takes an open seat. They ask, prove their address, and sit down."""

import re
from contextlib import suppress
from datetime import timedelta
from functools import partial
from threading import Barrier, BrokenBarrierError

from sqlmodel import select

from tests.cast import address, dump, letters, seats
from tests.races import at_once, none_fails
from tests.webapp.tables.open_seats import (
    ASKING,
    BO,
    PIP,
    accept,
    code,
    join,
    join_mail,
    join_path,
    open_table,
    player,
    states,
)
from webapp.core.tokens import InvitationLink, JoinLink
from webapp.forms.opening import OPEN_SEAT
from webapp.models import LetterKind, LetterState, PlayerRow, SeatState
from webapp.tables import lobby, seating
from webapp.tables.lobby import NoOpenSeat
from worker import postman

# asking for a seat


def test_the_mail_names_the_host_alone_and_has_no_unsubscribing(runtime, client):
    table_id = open_table(runtime, BO, OPEN_SEAT, PIP)
    client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    mail = join_mail(runtime)
    for kind in ("plain", "html"):
        body = mail.get_body((kind,)).get_content()
        assert "Ann" in body
        assert not re.search(r"Smith|\bBo\b|example\.org|/seat/|/unsubscribe/", body)
    assert mail["List-Unsubscribe"] is None
    assert mail["Subject"] == "Your seat at Ann's table"


def test_two_clicks_of_a_newcomer_make_one_player(either_runtime):
    runtime = either_runtime
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    times = [runtime.now(), runtime.now() + timedelta(seconds=1)]
    none_fails(*(partial(lobby.ask_for_seat, runtime, table_id, "Eve", "eve@example.org", "UTC", now) for now in times))
    with runtime.database.reading() as session:
        (eve,) = session.exec(select(PlayerRow).where(PlayerRow.address == "eve@example.org"))
    assert [letter.player_id for letter in letters(runtime, LetterKind.JOIN)] == [eve.id] * 2


def test_only_a_newcomer_sets_the_time_zone_by_joining(runtime):
    table_id = open_table(runtime, BO, OPEN_SEAT, OPEN_SEAT)
    accept(runtime, table_id, 1)  # Bo has entered UTC for Ann
    for name in ("Bo", "Eve"):
        lobby.ask_for_seat(runtime, table_id, name, address(name), "Asia/Tokyo", runtime.now())
    with runtime.database.reading() as session:
        zones = {row.name: row.time_zone for row in session.exec(select(PlayerRow))}
    assert (zones["Bo"], zones["Eve"]) == ("UTC", "Asia/Tokyo")


# taking it


def test_simultaneous_takers_of_the_last_seat_begin_one_game(either_runtime):
    runtime = either_runtime
    people = {name: player(runtime, name) for name in ("Bo", "Cy", "Di", "Eve")}
    for _ in range(3):
        table_id = open_table(runtime, OPEN_SEAT, PIP)
        links = {name: JoinLink(table_id, player_id) for name, player_id in people.items()}
        take = partial(lobby.take_open_seat, runtime, now=runtime.now(), by_mail=True)
        taken = at_once(*(partial(take, link, name) for name, link in links.items()))
        (winner,) = [name for name, one in zip(links, taken, strict=True) if not isinstance(one, NoOpenSeat)]
        assert [seat.name for seat in seats(runtime, table_id)] == ["Ann Smith", winner, "Pip"]
        with runtime.database.reading() as session:
            game = seating.current_game(session, table_id)
        assert game is not None
        assert game.number == 1


def test_two_hosts_who_join_each_others_tables_do_not_deadlock(either_runtime, monkeypatch):
    """Players are locked by their numbers, also those who have no seat yet; here both would be halfway at once."""
    runtime = either_runtime
    ids = [open_table(runtime, OPEN_SEAT, OPEN_SEAT, host=host) for host in ("Ann", "Bo")]
    halfway = Barrier(2, timeout=0.5)
    check = seating.check_name

    def check_both_at_once(*asked) -> None:
        check(*asked)
        with suppress(BrokenBarrierError):  # as it should be: one waits for the other before reaching this
            halfway.wait()

    monkeypatch.setattr(seating, "check_name", check_both_at_once)
    guests = [JoinLink(table_id, player(runtime, name)) for table_id, name in zip(ids, ("Bo", "Ann"), strict=True)]
    take = partial(lobby.take_open_seat, runtime, name="Guest", now=runtime.now(), by_mail=True)
    assert [seat.seat for seat in none_fails(*(partial(take, link) for link in guests))] == [1, 1]


def test_joining_twice_is_the_same_as_once(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT, PIP)
    client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    path = join_path(runtime)
    assert client.post(path, data={"name": "Eve"}).location.startswith("/play/")
    before = dump(runtime)
    runtime.now.pass_by(timedelta(minutes=1))
    assert client.post(path, data={"name": "Eva"}).location.startswith("/play/")
    assert dump(runtime) == before
    assert states(runtime, table_id)[1:3] == [SeatState.ACCEPTED, SeatState.OPEN], "one player, one seat"
    there = client.get(path)
    assert there.status_code == 303
    assert client.get(there.location).status_code == 200
    assert there.location.startswith("/seat/")


def test_an_invited_guest_takes_their_seat_not_the_open_one(runtime):
    table_id = open_table(runtime, OPEN_SEAT, BO, PIP)
    assert join(runtime, table_id, "Bo") == 2
    assert states(runtime, table_id) == [SeatState.HOST, SeatState.OPEN, SeatState.ACCEPTED, SeatState.ROBOT]


def test_a_guest_who_declined_may_join_in_one_seat(runtime):
    table_id = open_table(runtime, OPEN_SEAT, BO, PIP)
    seating.decline(runtime, InvitationLink(table_id, 2, player(runtime, "Bo")), runtime.now())
    assert join(runtime, table_id, "Bo") == 2
    assert states(runtime, table_id)[1:3] == [SeatState.OPEN, SeatState.ACCEPTED]


def test_a_player_who_wants_no_invitations_may_still_join(runtime):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    bo = player(runtime, "Bo")
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo).invitations = False
    assert join(runtime, table_id, "Bo") == 1


def test_following_the_mailed_link_proves_a_silenced_address(runtime):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT)
    for name, by_mail in (("Bo", True), ("Cy", False)):
        guest = player(runtime, name)
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, guest).unreachable_at = runtime.now()
        lobby.take_open_seat(runtime, JoinLink(table_id, guest), name, runtime.now(), by_mail=by_mail)
        with runtime.database.reading() as session:
            assert (session.get_one(PlayerRow, guest).unreachable_at is None) is by_mail


def test_the_link_reaches_a_silenced_address_and_ends_its_silence(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    bo = player(runtime, "Bo")
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo).unreachable_at = runtime.now()
    lobby.ask_for_seat(runtime, table_id, "Bo", address("Bo"), "UTC", runtime.now())
    postman.deliver(runtime)
    (letter,) = letters(runtime, LetterKind.JOIN)
    assert letter.state is LetterState.KEPT
    assert client.post(join_path(runtime), data={"name": "Bo"}).status_code == 303
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, bo).unreachable_at is None
