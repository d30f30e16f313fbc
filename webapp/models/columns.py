"""Declarations that the tables share: the names of their constraints, and kinds of columns and indexes."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from pydantic import GetPydanticSchema, TypeAdapter
from pydantic_core import core_schema
from sqlalchemy import JSON, Column, Dialect, Enum, Index, text
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

# Every constraint has a name, so that a migration can change it on either database.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


# Beside a type, whose values pydantic takes as they are: rows are not validated, their columns read and write them.
AS_IS: Final = GetPydanticSchema(lambda kind, handler: core_schema.any_schema())


def word(kind: type[StrEnum]) -> Any:
    """A column type that stores the values of `kind` as plain text."""
    return Enum(kind, native_enum=False, length=20, values_callable=lambda words: [word.value for word in words])


def json_column() -> Column[Any]:
    """A column of JSON that always holds a plain value."""
    return Column(JSON, nullable=False)


def nullable_json_column() -> Column[Any]:
    """A column of JSON with a plain value, in which None is NULL, not the JSON null."""
    return Column(JSON(none_as_null=True))


class Json(TypeDecorator[Any]):
    """JSON that Python sees as a value of one type: `write` makes it JSON, `read` makes it a value. None is NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def __init__(self, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        super().__init__()
        self.write, self.read = write, read

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else self.write(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else self.read(value)


def json_of(kind: Any) -> Json:
    """The type of a column of JSON for a dataclass, or a collection of them, as pydantic writes it."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)

    def write(value: Any) -> Any:
        return adapter.dump_python(value, mode="json", by_alias=True, exclude_defaults=True)

    return Json(write, adapter.validate_python)


def partial_index(name: str, column: str, where: str) -> Index:
    """An index over the rows for which the SQL condition `where` holds, on either database.

    A query uses it only if it has the condition as a literal: PostgreSQL may pass over a partial index for a bound
    value.
    """
    return Index(name, column, postgresql_where=text(where), sqlite_where=text(where))
