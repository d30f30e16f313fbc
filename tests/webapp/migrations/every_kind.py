"""Makes up the rows that a played game lacks: every value of an enumerated column, and each column with and without.

Made-up rows belong to made-up tables and games, so that the played ones stay as they were played.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    DateTime,
    Enum,
    Integer,
    LargeBinary,
    Table,
    TypeDecorator,
    UniqueConstraint,
)
from sqlmodel import SQLModel

from tests.webapp.migrations.rows import Row, Rows

ANYTHING = "anything at all"
IN_PLACE = {"turn"}  # a game with a made-up turn could not be replayed; any of its turns may have any source
MOMENT, DAY = "2026-03-01T09:30:00.250000+00:00", "2026-03-01"


def rows_of_every_kind(played: Rows) -> Rows:
    """The rows of a played game, of the newest version, and those that it lacks."""
    rows = {table.name: [dict(row) for row in played[table.name]] for table in SQLModel.metadata.sorted_tables}
    for table in SQLModel.metadata.sorted_tables:
        if table.name in IN_PLACE:
            _change_some(table, rows[table.name])
        else:
            _add_some(table, rows)
    return rows


def lacking(table: Table, rows: list[Row]) -> dict[str, list[Any]]:
    """The values that no row has, by column: a word, a yes or no, None or `ANYTHING`."""
    found = {column.name: list(_lacking(column, rows)) for column in table.columns}
    return {name: values for name, values in found.items() if values}


def _lacking(column: Column[Any], rows: list[Row]) -> Iterator[Any]:
    seen = [row[column.name] for row in rows]
    if all(value is None for value in seen):
        yield ANYTHING
    if column.nullable and None not in seen:
        yield None
    for word in _words(column):
        if word not in seen:
            yield word


def _words(column: Column[Any]) -> list[Any]:
    match column.type:
        case Enum():
            return list(column.type.enums)
        case Boolean():
            return [True, False]
        case _:
            return []


def _change_some(table: Table, rows: list[Row]) -> None:
    for name, values in lacking(table, rows).items():
        assert ANYTHING not in values, f"a game must be played that has {table.name}.{name}"
        for value in values:
            seen = [row[name] for row in rows]
            one = next(row for row in rows if seen.count(row[name]) > 1)
            one[name] = value


def _add_some(table: Table, rows: Rows) -> None:
    """At least one row, so that others have a made-up row to refer to."""
    for number in count(1):
        missing = lacking(table, rows[table.name])
        if not missing and number > 1:
            return
        wanted = {name: values[0] for name, values in missing.items()}
        rows[table.name].append(_made_up(table, rows, wanted, number))


def _made_up(table: Table, rows: Rows, wanted: Row, number: int) -> Row:
    """Like the shortest existing row, but for what makes a row unique, and what is `wanted`."""
    like = min(rows[table.name], key=lambda row: len(str(row)), default={})
    row = {}
    for column in table.columns:
        if column.name not in like or column.name in _unique(table):
            row[column.name] = _fresh(column, [one[column.name] for one in rows[table.name]], number)
        else:
            row[column.name] = like[column.name]
    row |= _references(table, rows)
    for name, value in wanted.items():
        if value is not ANYTHING:
            row[name] = value
        elif row[name] is None:
            row[name] = _fresh(table.columns[name], [], number)
    return row


def _unique(table: Table) -> set[str]:
    unique = [constraint for constraint in table.constraints if isinstance(constraint, UniqueConstraint)]
    return {column.name for constraint in [table.primary_key, *unique] for column in constraint.columns}


def _references(table: Table, rows: Rows) -> Row:
    """Refers to the last row of each table, which is made up; where keys overlap, the widest decides."""
    found: Row = {}
    for constraint in sorted(table.foreign_key_constraints, key=lambda one: len(one.elements)):
        last = rows[constraint.referred_table.name][-1]
        found |= {element.parent.name: last[element.column.name] for element in constraint.elements}
    return found


def _fresh(column: Column[Any], taken: list[Any], number: int) -> Any:
    """A value that is not in `taken`."""
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    match kind:
        case Enum():
            return kind.enums[0]
        case Boolean():
            return True
        case Integer():
            return max([0, *filter(None, taken)]) + 1
        case DateTime():
            return MOMENT
        case Date():
            return DAY
        case LargeBinary():
            return "UeKZoCBRUw3/AA=="  # no UTF-8, and a zero
        case JSON():
            return ["made up", "♠"]
        case _:
            return f"{column.name} {number}"[-(getattr(kind, "length", None) or 40) :]
