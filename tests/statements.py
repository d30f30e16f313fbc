"""Notes the statements that a database carries out, those of SQLAlchemy and those of `webapp.core.statements`."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from webapp.core.runtime import Runtime


class Carried(NamedTuple):
    """A statement, in the words of the database, with its parameters: once, or once for each of several rows."""

    text: str
    each: Sequence[Any]


def carried_out(runtime: Runtime) -> list[Carried]:
    """The statements from now on."""
    carried: list[Carried] = []
    before_each(runtime, lambda *statement: carried.append(Carried(*statement)))
    return carried


def turns_read(runtime: Runtime) -> list[tuple[Any, ...]]:
    """The parameters of every query for turns, from now on."""
    asked: list[tuple[Any, ...]] = []

    def note(text: str, each: Sequence[Any]) -> None:
        if "FROM turn" in text:
            asked.extend(map(tuple, each))

    before_each(runtime, note)
    return asked


def before_each(runtime: Runtime, do: Callable[[str, Sequence[Any]], None]) -> None:
    """Calls `do` before each statement from now on, as `Carried` has it."""
    dialect: Any = runtime.database.engine.dialect
    carry_out, carry_out_for_each = dialect.do_execute, dialect.do_executemany

    def carry_out_then(cursor: Any, text: str, parameters: Any, *context: Any) -> None:
        do(text, [parameters])
        carry_out(cursor, text, parameters, *context)

    def carry_out_for_each_then(cursor: Any, text: str, each: Sequence[Any], *context: Any) -> None:
        do(text, each)
        carry_out_for_each(cursor, text, each, *context)

    dialect.do_execute, dialect.do_executemany = carry_out_then, carry_out_for_each_then
    if put := getattr(dialect, "do_execute_with_next", None):

        def put_then(cursor: Any, text: str, parameters: Any) -> None:
            do(text, [parameters])
            put(cursor, text, parameters)

        dialect.do_execute_with_next = put_then
