"""The page of a turn that is over."""

from hearts.turns import Pass
from tests.cast import start_game
from tests.submitting import words
from webapp.presentation.faces import face


def test_a_link_used_after_the_deadline_shows_what_was_played(runtime, client):
    table = start_game(runtime)
    url = runtime.signer.local_url(table.turn_link(3))
    table.miss_deadline()
    assert "We passed" in words(client.get(url))


def test_an_earlier_hands_link_still_says_what_was_played(client, runtime, table):
    links = {}
    for hand in (1, 2):
        links[hand] = runtime.signer.local_url(table.turn_link(0))
        table.play_hand()
    for hand, link in links.items():
        turns = [one.turn for one in table.stored.of_hand(hand)]
        (passed,) = [turn for turn in turns if isinstance(turn, Pass) and turn.seat == 0]
        cards = " ".join(face(card).text for card in passed.cards)
        assert f"You passed {cards}" in words(client.get(link))
