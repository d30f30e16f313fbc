"""Declarations that the tables share: the names of their constraints, and kinds of columns and indexes."""

from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, Column, Enum, Index, text
from sqlmodel import SQLModel

# Every constraint has a name, so that a migration can change it on either database.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def word(kind: type[StrEnum]) -> Any:
    """A column type that stores the values of `kind` as plain text."""
    return Enum(kind, native_enum=False, length=20, values_callable=lambda words: [word.value for word in words])


def json_column() -> Column[Any]:
    """A column of JSON that always holds a value."""
    return Column(JSON, nullable=False)


def nullable_json_column() -> Column[Any]:
    """A column of JSON in which None is NULL, not the JSON null."""
    return Column(JSON(none_as_null=True))


def partial_index(name: str, column: str, where: str) -> Index:
    """An index over the rows for which the SQL condition `where` holds, on either database.

    A query uses it only if it has the condition as a literal: PostgreSQL may pass over a partial index for a bound
    value.
    """
    return Index(name, column, postgresql_where=text(where), sqlite_where=text(where))
