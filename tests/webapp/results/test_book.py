"""The book of a table as its players read it: standings, who leads, records and the chart."""

from datetime import UTC, datetime

import pytest

from webapp.games.book import BookedGame, Diligence, Sums
from webapp.models import BookRow, Section
from webapp.results.book import book, diligence_text, lead_text, player_sheet, standing_text, standings, times_text

NOW = datetime(2026, 6, 1, tzinfo=UTC)
NAMES = ("Ann", "Bo", "Cy", "Di")


def game(number, totals, *, names=NAMES, is_ended=False, **of_ann):
    """A game of a month of its own in which each sat in a seat; Ann's line has the other values."""
    lines = []
    for seat, (name, total) in enumerate(zip(names, totals, strict=True)):
        place = None if is_ended else 1 + sum(other < total for other in totals)
        player = NAMES.index(name) + 1 if name in NAMES else None
        line = BookRow(game_id=number, seat=seat, side=seat, player_id=player, name=name, total=total, place=place)
        line.at_end, line.counts = True, place is not None and player is not None
        line.hands, line.points = (4, total) if player else (0, 0)
        for name, value in of_ann.items() if seat == 0 else ():
            setattr(line, name, value)
        lines.append(line)
    return BookedGame(number, datetime(2026, number + 1, 3, 22, tzinfo=UTC), lines)


ANN_WINS, BO_WINS, ANN_AND_BO_WIN = (20, 50, 60, 70), (50, 20, 60, 70), (20, 20, 60, 70)
ENDED = game(3, BO_WINS, is_ended=True)


@pytest.mark.parametrize(
    ("games", "text"),
    [
        pytest.param([ANN_WINS], "", id="one game says little"),
        pytest.param([ANN_WINS, ANN_WINS], "Ann leads the table 2 : 0 : 0 : 0.", id="one leads"),
        pytest.param([ANN_WINS, BO_WINS], "Ann and Bo lead the table 1 : 1 : 0 : 0.", id="two lead"),
        pytest.param([ANN_AND_BO_WIN, ANN_WINS], "Ann leads the table 2 : 1 : 0 : 0.", id="a shared win is each one's"),
        pytest.param([(9, 9, 9, 9), (9, 9, 9, 9)], "The table stands 2 : 2 : 2 : 2.", id="nobody leads"),
    ],
)
def test_who_leads_has_won_the_most_games(games, text):
    assert lead_text([game(number, totals) for number, totals in enumerate(games, 1)]).replace("\u00a0", " ") == text


def test_a_game_that_was_ended_early_leads_nobody():
    assert lead_text([game(1, ANN_WINS), ENDED]) == ""


def test_a_robots_win_is_nobodys():
    names = ("Ann", "Bo", "Cy", "Robot 1")
    games = [game(number, (40, 50, 60, 20), names=names) for number in (1, 2)]
    assert lead_text(games) == ""
    assert [one.name for one in standings(games)] == ["Ann", "Bo", "Cy"]


@pytest.mark.parametrize(
    ("games", "name", "text"),
    [
        (
            [game(1, ANN_WINS, worst=26, worst_times=2)],
            "Worst hand",
            "Ann, 26 points, twice, the last on Tue 3 February",
        ),
        ([game(1, ANN_WINS, worst=9, worst_times=1)], "Worst hand", "Ann, 9 points, on Tue 3 February"),
        ([game(1, ANN_WINS)], "Best game", "Ann, 20 points, on Tue 3 February"),
        ([game(1, ANN_WINS), game(2, BO_WINS)], "Best game", "Ann and Bo, 20 points, the last on Tue 3 March"),
        ([game(1, ANN_WINS)], "Worst game", "Di, 70 points, on Tue 3 February"),
        ([game(1, ANN_WINS, moons=2)], "Most moons in a game", "Ann, 2 moons, on Tue 3 February"),
        (
            [game(1, ANN_WINS), game(2, ANN_WINS), game(3, BO_WINS)],
            "Most games won in a row",
            "Ann, 2 games, on Tue 3 March",
        ),
        ([game(1, BO_WINS), game(2, ANN_WINS), game(3, ANN_WINS)], "At the moment", "Ann has won the last 2 games"),
        ([game(1, ANN_WINS), game(2, BO_WINS)], "Most games won in a row", None),
        ([game(1, ANN_WINS)], "Most moons in a game", None),
        ([ENDED], "Best game", None),
    ],
)
def test_each_record_has_who_what_and_when(games, name, text):
    assert dict(book(games, NOW, "UTC").records).get(name) == text


