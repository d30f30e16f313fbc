"""The lobby: which tables are listed, and what their host does."""

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup

from hearts.rules import preset_rules
from tests.cast import address, seat_link, seats
from tests.sites import site_of
from tests.statements import carried_out
from tests.webapp.tables.open_seats import ANN, BO, CY, PIP, accept, code, join, listed, open_table, player, words
from webapp.core.tokens import AgainLink, ConfirmLink, InvitationLink, JoinLink, LinkInvalid, UnsubscribeLink
from webapp.forms.opening import OPEN_SEAT
from webapp.models import PlayerRow, SeatState, TableRow, TableState
from webapp.players import preferences
from webapp.tables import again, lobby, seating
from webapp.tables.lobby import NoOpenSeat

# which tables are listed


def test_a_table_is_listed_from_confirmation_until_it_is_full(runtime):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT, PIP, confirmed=False)
    assert listed(runtime) == []
    seating.confirm(runtime, ConfirmLink(table_id), runtime.now())
    assert listed(runtime) == [code(runtime, table_id)]
    join(runtime, table_id, "Bo")
    assert listed(runtime) == [code(runtime, table_id)]
    join(runtime, table_id, "Cy")
    assert listed(runtime) == []


def test_a_table_that_has_waited_for_two_weeks_is_delisted(runtime):
    open_table(runtime, OPEN_SEAT, PIP)
    runtime.now.pass_by(timedelta(days=14) - timedelta(seconds=1))
    assert len(listed(runtime)) == 1
    runtime.now.pass_by(timedelta(seconds=1))
    assert listed(runtime) == []


def test_live_tables_are_listed_first_and_then_the_newest(runtime):
    oldest, live, newest = (
        open_table(runtime, OPEN_SEAT, PIP, pace=pace)
        for pace in (timedelta(days=1), timedelta(seconds=30), timedelta(hours=1))
    )
    assert listed(runtime) == [code(runtime, one) for one in (live, newest, oldest)]
    page = BeautifulSoup(site_of(runtime).test_client().get("/lobby").data, "lxml")
    assert ["live" in box.h2.text for box in page.select("section.box")] == [True, False, False]


def test_one_host_cannot_fill_the_lobby(runtime):
    with runtime.database.writing() as session:
        hosts = [_add_host(session, runtime, number) for number in range(2)]
        for number in range(52):
            _add_table(session, runtime, hosts[0], number)
        _add_table(session, runtime, hosts[1], 60, seconds=30)
    asked = carried_out(runtime)
    assert listed(runtime) == ["C60", "C51", "C50"]
    assert len([one for one in asked if one.text.startswith("SELECT")]) == 4


def test_live_tables_and_mail_tables_have_separate_places(runtime):
    with runtime.database.writing() as session:
        for number in range(60):
            _add_table(
                session, runtime, _add_host(session, runtime, number), number, seconds=30 if number % 2 else 86400
            )
    found = listed(runtime)
    assert found == [f"C{number}" for number in [*range(59, 9, -2), *range(58, 8, -2)]]


def _add_host(session, runtime, number: int) -> PlayerRow:
    host = PlayerRow(address=f"host{number}@example.org", name="Ann", created_at=runtime.now())
    session.add(host)
    session.flush()
    return host


def _add_table(session, runtime, host: PlayerRow, number: int, seconds: int = 86400) -> int | None:
    model = preset_rules("classic")
    about = {"rules": model, "pass_seconds": seconds, "play_seconds": seconds, "state": TableState.INVITING}
    at = runtime.now() + timedelta(minutes=number)
    row = TableRow(code=f"C{number}", host_id=host.id, **about, created_at=at, confirmed_at=at)
    session.add(row)
    session.flush()
    for seat in range(4):
        who = {"player_id": host.id, "name": "Ann", "state": SeatState.HOST} if seat == 0 else {}
        session.add(seating.SeatRow(**{"table_id": row.id, "seat": seat, "name": "Open seat", "state": "open"} | who))
    return row.id


