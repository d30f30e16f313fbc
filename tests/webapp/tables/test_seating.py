"""Seating: free seats that a host gives away or opens, the names at a table, and how tables are found."""

from datetime import timedelta

import pytest

from tests import cast
from tests.cast import dump, letters, new_table, seat_link, seats, start_game, table_row
from tests.table import Table
from tests.webapp.tables import another_game
from tests.webapp.tables.another_game import finished_table
from tests.webapp.tables.guests_by_link import come
from tests.webapp.tables.open_seats import (
    ANN,
    BO,
    CY,
    FIRST,
    PIP,
    accept,
    check_refused,
    code,
    invitation,
    join,
    listed,
    open_table,
    player,
    states,
)
from webapp.core.say import Refused
from webapp.core.tokens import HostLink, InvitationLink, JoinLink
from webapp.forms.opening import LINK_SEAT, OPEN_SEAT, NewSeat
from webapp.games.record.seats import table_name
from webapp.models import Lent, LetterKind, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.players import away
from webapp.tables import hosting, lobby, seating


@pytest.mark.parametrize(
    ("others", "came"),
    [((OPEN_SEAT, OPEN_SEAT, PIP), 0), ((LINK_SEAT, LINK_SEAT, PIP), 1), ((BO, CY, PIP), 0), ((BO, OPEN_SEAT), 0)],
    ids=["for anybody", "a guest by link is there", "nobody has answered", "some of each"],
)
def test_a_host_plays_now_with_robots_in_free_seats(runtime, others, came):
    table_id = open_table(runtime, *others)
    for name in ("Di", "Eve")[:came]:
        come(runtime, table_id, name)
    for _ in range(2):
        seating.play_now(runtime, seat_link(runtime, table_id, ANN), runtime.now())
    robots = len(others) - came
    assert states(runtime, table_id) == [SeatState.HOST, *[SeatState.ACCEPTED] * came, *[SeatState.ROBOT] * robots]
    assert len({seat.name for seat in seats(runtime, table_id)}) == len(others) + 1
    assert table_row(runtime, table_id).state is TableState.PLAYING


def test_an_invited_player_joins_a_game_begun_with_robots(runtime):
    table_id = open_table(runtime, BO, CY, PIP)
    bo = invitation(runtime, table_id, FIRST)
    seating.decline(runtime, invitation(runtime, table_id, 2), runtime.now())
    seating.play_now(runtime, seat_link(runtime, table_id, ANN), runtime.now())
    offered = [seat.offered_name for seat in seats(runtime, table_id)]
    assert offered == [None, "Bo", None, None], "who has declined is not asked again"
    seating.accept(runtime, bo, "Bo", "UTC", runtime.now())
    assert states(runtime, table_id)[FIRST] is SeatState.ROBOT, "until the hand is over"
    with runtime.database.reading() as session:
        game = seating.current_game(session, table_id)
    Table(runtime, game.id).play_hand()
    assert (seats(runtime, table_id)[FIRST].name, states(runtime, table_id)[FIRST]) == ("Bo", SeatState.ACCEPTED)


def test_another_game_is_not_filled_with_robots_at_once(runtime, client):
    table_id = finished_table(runtime)
    another_game.agree(runtime, table_id, ANN)
    before = dump(runtime)
    url = runtime.signer.local_url(seat_link(runtime, table_id, ANN))
    assert "Play now with robots" not in client.get(url).text
    client.post(f"{url}/robots")
    assert dump(runtime) == before


def test_only_the_host_plays_now_with_robots(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT, PIP)
    join(runtime, table_id, "Bo")
    url = runtime.signer.local_url(seat_link(runtime, table_id, FIRST))
    assert "/robots" not in client.get(url).text
    check_refused(runtime, dump(runtime), client.post(f"{url}/robots"), 409, "This seat is taken")


@pytest.mark.parametrize("declines", [True, False], ids=["a declined seat", "a seat without an answer"])
def test_a_host_opening_a_seat_lists_the_table_again(runtime, client, declines):
    table_id = open_table(runtime, BO, CY)
    bo = InvitationLink(table_id, 1, player(runtime, "Bo"))
    if declines:
        seating.decline(runtime, bo, runtime.now())
    runtime.now.pass_by(timedelta(days=20))
    url = runtime.signer.local_url(seat_link(runtime, table_id, ANN))
    assert client.post(f"{url}/fill", data={"seat": "1", "kind": "open"}).status_code == 303
    assert listed(runtime) == [code(runtime, table_id)]
    assert (seats(runtime, table_id)[1].state, seats(runtime, table_id)[1].player_id) == (SeatState.OPEN, None)
    with pytest.raises(seating.SeatGone):
        seating.accept(runtime, bo, "Bo", "UTC", runtime.now())
    assert client.post(f"{url}/fill", data={"seat": "2", "kind": "open"}).status_code == 303, "and another one"


