"""Every page at a table folds what its player seldom needs."""

from tests.submitting import soup


def test_what_a_player_seldom_needs_is_folded_on_every_page(runtime, table, client):
    bos = runtime.signer.local_url(table.play_link(1))
    for waits in (False, True):
        shown = soup(client.get(bos))
        folded = shown.select_one("details#seldom:not([open])")
        assert [one.text for one in folded.select("#idle button")] == ["Ask for a pause"]
        assert {"I'm away", "How your cards look"} <= {one.text for one in folded.select("a")}
        assert not shown.select("#pause button"), waits
        if not waits:
            table.pass_lowest(1)
