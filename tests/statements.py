"""Notes the statements that a database carries out, those of SQLAlchemy and those of `webapp.core.statements`."""

from collections.abc import Callable
from typing import Any, NamedTuple

from webapp.core.runtime import Runtime


class Carried(NamedTuple):
    """A statement, in the words of the database, with its parameters."""

    text: str
    parameters: Any


def carried_out(runtime: Runtime) -> list[Carried]:
    """The statements from now on."""
    carried: list[Carried] = []
    before_each(runtime, lambda *statement: carried.append(Carried(*statement)))
    return carried


def turns_read(runtime: Runtime) -> list[tuple[Any, ...]]:
    """The parameters of every query for turns, from now on."""
    asked: list[tuple[Any, ...]] = []

    def note(text: str, parameters: Any) -> None:
        if "FROM turn" in text:
            asked.append(tuple(parameters))

    before_each(runtime, note)
    return asked


def before_each(runtime: Runtime, do: Callable[[str, Any], None]) -> None:
    """Calls `do` before each statement from now on, with its text and its parameters."""
    dialect: Any = runtime.database.engine.dialect
    carry_out = dialect.do_execute

    def carry_out_then(cursor: Any, text: str, parameters: Any, *context: Any) -> None:
        do(text, parameters)
        carry_out(cursor, text, parameters, *context)

    dialect.do_execute = carry_out_then
