"""The summary of a table: its game, its pace, whose turn it is, and who plays with whom."""

from datetime import UTC, date, datetime, timedelta

import pytest

from hearts.rules import preset_rules
from tests.samples.cast import CAST, CROWD
from tests.samples.games import CLASSIC, PARTNERS
from webapp.models import Lent, OfferState, PlayerRow, SeatRow, SeatState, TableRow, TableState, Vacation
from webapp.presentation.clock_text import why_at_once
from webapp.presentation.summary import (
    EACH_ON_A_PHONE,
    NOT_BEGUN,
    SeatLine,
    TableSummary,
    absence_sentence,
    note_sentence,
    table_summary,
)


def test_a_summary_gives_game_pace_and_whose_turn_it_is() -> None:
    states = ("host", "invited", "declined", "robot")
    seats = [SeatLine(name, state) for name, state in zip(CAST, states, strict=True)]
    table = table_summary("Ann's table", CLASSIC, seats, timedelta(days=1), timedelta(hours=12))
    assert table.game_text == "Classic, 4 players, to 100 points"
    assert table.pace_sentence == "You have 1 day to pass and 12 hours per card."
    assert (
        table.waiting_sentence == "We have invited Bo, and wait for an answer. Cy can't play, so the host fills a seat."
    )


@pytest.mark.parametrize(
    ("state", "came", "to_host", "to_others"),
    [
        ("invited", {}, "We deal the first hand as soon as every seat is taken.", None),
        ("open", {}, "We deal the first hand as soon as every seat is taken.", None),
        ("link", {}, "You deal the first hand once every seat is taken.", "Ann deals the first hand once every seat"),
        ("invited", {"has_guests": True}, "You deal the first hand once every seat", "Ann deals the first hand once"),
        ("accepted", {"has_guests": True, "waits_for_host": True}, "You deal the first hand.", "Ann deals the first"),
    ],
)
def test_a_summary_says_who_deals_the_first_hand(state, came, to_host, to_others) -> None:
    seats = [SeatLine("Ann", "host"), SeatLine("Bo", state), *(SeatLine(name, "robot") for name in CAST[2:])]
    table = table_summary("Ann's table", CLASSIC, seats, timedelta(days=1), timedelta(hours=12), **came)
    assert table.how_it_begins(to_host=True).startswith(to_host)
    assert table.how_it_begins().startswith(to_others or to_host)


def test_a_round_is_named_in_the_summary() -> None:
    seats = [SeatLine(name, "accepted") for name in CAST]
    rules = preset_rules("classic", hands=4, sun=True)
    table = table_summary("Ann's table", rules, seats, timedelta(days=1), timedelta(days=1))
    assert table.game_text == "Classic, 4 players, one round of four hands, with house rules"


def seated(*states: str) -> TableSummary:
    """A summary of a table whose seats have these states."""
    seats = [SeatLine(name, state) for name, state in zip(CROWD, states, strict=False)]
    rules = preset_rules("cancellation", players=len(states)) if len(states) > 7 else CLASSIC
    return table_summary("Ann's table", rules, seats, timedelta(days=1), timedelta(days=1))


def test_before_confirming_a_host_with_a_link_reads_of_it() -> None:
    table = seated("host", "invited", "link", "link")
    assert table.once_confirmed == (
        "One tap, and you get a link to send to your friends. The invitations go out at the same time."
    )
    assert table.waiting_sentence == (
        f"We have invited {CROWD[1]}, and wait for an answer. 2 seats are free for friends with the link."
    )
    assert seated("host", "link", "robot", "robot").confirm_label == "Confirm and get the link"


def test_a_guest_reads_the_players_and_number_of_free_seats() -> None:
    ann, _, cy, di, *_ = CROWD
    assert seated("host", "invited", "robot", "link").company_of(1) == (
        f"You play with {ann} and {cy} (robot). One seat is free."
    )
    assert seated("host", "invited", "accepted", "robot").company_of(1) == (
        f"You play with {ann}, {cy} and {di} (robot)."
    )


def test_at_a_large_table_a_guest_reads_a_few_names() -> None:
    ann, _, cy, di, *_ = CROWD
    company = seated("host", *["accepted"] * 7).company_of(1)
    assert company == f"You play with {ann}, {cy}, {di} and 4 others."


