"""Sessions that only read, and so keep what they have read."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import JSON, Connection, Dialect, Engine, Table, Text, event, inspect, type_coerce
from sqlalchemy.orm import Mapper
from sqlalchemy.types import NullType
from sqlmodel import Session, SQLModel

from webapp.core.statements import Statement

T = TypeVar("T", bound=tuple[Any, ...])
V = TypeVar("V")
_Reader = tuple[str, Callable[[Any], Any]]


class Snapshot(Session):
    """A session that only reads, and so needs each row once: it holds them all, where others forget unused ones.

    It takes a connection when it first reads, and gives it back at its end. SQLAlchemy's session manages a transaction,
    which takes it longer than the query of a page.
    """

    def __init__(self, engine: Engine, begin: Callable[[Connection], object]) -> None:
        """`begin` begins the transaction of a new connection: all that it reads then is of one moment."""
        super().__init__(expire_on_commit=False, autoflush=False)
        self._engine, self._begin_reading = engine, begin
        self._opened: Connection | None = None

    def get_bind(self, *_: Any, **__: Any) -> Connection:
        if self._opened is None:
            self._opened = self._engine.connect()
            self._begin_reading(self._opened)
        return self._opened

    def connection(self, *_: Any, **__: Any) -> Connection:
        return self.get_bind()

    def __exit__(self, *_: object) -> None:
        try:
            if self.in_transaction():  # it has read by the ORM, too
                self.close()
        finally:
            if self._opened is not None:
                self._opened.close()

    def get(self, entity: Any, ident: Any, **options: Any) -> Any:
        """As SQLAlchemy's, also for a row that a `Finding` has found."""
        kept = self.info.get((entity, ident))
        return super().get(entity, ident, **options) if kept is None else kept


@event.listens_for(Snapshot, "loaded_as_persistent")
def _hold(session: Session, row: object) -> None:
    session.info.setdefault("held", []).append(row)


class Finding(Generic[T]):
    """A statement that finds rows of several tables together, and perhaps values beside them: a `T` each time.

    In a Snapshot the rows are objects of their tables' classes that belong to no session: to change one is an error. To
    make rows that can be written back takes longer than the query itself.
    """

    def __init__(self, statement: Any) -> None:
        """`statement` is a `select` of classes of tables, and of columns."""
        self._statement = statement
        self._parts: list[_Plain | _Value] = []
        columns: list[Any] = []
        for asked in (one["expr"] for one in statement.column_descriptions):
            part = _Plain(asked, len(columns)) if isinstance(asked, type) else _Value(asked, len(columns))
            self._parts.append(part)
            columns.extend(part.columns)
        self._plain = Statement(statement.with_only_columns(*columns))

    def find(self, session: Session, about: Mapping[str, Any]) -> Iterable[T]:
        """What the statement finds with these parameters."""
        if not isinstance(session, Snapshot):
            found: Iterable[T] = session.exec(self._statement, params=about)
            return found
        rows = self._plain.rows(session, about)
        return [tuple([part.made(session, row) for part in self._parts]) for row in rows]  # type: ignore[misc]


class _Value:
    """A column that a statement finds beside rows, in that place."""

    def __init__(self, column: Any, place: int) -> None:
        self.columns = [column]
        self._place = place

    def made(self, _: Session, found: Sequence[Any]) -> Any:
        return found[self._place]


class _Plain:
    """A table whose rows a statement finds, which belong to no session; their columns are found from `place` on."""

    def __init__(self, kind: type[SQLModel], place: int) -> None:
        mapper: Mapper[Any] = inspect(kind)
        columns = list(cast(Table, mapper.local_table).columns)
        self.columns = list(map(_as_it_comes, columns))
        self._kind, self._asked = kind, columns
        self._names = [mapper.get_property_by_column(column).key for column in columns]
        self._key = [place + number for number, column in enumerate(columns) if column.primary_key]
        self._all = slice(place, place + len(columns))
        self._readers: dict[str, list[_Reader]] = {}  # by the name of a dialect

    def made(self, session: Session, found: Sequence[Any]) -> Any:
        """The row that was found, which the session keeps; None if an outer join found none."""
        first, *others = [found[place] for place in self._key]
        if first is None:
            return None
        name = self._kind, ((first, *others) if others else first)
        if (made := session.info.get(name)) is None:
            made = session.info[name] = self._kind.__new__(self._kind)
            made.__dict__.update(self._read(session, found[self._all]))
        return made

    def _read(self, session: Session, found: Sequence[Any]) -> dict[str, Any]:
        """The values of the columns, by name, as the driver returned them."""
        read = dict(zip(self._names, found, strict=True))
        for name, reader in self._readers_for(session.get_bind().dialect):
            if (value := read[name]) is not None:
                read[name] = reader(value)
        return read

    def _readers_for(self, dialect: Dialect) -> list[_Reader]:
        """The columns whose values the driver does not return as they are, each with what makes them so."""
        readers = self._readers.get(dialect.name)
        if readers is None:
            named = ((name, _reader(column, dialect)) for name, column in zip(self._names, self._asked, strict=True))
            readers = self._readers[dialect.name] = [(name, reader) for name, reader in named if reader is not None]
        return readers


def _as_it_comes(column: Any) -> Any:
    """The column as the driver returns it: what is found again with each seat, such as the rules, is read but once.

    JSON comes as text, for psycopg would read it each time.
    """
    return column.cast(Text) if _is_json(column) else type_coerce(column, NullType())


def _is_json(column: Any) -> bool:
    return isinstance(column.type, JSON)


def _reader(column: Any, dialect: Dialect) -> Callable[[Any], Any] | None:
    """What makes a value of the column of what the driver returns; None if that is one."""
    if _is_json(column):
        return json.loads
    reader: Callable[[Any], Any] | None = column.type.dialect_impl(dialect).result_processor(dialect, None)
    return reader


class Prefetched(Generic[V]):
    """Values that a Snapshot has read for several games, tables or letters at once. It keeps each by its number."""

    def put(self, session: Session, found: Mapping[int, V]) -> None:
        """The session keeps these values, by number."""
        assert isinstance(session, Snapshot), "in other sessions rows change"
        session.info.setdefault(self, {}).update(found)

    def get(self, session: Session, number: int) -> V | None:
        """The value that the session keeps under that number; None if it keeps none."""
        found: dict[int, V] = session.info.get(self, {})
        return found.get(number)
