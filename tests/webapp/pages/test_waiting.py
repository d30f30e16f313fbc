"""The page of a player who waits: who acts, for how long, and what they did last."""

from hearts.cards import card_text
from tests.cast import NAMES
from tests.submitting import held, soup, words


def test_a_player_who_has_passed_reads_that_on_the_page(client, runtime, table):
    asked = runtime.signer.local_url(table.turn_link(0))
    posted = client.post(asked, data={"card": held(table, 0)[:3]})
    assert posted.status_code == 303
    assert posted.location.startswith("/play/")
    text = words(client.get(posted.location))
    assert "You passed" in text
    assert "Bo, Cy and Di choose cards to pass" in text


def test_the_trick_stays_on_the_table_until_the_next_lead(client, runtime, table, plays):
    table.pass_all()
    while len(table.game.tricks) < 2 or table.game.on_table:
        table.play_first()
    leader = table.awaited
    trick = table.game.tricks[-1]
    for seat in range(4):
        shown = [code.text for code in soup(client.get(plays[seat])).select("#trick .code")]
        assert shown == [card_text(card) for card in trick.cards]
    assert f"{NAMES[leader]} leads trick" in words(client.get(plays[(leader + 1) % 4]))


def test_a_player_reads_what_was_played_for_them(client, runtime, table, plays):
    table.miss_deadline()
    texts = [words(client.get(play)) for play in plays]
    assert any("The deadline was over. We passed" in one for one in texts)
    assert all("for you" in one for one in texts), "the two of clubs was played automatically"


def test_a_player_who_waits_reads_whose_time_runs(client, runtime, table, plays):
    table.play_first()  # Ann passes
    page = soup(client.get(plays[0]))
    assert page.find(id="clock").text.startswith("Bo, Cy and Di: ")
    assert page.select_one(".deadline").text.startswith("Bo, Cy and Di: due by ")
    asked = soup(client.get(plays[1]))
    assert "Bo" not in asked.find(id="clock").text
    assert asked.select_one(".deadline").text.startswith("Choose by ")
