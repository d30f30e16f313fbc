"""A migration that fails, or is killed, leaves the database unchanged; two at once give the same result as one."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from tests.servers import LONG, ROOT, wait_until
from tests.webapp.migrations.broken import upgrade_to_broken
from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, read_rows, schema, write_rows
from webapp.core.database import LIMITS
from webapp.migrations import CommandError, newest, upgrade

HEAD = f"""
import sqlalchemy as sa
from alembic import op

revision, down_revision = "broken", {newest()!r}
"""
HALF = """
def upgrade():
    op.create_table("half", sa.Column("id", sa.Integer(), primary_key=True))
    op.execute("UPDATE player SET name = 'Eve'")
    with op.batch_alter_table("seat") as batch:
        batch.add_column(sa.Column("half", sa.Integer(), nullable=True))
        batch.drop_column("missed")
"""
BREAKS = f"{HEAD}{HALF}    raise RuntimeError('in the middle')\n"
ORPHANS = f"{HEAD}\ndef upgrade():\n    op.execute('DELETE FROM player WHERE id = 1')\n"
STOPS = f"""{HEAD}{HALF}
    from pathlib import Path
    from time import sleep
    Path(__file__).with_name("reached").touch()
    sleep(600)
"""
LOCK = 5_208_131  # of `env.py`, which migrates when it is imported
UPGRADE_TO_NEWEST = "import sys; from webapp.migrations import upgrade; upgrade(sys.argv[1])"


def url_of(database):
    return database.engine.url.render_as_string(hide_password=False)


@pytest.fixture
def script(tmp_path):
    """Writes the script of the version `broken`. Returns its folder."""

    def write(content):
        (tmp_path / "scripts").mkdir()
        (tmp_path / "scripts" / "broken.py").write_text(content)
        return str(tmp_path / "scripts")

    return write


@pytest.fixture
def filled(empty):
    """A database of the last state, with rows."""
    make_first_tables(url_of(empty))
    write_rows(empty.engine, read_dump(LAST_STATE))
    return empty


@pytest.fixture
def unchanged(filled):
    """Checks that everything is unchanged."""
    rows, tables = read_rows(filled.engine), schema(filled.engine)
    return lambda: (read_rows(filled.engine), schema(filled.engine)) == (rows, tables)


def test_a_migration_that_fails_in_the_middle_changes_nothing(filled, unchanged, script):
    with pytest.raises(RuntimeError, match="in the middle"):
        upgrade_to_broken(url_of(filled), script(BREAKS))
    assert unchanged()
    upgrade(url_of(filled))


def test_a_migration_that_is_killed_in_the_middle_changes_nothing(filled, unchanged, script):
    folder = script(STOPS)
    words = [sys.executable, "-m", "tests.webapp.migrations.broken", url_of(filled), folder]
    process = subprocess.Popen(words, cwd=ROOT)
    wait_until("the middle of the migration", (Path(folder) / "reached").exists, 90)
    process.kill()
    process.wait()
    assert unchanged()
    upgrade(url_of(filled))


def test_a_migration_that_leaves_a_broken_reference_changes_nothing(filled, kind, unchanged, script):
    sentence = "Rows would refer to rows that are not there, from card_table to player and .*; so nothing was changed."
    expected = (CommandError, sentence) if kind == "sqlite" else (IntegrityError, "foreign key")
    with pytest.raises(expected[0], match=expected[1]):
        upgrade_to_broken(url_of(filled), script(ORPHANS))
    assert unchanged()


def test_two_migrations_at_once_give_the_same_result_as_one(empty, kind, newest_schemas):
    words = [sys.executable, "-c", UPGRADE_TO_NEWEST, url_of(empty)]  # loads less than `flask migrate`
    both = [subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate()[1].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert schema(empty.engine) == newest_schemas[kind]


@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_migration_waits_longer_for_another_than_pages_wait(empty, kind, newest_schemas, monkeypatch):
    monkeypatch.setitem(LIMITS, "lock_timeout", "200ms")
    with ThreadPoolExecutor(1) as other, empty.engine.connect() as connection:
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        upgrading = other.submit(upgrade, url_of(empty))
        with pytest.raises(TimeoutError):
            upgrading.result(1)
        connection.rollback()
        upgrading.result(LONG)
    assert schema(empty.engine) == newest_schemas[kind]
