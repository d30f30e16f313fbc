"""Statements that nearly every page or turn needs: compiled once, and given to the driver as they are.

SQLAlchemy compiles a statement only once, too, but to carry it out takes it longer than SQLite needs to answer.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlmodel import Session


class Statement:
    """One statement, carried out in the transaction of a session.

    It may not have an `in_` of parameters, which is another statement for each number of them. An INSERT writes the
    columns for which it gets parameters the first time; others have their defaults.
    """

    def __init__(self, statement: Any) -> None:
        self._statement = statement
        self._compiled: dict[str, _Compiled] = {}  # by the name of a dialect

    def rows(self, session: Session, about: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """What a SELECT finds with these parameters. Raises DBAPIError."""
        compiled, cursor = self._carried_out(session.connection(), [about])
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return [compiled.read(row) for row in found] if compiled.readers else found

    def write(self, session: Session, *about: Mapping[str, Any]) -> int:
        """Writes with these parameters, once with each, and returns how many rows it wrote. Raises DBAPIError."""
        rows: int = self._carried_out(session.connection(), about)[1].rowcount
        return rows

    def put(self, session: Session, about: Mapping[str, Any]) -> None:
        """Writes with these parameters, without waiting for the answer: a server gets the statement together with the
        next one of the session, or with its commit. That then raises the DBAPIError, if this does not.
        """
        self._carried_out(session.connection(), [about], with_next=True)

    def _carried_out(
        self, connection: Connection, about: Sequence[Mapping[str, Any]], *, with_next: bool = False
    ) -> tuple["_Compiled", Any]:
        dialect: Any = connection.dialect
        compiled = self._compiled.get(dialect.name) or self._compile(dialect, about[0])
        values = [compiled.values(each) for each in about]
        cursor = connection.connection.cursor()
        try:
            if with_next and hasattr(dialect, "do_execute_with_next"):
                dialect.do_execute_with_next(cursor, compiled.text, values[0])
            elif len(values) == 1:
                dialect.do_execute(cursor, compiled.text, values[0])
            else:
                dialect.do_executemany(cursor, compiled.text, values)  # in one exchange with the server
        except Exception as error:
            raise _as_sqlalchemy_has_it(error, dialect, compiled.text) from error
        return compiled, cursor

    def _compile(self, dialect: Dialect, about: Mapping[str, Any]) -> "_Compiled":
        columns = list(about) if self._statement.is_insert else None
        made = self._compiled[dialect.name] = _Compiled(self._statement, columns, dialect)
        return made


class _Compiled:
    """A statement in the words of one dialect."""

    def __init__(self, statement: Any, columns: Sequence[str] | None, dialect: Dialect) -> None:
        compiled: SQLCompiler = statement.compile(dialect=dialect, column_keys=columns)
        assert not compiled.post_compile_params, "it differs from one execution to the next"
        self.text = str(compiled)
        self._order = compiled.positiontup  # if the dialect has no names for parameters
        parameters = {name: bound for bound, name in compiled.bind_names.items()}
        converters = {name: _of_type(bound.type, dialect).bind_processor(dialect) for name, bound in parameters.items()}
        constant = {name: bound.value for name, bound in parameters.items() if not bound.required}
        constant.update((column.key, _default(column)) for column in compiled.insert_prefetch)
        self._given = [(name, converters[name]) for name, bound in parameters.items() if bound.required]
        self._constant = {name: _converted(value, converters[name]) for name, value in constant.items()}
        found = statement.selected_columns if statement.is_select else ()
        readers = (_of_type(column.type, dialect).result_processor(dialect, None) for column in found)
        self.readers = [(place, reader) for place, reader in enumerate(readers) if reader is not None]

    def values(self, about: Mapping[str, Any]) -> Any:
        """The parameters as the driver takes them."""
        values = self._constant.copy()
        for name, convert in self._given:
            values[name] = about[name] if convert is None else convert(about[name])
        return values if self._order is None else [values[name] for name in self._order]

    def read(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """A row that the driver has found, as the types of its columns have it."""
        values = list(row)
        for place, reader in self.readers:
            values[place] = reader(values[place])
        return tuple(values)


def _of_type(kind: Any, dialect: Dialect) -> Any:
    return kind.dialect_impl(dialect)


def _default(column: Any) -> Any:
    assert column.default.is_scalar, f"the default of {column} is computed for each row"
    return column.default.arg


def _converted(value: Any, convert: Callable[[Any], Any] | None) -> Any:
    return value if convert is None else convert(value)


def _as_sqlalchemy_has_it(error: Exception, dialect: Dialect, text: str) -> BaseException:
    """The error that SQLAlchemy raises for one of the driver; it quotes no parameters."""
    driver: Any = dialect.loaded_dbapi
    made: BaseException = DBAPIError.instance(text, None, error, driver.Error, dialect=dialect)
    return made
