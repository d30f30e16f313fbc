"""Fills a database with running games: copies of one that was really played, made by the database itself.

Each copy has players, a table, seats, turns and letters of its own. Only the texts of its mails are missing: they are
kept for a month, and would be nearly all of the database.
"""

from typing import Any, Final

from sqlalchemy import Column, Connection, Engine, Table, text
from sqlmodel import SQLModel

COPIED: Final = ("player", "card_table", "seat", "game", "hand_clock", "turn", "letter", "talk")
CHUNK: Final = 20_000  # copies in one transaction
SERIES: Final = {
    "sqlite": "WITH RECURSIVE copy (k) AS (SELECT :first UNION ALL SELECT k + 1 FROM copy WHERE k < :last)",
    "postgresql": "WITH copy (k) AS (SELECT generate_series(CAST(:first AS int), CAST(:last AS int)))",
}
NUMBER: Final = "CAST(k AS varchar(12))"
UNIQUE: Final = {"address": f"{NUMBER} || {{0}}", "code": NUMBER, "dedupe": f"{NUMBER} || ' ' || {{0}}"}
MAIL_IDS: Final = dict.fromkeys(("message_id", "thread_id"), f"replace({{0}}, '<', '<' || {NUMBER} || '.')")
DROPPED: Final = {"message": "NULL"}
OWN: Final = {**UNIQUE, **MAIL_IDS, **DROPPED}  # what is not the same in each copy, besides numbers of rows

# By table with numbered rows: the row that has number 3 in the pattern, has 3 + k * step in copy k.
Steps = dict[str, int]


def count_steps(engine: Engine) -> Steps:
    """The steps for copies of the only game in the database."""
    with engine.connect() as connection:
        numbered = [table.name for table in _tables() if "id" in table.c]
        return {name: connection.execute(text(f"SELECT max(id) FROM {name}")).scalar() or 1 for name in numbered}


def copy_games(engine: Engine, steps: Steps, copies: int) -> None:
    """Makes that many copies, numbered from 1, and brings the statistics of the database up to date."""
    with engine.connect() as connection:
        for first in range(1, copies + 1, CHUNK):
            for table in _tables():
                span = {"first": first, "last": min(first + CHUNK - 1, copies)}
                connection.execute(text(_statement(table, engine.dialect.name, steps)), span)
            connection.commit()
        _count_on(connection, steps)
        connection.execute(text("ANALYZE"))
        connection.commit()


def _tables() -> list[Table]:
    return [table for table in SQLModel.metadata.sorted_tables if table.name in COPIED]


def _statement(table: Table, dialect: str, steps: Steps) -> str:
    """The statement that copies the rows of a table, those of one game after those of another."""
    names = [f'"{column.name}"' for column in table.c]
    values = [_copied(column, f'p."{column.name}"', steps) for column in table.c]
    key = next(column for column in table.primary_key if _numbered_by(column))
    is_pattern = f'p."{key.name}" <= {steps[_numbered_by(key) or ""]}'
    chosen = f"SELECT {', '.join(values)} FROM copy CROSS JOIN {table.name} AS p WHERE {is_pattern}"
    insert = f"INSERT INTO {table.name} ({', '.join(names)})"
    if dialect == "sqlite":
        return f"{SERIES[dialect]} {insert} {chosen} ORDER BY k"
    return f"{insert} {SERIES[dialect]} {chosen} ORDER BY k"


def _copied(column: Column[Any], value: str, steps: Steps) -> str:
    if table := _numbered_by(column):
        return f"{value} + k * {steps[table]}" if table in steps else value
    return OWN.get(column.name, "{0}").format(value)


def _numbered_by(column: Column[Any]) -> str | None:
    """The table whose rows the column numbers: its own, or the one that it refers to; None if it counts something."""
    while column.foreign_keys:
        column = next(iter(column.foreign_keys)).column
    return column.table.name if column.name == "id" else None


def _count_on(connection: Connection, steps: Steps) -> None:
    """PostgreSQL numbers the next rows after the copies; SQLite does by itself."""
    if connection.dialect.name == "postgresql":
        for table in steps:
            last = f"(SELECT max(id) FROM {table})"
            connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {last})"))
