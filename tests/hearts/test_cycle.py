"""Hands side by side: which may be played, when they are scored, and when the game is over."""

import json
import random
from itertools import accumulate, takewhile
from operator import add

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hearts.check import events, record_turns
from hearts.cycle import apply_to_hand, new_cycle, replay_hands
from hearts.deal import deal, hands_at_once
from hearts.game import IllegalTurn, Stage, replay
from hearts.record import NotARecord, parse_record, record_of, record_text
from hearts.rules import preset_rules
from hearts.score import is_over
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Play
from hearts.view import view
from tests.hearts.builders import codes, random_cycles, random_turn, shot
from tests.hearts.strategies import any_rules

FOUR = preset_rules("classic", target=60)
FEW = settings(max_examples=20)


def played(rules=FOUR, seed=1, hands=40):
    """A random game with as many hands at once as the rules allow: its steps, and its named turns."""
    steps = list(random_cycles(rules, hands_at_once(rules)[-1], random.Random(seed), hands))
    return steps, [(number, turn) for _, number, turn, _ in steps]


def hand_by_hand(named):
    return sorted(named, key=lambda one: one[0])


def dealt(rules=FOUR, hands=4):
    """A cycle with that many hands dealt."""
    cycle, rng = new_cycle(rules, hands_at_once(rules)[-1]), random.Random(3)
    for number in range(1, hands + 1):
        cycle = apply_to_hand(cycle, number, deal(rules, Seat((number - 1) % rules.players), rng))
    return cycle


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        (preset_rules("classic"), (1, 4)),
        (preset_rules("classic", players=3), (1, 3)),
        (preset_rules("classic", players=5), (1, 3)),
        (preset_rules("classic", passing="left-right-keep"), (1, 3)),
        (preset_rules("classic", passing="left"), (1,)),
        (preset_rules("classic", passing="none"), (1,)),
    ],
)
def test_one_hand_or_one_for_each_passing_direction_is_open(rules, allowed):
    assert hands_at_once(rules) == allowed
    for at_once in allowed:
        assert new_cycle(rules, at_once).at_once == at_once
    with pytest.raises(ValueError, match=" or ".join(map(str, allowed))):
        new_cycle(rules, allowed[-1] + 1)


@FEW
@given(any_rules(), st.integers(0, 2**32))
def test_one_hand_at_once_is_the_game_as_it_was(rules, seed):
    steps = list(random_cycles(rules, 1, random.Random(seed), 2))
    named = [(number, turn) for _, number, turn, _ in steps]
    assert steps[-1][3].hands == (replay(rules, [turn for _, turn in named]),) == replay_hands(rules, 1, named).hands


@FEW
@given(any_rules(), st.integers(0, 2**32))
def test_the_score_does_not_depend_on_the_order_of_play(rules, seed):
    assume(len(hands_at_once(rules)) > 1)
    steps, named = played(rules, seed, hands=9)
    assert replay_hands(rules, steps[-1][3].at_once, hand_by_hand(named)) == steps[-1][3]


@FEW
@given(any_rules(), st.integers(0, 2**32))
def test_hands_are_scored_in_order_each_on_the_totals_before(rules, seed):
    assume(len(hands_at_once(rules)) > 1)
    scores, totals = played(rules, seed, hands=9)[0][-1][3].scores, (0,) * rules.sides
    for number, score in enumerate(scores, 1):
        with_fifties = tuple(total + 50 * (side in score.fifties) for side, total in enumerate(score.totals))
        assert (number, tuple(map(add, totals, score.points))) == (score.number, with_fifties)
        totals = score.totals


def test_all_open_hands_see_a_new_score_at_its_time():
    waited = False
    for before, number, _, after in played()[0]:
        scored = len(after.scores)
        finished = {game.hand for game in after.hands if game.stage in (Stage.DONE, Stage.DEAL, Stage.OVER)}
        waited = waited or max(finished, default=0) > scored
        assert all(game.scores == after.scores for game in after.hands)
        assert scored == max(
            [len(before.scores), *takewhile(finished.__contains__, [game.hand for game in after.hands])]
        )
        for game in after.hands:
            assert (game.hand <= scored) == (game.score is not None) == (game.hand in finished and game.hand <= scored)
            seen = view(game, Seat(0))
            assert (seen.hand, seen.scores, seen.totals) == (game.hand, after.scores, game.totals)
            won = codes([card for trick in game.tricks for card in trick.cards])
            assert sum(seen.taken) == sum(code[1] == "H" for code in won) + 13 * won.count("QS")
            if game.stage is Stage.DONE:
                assert (seen.held, seen.legal, seen.to_act) == (view(game, Seat(1)).held, seen.legal, ())
        assert number in {game.hand for game in after.hands}
    assert waited, "a hand was finished before an earlier one"


