"""One clock: hands that have short waits, or wait for the robot's look, ask their players once brought over."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from alembic import command
from sqlalchemy import text

from tests.cast import letters
from tests.runtimes import make_runtime
from tests.table import Table
from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, write_rows
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.pace import pace_of
from webapp.migrations import config_for, upgrade
from webapp.models import LetterKind
from webapp.outbox import turn_mail

BEFORE = "0041"
LATER = datetime(2030, 1, 1, tzinfo=UTC)
LAST = "(SELECT max(number) FROM turn WHERE turn.game_id = {game} AND (turn.hand = {hand} OR turn.hand IS NULL))"


@pytest.fixture
def brought_over(empty, tmp_path):
    """Returns a function that gives every hand this short wait and deadline, and then brings the database over."""
    url = empty.engine.url.render_as_string(hide_password=False)
    made = []

    def bring(behind, due_at):
        make_first_tables(url)
        write_rows(empty.engine, read_dump(LAST_STATE))
        command.upgrade(config_for(url), BEFORE)
        with empty.engine.begin() as connection:
            _set_clocks(connection, behind, due_at)
        upgrade(url)
        made.append(make_runtime(tmp_path / "var", url))
        made[0].now.pass_by(timedelta(days=40))
        return made[0]

    yield bring
    for runtime in made:
        runtime.database.engine.dispose()


def _set_clocks(connection, behind, due_at):
    """Every hand has the deadline, and a short wait for the record that is so far `behind` its last one; None: none."""
    connection.execute(text("UPDATE card_table SET paused_at = NULL, wait = 'short'"))
    connection.execute(text("UPDATE letter SET state = 'superseded' WHERE kind IN ('pass', 'turn', 'moon')"))
    connection.execute(
        text("UPDATE game SET wake_at = :at, due_at = :due, asked_at = :due"), {"at": LATER, "due": due_at}
    )
    connection.execute(text("UPDATE hand_clock SET due_at = :due, asked_at = :due"), {"due": due_at})
    if behind is None:
        return
    for table, game, hand in (("game", "id", "NULL"), ("hand_clock", "game_id", "hand")):
        last = LAST.format(game=f"{table}.{game}", hand="NULL" if table == "game" else f"{table}.{hand}")
        rows = connection.execute(text(f"SELECT {game}, {hand}, {last} FROM {table}")).all()
        for game_id, number, turn in rows:
            short = {
                "turn": (turn or 0) - behind,
                "seat": 0,
                "card": "2C",
                "seconds": 14400.0,
                "until": LATER.isoformat(),
            }
            is_hands = "" if number is None else f" AND hand = {number}"
            values = {"short": json.dumps({**short, "grounds": {"by": "hardly"}}), "game": game_id}
            connection.execute(text(f"UPDATE {table} SET short_wait = :short WHERE {game} = :game{is_hands}"), values)


def asking(runtime):
    """The hands of running games that ask a player."""
    games = {one.game_id for one in letters(runtime) if one.game_id}
    hands = [hand for game_id in sorted(games) for hand in Table(runtime, game_id).stored.open_hands()]
    return [hand for hand in hands if awaited(hand)]


@pytest.mark.parametrize(("behind", "due_at"), [(0, LATER), (None, None)], ids=["in a short wait", "looked at"])
def test_whose_choice_hardly_mattered_is_asked_with_full_time(brought_over, behind, due_at):
    runtime = brought_over(behind, due_at)
    found = asking(runtime)
    assert {hand.row.at_once for hand in found} == {1, 4}
    assert {hand.clock.due_at for hand in found} == {None}
    for hand in found:
        Table(runtime, hand.id).play_for_absent()
        after = Table(runtime, hand.id).stored.at(hand.game.hand)
        assert after.clock.due_at >= runtime.now() + pace_of(after)
    turn_mail.queue_due(runtime, runtime.now())
    asked = {tuple(key[:3]) for one in letters(runtime, LetterKind.TURNS) for key in one.asked or ()}
    assert {(hand.id, int(seat), hand.game.hand) for hand in found for seat in awaited(hand)} <= asked


def test_a_short_wait_that_is_over_changes_no_clock(brought_over):
    found = asking(brought_over(1, LATER))
    assert {(hand.clock.due_at, hand.row.wake_at) for hand in found} == {(LATER, LATER)}


def test_a_game_with_a_short_wait_wakes_a_worker(brought_over):
    assert all(hand.row.wake_at < LATER for hand in asking(brought_over(0, LATER)))
