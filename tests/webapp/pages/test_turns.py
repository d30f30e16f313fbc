"""The page of a turn: which cards it rejects and in which words, and what it says once the turn is over."""

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from hearts.cards import card_text
from hearts.game import legal
from tests.cast import dump, start_game
from tests.sites import site_of
from tests.submitting import check_refused, held, words


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        pytest.param([], "Choose three more cards.", id="none"),
        pytest.param([0, 1], "Choose one more card.", id="two"),
        pytest.param([0, 1, 2, 3], "Choose one card fewer.", id="four"),
        pytest.param([0, 0, 1], "not in your hand", id="one twice"),
        pytest.param([0, 0, 0], "You can't pass the same card twice", id="one three times"),
        pytest.param(["ZZ", 0, 1], "not a card", id="no card at all"),
        pytest.param(["Q" * 10_000, 0, 1], "not a card", id="endless nonsense"),
    ],
)
def test_an_invalid_pass_is_rejected_with_a_message(runtime, client, cards, sentence):
    table = start_game(runtime)
    before = dump(runtime)
    mine = held(table, 0)
    chosen = [card if isinstance(card, str) else mine[card] for card in cards]
    response = client.post(runtime.signer.local_url(table.turn_link(0)), data={"card": chosen})
    check_refused(runtime, before, response, 400, sentence)


def test_a_card_that_is_not_held_is_rejected(runtime, client):
    table = start_game(runtime)
    before = dump(runtime)
    cards = [held(table, 1)[0], *held(table, 0)[:2]]
    response = client.post(runtime.signer.local_url(table.turn_link(0)), data={"card": cards})
    check_refused(runtime, before, response, 400, "not in your hand")


def pass_all(table):
    site = site_of(table.runtime)
    for seat in range(4):
        url = table.runtime.signer.local_url(table.turn_link(seat))
        assert site.test_client().post(url, data={"card": held(table, seat)[:3]}).status_code == 303


def test_a_forbidden_card_is_rejected_in_the_rules_words(runtime, client):
    table = start_game(runtime)
    pass_all(table)
    seat = table.awaited
    stored = table.stored
    forbidden = next(iter(stored.game.held[seat] - legal(stored.game, seat)))
    before = dump(runtime)
    url = runtime.signer.local_url(table.turn_link(seat))
    check_refused(runtime, before, client.post(url, data={"card": card_text(forbidden)}), 400, "You can't play")
    check_refused(runtime, before, client.post(url, data={"card": []}), 400, "Choose a card")
    two = held(table, seat)[:2]
    check_refused(runtime, before, client.post(url, data={"card": two}), 400, "Choose a card")


def test_a_repeated_turn_succeeds_and_another_card_shows_the_first(runtime, client):
    table = start_game(runtime)
    url = runtime.signer.local_url(table.turn_link(0))
    mine = held(table, 0)
    assert client.post(url, data={"card": mine[:3]}).status_code == 303
    before = dump(runtime)
    assert client.post(url, data={"card": mine[:3]}).status_code == 303
    check_refused(runtime, before, client.post(url, data={"card": mine[3:6]}), 409, "You passed")
    page = client.get(url, follow_redirects=True)
    assert "You passed" in words(page)
    assert "Bo, Cy and Di are next" in words(page)


def test_a_links_card_is_chosen_only_if_legal(runtime, client):
    table = start_game(runtime)
    pass_all(table)
    seat = table.awaited
    stored = table.stored
    allowed = [card_text(card) for card in legal(stored.game, seat)]
    illegal = [card for card in held(table, seat) if card not in allowed]
    url = runtime.signer.local_url(table.turn_link(seat))

    def chosen(card):
        page = BeautifulSoup(client.get(f"{url}?card={card}").data, "lxml")
        return [box["value"] for box in page.select("input[name=card][checked]")]

    assert chosen(allowed[0]) == [allowed[0]]
    assert chosen(illegal[0]) == []
    assert chosen("%3Cscript%3E") == []


def test_the_record_says_whether_the_mailed_link_was_used(runtime, client):
    table = start_game(runtime)
    url = runtime.signer.local_url(table.turn_link(0))
    client.post(url, data={"card": held(table, 0)[:3], "way": "link"})
    url = runtime.signer.local_url(table.turn_link(1))
    client.post(url, data={"card": held(table, 1)[:3], "way": "robot"})
    assert [record.source.value for record in table.records] == ["forced", "link", "page"]


def test_a_device_learns_whether_its_turn_still_waits(runtime, client):
    table = start_game(runtime)
    url = runtime.signer.local_url(table.turn_link(0))
    assert client.get(f"{url}/now").json == {"waits": True}
    before = dump(runtime)
    assert client.get(f"{url[:-3]}/now").status_code == 403, "a cut link says nothing"
    assert dump(runtime) == before
    client.post(url, data={"card": held(table, 0)[:3]})
    assert client.get(f"{url}/now").json == {"waits": False}


@pytest.mark.parametrize("other", [{"player_id": 2}, {"links": 1}], ids=str)
def test_a_turn_waits_for_nobody_who_has_lost_it(runtime, client, other):
    link = start_game(runtime).turn_link(0)
    assert client.get(f"{runtime.signer.local_url(replace(link, **other))}/now").json == {"waits": False}
