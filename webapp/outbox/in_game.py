"""Letters about a decision in a game: they are queued in the mail thread of its hand, found again, and superseded.

Nearly every turn does all three, so these statements are built once, and write only what they must.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple, cast

from sqlalchemy import ColumnElement, Table, bindparam, insert, inspect
from sqlalchemy.orm import Mapped
from sqlmodel import Session, and_, col, or_, select, update

from webapp.core.database import writes_alone
from webapp.core.runtime import Runtime
from webapp.core.statements import Statement
from webapp.games.due import Due
from webapp.games.store import Stored
from webapp.kinds import ASKING
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox import timing
from webapp.outbox.letters import WAITING, message_id_of, queue_digest


def _one_of(column: Mapped[Any], values: Iterable[Any]) -> ColumnElement[bool]:
    """As `in_`, for values that never change: it is compiled once, where SQLAlchemy completes an `in_` at each run."""
    return or_(*(column == value for value in values))


# The names are not those of columns, which an UPDATE would set.
_OF_HAND = (
    col(LetterRow.game_id) == bindparam("of_game"),
    col(LetterRow.hand) == bindparam("of_hand"),
    col(LetterRow.seat) == bindparam("at_seat"),
    col(LetterRow.player_id) == bindparam("reader"),
)
_OF_DECISION = (*_OF_HAND, col(LetterRow.about) == bindparam("decision"), _one_of(col(LetterRow.kind), ASKING))
_ASKING = select(LetterRow).where(*_OF_DECISION)
_LETTERS = cast(Table, inspect(LetterRow).local_table)
_FIRST_OF_HAND = select(_LETTERS.c.message_id).where(*_OF_HAND).order_by(_LETTERS.c.id).limit(1)
_FIRST = _FIRST_OF_HAND.subquery()
_FIRST_AND_ASKING = Statement(
    select(_FIRST.c.message_id)
    .add_columns(_LETTERS.c.id, _LETTERS.c.kind, _LETTERS.c.state, _LETTERS.c.reason)
    .select_from(_FIRST.outerjoin(_LETTERS, and_(*_OF_DECISION)))
)
_WAITING_OF_DECISION = (
    select(LetterRow.id)
    .where(*_OF_DECISION, _one_of(col(LetterRow.state), WAITING))
    .order_by(col(LetterRow.id))  # workers lock letters in this order, too
    .with_for_update()
)
_QUEUEING = Statement(insert(_LETTERS).inline())
_SUPERSEDED = {"state": LetterState.SUPERSEDED, "next_at": None}
_SUPERSEDING = Statement(update(_LETTERS).where(_LETTERS.c.id.in_(_WAITING_OF_DECISION)).values(**_SUPERSEDED))
_SUPERSEDING_ALONE = Statement(
    update(_LETTERS).where(*_OF_DECISION, _one_of(col(LetterRow.state), WAITING)).values(**_SUPERSEDED)
)


class Asking(NamedTuple):
    """A letter that asks for a decision, as far as that decides whether its player is asked again."""

    id: int
    kind: LetterKind
    state: LetterState
    reason: str | None


def queue_in_game(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    stored: Stored,
    seat: SeatRow,
    due: Due,
    now: datetime,
    again: str = "",
) -> LetterRow:
    """Queues a letter about `due` to the player of `seat` in the mail thread of its hand, and returns it.

    `again` distinguishes its dedupe key from that of an earlier letter of the same kind about the same decision.
    """
    player, thread = session.get_one(PlayerRow, seat.player_id), _thread(session, stored, seat, due)
    schedule = timing.schedule(kind, player, now, seat)
    letter = LetterRow(**_in_game(runtime, kind, stored, seat, due, again, schedule, now, thread))
    session.add(letter)
    if letter.state is LetterState.HELD:
        queue_digest(session, runtime, player, now)
    return letter


def queue_asking(
    session: Session,
    runtime: Runtime,
    question: LetterKind,
    stored: Stored,
    seat: SeatRow,
    due: Due,
    now: datetime,
    *,
    again: str = "",
    thread: str | None,
) -> None:
    """Queues the question `due` to the player of `seat`.

    `again` distinguishes its dedupe key from that of an earlier one about the same decision. The `thread` is that of
    the hand, None if it has none yet. Nearly every turn asks somebody: so this letter is written by one statement, and
    nobody gets it as an object.
    """
    player = session.get_one(PlayerRow, seat.player_id)
    schedule = timing.schedule(question, player, now, seat)
    _QUEUEING.put(session, _in_game(runtime, question, stored, seat, due, again, schedule, now, thread))
    if schedule.state is LetterState.HELD:
        queue_digest(session, runtime, player, now)


def letters_asking(session: Session, game_id: int, seat: SeatRow, due: Due) -> list[LetterRow]:
    """All letters, sent or not, that ask the present player of `seat` for `due`; not those to earlier players."""
    _flush_letters(session)
    with session.no_autoflush:
        return list(session.exec(_ASKING, params=_decision(game_id, seat, due)))


def thread_and_asking(session: Session, game_id: int, seat: SeatRow, due: Due) -> tuple[str | None, list[Asking]]:
    """The Message-ID of the first mail about the hand to the player of `seat`, None if there is none yet, and the
    `letters_asking`.
    """
    _flush_letters(session)
    found = _FIRST_AND_ASKING.rows(session, _decision(game_id, seat, due))
    return (found[0][0] if found else None), [Asking(*letter) for _, *letter in found if letter[0]]


def supersede_answered(session: Session, game_id: int, seat: SeatRow, due: Due) -> None:
    """Supersedes those of the `letters_asking` that are not sent yet."""
    superseding = _SUPERSEDING_ALONE if writes_alone(session) else _SUPERSEDING  # nobody else has locked them
    with _writing(session):
        superseding.put(session, _decision(game_id, seat, due))


def supersede_unsent(session: Session, asking: Iterable[Asking]) -> None:
    """Supersedes those of the letters that are not sent yet."""
    if waiting := [letter.id for letter in asking if letter.state in WAITING]:
        with _writing(session):
            session.connection().execute(update(_LETTERS).where(_LETTERS.c.id.in_(waiting)).values(**_SUPERSEDED))


def _in_game(
    runtime: Runtime,
    kind: LetterKind,
    stored: Stored,
    seat: SeatRow,
    due: Due,
    again: str,
    schedule: timing.Schedule,
    now: datetime,
    thread: str | None,
) -> dict[str, Any]:
    """The columns of a new letter about `due` to the player of `seat`."""
    dedupe = f"{kind} {stored.id} {seat.seat} {seat.player_id} {due.hand} {due.what}{again}"
    return {
        "kind": kind,
        "dedupe": dedupe,
        "player_id": seat.player_id,
        "table_id": seat.table_id,
        "seat": seat.seat,
        "game_id": stored.id,
        "turns": stored.row.turns,
        "hand": due.hand,
        "about": due.what,
        "message_id": message_id_of(runtime, dedupe),
        "thread_id": thread,
        "state": schedule.state,
        "next_at": schedule.at,
        "created_at": schedule.at or now,
    }


def _thread(session: Session, stored: Stored, seat: SeatRow, due: Due) -> str | None:
    """The Message-ID of the first mail about this hand to this player; None if there is none yet."""
    _flush_letters(session)
    return session.connection().execute(_FIRST_OF_HAND, _hand(stored.id, seat, due)).scalar()


def _decision(game_id: int, seat: SeatRow, due: Due) -> dict[str, Any]:
    """A decision of the present player of `seat`, as parameters of a query."""
    return {**_hand(game_id, seat, due), "decision": due.what}


def _hand(game_id: int, seat: SeatRow, due: Due) -> dict[str, Any]:
    return {"of_game": game_id, "of_hand": due.hand, "at_seat": seat.seat, "reader": seat.player_id}


@contextmanager
def _writing(session: Session) -> Iterator[None]:
    """For a statement that changes letters, also those that the session has as objects."""
    _flush_letters(session)
    yield
    if _has_letters(session):
        for row in session.identity_map.values():
            if isinstance(row, LetterRow):
                session.expire(row)


def _flush_letters(session: Session) -> None:
    """Statements find every letter as it is afterwards; other changes alone are not written for them."""
    changed = (*session.new, *(session.dirty if _has_letters(session) else ()))
    if any(isinstance(row, LetterRow) for row in changed):
        session.flush()


def _has_letters(session: Session) -> bool:
    """Whether the session has letters of the database as objects, changed or not: most turns load none."""
    return any(kind is LetterRow for kind, *_ in session.identity_map.keys())  # noqa: SIM118  # it is no mapping
