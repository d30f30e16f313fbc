"""The overview for operators: which games it lists, in which order, and what its figures count."""

from datetime import timedelta

import pytest
from sqlmodel import update

from hearts.robot import Level
from tests.cast import load, start_game
from tests.due_games import make_due_games
from webapp.health import overview
from webapp.models import GameRow, GameState, LetterRow, PlayerRow, TurnRow, TurnSource

DAY, MOMENT = timedelta(days=1), timedelta(microseconds=1)


def give(runtime, row_class, number, **values):
    with runtime.database.writing() as session:
        session.exec(update(row_class).where(row_class.id == number).values(**values))


def figures(runtime):
    with runtime.database.reading() as session:
        return {figure.name: figure.value for figure in overview.figures(session, runtime.now())}


def test_games_come_by_deadline_and_those_without_one_last(runtime):
    make_due_games(runtime, 5, Level.RULE)
    now = runtime.now()
    for number, due_at in enumerate((None, now + DAY, now - DAY, now - 2 * DAY, now), 1):
        give(runtime, GameRow, number, due_at=due_at)
    give(runtime, GameRow, 4, state=GameState.OVER)
    with runtime.database.reading() as session:
        assert [line.id for line in overview.running_games(session, 9)] == [3, 5, 2, 1]
        assert [line.id for line in overview.running_games(session, 2)] == [3, 5]


def test_a_games_line_informs_the_operator_and_shows_no_card(runtime, game_id):
    stored = load(runtime, game_id)
    line = overview.line_of(stored.row, stored.table, stored.seats)
    assert (line.id, line.table, line.number, line.turns) == (game_id, "Ann's table", 1, 1)
    assert (line.started_at, line.due_at) == (stored.row.started_at, stored.row.due_at)
    assert (line.ended_at, line.paused_at) == (None, None)


def test_players_whose_address_is_silenced_are_counted(runtime):
    start_game(runtime)
    give(runtime, PlayerRow, 1, unreachable_at=runtime.now())
    give(runtime, PlayerRow, 3, unreachable_at=runtime.now(), forgotten_at=runtime.now())
    assert figures(runtime)["players who get no mail"] == 1


@pytest.mark.parametrize(
    ("name", "row_class", "column", "lasts"),
    [
        ("players active within a week", PlayerRow, "seen_at", 7 * DAY),
        ("games ended within a week", GameRow, "ended_at", 7 * DAY),
        ("letters sent within a day", LetterRow, "sent_at", DAY),
    ],
)
def test_a_figure_counts_what_is_younger_than_it_says(runtime, game_id, name, row_class, column, lasts):
    with runtime.database.writing() as session:
        session.exec(update(row_class).values(**{column: None}))
    for age, counted in ((lasts, 0), (lasts - MOMENT, 1)):
        give(runtime, row_class, 1, **{column: runtime.now() - age})
        assert figures(runtime)[name] == counted


def test_forgotten_players_and_finished_games_do_not_count(runtime, game_id):
    assert (figures(runtime)["players"], figures(runtime)["games being played"]) == (4, 1)
    give(runtime, PlayerRow, 4, forgotten_at=runtime.now())
    give(runtime, GameRow, game_id, ended_at=runtime.now())
    assert (figures(runtime)["players"], figures(runtime)["games being played"]) == (3, 0)
    assert figures(runtime)["tables"] == 1


def test_a_days_turns_are_counted_by_how_they_were_played(runtime):
    make_due_games(runtime, 4, Level.RULE)
    with runtime.database.writing() as session:
        for number, source, age in (
            (1, TurnSource.REPLY, DAY - MOMENT),
            (2, TurnSource.LINK, DAY),
            (3, TurnSource.REPLY, timedelta()),
        ):
            values = {"source": source, "at": runtime.now() - age}
            session.exec(update(TurnRow).where(TurnRow.game_id == number).values(**values))
        session.flush()
        found = [(one.name, one.value) for one in overview.turns_by_source(session, runtime.now())]
    assert found == [("forced", 1), ("reply", 2)]
