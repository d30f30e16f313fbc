"""Compiles each statement once a process, not once for each database of a test: a third of the tests' time.

An engine keeps what it has compiled by its dialect, so that the engines of all tests get the dialect of the first one.
"""

from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any

from sqlalchemy import Dialect, Engine
from sqlalchemy.exc import OperationalError

_dialects: dict[str, Dialect] = {}  # by name, each set up by a first connection
_compiled: MutableMapping[Any, Any] = {}


def share_statements(engine: Engine) -> Engine:
    """Makes the engine use the statements that others on such a database have compiled, if its server answers."""
    name = engine.dialect.name
    with suppress(OperationalError):
        if name not in _dialects:
            with engine.connect():
                _dialects[name] = engine.dialect
        engine.dialect = _dialects[name]
        engine.update_execution_options(compiled_cache=_compiled)
    return engine
