"""The book of a table: what counts for whom, and that the standings are the sum of the games."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import delete, select

from hearts.rules import preset_rules
from hearts.turns import Deal
from tests.cast import NAMES, start_game
from tests.playing import QUICK
from tests.samples.cast import CAST, NOW
from tests.samples.finished import stored_game
from tests.samples.games import CLASSIC, PARTNERS
from tests.webapp.tables.lending import lend
from webapp.games import book
from webapp.games.book import BookedGame, Sums, games_of, leaders, lines_of, sums_of
from webapp.models import BookRow, EarlierPlayer, TurnSource
from webapp.play import course

ANN, BO, CY, DI, EVE = 1, 2, 3, 4, 5
PLAYERS = (ANN, BO, CY, DI)
PAGE, TIMEOUT, ROBOT = TurnSource.PAGE, TurnSource.TIMEOUT, TurnSource.ROBOT


def played(rules=CLASSIC, source=lambda record: PAGE, earlier=()):
    """A game that is over, whose turns came about as `source` says; seats changed hands as `earlier` has it."""
    stored = stored_game(rules, CAST)
    records = tuple(one._replace(source=source(one)) for one in stored.records)
    stored = replace(stored, records=records)
    stored.row.said["earlier"], stored.row.said["id"] = list(earlier), 1
    return stored


def moments(stored):
    """The times of its turns, a minute after each other."""
    return {one.number: NOW + timedelta(minutes=one.number) for one in stored.records}


def lines(stored, players=PLAYERS):
    """By name, the lines of the game."""
    return {line.name: line for line in lines_of(stored, players, moments(stored))}


def left_after(hand, name, player, **said):
    """Ann's seat passes from that player to another after the hand."""
    stored = stored_game(CLASSIC, CAST)
    turns = max(one.number for one in stored.records if one.hand <= hand)
    return EarlierPlayer(0, name, turns, hand, player=player, **said)


def hands():
    return len(stored_game(CLASSIC, CAST).cycle.scores)


def test_everything_counts_for_players_who_stay():
    found, scores = lines(played()), played().cycle.scores
    assert [line.total for line in found.values()] == [line.points for line in found.values()] == [*scores[-1].totals]
    assert sum(line.queens for line in found.values()) == len(scores)
    assert all(line.counts and line.at_end and line.hands == len(scores) for line in found.values())
    assert min(line.place for line in found.values()) == 1
    ann = [score.points[0] for score in scores]
    assert (found["Ann"].worst, found["Ann"].worst_times) == (max(ann), ann.count(max(ann)))


def test_partners_share_points_and_place():
    found = lines(played(PARTNERS))
    assert found["Ann"].side == found["Cy"].side
    assert (found["Ann"].total, found["Ann"].place) == (found["Cy"].total, found["Cy"].place)


@pytest.mark.parametrize(
    ("source", "is_counted"),
    [
        pytest.param(lambda one: PAGE, True, id="she chose all"),
        pytest.param(lambda one: TIMEOUT if one.number % 8 == 0 else PAGE, True, id="she missed a few deadlines"),
        pytest.param(lambda one: TIMEOUT, False, id="a robot chose all"),
        pytest.param(lambda one: TurnSource.AWAY, False, id="she was away"),
        pytest.param(lambda one: TurnSource.FORCED, True, id="there was no choice"),
    ],
)
def test_a_hand_counts_for_whoever_chose_most_of_it(source, is_counted):
    found = lines(played(source=lambda one: source(one) if getattr(one.turn, "seat", 0) == 0 else PAGE))
    assert (found["Ann"].hands, found["Ann"].counts) == (hands() if is_counted else 0, is_counted)
    assert found["Bo"].hands == hands()


@pytest.mark.parametrize(
    ("after", "ann", "eve"),
    [
        pytest.param(1, False, True, id="after the first hand"),
        pytest.param(hands() - 1, True, False, id="before the last"),
    ],
)
def test_a_game_counts_for_whoever_played_most_of_its_hands(after, ann, eve):
    stored = played(earlier=[left_after(after, "Ann", ANN)])
    found = {line.player_id: line for line in lines_of(stored, (EVE, *PLAYERS[1:]), moments(stored)) if line.seat == 0}
    assert (found[ANN].counts, found[EVE].counts) == (ann, eve)
    assert (found[ANN].hands, found[EVE].hands) == (after, hands() - after)
    assert found[ANN].points + found[EVE].points == found[EVE].total
    assert (found[ANN].at_end, found[EVE].at_end) == (False, True)


@pytest.mark.parametrize(("name", "is_noted"), [("Eve (Ann)", True), ("Eve for Ann", False)], ids=["noted", "older"])
def test_what_a_stand_in_played_counts_for_nobody(name, is_noted):
    lent = left_after(1, "Ann", ANN), left_after(3, name, EVE, stood_in=is_noted)
    found = lines(played(earlier=lent))
    assert EVE not in {line.player_id for line in found.values()}
    assert found["Ann"].hands == hands() - 2
    assert found["Ann"].counts


