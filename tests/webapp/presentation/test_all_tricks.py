"""All tricks of a finished hand on one page."""

import pytest

from tests.samples.finished import stored_game
from tests.webapp.presentation.presets import PRESETS
from webapp.games.record.finished import finished_hand
from webapp.results.relive import scene


@pytest.mark.parametrize(("rules", "names"), PRESETS)
def test_every_card_under_its_player_links_to_its_step(rules, names):
    hand = finished_hand(stored_game(rules, names), 1)
    table = scene(hand, 1).table
    assert len(table.tricks) == len(hand.games[-1].tricks)
    for line in table.tricks:
        assert [card.led for card in line.cards].count(True) == 1
        assert [card.won for card in line.cards].count(True) == (hand.games[-1].won[line.number - 1] is not None)
        for seat, card in enumerate(line.cards):
            newest = [place for place in scene(hand, card.step).places if place.face][-1]
            assert (newest.seat, newest.face) == (seat, card.face)
