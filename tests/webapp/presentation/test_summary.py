"""The summary of a table: its game, its pace, whose turn it is, and who plays with whom."""

from datetime import timedelta

import pytest

from hearts.rules import preset_rules
from tests.samples.cast import CAST
from tests.samples.games import CLASSIC, PARTNERS
from webapp.games.waits import Wait
from webapp.presentation.summary import SeatLine, table_summary


def test_a_summary_gives_game_pace_and_whose_turn_it_is() -> None:
    states = ("host", "invited", "declined", "robot")
    seats = [SeatLine(name, state) for name, state in zip(CAST, states, strict=True)]
    table = table_summary("Table 7F3K", CLASSIC, seats, timedelta(days=1), timedelta(hours=12))
    assert table.game_text == "Classic, 4 players, to 100 points"
    assert table.pace_sentence == "You have 1 day to pass and 12 hours per card."
    assert table.waiting_sentence == "Waiting for an answer from Bo. Cy can't play, so the host fills a seat."


@pytest.mark.parametrize(
    ("wait", "said"),
    [
        (Wait.FULL, ""),
        (Wait.SHORT, "When a choice hardly matters, we wait 4 hours for it, and then play the card."),
        (Wait.NONE, "When a choice hardly matters, we play the card at once."),
    ],
)
def test_a_summary_says_how_long_the_table_waits_where_it_hardly_matters(wait: Wait, said: str) -> None:
    seats = [SeatLine(name, "accepted") for name in CAST]
    assert table_summary("Table 7F3K", CLASSIC, seats, timedelta(days=1), timedelta(days=1), wait=wait).plans == said


def test_a_round_is_named_in_the_summary() -> None:
    seats = [SeatLine(name, "accepted") for name in CAST]
    rules = preset_rules("classic", hands=4, sun=True)
    table = table_summary("Table 7F3K", rules, seats, timedelta(days=1), timedelta(days=1))
    assert table.game_text == "Classic, 4 players, one round of four hands, with house rules"


def test_partners_sit_across() -> None:
    seats = [SeatLine(name, "accepted") for name in CAST]
    table = table_summary("Table 7F3K", PARTNERS, seats, timedelta(days=1), timedelta(days=1))
    assert [seat.partner for seat in table.seats] == ["Cy", "Di", "Ann", "Bo"]
    assert table.waiting_sentence == ""
