"""The question for a turn, on the page where a player follows the game."""

import re

from tests.submitting import soup


def test_the_page_becomes_the_turns_when_the_player_is_asked(client, runtime, table, plays):
    table.pass_all()
    seat = table.awaited
    page = soup(client.get(plays[seat]))
    offered = [box["value"] for box in page.select("input[name=card]")]
    same = soup(client.get(runtime.signer.local_url(table.turn_link(seat))))
    assert offered == [box["value"] for box in same.select("input[name=card]")] != []
    form = page.find("form", action=re.compile("^/turn/"))
    before = table.row.turns
    assert client.post(form["action"], data={"card": offered[0], "way": "page"}).status_code == 303
    assert table.row.turns > before
