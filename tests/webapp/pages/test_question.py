"""The question for a turn, on the page where a player follows the game."""

import re

from tests.cast import load, turn_link
from tests.playing import awaited, pass_all
from tests.submitting import soup


def test_the_page_becomes_the_turns_when_the_player_is_asked(client, runtime, game_id, plays):
    pass_all(runtime, game_id)
    seat = awaited(runtime, game_id)
    page = soup(client.get(plays[seat]))
    offered = [box["value"] for box in page.select("input[name=card]")]
    same = soup(client.get(runtime.signer.local_url(turn_link(runtime, game_id, seat))))
    assert offered == [box["value"] for box in same.select("input[name=card]")] != []
    form = page.find("form", action=re.compile("^/turn/"))
    before = load(runtime, game_id).row.turns
    assert client.post(form["action"], data={"card": offered[0], "way": "page"}).status_code == 303
    assert load(runtime, game_id).row.turns > before
