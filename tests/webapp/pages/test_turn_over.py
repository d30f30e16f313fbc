"""The page of a turn that is over."""

from hearts.turns import Pass
from tests.cast import load, start_game, turn_link
from tests.playing import miss_deadline, play_hand
from tests.submitting import words
from webapp.presentation.faces import face


def test_a_link_used_after_the_deadline_shows_what_was_played(runtime, client):
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 3))
    miss_deadline(runtime, game_id)
    assert "We passed" in words(client.get(url))


def test_an_earlier_hands_link_still_says_what_was_played(client, runtime, game_id):
    links = {}
    for hand in (1, 2):
        links[hand] = runtime.signer.local_url(turn_link(runtime, game_id, 0))
        play_hand(runtime, game_id)
    for hand, link in links.items():
        turns = [one.turn for one in load(runtime, game_id).of_hand(hand)]
        (passed,) = [turn for turn in turns if isinstance(turn, Pass) and turn.seat == 0]
        cards = " ".join(face(card).text for card in passed.cards)
        assert f"You passed {cards}" in words(client.get(link))