def test_what_a_robot_played_counts_for_nobody():
    stored = played(source=lambda one: ROBOT if getattr(one.turn, "seat", 0) == 0 else PAGE)
    found = lines(stored, (None, *PLAYERS[1:]))
    assert (found["Ann"].player_id, found["Ann"].hands, found["Ann"].counts) == (None, 0, False)
    assert found["Ann"].total == stored.cycle.scores[-1].totals[0]
    assert sums_of(found.values()).keys() == {BO, CY, DI}


def test_late_is_a_missed_deadline_and_played_for_any_robot():
    def source(one):
        if getattr(one.turn, "seat", 3) != 0:
            return PAGE
        return (TIMEOUT, TurnSource.AWAY, PAGE, PAGE, PAGE)[one.number % 5]

    stored = played(source=source)
    ann = lines(stored)["Ann"]
    theirs = [one.source for one in stored.records if not isinstance(one.turn, Deal) and one.turn.seat == 0]
    assert (ann.asked, ann.late) == (len(theirs), theirs.count(TIMEOUT))
    assert ann.played_for == theirs.count(TIMEOUT) + theirs.count(TurnSource.AWAY)


def test_the_median_of_the_time_they_took_is_kept():
    assert lines(played())["Bo"].seconds == 60


def line(player_id, place, hands=4, points=20, **said):
    row = BookRow(game_id=1, seat=0, side=0, player_id=player_id, name=f"P{player_id}", **said)
    row.counts, row.place, row.hands, row.points = place is not None, place, hands, points
    return row


SUMMED = ("games", "places", "wins", "hands", "points", "queens", "moons", "stopped", "asked", "late", "played_for")
LINES = st.builds(
    line,
    st.sampled_from([ANN, BO, None]),
    st.one_of(st.none(), st.integers(1, 4)),
    st.integers(0, 9),
    st.integers(-26, 99),
    queens=st.integers(0, 9),
    moons=st.integers(0, 3),
    late=st.integers(0, 9),
)


@given(st.lists(st.lists(LINES, max_size=4), max_size=6))
def test_standings_are_the_sum_of_the_games(games):
    whole = sums_of(one for game in games for one in game)
    each = [sums_of(game) for game in games]
    for player_id, sums in whole.items():
        parts = [one[player_id] for one in each if player_id in one]
        assert {name: getattr(sums, name) for name in SUMMED} == {
            name: sum(getattr(one, name) for one in parts) for name in SUMMED
        }
    assert None not in whole


@pytest.mark.parametrize(("wins", "found"), [((2, 1), [ANN]), ((2, 2), [ANN, BO]), ((0, 0), [])])
def test_leaders_have_won_the_most_games(wins, found):
    standings = [Sums(ANN, "Ann", wins=wins[0]), Sums(BO, "Bo", wins=wins[1])]
    assert [one.player_id for one in leaders(standings)] == found


def test_a_robot_is_no_winner_of_a_game():
    game = BookedGame(1, NOW, [line(ANN, 1), line(BO, 2), line(None, 1)])
    assert (game.winners, game.was_ended) == ({ANN}, False)
    assert BookedGame(1, NOW, [line(ANN, None)]).was_ended


def booked(table):
    with table.runtime.database.reading() as session:
        return games_of(session, table.table_id)


@pytest.fixture
def finished(runtime):
    """A game of two hands that is over."""
    table = start_game(runtime, rules=preset_rules("quick", target=10))
    table.play_hand()
    assert table.row.ended_at
    return table


def test_the_end_of_a_game_is_written_into_the_book(runtime, finished):
    (game,) = booked(finished)
    stored = finished.stored
    assert [(one.name, one.player_id, one.total) for one in game.lines] == [
        (name, seat.player_id, total)
        for name, seat, total in zip(NAMES, stored.seats, stored.cycle.scores[-1].totals, strict=True)
    ]
    assert (game.number, game.ended_at, game.was_ended) == (1, stored.row.ended_at, False)


def test_a_game_that_is_ended_early_has_no_places(runtime):
    table = start_game(runtime, rules=QUICK)
    table.play_hand()
    with table.changing() as game:
        course.close(game, "host")
    (game,) = booked(table)
    assert game.was_ended
    assert [one.hands for one in game.lines] == [1] * 4


def test_games_from_before_the_book_are_reckoned_once(runtime, finished):
    before = [one.model_dump(exclude={"id"}) for one in booked(finished)[0].lines]
    with runtime.database.writing() as session:
        session.exec(delete(BookRow))
    for _ in range(2):
        book.reckon_missing(runtime.database)
    assert [one.model_dump(exclude={"id"}) for one in booked(finished)[0].lines] == before
    with runtime.database.reading() as session:
        assert len(session.exec(select(BookRow)).all()) == 4


def test_a_hand_that_a_friend_played_is_noted_as_theirs(runtime):
    table = start_game(runtime, rules=QUICK)
    lend(table)
    table.play_hand()
    with table.changing() as game:
        course.close(game, "host")
    assert [one.stood_in for one in table.row.earlier] == [False, True]
    (game,) = booked(table)
    bo = next(one for one in game.lines if one.name == "Bo")
    assert (bo.hands, bo.at_end, "Eve" in {one.name for one in game.lines}) == (0, True, False)