def test_a_game_ends_with_a_cycle_and_not_within_one():
    steps = played()[0]
    for _, _, _, after in steps:
        complete = len(after.hands) == 4 and not after.open_hands and len(after.scores) % 4 == 0
        assert (after.stage is Stage.OVER) == (
            complete and bool(after.scores) and is_over(FOUR, len(after.scores), after.hands[0].totals)
        )
    end = steps[-1][3]
    assert (end.stage, len(end.scores) % 4) == (Stage.OVER, 0)
    assert any(is_over(FOUR, score.number, score.totals) for score in end.scores[:-1]), "or it shows nothing"
    assert {game.winners for game in end.hands} == {end.hands[0].winners} != {()}
    with pytest.raises(IllegalTurn, match=f"the game ended with hand {len(end.scores)}"):
        apply_to_hand(end, end.next_hand, deal(FOUR, Seat(0), random.Random(1)))


@pytest.mark.parametrize("hands", [1, 3, 4, 6, 8])
def test_a_limit_of_hands_ends_the_game_within_a_cycle(hands):
    rules = preset_rules("classic", target=500, hands=hands)
    steps = played(rules)[0]
    assert all(after.stage is not Stage.OVER for *_, after in steps[:-1])
    end = steps[-1][3]
    assert (end.stage, len(end.scores), len(end.hands)) == (Stage.OVER, hands, hands % 4 or 4)
    assert end.hands[0].winners


@FEW
@given(any_rules(), st.integers(0, 2**32))
def test_no_more_hands_are_dealt_than_are_left(rules, seed):
    for *_, after in played(rules, seed, hands=9)[0]:
        first = after.hands[0].hand
        assert [game.hand for game in after.hands] == list(range(first, after.hands[-1].hand + 1))
        assert len(after.hands) <= after.at_once
        if rules.hands:
            assert after.hands[-1].hand <= rules.hands or len(after.hands) == 1


def test_hands_that_break_a_tie_are_dealt_one_by_one():
    rules = preset_rules("classic", target=500, hands=4, tie_break="extra-hand", queen_points=0)
    extra = []
    for seed in range(60):
        end = played(rules, seed)[0][-1][3]
        totals = [score.totals for score in end.scores]
        assert all(one.count(min(one)) > 1 for one in totals[3:-1])
        assert end.stage is Stage.OVER
        assert totals[-1].count(min(totals[-1])) == 1
        extra += [len(end.hands)] if len(totals) > 4 else []
    assert set(extra) == {1}


def test_a_hand_may_be_played_before_others_are_dealt():
    cycle = dealt(hands=2)
    assert (cycle.stage, cycle.next_hand, len(cycle.open_hands)) == (Stage.DEAL, 3, 2)
    seat = cycle.hands[1].to_act[0]
    assert seat == Seat(0)
    with pytest.raises(IllegalTurn, match="hand 3 is not being played"):
        apply_to_hand(cycle, 3, Moon(Seat(0), MoonChoice.ADD))
    with pytest.raises(IllegalTurn, match="hand 4 may not be dealt: it is the deal of hand 3"):
        apply_to_hand(cycle, 4, deal(FOUR, Seat(2), random.Random(1)))
    with pytest.raises(IllegalTurn, match="seat 3 may not deal: it is the deal of seat 2"):
        apply_to_hand(cycle, 3, deal(FOUR, Seat(3), random.Random(1)))


def test_the_next_cycle_waits_for_every_hand_of_this_one():
    afters = [
        after for seed in range(1, 9) for _, _, _, after in played(seed=seed, hands=4)[0] if len(after.hands) == 4
    ]
    cycle = next(after for after in afters if after.hands[-1].stage is Stage.DONE and after.open_hands)
    first = cycle.open_hands[0].hand
    with pytest.raises(IllegalTurn, match=f"hand {first} is not finished"):
        apply_to_hand(cycle, 5, deal(FOUR, Seat(0), random.Random(1)))


