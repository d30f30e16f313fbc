"""The tables of the last state before 1.0, as `dumps/0027-tables.json` has them."""

import json
from pathlib import Path
from typing import Any

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import UTCDateTime

from webapp.core.database import Database
from webapp.migrations import config_for

LAST_STATE = "0027"
TABLES = Path(__file__).parent / "dumps" / f"{LAST_STATE}-tables.json"
TYPES = {
    "number": Integer(),
    "yes or no": Boolean(),
    "time": UTCDateTime(),
    "date": Date(),
    "text": Text(),
    "json": JSON(none_as_null=True),
    "bytes": LargeBinary(),
}


def make_first_tables(url: str) -> None:
    """Makes these tables, without rows, in an empty database."""
    database = Database.at(url)
    with database.engine.begin() as connection:
        _tables().create_all(connection)
        scripts = ScriptDirectory.from_config(config_for(url))
        MigrationContext.configure(connection).stamp(scripts, LAST_STATE)
    database.engine.dispose()


def _tables() -> MetaData:
    found = MetaData(naming_convention=SQLModel.metadata.naming_convention)
    for name, about in json.loads(TABLES.read_text(encoding="utf-8")).items():
        columns = [_column(column, kind, about["key"]) for column, kind in about["columns"].items()]
        references = [ForeignKeyConstraint(*map(str.split, pair)) for pair in about.get("refers", {}).items()]
        table = Table(name, found, *columns, *references, *(UniqueConstraint(*one) for one in about.get("unique", ())))
        for index, (indexed, *condition) in about.get("indexes", {}).items():
            where = text(condition[0]) if condition else None
            Index(index, *(table.columns[one] for one in indexed), postgresql_where=where, sqlite_where=where)
    return found


def _column(name: str, kind: str, key: list[str]) -> Column[Any]:
    """The column of a kind such as "number", "text 40" or "time, or none"."""
    plain = kind.removesuffix(", or none")
    letters = plain.removeprefix("text ")
    is_key = name in key
    kept = String(int(letters)) if letters.isdigit() else TYPES[plain]
    return Column(name, kept, primary_key=is_key, nullable=plain != kind and not is_key)
