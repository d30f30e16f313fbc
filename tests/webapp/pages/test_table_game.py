"""The game on the table page: for whom it waits."""

from tests.cast import NAMES, seat_link, seats, start_game
from tests.sites import site_of
from tests.submitting import soup
from webapp.models import PlayerRow


def test_the_waiting_players_read_that_somebody_cannot_be_reached(runtime):
    table = start_game(runtime, NAMES[:2], robots=2)
    assert table.game_id
    with runtime.database.writing() as session:
        table_id = 1
        session.get_one(PlayerRow, seats(runtime, table_id)[1].player_id).unreachable_at = runtime.now()
    page = site_of(runtime).test_client().get(runtime.signer.local_url(seat_link(runtime, table_id, 0))).text
    assert "cannot be reached by mail." in page


def test_one_sentence_says_for_whom_four_hands_wait(runtime, client):
    start_game(runtime, at_once=4)
    page = soup(client.get(runtime.signer.local_url(seat_link(runtime, 1, 1))))
    (said,) = page.find(id="waiting").find_all("p")
    assert said.text.startswith("Waiting for you, Ann, Cy and Di. The next deadline is ")
