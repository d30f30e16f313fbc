"""Facts of a hand as text, and everything that belongs to the queen of spades."""

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
    TurningPoint,
    WonNoTrick,
)
from hearts.turns import MoonChoice
from tests.samples.cast import CAST, CROWD
from tests.samples.games import CLASSIC, ELEVEN
from tests.webapp.presentation.scored import ANN, BO, CY, CY_TOOK_HER, DI, NO_QUEEN, line, taken
from webapp.presentation.story import story


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
            "Bo went for the moon and had 20 points, but Cy took some in trick 12.",
            id="moon",
        ),
        pytest.param(
            MoonStopped(BO, None, 13, 24),
            "Bo had all the points until trick 13, 24 of them, but the last went to nobody.",
            id="moon, and nobody",
        ),
        pytest.param(
            TurningPoint(DI, 7, "KH", "3C", 4.2),
            "Your K♥ in trick 7 cost about 4 points (only you are told); the robot would have played 3♣.",
            id="a card",
        ),
        pytest.param(
            TurningPoint(DI, 7, "KH", "3C", 1.1),
            "Your K♥ in trick 7 cost about 1 point (only you are told); the robot would have played 3♣.",
            id="one point",
        ),
        pytest.param(
            TurningPoint(DI, 0, "2C 3C 4C", "AS KS QS", 3),
            "Passing 2♣ 3♣ 4♣ cost about 3 points (only you are told); the robot would have passed A♠ K♠ Q♠.",
            id="a pass",
        ),
        pytest.param(
            TurningPoint(DI, 13, "add", "subtract", 9),
            "Your way to count the moon cost about 9 points (only you are told); "
            "the robot would have had the points taken off.",
            id="a moon",
        ),
        pytest.param(
            TurningPoint(DI, 13, "subtract", "add", 9),
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
