"""Notes the statements that a database carries out."""

from typing import Any, NamedTuple

from sqlalchemy import event

from webapp.core.runtime import Runtime


class Carried(NamedTuple):
    """A statement, in the words of the database, with its parameters."""

    text: str
    parameters: Any


def carried_out(runtime: Runtime) -> list[Carried]:
    """The statements from now on."""
    carried: list[Carried] = []

    @event.listens_for(runtime.database.engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, text: str, parameters: Any, *_: Any) -> None:
        if not text.startswith("BEGIN"):
            carried.append(Carried(text, parameters))

    return carried


def turns_read(runtime: Runtime) -> list[Any]:
    """The parameters of every query for turns, from now on."""
    asked: list[Any] = []

    @event.listens_for(runtime.database.engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, text: str, parameters: Any, *_: Any) -> None:
        if "FROM turn" in text:
            asked.append(parameters)

    return asked
