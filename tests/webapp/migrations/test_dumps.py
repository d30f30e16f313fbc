"""The dumps of every version are upgraded and downgraded: rows of games really played, and of every kind."""

import shutil
from datetime import timedelta
from unittest.mock import ANY

import pytest
from alembic import command
from sqlmodel import SQLModel, select

from tests.cast import load, make_runtime, play_hand
from tests.webapp.migrations.every_kind import lacking
from tests.webapp.migrations.rows import (
    COMMAND,
    VERSION_TABLE,
    broken_references,
    read_dump,
    read_rows,
    schema,
    write_rows,
)
from webapp.core.database import Database
from webapp.migrations import config_for, newest, versions
from webapp.models import GameRow

TABLES = SQLModel.metadata.sorted_tables
# Columns that a migration removed or changed on purpose: "table", or "table.column". That the downgrade restores them
# is checked all the same.
GIVEN_UP = {"letter.about"}  # 0009 moves parts of it to columns: versions/test_0009_letters_in_columns


# A migration that has landed does not change any more: what a new one does to the rows of earlier versions is looked at
# on SQLite for each of them, on PostgreSQL for the newest ones, and for the first, which passes through all of them.
UPGRADED = [
    *(("sqlite", version) for version in versions()),
    *(("postgresql", version) for version in (versions()[0], *versions()[-3:])),
]
# What games are played by is the same on either database once they have the newest tables.
PLAYED_ON = [*(("sqlite", version) for version in versions()), ("postgresql", versions()[0]), ("postgresql", newest())]


@pytest.fixture(scope="module")
def files_by_version(tmp_path_factory):
    """An SQLite database without rows for each version; to copy one is faster than to migrate anew."""
    folder = tmp_path_factory.mktemp("versions")
    database = Database(f"sqlite:///{folder / 'hearts.db'}")
    for version in versions():
        command.upgrade(config_of(database), version)
        database.engine.dispose()
        shutil.copy(folder / "hearts.db", folder / f"{version}.db")
    return {version: folder / f"{version}.db" for version in versions()}


@pytest.fixture
def bare_at(empty, kind, files_by_version):
    """Brings the database, which has no rows, up to a version."""

    def bring(version):
        if kind == "sqlite":
            empty.engine.dispose()
            shutil.copy(files_by_version[version], empty.engine.url.database)
        else:
            command.upgrade(config_of(empty), version)
        return empty

    return bring


@pytest.fixture
def at(bare_at):
    """Brings the empty database to a version, with the rows of its dump."""

    def bring(version):
        database = bare_at(version)
        write_rows(database.engine, read_dump(version))
        return database

    return bring


@pytest.fixture(scope="module")
def upgraded_files(tmp_path_factory):
    return tmp_path_factory.mktemp("upgraded")


@pytest.fixture
def upgraded(at, empty, kind, upgraded_files):
    """Brings the empty database to a version, with the rows of its dump, and then to the newest one; on SQLite once."""

    def bring(version):
        file = upgraded_files / f"{version}.db"
        if kind == "sqlite" and file.exists():
            shutil.copy(file, empty.engine.url.database)
            return empty
        database = at(version)
        command.upgrade(config_of(database), "head")
        if kind == "sqlite":
            database.engine.dispose()
            shutil.copy(database.engine.url.database, file)
        return database

    return bring


def config_of(database):
    return config_for(database.engine.url.render_as_string(hide_password=False))


@pytest.mark.parametrize("version", versions())
def test_every_version_has_a_dump(version):
    assert read_dump(version)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_newest_dump_has_rows_of_every_kind(table):
    rows = read_dump(newest()).get(table.name, [])
    assert not rows or set(rows[0]) == set(table.columns.keys()), f"run `{COMMAND}`"
    assert lacking(table, rows) == {}, f"run `{COMMAND}`"


def test_on_the_way_down_every_version_has_its_tables_again_and_no_row_loses_what_it_refers_to(
    empty, bare_at, kind, newest_schemas
):
    tables = {"base": {VERSION_TABLE: ANY}}
    for version in versions():
        tables[version] = schema(bare_at(version).engine)
    assert tables[newest()] == newest_schemas[kind]
    write_rows(empty.engine, read_dump(newest()))
    for version in ["base", *versions()][-2::-1]:
        command.downgrade(config_of(empty), version)
        assert broken_references(empty.engine) == []
        assert schema(empty.engine) == tables[version]


@pytest.mark.parametrize(("kind", "version"), UPGRADED)
def test_every_row_survives_upgrade_and_downgrade(upgraded, kind, newest_schemas, version):
    database, rows = upgraded(version), read_dump(version)
    assert broken_references(database.engine) == []
    assert kept_of(rows, read_rows(database.engine), newest_schemas[kind]) == expected_of(rows)
    command.downgrade(config_of(database), version)
    assert broken_references(database.engine) == []
    assert read_rows(database.engine) == rows


def test_the_last_version_of_the_program_can_write_its_rows_to_the_newest_tables(bare_at, kind):
    """Machines that are updated one after the other still run it for a while."""
    engine = bare_at(newest()).engine
    rows = read_dump(versions()[-2])
    write_rows(engine, rows)
    assert {name: len(found) for name, found in read_rows(engine).items() if found} == {
        name: len(found) for name, found in rows.items() if found
    }


def kept_of(rows, newer, tables):
    """The values in `newer` of all that is in `rows`; `tables` is its schema."""
    kept = {}
    for name, found in expected_of(rows).items():
        keys = tables.get(name, {"primary key": {"constrained_columns": []}})["primary key"]["constrained_columns"]
        by_key = {tuple(row[key] for key in keys): row for row in newer.get(name, [])}
        pairs = [(old, by_key.get(tuple(old[key] for key in keys), {})) for old in found]
        kept[name] = [{column: row.get(column, "is gone") for column in old} for old, row in pairs]
    return kept


def expected_of(rows):
    """The rows, without what was removed on purpose."""
    return {
        table: [{name: value for name, value in row.items() if f"{table}.{name}" not in GIVEN_UP} for row in found]
        for table, found in rows.items()
        if table not in GIVEN_UP
    }


@pytest.mark.parametrize(("kind", "version"), PLAYED_ON)
def test_the_games_of_every_version_can_be_played_on(upgraded, tmp_path, version):
    database = upgraded(version)
    runtime = make_runtime(tmp_path / "var", config_of(database).attributes["url"])
    runtime.now.pass_by(timedelta(days=40))
    with runtime.database.reading() as session:
        games = session.exec(select(GameRow.id)).all()
    awaited = [game_id for game_id in games if load(runtime, game_id).game.to_act]
    assert awaited, "no game of the dump is in the middle of a hand"
    for game_id in awaited:
        play_hand(runtime, game_id)
    runtime.database.engine.dispose()
    if version == newest():  # which row was there before it was upgraded makes no difference on the way down
        command.downgrade(config_of(database), "base")