def test_the_host_gives_an_open_seat_away_by_invitation(runtime):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    seating.refill(runtime, seat_link(runtime, table_id, ANN), 1, BO, runtime.now())
    assert listed(runtime) == []
    assert [letter.seat for letter in letters(runtime, LetterKind.INVITATION)][:1] == [1]
    accept(runtime, table_id, 1)
    assert table_row(runtime, table_id).state is TableState.PLAYING


def test_a_guest_may_be_called_open_seat(runtime):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT, BO)
    assert join(runtime, table_id, "Cy", called="Open seat") == 1
    accept(runtime, table_id, 3)
    with pytest.raises(Refused):
        join(runtime, table_id, "Di", called="open seat")


def seat(name, state=SeatState.ACCEPTED, **columns):
    return SeatRow(table_id=1, seat=1, name=name, state=state, **columns)


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        pytest.param(seat("Bo"), "bo", id="the player's, whatever the case"),
        pytest.param(seat("Pip", SeatState.ROBOT), "PIP", id="a robot's"),
        pytest.param(
            seat("Bo", offered_name="Straße"), "STRASSE", id="of a newcomer, whom the host has offered the seat"
        ),
        pytest.param(
            seat("Eve (Bo)", stands_in_for=2, lent=Lent("Bo", "Eve", mails=True)),
            "Bo",
            id="of the owner of a lent seat",
        ),
    ],
)
def test_no_two_at_a_table_have_the_same_name(taken, name):
    with pytest.raises(Refused, match="this name already"):
        seating.check_name(name, [seat("Ann"), taken])


@pytest.mark.parametrize("name", ["Open seat", "Bob", "B o", "Cy"])
def test_any_other_name_is_free(name):
    seating.check_name(name, [seat("Bo"), seat("Open seat", SeatState.OPEN)])
    seating.check_name(name, [])


def test_a_robot_gets_the_first_name_that_nobody_has():
    assert seating.free_robot_name([]) == "Pip"
    others = [seat("pip"), seat("Bo", offered_name="CLOVER"), seat("Ruby", SeatState.OPEN)]
    assert seating.free_robot_name(others) == "Ruby"


@pytest.mark.parametrize("other", ["", "ABC", "abcde", "ABCD0", "\0ABCD", "ÄBCDE", "ABCDE' OR 1"])
def test_a_code_that_no_table_has_finds_none(either_runtime, other):
    table_id = open_table(either_runtime, OPEN_SEAT, PIP)
    with either_runtime.database.reading() as session:
        assert seating.table_of_code(session, code(either_runtime, table_id)).id == table_id
        assert seating.table_of_code(session, other) is None


def test_the_games_of_a_table_are_found_by_their_numbers(runtime):
    waiting = open_table(runtime, OPEN_SEAT, PIP)
    table = start_game(runtime)
    with runtime.database.reading() as session:
        assert (seating.current_game(session, waiting), seating.next_number(session, waiting)) == (None, 1)
        played = seating.game(session, waiting + 1, 1)
        assert (played.id, seating.next_number(session, played.table_id)) == (table.game_id, 2)
        assert seating.game(session, played.table_id, 2) is None
        assert seating.game(session, waiting, 1) is None


def test_a_new_seats_row_fits_its_occupant_and_their_address(runtime):
    with runtime.database.writing() as session:
        robot, open_seat, guest, same = (
            seating.seat_for(session, 1, 3, occupant, runtime.now())
            for occupant in (PIP, OPEN_SEAT, BO, NewSeat("Bobby", BO.address))
        )
        assert [row.state for row in (robot, open_seat, guest)] == [
            SeatState.ROBOT,
            SeatState.OPEN,
            SeatState.INVITED,
        ]
        assert (robot.player_id, open_seat.player_id) == (None, None)
        assert (guest.name, same.name) == ("Bo", "Bobby")
        assert guest.player_id == same.player_id
        session.get_one(PlayerRow, guest.player_id).invitations = False
        with pytest.raises(seating.NotInvitable) as refused:
            seating.seat_for(session, 1, 3, BO, runtime.now())
    assert refused.value.seat == 3


