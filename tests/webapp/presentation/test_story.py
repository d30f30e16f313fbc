"""The story of a hand: its facts, its words, and how many sentences it has."""

import re

import pytest

from hearts.cards import parse_card
from hearts.facts import (
    CleanHand,
    HeartsBroken,
    How,
    LastTrickPoints,
    MoonStopped,
    TurningPoint,
    WonNoTrick,
)
from hearts.rules import Rules
from hearts.score import HandScore
from hearts.turns import MoonChoice
from tests.samples.cast import CAST, CROWD
from tests.samples.finished import score_with_stories, stored_game
from tests.samples.games import CLASSIC, ELEVEN, KITTY, OMNIBUS, PARTNERS
from tests.webapp.presentation.scored import ANN, BO, CY, CY_TOOK_HER, DI, NO_QUEEN, line, taken
from webapp.presentation.sheets import score_sheet_of
from webapp.presentation.story import story


@pytest.mark.parametrize(
    ("rules", "score", "reported"),
    [
        pytest.param(
            CLASSIC,
            CY_TOOK_HER,
            ("Cy took the queen of spades. With it, Cy took most points: 18.",),
            id="the queen and most",
        ),
        pytest.param(
            CLASSIC,
            line(queens=(0, 1, 0, 0), taken=(13, 13, 0, 0)),
            ("Bo took the queen of spades.",),
            id="the queen, and a tie for most",
        ),
        pytest.param(NO_QUEEN, line(queens=(0, 1, 0, 0), taken=(8, 5, 0, 0)), (), id="a queen worth nothing"),
        pytest.param(
            CLASSIC,
            line(moon=1, moon_choice=MoonChoice.ADD, queens=(0, 1, 0, 0), taken=(0, 26, 0, 0)),
            ("Bo shot the moon: 26 points for everybody else.",),
            id="moon, added",
        ),
        pytest.param(
            CLASSIC,
            line(moon=1, moon_choice=MoonChoice.SUBTRACT, sun=True),
            ("Bo won every trick and shot the sun: 52 points off.",),
            id="sun, subtracted",
        ),
        pytest.param(
            PARTNERS,
            line(moon=0, moon_choice=MoonChoice.ADD, points=(0, 26), totals=(0, 26)),
            ("Ann and Cy shot the moon: 26 points for Bo and Di.",),
            id="moon of partners",
        ),
        pytest.param(
            OMNIBUS,
            line(jacks=(0, 0, 0, 1), queens=(1, 0, 0, 0), taken=(20, 6, 0, 0), tricks_won=(6, 3, 0, 4), fifties=(1,)),
            (
                "Ann took the queen of spades. With it, Ann took most points: 20.",
                "Di took the jack of diamonds: 10 off. Cy won no trick: 5 off.",
                "Bo stood at exactly 50 and got 50 off.",
            ),
            id="jack, no trick, fifty",
        ),
        pytest.param(
            OMNIBUS,
            line(
                moon=0,
                moon_choice=MoonChoice.ADD,
                jacks=(1, 0, 0, 0),
                tricks_won=(13, 0, 0, 0),
                fifties=(1, 2),
                totals=(0, 0, 50, 7),
            ),
            (
                "Ann shot the moon: 26 points for everybody else.",
                "Ann took the jack of diamonds: 10 off.",
                "Bo stood at exactly 50 and got 50 off. Cy stood at exactly 100 and got 50 off.",
            ),
            id="moon, jack and two fifties: none is dropped",
        ),
        pytest.param(
            OMNIBUS,
            line(queens=(1, 0, 0, 0), taken=(26, 0, 0, 0), tricks_won=(13, 0, 0, 0)),
            (
                "Ann took the queen of spades. With it, Ann took most points: 26.",
                "Bo, Cy and Di won no trick: 5 off each.",
            ),
            id="three without a trick in one sentence",
        ),
    ],
)
def test_the_story_always_reports_what_counted(rules: Rules, score: HandScore, reported: tuple[str, ...]) -> None:
    assert story(rules, CAST, score) == reported


def test_of_many_facts_the_three_most_interesting_are_reported() -> None:
    facts = [
        MoonStopped(BO, CY, 12, 20),
        TurningPoint(DI, 7, "KH", "3C", 4.2),
        TurningPoint(DI, 8, "KD", "3C", 2.2),
        taken(How.LED, ANN),
        CleanHand((ANN,)),
        HeartsBroken(BO, 3, parse_card("9H")),
    ]
    reported = story(CLASSIC, CAST, CY_TOOK_HER, facts)
    assert [sentence.split()[0] for sentence in reported] == ["Bo", "Cy", "Your"]


def test_the_story_repeats_nothing() -> None:
    facts = [taken(How.LED, ANN, trick=13), LastTrickPoints(CY, 18), CleanHand((ANN, BO)), WonNoTrick((ANN, BO))]
    reported = story(CLASSIC, CAST, CY_TOOK_HER, facts)
    assert reported == ("Cy took the queen of spades that Ann led in trick 13.", "Ann and Bo took no points.")


def test_a_bonus_for_no_trick_replaces_the_no_points_sentence() -> None:
    score = line(tricks_won=(13, 0, 0, 0), taken=(26, 0, 0, 0))
    reported = story(OMNIBUS, CAST, score, [CleanHand((BO, CY, DI))])
    assert reported[-1] == "Bo, Cy and Di won no trick: 5 off each."
    score = line(tricks_won=(12, 1, 0, 0), taken=(26, 0, 0, 0))
    assert "Bo, Cy and Di took no points." in story(OMNIBUS, CAST, score, [CleanHand((BO, CY, DI))])


EVERYBODY = [
    pytest.param(CLASSIC, CAST, id="classic"),
    pytest.param(ELEVEN, CROWD, id="eleven"),
    pytest.param(KITTY, CAST[:3], id="kitty"),
    pytest.param(OMNIBUS, CAST, id="omnibus"),
    pytest.param(PARTNERS, CAST, id="partners"),
]


@pytest.mark.parametrize(("rules", "names"), EVERYBODY)
def test_every_hands_story_is_short_and_of_complete_sentences(rules: Rules, names: tuple[str, ...]) -> None:
    for hand in score_with_stories(rules, names).hands:
        assert 1 <= len(hand.story) <= 3
        assert len(set(hand.story)) == len(hand.story)
        for sentence in hand.story:
            assert re.fullmatch(r"[A-Z\d][^{}]*\.", sentence), sentence
            assert "  " not in sentence
            assert len(sentence) < 160


@pytest.mark.parametrize(("rules", "names"), EVERYBODY)
def test_a_story_explains_every_point_taken_off(rules: Rules, names: tuple[str, ...]) -> None:
    game = stored_game(rules, names, 6)
    for hand, score in zip(score_sheet_of(game).hands, game.game.scores, strict=True):
        reported = " ".join(hand.story)
        assert ("shot the" in reported) is (score.moon is not None)
        assert reported.count("got 50 off") == len(score.fifties)
        assert reported.count("diamonds:") == sum(1 for jacks in score.jacks if rules.jack_points and jacks)


def test_a_story_is_the_same_every_time() -> None:
    assert score_with_stories(CLASSIC, CAST) == score_with_stories(CLASSIC, CAST)