# the host


def test_the_form_offers_open_seats(runtime, client):
    form = {
        "host_name": "Ann",
        "host_address": address("Ann"),
        "time_zone": "UTC",
        "preset": "classic",
        "target": "",
        "when": "mail",
    }
    form |= {"pass_time": "86400", "play_time": "86400", "seat_1_kind": "open", "seat_2_kind": "open"}
    assert client.post("/tables/new", data=form | {"seat_3_kind": "robot"}).status_code == 303
    assert [seat.state.value for seat in seats(runtime, 1)] == ["host", "open", "open", "robot"]
    assert all(seat.player_id is None for seat in seats(runtime, 1)[1:])
    page = words(client.get(runtime.signer.local_url(ConfirmLink(1))))
    assert "One tap, and the lobby shows that you look for two players." in page
    assert "Confirm and look for players" in page


def test_an_open_seat_counts_towards_the_three_players_needed(runtime, client):
    form = {
        "host_name": "Ann",
        "host_address": address("Ann"),
        "time_zone": "UTC",
        "preset": "classic",
        "target": "",
        "when": "mail",
    }
    form |= {"pass_time": "86400", "play_time": "86400", "seat_1_kind": "open", "seat_2_kind": "none"}
    page = client.post("/tables/new", data=form)
    assert page.status_code == 400
    assert BeautifulSoup(page.data, "lxml").find("a", href="#seat_2_kind")


def test_the_host_sees_joined_players_and_open_seats(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT, PIP)
    url = runtime.signer.local_url(seat_link(runtime, table_id, ANN))
    join(runtime, table_id, "Bo")
    page = words(client.get(url))
    assert "Bo plays" in page
    assert "Open seat anybody may sit here" in page


def test_a_player_who_unsubscribes_before_the_game_keeps_the_seat(runtime):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT)
    join(runtime, table_id, "Bo")
    preferences.unsubscribe(runtime, UnsubscribeLink(table_id, 1, player(runtime, "Bo")), runtime.now())
    bo = seats(runtime, table_id)[1]
    assert (bo.state, bo.away, bo.mails) == (SeatState.ACCEPTED, False, False)


def test_for_another_game_an_opened_seat_goes_to_a_stranger(runtime):
    table_id = open_table(runtime, BO, CY)
    for seat in (1, 2):
        accept(runtime, table_id, seat)
    with runtime.database.writing() as session:  # as after the last hand
        game = seating.current_game(session, table_id)
        game.state, game.wake_at, game.due_at = "over", None, None
        session.get_one(TableRow, table_id).state = TableState.OVER
    ann, bo, cy = (seats(runtime, table_id)[seat].player_id or 0 for seat in range(3))
    again.agree(runtime, AgainLink(table_id, 0, ann, 1), runtime.now())
    again.agree(runtime, AgainLink(table_id, 1, bo, 1), runtime.now())
    seating.decline(runtime, InvitationLink(table_id, 2, cy), runtime.now())
    assert listed(runtime) == []
    seating.refill(runtime, seat_link(runtime, table_id, ANN), 2, OPEN_SEAT, runtime.now())
    assert listed(runtime) == [code(runtime, table_id)]
    assert join(runtime, table_id, "Eve") == 2
    with runtime.database.reading() as session:
        assert seating.current_game(session, table_id).number == 2


def test_a_closed_table_is_not_listed_and_cannot_be_joined(runtime):
    table_id = open_table(runtime, OPEN_SEAT, BO)
    with runtime.database.writing() as session:
        session.get_one(TableRow, table_id).state = TableState.OVER
    assert listed(runtime) == []
    with pytest.raises(NoOpenSeat):
        join(runtime, table_id, "Eve")


def test_a_seat_at_an_unknown_table_is_refused(runtime):
    with pytest.raises(LinkInvalid):
        lobby.take_open_seat(runtime, JoinLink(99, player(runtime, "Bo")), "Bo", runtime.now(), by_mail=True)