def test_partners_sit_across() -> None:
    seats = [SeatLine(name, "accepted") for name in CAST]
    table = table_summary("Ann's table", PARTNERS, seats, timedelta(days=1), timedelta(days=1))
    assert [seat.partner for seat in table.seats] == ["Cy", "Di", "Ann", "Bo"]
    assert table.waiting_sentence == ""


@pytest.mark.parametrize(
    ("pace", "at_once", "takes", "why"),
    [
        (timedelta(days=1), 4, "The game takes about a week, two minutes a day.", True),
        (timedelta(days=1), 1, "The game takes about a month, two minutes a day.", False),
        (timedelta(seconds=30), 4, f"The game takes about 20 minutes. {EACH_ON_A_PHONE}", False),
    ],
    ids=["several hands at once", "one after the other", "live"],
)
def test_an_invitation_says_why_hands_go_on_together(pace: timedelta, at_once: int, takes: str, *, why: bool) -> None:
    seats = [SeatLine(name, "accepted") for name in CAST]
    table = table_summary("Ann's table", preset_rules("classic", hands=4), seats, pace, pace, at_once=at_once)
    assert (table.how_long, table.at_once) == (takes, why_at_once(at_once) if why else "")


NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
DAY = 86400
SUNDAY = datetime(2026, 3, 8, 23, tzinfo=UTC)  # midnight in Berlin
LENT = {"player_id": 5, "name": "Eve (Ann)", "stands_in_for": 1, "lent": Lent("Ann", "Eve", mails=True)}
ASKED = {"offered_to": 5, "offered_name": "Eve", "offer_state": OfferState.STAND_IN}


def table(**columns):
    of_table = {"pass_seconds": DAY, "play_seconds": DAY, "vacation_days": 3, "state": TableState.PLAYING}
    return TableRow(**{**of_table, **columns})


def seat(**columns):
    return SeatRow(**{"table_id": 1, "seat": 0, "player_id": 1, "name": "Ann", "state": SeatState.HOST, **columns})


def ann(**columns):
    return PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=NOW, time_zone="Europe/Berlin", **columns)


def waiting(*dates):
    return {"vacation": Vacation(frozenset(map(date.fromisoformat, dates)))}


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        pytest.param({}, "", id="there"),
        pytest.param({"away": True}, "A robot plays for you until you are back.", id="a robot"),
        pytest.param(
            {"away": True, "away_until": SUNDAY}, "A robot plays for you until the end of Sun 8 March.", id="to a day"
        ),
        pytest.param(
            {"away": True, **ASKED},
            "A robot plays for you until Eve says yes: you have asked them to play for you.",
            id="a friend is asked",
        ),
        pytest.param(LENT, "Eve plays for you until you are back.", id="a friend"),
        pytest.param(
            {**LENT, "away_until": SUNDAY}, "Eve plays for you until the end of Sun 8 March.", id="a friend to a day"
        ),
        pytest.param(
            waiting("2026-03-03", "2026-03-04"),
            "The table waits for you until the end of Wed 4 March.",
            id="the table waits",
        ),
        pytest.param(waiting("2026-03-02"), "", id="it has waited"),
    ],
)
def test_a_player_reads_who_plays_for_them(row, sentence):
    assert absence_sentence(seat(**row), ann(), NOW) == sentence


@pytest.mark.parametrize(
    ("of_table", "row", "sentence"),
    [
        pytest.param({}, {}, "", id="a game"),
        pytest.param({"state": TableState.INVITING}, {}, NOT_BEGUN, id="not begun"),
        pytest.param(
            {},
            {"stands_in_for": 2, "lent": Lent("Di", "Ann", mails=True)},
            "You play for Di here: the seat goes back to them.",
            id="a stand-in",
        ),
        pytest.param(
            {},
            {"offered_to": 5, "offered_name": "Eve"},
            "The host has offered your seat to Eve, so no friend can play here.",
            id="an offered seat",
        ),
    ],
)
def test_a_table_says_what_is_special_there(of_table, row, sentence):
    assert note_sentence(table(**of_table), seat(**row)) == sentence