def test_no_two_open_tables_of_a_host_look_alike(runtime):
    over = finished_table(runtime)
    tables = [cast.open_table(runtime) for _ in range(3)]
    assert _names(runtime, over, *tables) == ["Ann's table", "Ann's table", "Ann's table 2", "Ann's table 3"]


def test_the_lobby_names_the_second_table_of_a_host(runtime, client):
    for _ in range(2):
        open_table(runtime, OPEN_SEAT, OPEN_SEAT)
    page = client.get("/lobby").text
    assert "Ann&#39;s table: " in page
    assert "Ann&#39;s table 2: " in page


def test_a_table_is_named_only_once_it_is_confirmed(runtime):
    seating.open_table(runtime, new_table(), runtime.now())
    assert _names(runtime, cast.open_table(runtime)) == ["Ann's table"]


def _names(runtime, *table_ids):
    return [table_name(seats(runtime, table_id)) for table_id in table_ids]


ANNS_OTHER = NewSeat("Bo", "ann+bo@example.org")


def _join_by_other_spelling(runtime):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    other = seating_of(runtime, ANNS_OTHER)
    return lambda: lobby.take_open_seat(runtime, JoinLink(table_id, other), "Bo", runtime.now(), by_mail=True)


def _come_by_link_beside_open_seat(runtime):
    table_id = open_table(runtime, OPEN_SEAT, LINK_SEAT)
    link = JoinLink(table_id, seating_of(runtime, ANNS_OTHER), by_link=table_row(runtime, table_id).link_number)
    return lambda: lobby.take_open_seat(runtime, link, "Bo", runtime.now(), by_mail=True)


def _invite_beside_open_seat(runtime):
    table_id = open_table(runtime, CY, OPEN_SEAT, PIP)
    return lambda: refill(runtime, table_id, 1, ANNS_OTHER)


def _open_seat_beside_couple(runtime):
    table_id = open_table(runtime, ANNS_OTHER, CY, PIP)
    return lambda: refill(runtime, table_id, 2, OPEN_SEAT)


def _offer_seat_beside_stranger(runtime):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    join(runtime, table_id, "Cy")
    host = HostLink(table_id, seats(runtime, table_id)[ANN].player_id or 0)
    return lambda: hosting.give_seat(runtime, host, 1, ANNS_OTHER, runtime.now())


def _lend_seat_beside_stranger(runtime):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    join(runtime, table_id, "Cy")
    cy = seats(runtime, table_id)[1].player_id or 0
    return lambda: away.ask(runtime, cy, table_id, ANNS_OTHER, runtime.now())


def seating_of(runtime, guest: NewSeat) -> int:
    """The id of the player at the guest's address."""
    with runtime.database.writing() as session:
        return seating.player_at(session, guest.address or "", guest.name, runtime.now()).id


def refill(runtime, table_id: int, number: int, occupant: NewSeat | None) -> None:
    seating.refill(runtime, seat_link(runtime, table_id, ANN), number, occupant, runtime.now())


@pytest.mark.parametrize(
    "door",
    [
        _join_by_other_spelling,
        _come_by_link_beside_open_seat,
        _invite_beside_open_seat,
        _open_seat_beside_couple,
        _offer_seat_beside_stranger,
        _lend_seat_beside_stranger,
    ],
)
def test_no_mailbox_has_two_seats_where_strangers_sit(runtime, door):
    enter = door(runtime)
    before = dump(runtime)
    with pytest.raises(Refused, match="share a mailbox"):
        enter()
    assert dump(runtime) == before


def test_a_couple_with_one_mailbox_plays_among_friends(runtime):
    table_id = open_table(runtime, ANNS_OTHER, LINK_SEAT, PIP)
    accept(runtime, table_id, 1)
    refill(runtime, table_id, 2, None)
    assert states(runtime, table_id) == [SeatState.HOST, SeatState.ACCEPTED, SeatState.ROBOT, SeatState.ROBOT]


def test_who_shares_a_mailbox_may_leave_a_strangers_table(runtime):
    table_id = open_table(runtime, ANNS_OTHER, NewSeat("Di", "ann+di@example.org"), CY, PIP)
    with runtime.database.writing() as session:
        session.get_one(TableRow, table_id).has_strangers = True
    refill(runtime, table_id, 2, None)
    assert states(runtime, table_id)[2] is SeatState.ROBOT
