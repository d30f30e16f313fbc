"""The cast of the tests, at their tables: Ann hosts, Bo and Cy play, Di is away, Eve is a stranger."""

import re
from datetime import timedelta

from sqlalchemy import text
from sqlmodel import SQLModel, col, select

from hearts.robot import Level
from hearts.rules import Rules, preset_rules
from tests.copying import copied
from tests.runtimes import DatabaseOfCast
from tests.table import Table
from webapp.core.runtime import Runtime
from webapp.core.tokens import ConfirmLink, InvitationLink, L, SeatLink
from webapp.forms.opening import NewSeat, NewTable
from webapp.games.clock.presence import READING_FOR
from webapp.games.record.rows import table_seats
from webapp.models import LetterKind, LetterRow, PlayerRow, SeatRow, SeatState, TableRow
from webapp.outbox import turn_mail
from webapp.tables import seating

NAMES = ("Ann", "Bo", "Cy", "Di")
PACE = timedelta(days=1)


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


def mentions(text: str, name: str) -> bool:
    """Whether a page or an email names one of the cast. By chance a link has the same letters, within longer words."""
    return re.search(rf"(?<![\w-]){name}(?![\w-])", text) is not None


def new_table(
    names: tuple[str, ...] = NAMES,
    robots: int = 0,
    rules: Rules | None = None,
    pace: timedelta = PACE,
    at_once: int = 1,
) -> NewTable:
    """The table that Ann's form opens: `names` (Ann's first) and then `robots`."""
    new_seats = [NewSeat(name, address(name)) for name in names[1:]]
    new_seats += [NewSeat(f"Robot {n}", None) for n in range(robots)]
    rules = rules or preset_rules("classic", players=len(names) + robots)
    people = (names[0], address(names[0]), "Europe/Berlin", tuple(new_seats))
    return NewTable(*people, rules, pace, pace, Level.RULE, at_once=at_once)


def open_table(
    runtime: Runtime,
    names: tuple[str, ...] = NAMES,
    robots: int = 0,
    rules: Rules | None = None,
    pace: timedelta = PACE,
    at_once: int = 1,
) -> int:
    """A table that its host has confirmed, with the invitations out. Returns its id."""
    runtime.now.pass_by(timedelta(minutes=15))  # only a few tables an hour may be opened from one address
    table = seating.open_table(runtime, new_table(names, robots, rules, pace, at_once), runtime.now())
    seating.confirm(runtime, ConfirmLink(table.id), runtime.now())
    return table.id


@copied
def start_game(
    runtime: Runtime,
    names: tuple[str, ...] = NAMES,
    robots: int = 0,
    rules: Rules | None = None,
    pace: timedelta = PACE,
    at_once: int = 1,
) -> Table:
    """A game whose players have all accepted, and have left our pages since."""
    table_id = open_table(runtime, names, robots, rules, pace, at_once)
    for seat in seats(runtime, table_id):
        if seat.state is SeatState.INVITED:
            link = InvitationLink(table_id, seat.seat, seat.player_id or 0)
            seating.accept(runtime, link, seat.name, "UTC", runtime.now())
    with runtime.database.reading() as session:
        game = seating.current_game(session, table_id)
    assert game is not None
    leave(runtime)
    return Table(runtime, game.id)


def leave(runtime: Runtime) -> None:
    """Nobody is on our pages any more, so that the next mails about turns go as soon as workers look."""
    with runtime.database.writing() as session:
        for player in session.exec(select(PlayerRow).where(col(PlayerRow.seen_at).is_not(None))):
            assert player.seen_at is not None
            player.seen_at = min(player.seen_at, runtime.now() - READING_FOR)
            player.look_by(runtime.now())


def seats(runtime: Runtime, table_id: int) -> list[SeatRow]:
    with runtime.database.reading() as session:
        return list(table_seats(session, table_id))


def table_row(runtime: Runtime, table_id: int) -> TableRow:
    with runtime.database.reading() as session:
        return session.get_one(TableRow, table_id)


def seat_link(runtime: Runtime, table_id: int, seat: int) -> SeatLink:
    player = seats(runtime, table_id)[seat].player_id
    assert player is not None
    return SeatLink(table_id, seat, player)


def opened(runtime: Runtime, kind: type[L], path: str) -> L:
    """Returns the target of the link in a path. Paths to one target differ if they were signed in different seconds."""
    return runtime.signer.read(kind, path.split("/")[2])


def letters(runtime: Runtime, kind: LetterKind | None = None) -> list[LetterRow]:
    """Every letter, or those of one kind, in the order in which they were queued, once a worker has looked."""
    if kind in (None, LetterKind.TURNS) and not DatabaseOfCast.is_writing.get():
        turn_mail.queue_due(runtime, runtime.now())
    with runtime.database.reading() as session:
        found = session.exec(select(LetterRow).order_by(LetterRow.id)).all()
    return [letter for letter in found if kind in (None, letter.kind)]


def first_letters(runtime: Runtime) -> list[LetterRow]:
    """The letters of a table that has just been opened, without those that remind, or tell its host of silence."""
    return [letter for letter in letters(runtime) if not letter.again and letter.kind is not LetterKind.SEATS]


def dump(runtime: Runtime) -> dict[str, object]:
    """Every row of every table."""
    with runtime.database.reading() as session:
        names = [table.name for table in SQLModel.metadata.sorted_tables]
        return {name: session.connection().execute(text(f"SELECT * FROM {name}")).fetchall() for name in names}