def test_a_record_that_several_hold_names_each():
    bo = game(1, ANN_WINS, worst=26, worst_times=1)
    bo.lines[1].worst, bo.lines[1].worst_times = 26, 2
    assert dict(book([bo], NOW, "UTC").records)["Worst hand"].startswith(
        "26 points (Bo twice and Ann once), the last on"
    )


def test_games_come_newest_first_with_day_places_and_totals():
    (second, first) = book([game(1, ANN_WINS), game(2, BO_WINS, is_ended=True)], NOW, "Asia/Tokyo").games
    assert (first.number, first.day) == (1, "Wed 4 February"), "in the reader's time zone"
    assert first.sides[:2] == [(1, "Ann", 20), (2, "Bo", 50)]
    assert second.sides[0] == (None, "Bo", 20)


def test_the_chart_shows_games_won_after_each_game():
    chart = book([game(1, ANN_WINS), game(2, BO_WINS), game(3, BO_WINS), ENDED], NOW, "UTC").chart
    assert chart.alt == "Games won after 3 games: Bo 2, Ann 1, Cy 0 and Di 0."
    assert [(line.label, line.leads) for line in chart.lines][-1] == ("Bo 2", True)
    assert [tick.text for tick in chart.totals] == ["0", "1", "2"]
    assert book([game(1, ANN_WINS)], NOW, "UTC").chart is None


@pytest.mark.parametrize(("times", "text"), [(1, "once"), (2, "twice"), (3, "3 times")])
def test_how_often_is_said_in_words(times, text):
    assert times_text(times) == text


def line(**said):
    """A line of a game that counts for Cy."""
    row = BookRow(game_id=1, seat=0, side=0, player_id=3, name="Cy", total=40, place=2, **said)
    row.counts, row.hands, row.points = True, 4, 26
    return row


@pytest.mark.parametrize(
    ("section", "facts"),
    [
        (Section.RESULTS, [("Games won", "0 of 2"), ("Average place", "2.0"), ("Points a hand", "6.5")]),
        (Section.MOONS, [("Moons shot", "1"), ("Moons of others broken", "0"), ("Queens of spades taken", "3")]),
        (Section.PLAYED_FOR, [("Played for them", "4 of 90 turns")]),
        (Section.PACE, [("Time for a turn", "usually 2 hours")]),
    ],
)
def test_each_section_of_a_players_page_is_open_or_closed(section, facts):
    lines = [line(moons=1, queens=3, asked=60, played_for=4, seconds=7200), line(asked=30, seconds=7500)]
    assert player_sheet("Cy", lines, [section]).facts == facts
    assert player_sheet("Cy", lines, ()).facts == []
    assert player_sheet("Cy", [], Section).facts == []


@pytest.mark.parametrize(
    ("diligence", "text"),
    [
        (Diligence(), "Cy has finished no game here yet."),
        (Diligence(1, 50, 0), "Cy has played 1 game, and was never late."),
        (Diligence(12, 640, 3), "Cy has played 12 games, and was late for 3 of 640 turns."),
    ],
)
def test_everybody_may_know_how_many_games_and_how_late(diligence, text):
    assert diligence_text("Cy", diligence) == text


def test_a_standing_is_said_in_a_sentence():
    one, many = Sums(3, "Cy", games=1, wins=1, hands=4, points=26), Sums(3, "Cy", games=2, hands=4, points=26)
    assert standing_text(one) == "Cy won 1 of 1 game, with 6.5 points a hand."
    assert standing_text(many) == "Cy won 0 of 2 games, with 6.5 points a hand."
    assert standing_text(Sums(3, "Cy", hands=1)) == "Cy played 1 hand."