def test_a_finished_hand_takes_no_more_turns():
    cycle = next(after for _, _, _, after in played()[0] if any(game.stage is Stage.DONE for game in after.hands))
    done = next(game for game in cycle.hands if game.stage is Stage.DONE)
    with pytest.raises(IllegalTurn, match="may not choose how a moon counts"):
        apply_to_hand(cycle, done.hand, Moon(Seat(0), MoonChoice.ADD))


def test_a_shooters_choice_counts_in_the_order_of_the_hands():
    game, rng = shot(), random.Random(5)
    rules = preset_rules("classic", moon="choice", first_trick_points=True, passing="left-right-keep", target=200)
    deals = [deal(rules, Seat(1), rng), deal(rules, Seat(2), rng), game.deal]
    cycle = replay_hands(rules, 3, enumerate(deals, 1))
    for card in game.plays:
        cycle = apply_to_hand(cycle, 3, Play(cycle.hand(3).to_act[0], card))
    cycle = apply_to_hand(cycle, 3, Moon(Seat(0), MoonChoice.SUBTRACT))
    assert (cycle.hand(3).stage, cycle.scores) == (Stage.DONE, ())
    while cycle.open_hands:
        cycle = apply_to_hand(cycle, cycle.open_hands[0].hand, random_turn(cycle.open_hands[0], rng, None))
    assert (cycle.scores[2].moon_choice, cycle.scores[2].points) == (MoonChoice.SUBTRACT, (-26, 0, 0, 0))


class TestRecord:
    def test_a_record_of_one_round_can_be_read_back(self):
        rules = preset_rules("classic", hands=4)
        steps, named = played(rules)
        text = record_text(record_of(rules, ["Ann", "Bo", "Cy", "Di"], [turn for _, turn in hand_by_hand(named)], 4))
        assert json.loads(text)["rules"] == {"preset": "classic", "players": 4, "hands": 4}
        last = list(events(parse_record(text)))[-1]
        assert (last["hands"], last["over"], last["winners"]) == (4, True, list(steps[-1][3].hands[0].winners))

    def test_a_record_keeps_its_number_of_hands_at_once(self):
        _, named = played()
        for upto in (0, 3, 40, 150, len(named)):
            turns = [turn for _, turn in hand_by_hand(named[:upto])]
            text = record_text(record_of(FOUR, ["Ann", "Bo", "Cy", "Di"], turns, 4))
            assert list(json.loads(text)) == ["format", "version", "rules", "players", "at_once", "hands"]
            assert (json.loads(text)["version"], json.loads(text)["at_once"]) == (2, 4)
            assert record_text(parse_record(text)) == text
            read = record_turns(parse_record(text))
            numbers = accumulate(isinstance(turn, Deal) for turn in read)
            assert replay_hands(FOUR, 4, zip(numbers, read, strict=True)) == replay_hands(FOUR, 4, named[:upto])

    def test_a_replay_ends_with_the_hands_that_are_open(self):
        steps, named = played()
        cut = next(at for at, (*_, after) in enumerate(steps) if len(after.scores) > 1 and len(after.open_hands) == 1)
        cycle = steps[cut][3]
        turns = [turn for _, turn in hand_by_hand(named[: cut + 1])]
        last = list(events(record_of(FOUR, ["Ann", "Bo", "Cy", "Di"], turns, 4)))[-1]
        assert (last["hands"], last["over"], last["totals"]) == (len(cycle.scores), False, list(cycle.hands[0].totals))
        assert [(one["hand"], one["to_act"]) for one in last["open"]] == [
            (game.hand, list(game.to_act)) for game in cycle.open_hands
        ]

    def test_an_unknown_number_of_hands_at_once_is_refused(self):
        text = record_text(record_of(FOUR, ["Ann", "Bo", "Cy", "Di"], [], 4))
        for number in (0, 3, True, "4"):
            with pytest.raises(NotARecord, match="at_once must be 1 or 4 under these rules"):
                parse_record(json.dumps({**json.loads(text), "at_once": number}))
        assert parse_record(json.dumps({**json.loads(text), "at_once": 1})).at_once == 1
