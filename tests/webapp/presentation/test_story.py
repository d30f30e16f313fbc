"""The story of a hand: its facts, its words, and how many sentences it has."""

import re

import pytest

from hearts.cards import parse_card
from hearts.facts import (
    CleanHand,
    Fact,
    HeartsBroken,
    How,
    JackTaken,
    LastTrickPoints,
    MoonShot,
    MoonStopped,
    MostPoints,
    QueenDucked,
    QueenPassed,
    QueenTaken,
    TurningPoint,
    WonNoTrick,
)
from hearts.rules import Rules
from hearts.score import HandScore
from hearts.seats import Seat
from hearts.turns import MoonChoice
from tests.samples.cast import CAST, CROWD
from tests.samples.finished import score_with_stories, stored_game
from tests.samples.games import CLASSIC, ELEVEN, KITTY, OMNIBUS, PARTNERS
from tests.webapp.presentation.scored import NO_QUEEN, line
from webapp.games.finished import finished_hand
from webapp.presentation.sheets import score_sheet_of
from webapp.presentation.story import story

ANN, BO, CY, DI = map(Seat, range(4))


CY_TOOK_HER = line(queens=(0, 0, 1, 0), taken=(3, 1, 18, 4))


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


def taken(how: How, by: Seat | None, seat: Seat = CY, trick: int = 9) -> QueenTaken:
    return QueenTaken(seat, trick, by, how)


@pytest.mark.parametrize(
    ("facts", "reported"),
    [
        pytest.param(
            [QueenDucked(BO, 2), taken(How.DISCARDED, ANN)],
            "Bo ducked the queen of spades twice. Cy took it in trick 9.",
            id="ducked",
        ),
        pytest.param(
            [QueenDucked(BO, 2), QueenDucked(DI, 3), taken(How.DISCARDED, ANN)],
            "Di ducked the queen of spades three times. Cy took it in trick 9.",
            id="the player who ducked most",
        ),
        pytest.param(
            [QueenDucked(CY, 4), taken(How.LED, ANN)],
            "Cy took the queen of spades that Ann led in trick 9.",
            id="the taker of the queen did not duck it",
        ),
        pytest.param(
            [QueenPassed(CY, ANN), taken(How.DISCARDED, ANN)],
            "Cy passed the queen of spades to Ann and got it back in trick 9.",
            id="passed, and back",
        ),
        pytest.param(
            [taken(How.DISCARDED, ANN)], "Cy won trick 9 and the queen of spades that Ann threw in.", id="given"
        ),
        pytest.param([taken(How.FOLLOWED, ANN)], "Cy got the queen of spades from Ann in trick 9.", id="fell under"),
        pytest.param([taken(How.FOLLOWED, CY)], "Cy had to take the queen of spades home in trick 9.", id="one's own"),
        pytest.param(
            [taken(How.LEFT_OVER, None)],
            "The queen of spades lay in the kitty and went to Cy with trick 9.",
            id="in the kitty",
        ),
        pytest.param(
            [taken(How.LED, ANN), MostPoints((CY,), 18)],
            "Cy took the queen of spades that Ann led in trick 9. With it, Cy took most points: 18.",
            id="and most",
        ),
    ],
)
def test_the_story_says_how_the_queen_was_taken(facts: list[Fact], reported: str) -> None:
    assert story(CLASSIC, CAST, CY_TOOK_HER, facts)[0] == reported


@pytest.mark.parametrize(
    ("facts", "reported"),
    [
        pytest.param(
            [taken(How.LED, ANN), taken(How.LED, BO, trick=4), MostPoints((CY,), 40)],
            ("Cy took both queens of spades in tricks 4 and 9. With them, Cy took most points: 40.",),
            id="both",
        ),
        pytest.param(
            [taken(How.LED, ANN), taken(How.DISCARDED, BO), MostPoints((CY,), 40)],
            ("Cy took both queens of spades in trick 9. With them, Cy took most points: 40.",),
            id="both at once",
        ),
        pytest.param(
            [taken(How.LED, ANN), taken(How.LED, BO, seat=DI, trick=2), MostPoints((CY,), 21)],
            ("Di took a queen of spades in trick 2, Cy the other in trick 9.", "Cy took most points: 21."),
            id="one each",
        ),
        pytest.param(
            [taken(How.LED, ANN)],
            ("Cy took a queen of spades in trick 9; nobody took the other.",),
            id="one set aside for good",
        ),
    ],
)
def test_two_queens_are_reported_together(facts: list[Fact], reported: tuple[str, ...]) -> None:
    eleven = {"tricks_won": (1,) * 11, "queens": (0,) * 11, "jacks": (0,) * 11, "taken": (0,) * 11}
    assert story(ELEVEN, CROWD, line(**eleven), facts) == reported


