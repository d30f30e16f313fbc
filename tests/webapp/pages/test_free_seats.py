"""The free seats of a table before its game, which the host gives to others on the table page."""

from tests.cast import NAMES, leave, letters, open_table, seat_link, seats
from webapp.core.tokens import InvitationLink
from webapp.models import LetterKind, SeatState
from webapp.tables import seating


def test_a_robot_takes_a_declined_seat_and_the_game_begins(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    url = runtime.signer.local_url(InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    client.post(url, data={"answer": "decline"})
    assert [letter.about for letter in letters(runtime, LetterKind.DECLINED)] == ["Bo"]
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    assert client.post(f"{mine}/fill", data={"seat": "1", "kind": "robot"}).status_code == 303
    assert seats(runtime, table_id)[1].state is SeatState.ROBOT
    leave(runtime)
    assert len(letters(runtime, LetterKind.TURNS)) == 1
    assert client.post(url, data={"answer": "accept"}).status_code == 409, "the seat is somebody else's now"


def test_a_declined_seat_can_be_offered_to_somebody_else(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    seating.decline(runtime, InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id), runtime.now())
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    cy = {"seat": "1", "kind": "player", "name": "Cy", "address": "cy@example.org"}
    assert client.post(f"{mine}/fill", data=cy).status_code == 303
    assert seats(runtime, table_id)[1].name == "Cy"
    assert [letter.again for letter in letters(runtime, LetterKind.INVITATION)] == [False, True] * 2
