"""The button that asks for a pause of the clock, or for its end, and the fold in which it lies until somebody asks."""

from tests.cast import play_link
from tests.playing import pass_lowest
from tests.submitting import soup, words

BO, CY, DI = 1, 2, 3


def test_what_a_player_seldom_needs_is_folded_on_every_page(runtime, game_id, client):
    bos = runtime.signer.local_url(play_link(runtime, game_id, BO))
    for waits in (False, True):
        shown = soup(client.get(bos))
        folded = shown.select_one("details#seldom:not([open])")
        assert [one.text for one in folded.select("#idle button")] == ["Ask for a pause"]
        assert {"I'm away", "How your cards look"} <= {one.text for one in folded.select("a")}
        assert not shown.select("#pause button"), waits
        if not waits:
            pass_lowest(runtime, game_id, BO)


def test_a_pass_page_tells_of_no_wait(runtime, game_id, client):
    bos = runtime.signer.local_url(play_link(runtime, game_id, BO))
    assert not soup(client.get(bos)).select("#wait")
    pass_lowest(runtime, game_id, BO)
    assert soup(client.get(bos)).select("#wait")


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
