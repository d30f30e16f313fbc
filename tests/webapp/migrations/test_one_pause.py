"""One pause: a clock that stands still goes on standing, and says who may let the game go on."""

import pytest
from alembic import command
from sqlalchemy import text

from tests.runtimes import make_runtime
from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, write_rows
from webapp.migrations import config_for, upgrade
from webapp.models import Pause, Stands, TableRow

SINCE, UNTIL = "2026-03-01 09:30:00.250000", "2026-04-30 09:30:00.250000"


@pytest.mark.parametrize(
    ("paused_at", "ends_at", "resting_at", "why"),
    [
        pytest.param(None, None, None, None, id="it runs"),
        pytest.param(SINCE, None, None, Stands.HOST, id="the host's"),
        pytest.param(SINCE, UNTIL, None, Stands.PLAYERS, id="voted"),
        pytest.param(SINCE, UNTIL, SINCE, Stands.REST, id="a rest"),
    ],
)
def test_a_pause_stays_with_its_reason(empty, tmp_path, paused_at, ends_at, resting_at, why):
    url = empty.engine.url.render_as_string(hide_password=False)
    make_first_tables(url)
    write_rows(empty.engine, read_dump(LAST_STATE))
    command.upgrade(config_for(url), "0053")
    with empty.engine.begin() as connection:
        times = {"paused": paused_at, "ends": ends_at, "resting": resting_at}
        values = "paused_at = :paused, pause_ends_at = :ends, resting_at = :resting"
        connection.execute(text(f"UPDATE card_table SET {values}"), times)
    upgrade(url)
    runtime = make_runtime(tmp_path / "var", url)
    with runtime.database.reading() as session:
        pause = session.get_one(TableRow, 1).pause
    runtime.database.engine.dispose()
    assert (pause and pause.why) == why
    if pause is not None:
        assert f"{pause.since:%Y-%m-%d %H:%M:%S.%f}" == SINCE
        assert pause == Pause(pause.why, pause.since, pause.until)
        assert (pause.until and f"{pause.until:%Y-%m-%d %H:%M:%S.%f}") == ends_at
