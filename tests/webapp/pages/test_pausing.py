"""The button that asks for a pause of the clock, or for its end, and the fold in which it lies until somebody asks."""

from tests.cast import play_link
from tests.submitting import soup, words

BO, CY, DI = 1, 2, 3


def test_pages_name_the_asker_and_the_button_asks_or_withdraws(runtime, game_id, client):
    bos, cys = (runtime.signer.local_url(play_link(runtime, game_id, seat)) for seat in (BO, CY))
    assert client.post(f"{bos}/pause", data={"want": "yes"}).status_code == 303
    assert "You ask for a pause." in words(client.get(bos))
    assert soup(client.get(bos)).select_one("#pause button").text == "No pause after all"
    assert "Bo asks for a pause." in words(client.get(cys))
    client.post(f"{bos}/pause", data={"want": "no"})
    assert "asks for a pause" not in words(client.get(cys))
    for link in (bos, cys, runtime.signer.local_url(play_link(runtime, game_id, DI))):
        client.post(f"{link}/pause", data={"want": "yes"})
    assert "The clock has been paused since" in words(client.get(cys))
    assert soup(client.get(cys)).select_one("#pause button").text == "Let the clock go on"
