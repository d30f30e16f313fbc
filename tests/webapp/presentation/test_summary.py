"""The summary of a table: its game, its pace, whose turn it is, and who plays with whom."""

from datetime import timedelta

from tests.samples.cast import CAST
from tests.samples.games import CLASSIC, PARTNERS
from webapp.presentation.summary import SeatLine, table_summary


def test_a_summary_gives_game_pace_and_whose_turn_it_is() -> None:
    states = ("host", "invited", "declined", "robot")
    seats = [SeatLine(name, state) for name, state in zip(CAST, states, strict=True)]
    table = table_summary("Table 7F3K", CLASSIC, seats, timedelta(days=1), timedelta(hours=12))
    assert table.game_text == "Classic, 4 players, to 100 points"
    assert table.pace_sentence == "You have 1 day to pass and 12 hours per card."
    assert table.waiting_sentence == "Waiting for an answer from Bo. Cy can't play, so the host fills a seat."


def test_partners_sit_across() -> None:
    seats = [SeatLine(name, "accepted") for name in CAST]
    table = table_summary("Table 7F3K", PARTNERS, seats, timedelta(days=1), timedelta(days=1))
    assert [seat.partner for seat in table.seats] == ["Cy", "Di", "Ann", "Bo"]
    assert table.waiting_sentence == ""
