"""Waiting between turns: whose turn it is, and where the reader goes on."""

import pytest

from hearts.game import Stage
from hearts.seats import Seat
from tests.samples.cast import CAST
from tests.samples.games import CLASSIC, first_game, moon_game
from tests.samples.sheets import sheet_of
from webapp.games.asked.visit import StepKind, VisitStep
from webapp.models import Frequency
from webapp.presentation.turn_text import onward_text, that_is_it, who_acts


def seen_by_another(wanted):
    game = first_game(CLASSIC, wanted)
    reader = next(seat for seat in map(Seat, range(4)) if seat not in game.to_act)
    return sheet_of(game, seat=reader), [CAST[seat] for seat in game.to_act]


@pytest.mark.parametrize(
    ("left", "sentence"), [(1, "{0} chooses cards to pass"), (2, "{0} and {1} choose cards to pass")]
)
def test_those_who_have_not_passed_choose_cards(left, sentence):
    sheet, names = seen_by_another(lambda game: game.stage is Stage.PASS and len(game.to_act) == left)
    assert who_acts(sheet) == sentence.format(*names)


@pytest.mark.parametrize(("on_table", "sentence"), [(0, "{0} leads trick 3"), (2, "{0}'s turn")])
def test_a_player_leads_a_trick_or_has_their_turn(on_table, sentence):
    sheet, names = seen_by_another(
        lambda game: game.stage is Stage.PLAY and game.trick == 3 and len(game.on_table) == on_table
    )
    assert who_acts(sheet) == sentence.format(*names)


def test_a_shooter_says_how_the_moon_counts():
    game = moon_game()
    (shooter,) = game.to_act
    other = Seat((shooter + 1) % 4)
    assert who_acts(sheet_of(game, seat=other)) == f"{CAST[shooter]} says how the moon counts"


def test_between_two_hands_nobody_acts():
    game = first_game(CLASSIC, lambda game: game.stage is Stage.DEAL and game.hand == 1)
    assert who_acts(sheet_of(game, seat=Seat(0))) == "The next hand"


@pytest.mark.parametrize(
    ("names", "mails", "said"),
    [
        (["Bo"], Frequency.EVERY, "That's it. Bo is next. We'll email you."),
        (["Bo", "Cy"], None, "That's it. Bo and Cy are next."),
        (["Bo", "Cy", "Di", "Eve"], Frequency.DAILY, "That's it. The others are next. We email you once a day."),
        ([], Frequency.LAST, "That's it. The others are next. We email you before a deadline."),
    ],
)
def test_a_visit_ends_with_who_is_next(names, mails, said):
    assert that_is_it(names, mails) == said


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (VisitStep(StepKind.DECISION, 2), "Play hand 2"),
        (VisitStep(StepKind.NOTHING, 2), "Look at hand 2"),
        (VisitStep(StepKind.RESULT, 2), "See how hand 2 ended"),
        (VisitStep(StepKind.NOTHING, 1), ""),
    ],
)
def test_a_reader_is_told_where_they_go_on(step, text):
    assert onward_text(step, shown=1) == text