@pytest.mark.parametrize(
    ("fact", "reported"),
    [
        pytest.param(
            MoonStopped(BO, CY, 12, 20),
            "Bo was after the moon with 20 points until Cy took some in trick 12.",
            id="moon",
        ),
        pytest.param(
            MoonStopped(BO, None, 13, 24),
            "Bo had all the points until trick 13, 24 of them, but the last went to nobody.",
            id="moon, and nobody",
        ),
        pytest.param(
            TurningPoint(DI, 7, "KH", "3C", 4.2, ""),
            "Your K♥ in trick 7 cost about 4 points (only you are told); the robot would have played 3♣.",
            id="a card",
        ),
        pytest.param(
            TurningPoint(DI, 7, "KH", "3C", 1.1, ""),
            "Your K♥ in trick 7 cost about 1 point (only you are told); the robot would have played 3♣.",
            id="one point",
        ),
        pytest.param(
            TurningPoint(DI, 0, "2C 3C 4C", "AS KS QS", 3, ""),
            "Passing 2♣ 3♣ 4♣ cost about 3 points (only you are told); the robot would have passed A♠ K♠ Q♠.",
            id="a pass",
        ),
        pytest.param(
            TurningPoint(DI, 13, "add", "subtract", 9, ""),
            "Your way to count the moon cost about 9 points (only you are told); "
            "the robot would have had the points taken off.",
            id="a moon",
        ),
        pytest.param(
            TurningPoint(DI, 13, "subtract", "add", 9, ""),
            "Your way to count the moon cost about 9 points (only you are told); "
            "the robot would have given the points to the others.",
            id="a moon taken off",
        ),
        pytest.param(MostPoints((BO,), 9), "Bo took most points: 9.", id="most"),
        pytest.param(MostPoints((ANN, BO), 9), "Ann and Bo took most points, 9 each.", id="two took most"),
        pytest.param(QueenPassed(DI, ANN), "Di passed the queen of spades to Ann.", id="queen passed"),
        pytest.param(CleanHand((ANN, BO, CY, DI)), "4 of 4 players took no points.", id="many, by their number"),
        pytest.param(CleanHand((ANN, BO)), "Ann and Bo took no points.", id="clean"),
        pytest.param(LastTrickPoints(BO, 14), "The last trick brought Bo 14 points.", id="last trick"),
        pytest.param(LastTrickPoints(BO, 1), None, id="a small last trick"),
        pytest.param(HeartsBroken(BO, 3, parse_card("9H")), "Bo broke hearts in trick 3 with 9♥.", id="broken"),
        pytest.param(QueenDucked(BO, 1), None, id="ducked once"),
        pytest.param(WonNoTrick((BO,)), "Bo won no trick.", id="no trick"),
        pytest.param(JackTaken(BO, 3, ANN, How.LED), None, id="a jack, which the score tells"),
        pytest.param(MoonShot(1, (BO,), MoonChoice.ADD, False), None, id="a moon, which the score tells"),
    ],
)
def test_each_fact_is_reported_in_a_sentence(fact: Fact, reported: str | None) -> None:
    sentences = story(NO_QUEEN, CAST, line(), [fact])
    assert [sentence.replace("\ufe0e", "") for sentence in sentences] == ([reported] if reported else [])


def test_of_many_facts_the_three_most_interesting_are_reported() -> None:
    facts = [
        MoonStopped(BO, CY, 12, 20),
        TurningPoint(DI, 7, "KH", "3C", 4.2, ""),
        TurningPoint(DI, 8, "KD", "3C", 2.2, ""),
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


def test_a_bonus_for_no_trick_replaces_the_sentence_on_no_points() -> None:
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
def test_every_hand_of_a_game_has_a_short_story_in_complete_sentences(rules: Rules, names: tuple[str, ...]) -> None:
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


def test_a_score_sheet_tells_only_of_finished_hands() -> None:
    game = stored_game(CLASSIC, CAST)
    sheet = score_sheet_of(game, hands=2)
    assert len(sheet.hands) == 2
    assert sheet.hands == score_sheet_of(game).hands[:2]
    assert finished_hand(game, 3).score.number == 3
