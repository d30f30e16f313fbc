"""Nobody is played for who has not been asked in time: questions that go out late, and the deadlines that they move.

A question is late from the moment on at which it should have gone. Where its player wants it so, that is the end of the
quiet hours, the time of a digest, or when they have left the page. The deadline moves by as long as the question was
late: when it has gone at last, or, at most by the time that was given, when the deadline comes before it has.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games import store
from webapp.games.clock import outside_quiet_hours
from webapp.games.due import due_of
from webapp.games.pace import pace_of, set_wake
from webapp.games.presence import lock_players, quiet_of, was_present_recently
from webapp.games.store import Stored
from webapp.kinds import ASKING, KINDS, QUESTIONS
from webapp.models import GameRow, GameState, LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox import letters, questions

log = logging.getLogger(__name__)

TOLERATED = timedelta(seconds=30)  # or a tenth of the time that was given, where that is longer
PART = 4  # no letter waits longer than this part of the time that its question still has
SHORTEST_WAIT = timedelta(seconds=10)
FOREVER = timedelta(days=10_000)  # as long as a letter may wait that no deadline hangs on
NO_TIME = timedelta()


@dataclass(frozen=True, slots=True)
class Unasked:
    """Somebody who is awaited, and whose question should have gone at `since`; `letter` is to ask it."""

    seat: SeatRow
    letter: LetterRow
    since: datetime


def unasked_players(session: Session, stored: Stored, now: datetime) -> list[Unasked]:
    """Who is awaited and has not been asked, though they should have been, and still may be.

    Not among them is whoever wants no mails of this table, cannot be reached, was told by a device, or has seen the
    question on the page.
    """
    found = (_unasked(session, stored, stored.seats[seat], now) for seat in stored.game.to_act)
    return [one for one in found if one is not None]


def give_time(runtime: Runtime, game_id: int, now: datetime) -> bool:
    """Moves a deadline that is over where somebody has not been asked. Returns whether it is to come again.

    It moves by as long as they have waited, and no further than by the time that they were given at first.
    """
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        lock_players(session, stored.seats)
        unasked = unasked_players(session, stored, now)
        at = max((_moved_for_unasked(session, stored, one, now) for one in unasked), default=None)
        if at is None or at <= now:
            return False
        moved = _move(session, runtime, stored, at, [one.letter for one in unasked], now)
    _say(game_id, moved)
    return True


def note_asked(runtime: Runtime, letter: LetterRow, now: datetime) -> None:
    """Moves the deadline of each question that `letter` has asked late, now that it has gone out."""
    if not (KINDS[letter.kind].is_question or letter.kind is LetterKind.DIGEST):
        return
    with runtime.database.reading() as session:
        asked = [one for one in _asked_in(session, letter) if _is_late(session, one, letter.created_at, now)]
    for question in asked:
        assert question.game_id is not None
        with runtime.database.writing() as session:
            moved = _move_for_asked(session, runtime, question, letter.created_at, now)
        if moved:
            _say(question.game_id, moved)


def as_if_asked(stored: Stored, since: datetime, now: datetime, player: PlayerRow) -> Stored:
    """The game as it will be once `player` has been asked, now, who should have been at `since`.

    That is for the words of the mail; the row belongs to no session.
    """
    at = _due_if_asked(stored, since, now, player)
    if at is None or at == stored.row.due_at:
        return stored
    return replace(stored, row=GameRow(**{**stored.row.model_dump(), "due_at": at}))


def deadline_of(session: Session, letter: LetterRow) -> datetime | None:
    """The deadline of what a letter asks, the first of several; None where there is none."""
    return min((row.due_at for row in _games_of(session, letter) if row.due_at is not None), default=None)


def latest_try(due_at: datetime, now: datetime) -> datetime:
    """Until when a letter may wait at most whose question is due then: there must be time to ask, and to answer."""
    return now + max(SHORTEST_WAIT, (due_at - now) / PART)


def longest_wait(session: Session, letter: LetterRow) -> timedelta:
    """For how long at most a letter that could go is held back, from when it should have gone."""
    games = _games_of(session, letter)
    due_at = min((_first_due_at(row, row.due_at) for row in games if row.due_at is not None), default=None)
    return FOREVER if due_at is None else max(NO_TIME, (due_at - letter.created_at) / PART)


def _games_of(session: Session, letter: LetterRow) -> Sequence[GameRow]:
    """The running games about which a letter asks something."""
    running = select(GameRow).where(GameRow.state == GameState.PLAYING)
    if letter.kind is LetterKind.DIGEST:
        asks = col(LetterRow.kind).in_(QUESTIONS)
        held = col(LetterRow.state).in_((LetterState.HELD, LetterState.BUNDLED))
        games = select(LetterRow.game_id).where(LetterRow.player_id == letter.player_id, asks, held)
        return session.exec(running.where(col(GameRow.id).in_(games))).all()
    return session.exec(running.where(GameRow.id == letter.game_id)).all() if letter.kind in ASKING else ()


def _unasked(session: Session, stored: Stored, row: SeatRow, now: datetime) -> Unasked | None:
    due = due_of(stored.game, Seat(row.seat))
    if due is None or row.player_id is None or row.away or not row.mails or _has_seen(stored, row, now):
        return None
    told = [one for one in letters.letters_asking(session, stored.id, row, due) if KINDS[one.kind].is_question]
    told = [one for one in told if one.state is not LetterState.SUPERSEDED]
    if not told or any(map(_has_come, told)) or session.get_one(PlayerRow, row.player_id).unreachable_at is not None:
        return None
    carriers = [carrier for letter in told if (carrier := _carrier(session, letter)) and carrier.created_at <= now]
    if not carriers or any(carrier.state is not LetterState.QUEUED for carrier in carriers):
        return None
    first = min(carriers, key=lambda one: one.created_at)
    return Unasked(row, first, first.created_at)


def _has_seen(stored: Stored, row: SeatRow, now: datetime) -> bool:
    """Whether the player of the seat has looked at the game since it asks what it asks."""
    asked_at = stored.row.asked_at
    return was_present_recently(row, now) or (
        asked_at is not None and row.here_at is not None and row.here_at >= asked_at
    )


def _has_come(letter: LetterRow) -> bool:
    """Whether a question has gone out by itself, will never go, or was told by a device."""
    return letter.told_at is not None or letter.state not in (*letters.WAITING, LetterState.BUNDLED)


def _carrier(session: Session, letter: LetterRow) -> LetterRow | None:
    """The letter by which a question comes: itself, or the digest that tells it; None where none is owed."""
    if letter.state is LetterState.QUEUED:
        return letter
    if letter.told_by is not None:
        return session.get(LetterRow, letter.told_by)
    owed = select(LetterRow).where(LetterRow.player_id == letter.player_id, LetterRow.kind == LetterKind.DIGEST)
    return session.exec(owed.where(LetterRow.state == LetterState.QUEUED)).first()


def _asked_in(session: Session, letter: LetterRow) -> Sequence[LetterRow]:
    """The questions that have come with a letter."""
    if KINDS[letter.kind].is_question:
        return [letter]
    told = select(LetterRow).where(LetterRow.player_id == letter.player_id, LetterRow.told_by == letter.id)
    return session.exec(told.where(col(LetterRow.kind).in_(QUESTIONS)).order_by(col(LetterRow.game_id))).all()


def _is_late(session: Session, question: LetterRow, since: datetime, now: datetime) -> bool:
    row = session.get_one(GameRow, question.game_id)
    return _lateness(row, since, now) > NO_TIME


def _move_for_asked(
    session: Session, runtime: Runtime, question: LetterRow, since: datetime, now: datetime
) -> timedelta | None:
    """By how much the deadline has moved since a question went out late; None where it has not."""
    assert question.game_id is not None
    assert question.seat is not None
    stored = store.load(session, question.game_id, lock=True)
    lock_players(session, stored.seats)
    seat = Seat(question.seat)
    if due_of(stored.game, seat) != letters.asked_by(question) or stored.seats[seat].player_id != question.player_id:
        return None
    at = _due_if_asked(stored, since, now, session.get_one(PlayerRow, question.player_id))
    if at is None or at == stored.row.due_at:
        return None
    return _move(session, runtime, stored, at, [session.get_one(LetterRow, question.id)], now)


def _move(
    session: Session, runtime: Runtime, stored: Stored, at: datetime, late: Sequence[LetterRow], now: datetime
) -> timedelta:
    """Moves the deadline, with the reminders. Returns by how much."""
    row = stored.row
    assert row.due_at is not None
    moved = at - row.due_at
    row.due_at, row.moved_by = at, row.moved_by + round(moved.total_seconds())
    set_wake(stored, now)
    for letter in late:
        letter.moved_at = now
    for seat in stored.game.to_act:
        if seat not in stored.played_by_robot:
            questions.queue_question(session, runtime, stored, stored.seats[seat], now)
    return moved


def _due_if_asked(stored: Stored, since: datetime, now: datetime, player: PlayerRow) -> datetime | None:
    """The deadline once a question that should have gone at `since` has gone now; it is never earlier than it was."""
    row = stored.row
    late = _lateness(row, since, now)
    if row.due_at is None or not late:
        return row.due_at
    return max(row.due_at, _kept_clear(stored, _first_due_at(row, row.due_at) + late, player))


def _moved_for_unasked(session: Session, stored: Stored, unasked: Unasked, now: datetime) -> datetime:
    """The deadline for somebody who has not been asked when it comes."""
    row = stored.row
    assert row.due_at is not None
    first, since = _first_due_at(row, row.due_at), _since(row, unasked.since)
    at = first + max(NO_TIME, min(now - since, first - since))
    return _kept_clear(stored, at, session.get_one(PlayerRow, unasked.seat.player_id))


def _lateness(row: GameRow, since: datetime, now: datetime) -> timedelta:
    """By how much a question is late that goes out now; nothing where that is tolerable, or the clock stands still."""
    if row.due_at is None:
        return NO_TIME
    since = _since(row, since)
    given = _first_due_at(row, row.due_at) - since
    return now - since if now - since > max(TOLERATED, given / 10) else NO_TIME


def _since(row: GameRow, since: datetime) -> datetime:
    """From when on a question is late: not before the deadline was set that it is about."""
    return max(since, row.asked_at or since)


def _first_due_at(row: GameRow, due_at: datetime) -> datetime:
    """The deadline as it was before it was moved."""
    return due_at - timedelta(seconds=row.moved_by)


def _kept_clear(stored: Stored, at: datetime, player: PlayerRow) -> datetime:
    return outside_quiet_hours(at, pace_of(stored), player.time_zone, quiet_of(player))


def _say(game_id: int, moved: timedelta) -> None:
    log.warning("game %d: the deadline moves by %d s, since a question was late", game_id, moved.total_seconds())
