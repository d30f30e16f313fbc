"""Steps of a finished hand, and the jumps between them."""

from tests.samples.cast import CAST, READER
from tests.samples.finished import opinions_on, stored_game
from tests.samples.games import CLASSIC
from webapp.games.finished import finished_hand
from webapp.presentation.relive import scene


def test_links_jump_to_the_next_trick_and_the_next_turning_point():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)
    opinions = opinions_on(hand, READER)
    first, last = scene(hand, 1, opinions).jumps, scene(hand, 55, opinions).jumps
    assert (first.back, first.next, first.next_trick, first.next_turning_point) == (None, 2, 3, 2)
    assert (last.back, last.next, last.next_trick, last.next_turning_point) == (54, None, None, None)
    middle = scene(hand, 23, opinions)
    assert middle.heading == "Trick 6"
    assert scene(hand, middle.jumps.next_trick).heading == "Trick 7"
    assert scene(hand, middle.jumps.next_turning_point, opinions).opinions != ()
