"""Lessons for a beginner: true at the moment, each once in a hand, and none that is never shown."""

import random
from functools import cache

import pytest

from hearts.cards import HEARTS, QUEEN_OF_SPADES, in_suit, suit
from hearts.game import Stage, legal
from hearts.score import HandScore
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from webapp.practice import RULES, YOU, after, hand_of, new_hand
from webapp.presentation.house_rules import LESSONS, lesson_after, outcome_text
from webapp.robots.thinking import by_rule

KEYS = ["a" * 32]
HANDS = 60


@cache
def hands_with_lessons():
    """Many hands, half sensible and half random: each a list of views with the lesson shown."""
    hands = []
    for seed in range(HANDS):
        chance = random.Random(seed)
        link = new_hand(KEYS, chance.randbytes)
        while (hand := hand_of(KEYS, link)).score is None:
            turn = by_rule(hand.game, YOU)
            if isinstance(turn, Play) and chance.random() < 0.5:
                turn = Play(YOU, chance.choice(list(legal(hand.game, YOU))))
            link = after(hand, turn)
        seen = [view(game, YOU) for game in hand.asked]
        hands.append([(now, lesson_after(seen[:number], now)) for number, now in enumerate(seen)])
    return hands


def moments(words):
    """The views at which a lesson with these words was shown."""
    found = [seen for hand in hands_with_lessons() for seen, line in hand if line and words in line]
    assert found, f"never shown: {words}"
    return found


def test_a_lesson_is_shown_once_in_a_hand():
    for hand in hands_with_lessons():
        lines = [line for _, line in hand if line]
        assert len(lines) == len(set(lines))


def test_a_hand_begins_with_the_lesson_on_what_costs_points():
    assert all("The lowest score wins" in hand[0][1] for hand in hands_with_lessons())


def test_no_lesson_has_an_unfilled_suit():
    assert not [line for hand in hands_with_lessons() for _, line in hand if line and ("{" in line or "}" in line)]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.text[:40])
def test_every_lesson_is_shown_sometimes(lesson):
    beginning, _, ending = lesson.text.partition("{led}")
    lines = [line for hand in hands_with_lessons() for _, line in hand if line]
    assert any(line.startswith(beginning) and line.endswith(ending) for line in lines)


def led(seen):
    return suit(seen.trick.cards[0])


@pytest.mark.parametrize(
    ("words", "is_true"),
    [
        pytest.param("pass high cards", lambda seen: seen.stage is Stage.PASS, id="passing is for the pass"),
        pytest.param("You cannot win", lambda seen: not seen.held & in_suit(led(seen)), id="cannot win: void"),
        pytest.param("must wait for the next one", lambda seen: not seen.tricks, id="hearts wait: first trick"),
        pytest.param("give away the queen of spades, a heart", lambda seen: seen.tricks, id="give away: later"),
        pytest.param("no harm", lambda seen: not seen.tricks, id="no harm: first trick"),
        pytest.param("stay below", lambda seen: QUEEN_OF_SPADES in seen.trick.cards, id="stay below: the queen lies"),
        pytest.param("your king or ace", lambda seen: QUEEN_OF_SPADES not in seen.plays, id="still about"),
        pytest.param("your king or ace", lambda seen: QUEEN_OF_SPADES not in seen.held, id="about, and not mine"),
        pytest.param("your king or ace", lambda seen: len(seen.trick.cards) < 3, id="about, and may still come"),
        pytest.param("You play last", lambda seen: len(seen.trick.cards) == 3, id="I play last"),
        pytest.param("You play last", lambda seen: not HEARTS & cards(seen.trick), id="nothing costs a point"),
        pytest.param("You lead", lambda seen: seen.trick is None, id="I lead"),
        pytest.param("Hearts may be led only", lambda seen: not HEARTS & seen.legal, id="hearts may not be led"),
        pytest.param("is gone", lambda seen: QUEEN_OF_SPADES in seen.plays, id="the queen is gone"),
        pytest.param("shoot the moon", lambda seen: sum(seen.taken) == seen.taken[YOU] >= 13, id="all points mine"),
    ],
)
def test_every_shown_lesson_is_true(words, is_true):
    assert all(is_true(seen) for seen in moments(words))


def cards(trick):
    return type(HEARTS).of(trick.cards)


# the summary


def score(*taken, moon=None, queen=0):
    points = tuple(26 * (side != moon) for side in range(4)) if moon is not None else taken
    queens = tuple(int(seat == queen) for seat in range(4))
    shot = {"moon": moon, "moon_choice": None, "sun": False}
    return HandScore(
        1, Seat(0), taken, (4, 3, 3, 3), queens, (0, 0, 0, 1), points=points, fifties=(), totals=points, **shot
    )


@pytest.mark.parametrize(
    ("scored", "words"),
    [
        pytest.param(score(0, 20, 5, 1, queen=1), "Not a single point", id="nothing taken"),
        pytest.param(score(2, 14, 5, 5, queen=1), "You took 2 points, and nobody had fewer", id="fewest"),
        pytest.param(score(1, 1, 19, 5, queen=2), "You took 1 point, and nobody had fewer", id="fewest, with another"),
        pytest.param(score(15, 2, 5, 4, queen=0), "most of them for the queen of spades", id="the queen"),
        pytest.param(score(11, 10, 3, 2, queen=1), "more than anybody else", id="most hearts"),
        pytest.param(score(8, 5, 0, 13, queen=3), "neither first nor last", id="in between"),
        pytest.param(score(26, 0, 0, 0, moon=0), "You shot the moon!", id="my moon"),
        pytest.param(score(0, 26, 0, 0, moon=1, queen=1), "Somebody took every point", id="somebody's moon"),
    ],
)
def test_a_sentence_sums_up_the_hand(scored, words):
    assert words in outcome_text(scored, YOU)


def test_the_lessons_describe_the_rules_of_a_practice_hand():
    assert (RULES.queen_points, RULES.pack_total) == (13, 26)
    assert not RULES.first_trick_points
