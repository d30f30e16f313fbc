"""The rows of a database of any version, as JSON that either database can take; and the schema of its tables.

Tables are read as the database itself knows them: the models know the newest version only.
"""

import json
from base64 import b64decode, b64encode
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Column, Connection, Date, DateTime, Engine, LargeBinary, MetaData, Table, inspect, text

DUMPS = Path(__file__).parent / "dumps"
VERSION_TABLE = "alembic_version"
Row = dict[str, Any]
Rows = dict[str, list[Row]]
_known: dict[tuple[str, ...], list[Table]] = {}


def dump_file(version: str) -> Path:
    return DUMPS / f"{version}.json"


def read_dump(version: str) -> Rows:
    """The rows of a version\'s dump."""
    rows: Rows = json.loads(dump_file(version).read_text(encoding="utf-8"))
    return rows


def read_rows(engine: Engine) -> Rows:
    """Every row, by table; referred tables come before those that refer to them, rows in the order of their keys."""
    with engine.connect() as connection:
        return {table.name: _rows_of(connection, table) for table in _tables(connection)}


def write_rows(engine: Engine, rows: Rows) -> None:
    """Writes rows into empty tables, of this version or a later one; those written later get numbers after theirs."""
    with engine.begin() as connection:
        for table in _tables(connection):
            if found := rows.get(table.name):
                connection.execute(table.insert(), [_from_json(table, row) for row in found])
                _number_on(connection, table)


def schema(engine: Engine) -> dict[str, Any]:
    """The schema of every table, in an order that does not depend on its history."""
    found = inspect(engine)
    columns, keys, references = (
        found.get_multi_columns(),
        found.get_multi_pk_constraint(),
        found.get_multi_foreign_keys(),
    )
    unique, indexes = found.get_multi_unique_constraints(), found.get_multi_indexes()
    return {
        table[1]: {
            "columns": {column["name"]: _column(column) for column in columns[table]},
            "primary key": keys[table],
            "foreign keys": _sorted(map(_foreign_key, references[table])),
            "unique": _sorted((one["name"], one["column_names"]) for one in unique[table]),
            "indexes": _sorted(_index(one) for one in indexes[table] if "duplicates_constraint" not in one),
        }
        for table in columns
    }


def broken_references(engine: Engine) -> list[Any]:
    """Rows with a broken reference; PostgreSQL cannot hold such rows."""
    if engine.dialect.name != "sqlite":
        return []
    with engine.connect() as connection:
        return list(connection.execute(text("PRAGMA foreign_key_check")))


def _tables(connection: Connection) -> list[Table]:
    """The tables but that of the version. It asks for them once a version; `schema` tells whether they are still so."""
    names = inspect(connection).get_table_names()
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")) if VERSION_TABLE in names else ()
    key = (connection.dialect.name, *sorted(names), *(version for (version,) in found))
    if key not in _known:
        _known[key] = [table for table in _reflected(connection) if table.name != VERSION_TABLE]
    return _known[key]


def _reflected(connection: Connection) -> list[Table]:
    metadata = MetaData()
    metadata.reflect(connection)
    for column in (column for table in metadata.sorted_tables for column in table.columns):
        if isinstance(column.type, JSON):
            column.type.none_as_null = True
    return metadata.sorted_tables


def _rows_of(connection: Connection, table: Table) -> list[Row]:
    found = connection.execute(table.select().order_by(*table.primary_key)).mappings()
    return [{name: _to_json(value) for name, value in row.items()} for row in found]


def _to_json(value: Any) -> Any:
    match value:
        case datetime():
            return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
        case date():
            return value.isoformat()
        case bytes():
            return b64encode(value).decode()
        case _:
            return value


def _from_json(table: Table, row: Row) -> Row:
    return {name: None if value is None else _value(table.columns[name], value) for name, value in row.items()}


def _value(column: Column[Any], value: Any) -> Any:
    match column.type:
        case DateTime():
            return datetime.fromisoformat(value)
        case Date():
            return date.fromisoformat(value)
        case LargeBinary():
            return b64decode(value)
        case _:
            return value


def _number_on(connection: Connection, table: Table) -> None:
    """PostgreSQL counts by itself, and has not seen numbers that were given."""
    if connection.dialect.name == "postgresql" and (column := table.autoincrement_column) is not None:
        newest = f"(SELECT max({column.name}) FROM {table.name})"
        sequence = f"pg_get_serial_sequence('{table.name}', '{column.name}')"
        connection.execute(text(f"SELECT setval({sequence}, {newest}) WHERE {sequence} IS NOT NULL"))


def _column(column: Any) -> tuple[str, bool]:
    """Without the default, by which an older program adds rows to the tables of a newer one."""
    return repr(column["type"]), column["nullable"]


def _foreign_key(key: Any) -> tuple[Any, ...]:
    return key["name"], key["constrained_columns"], key["referred_table"], key["referred_columns"]


def _index(index: Any) -> tuple[Any, ...]:
    options = _sorted((name, str(value)) for name, value in index["dialect_options"].items())
    return index["name"], index["column_names"], bool(index["unique"]), options


def _sorted(found: Any) -> list[Any]:
    return sorted(found, key=repr)
