"""Steps of a finished hand, and the jumps between them."""

import pytest

from hearts.turns import Pass, Play
from tests.samples.cast import CAST, READER
from tests.samples.finished import opinions_on, stored_game
from tests.samples.games import CLASSIC
from tests.webapp.presentation.presets import PRESETS
from webapp.games.record.finished import finished_hand
from webapp.presentation.tricks import Kind, end_of_trick, jumps, step_of, steps_of
from webapp.results.relive import scene


def test_links_jump_to_the_next_trick_and_turning_point():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)
    opinions = opinions_on(hand, READER)
    first, last = scene(hand, 1, opinions).jumps, scene(hand, 55, opinions).jumps
    assert (first.back, first.next, first.next_trick, first.next_turning_point) == (None, 2, 3, 2)
    assert (last.back, last.next, last.next_trick, last.next_turning_point) == (54, None, None, None)
    middle = scene(hand, 23, opinions)
    assert middle.heading == "Trick 6"
    assert scene(hand, middle.jumps.next_trick).heading == "Trick 7"
    assert scene(hand, middle.jumps.next_turning_point, opinions).opinions != ()


@pytest.mark.parametrize(("rules", "names"), PRESETS)
def test_each_card_has_a_step_and_all_passes_share_one(rules, names):
    hand = finished_hand(stored_game(rules, names), 1)
    steps = steps_of(hand)
    for turn, record in enumerate(hand.records, 1):
        if isinstance(record.turn, Pass):
            assert steps[step_of(steps, turn) - 1].kind is Kind.PASS
        elif isinstance(record.turn, Play):
            assert (steps[step_of(steps, turn) - 1].kind, steps[step_of(steps, turn) - 1].turns) == (Kind.CARD, turn)
    cards = [step.trick for step in steps if step.kind is Kind.CARD]
    assert cards == [trick for trick in range(1, max(cards) + 1) for _ in names]
    assert (steps[0].kind, steps[-1].kind, steps[-1].turns) == (Kind.DEAL, Kind.SCORE, len(hand.records))


def test_the_last_trick_has_no_next_trick_or_turning_point():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)
    steps = steps_of(hand)
    last_card = len(steps) - 1
    found = jumps(steps, last_card, [len(hand.records)])
    assert (found.back, found.next, found.next_trick, found.next_turning_point) == (
        last_card - 1,
        len(steps),
        None,
        None,
    )
    assert jumps(steps, last_card - 1, [len(hand.records)]).next_turning_point == last_card


def test_a_trick_ends_at_the_step_of_its_last_card():
    steps = steps_of(finished_hand(stored_game(CLASSIC, CAST), 1))
    for trick in range(1, 14):
        end = end_of_trick(steps, trick)
        assert (steps[end - 1].trick, steps[end].trick) == (trick, (trick + 1) % 14)
