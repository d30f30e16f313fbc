"""What a play page saves of how its player plays; the choice of a card style: `players/test_card_style.py`."""

from tests.cast import load, seats
from tests.webapp.pages.taps import ANN, tap_of_ann
from webapp.core.tokens import PlayLink


def test_a_choice_that_is_none_is_refused(client, runtime, game_id):
    stored = load(runtime, game_id)
    link = PlayLink(stored.row.table_id, ANN, seats(runtime, stored.row.table_id)[ANN].player_id)
    assert client.post(f"{runtime.signer.local_url(link)}/tap", data={"tap": "twice"}).status_code == 400
    assert tap_of_ann(runtime, game_id) is None
