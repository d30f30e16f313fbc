"""Following a game: the news that a page polls change with its page, and with nothing else."""

from datetime import UTC, datetime, timedelta

import pytest

from hearts.ahead import Ahead
from hearts.cards import parse_code
from hearts.rules import Rules
from webapp.games.clock.presence import READING_FOR
from webapp.models import (
    GameRow,
    GameState,
    KeptAhead,
    OfferState,
    Pause,
    PlayerRow,
    SeatRow,
    SeatState,
    Stands,
    TableRow,
    TableState,
    Talk,
)
from webapp.pages.at_table import news_of

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
ANN, BO, CY, DI = range(4)


def rows():
    """A table with its game and seats, of which Ann's is the reader's."""
    table = TableRow(id=1, code="7F3KM", host_id=1, rules=Rules(), pass_seconds=86400, play_seconds=86400)
    table.state, table.created_at = TableState.PLAYING, NOW
    game = GameRow(id=1, table_id=1, number=1, state=GameState.PLAYING, turns=9, started_at=NOW)
    game.due_at = NOW + timedelta(minutes=5)
    seats = [
        SeatRow(table_id=1, seat=n, player_id=n + 1, name=name, state=SeatState.ACCEPTED)
        for n, name in enumerate(("Ann", "Bo", "Cy", "Di"))
    ]
    for seat in seats:
        seat.player = PlayerRow(address="di@example.org", name=seat.name, created_at=NOW, seen_at=NOW)
    return table, game, seats


def news(change=None, said=None):
    table, game, seats = rows()
    if change:
        change(table, game, seats)
    return news_of(table, game, seats, ANN, said, NOW)


def with_value(part, name, value, seat=None):
    """A change of one column of the table, the game or a seat."""

    def change(*given):
        row = given[("table", "game", "seats").index(part)]
        setattr(row if seat is None else row[seat], name, value)

    return pytest.param(change, id=f"{name} of {part if seat is None else f'seat {seat}'}")


def newcomer(_table, _game, seats):
    """Eve gets Di's seat once the hand is over."""
    seats[DI].offered_name, seats[DI].offer_state = "Eve", OfferState.ACCEPTED


def page_left_open(_table, _game, seats):
    """Di's page is open, and nobody has touched it for minutes."""
    seats[DI].here_at, seats[DI].player.seen_at = NOW, NOW - READING_FOR


@pytest.mark.parametrize(
    "change",
    [
        with_value("game", "turns", 10),
        with_value("game", "state", GameState.OVER),
        with_value("game", "due_at", None),
        with_value("table", "state", TableState.OVER),
        with_value("table", "talk", Talk.NONE),
        with_value("table", "pause", Pause(Stands.HOST, NOW)),
        with_value("seats", "away", True, BO),
        with_value("seats", "name", "Eve", BO),
        with_value("seats", "wants_pause", True, CY),
        with_value("seats", "wants_live", True, CY),
        with_value("table", "live_seconds", 60),
        with_value("seats", "here_at", NOW, DI),
        with_value("seats", "offered_name", "Eve", ANN),
        with_value("seats", "offer_state", OfferState.ACCEPTED, ANN),
        pytest.param(newcomer, id="newcomer"),
    ],
)
def test_what_the_page_shows_is_news(change):
    assert news(change)["version"] != news()["version"]


@pytest.mark.parametrize(
    "change",
    [
        with_value("seats", "here_at", NOW, ANN),
        with_value("seats", "here_at", NOW - timedelta(hours=1), DI),
        pytest.param(page_left_open, id="a page of Di's that is left open"),
        with_value("seats", "missed", 1, BO),
        with_value("seats", "ahead", {1: KeptAhead(Ahead(hand=1, trick=2, card=parse_code("QS"), seen=1))}, BO),
        with_value("seats", "offered_name", "Eve", BO),
        with_value("seats", "offer_state", OfferState.ACCEPTED, BO),
        with_value("game", "wake_at", NOW),
    ],
)
def test_what_others_keep_to_themselves_is_no_news(change):
    assert news(change) == news()


def test_a_new_line_of_talk_is_news():
    assert len({news(said=said)["version"] for said in (None, 1, 2)}) == 3


def test_the_seconds_that_are_left_are_no_news():
    assert news()["left"] == 300
    table, game, seats = rows()
    later = news_of(table, game, seats, ANN, None, NOW + timedelta(seconds=10))
    assert (later["left"], later["version"]) == (290, news()["version"])


def test_a_table_without_a_game_has_no_deadline():
    table, _, seats = rows()
    found = news_of(table, None, seats, ANN, None, NOW)
    assert (found["game"], found["due"], found["left"]) == (None, None, None)
