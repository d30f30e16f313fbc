"""Whether answers by mail come in, and in which times none could: the machine slept, or the mailbox was out of reach.

The process `inbox` notes up to when all answers that came have been read. Its notes form stretches of time; between two
of them no answer could come in, and no such time counts against a player. While the way in is shut, nobody is played
for who may have answered by mail (`may_have_answered`), unless that lasts for days: then a setting is wrong, and a game
must go on. A service that takes no answers by mail notes nothing, and nothing here applies to it.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from sqlalchemy import text
from sqlmodel import Session, col, delete, exists, select, update

from webapp.core.config import Settings
from webapp.core.runtime import Runtime
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.pace import pace_of
from webapp.games.record.store import TableGame
from webapp.models import GameRow, InboundRow, SeatRow, WayInRow

NOTE_EVERY = timedelta(minutes=1)  # by a process that waits for mail, at least
TOLERATED = timedelta(minutes=5)  # between two notes: a restart, or a provider's hiccup
LOOK_EVERY = timedelta(minutes=1)  # by a scheduler
ASLEEP = 3 * LOOK_EVERY  # between two looks: then the machine slept, and what it did not try has not failed
TOLD_AFTER = timedelta(minutes=20)  # in which the service ran
WAITS_AT_MOST = timedelta(days=3)  # in which the service ran
KEPT_FOR = timedelta(days=90)  # longer than any question waits for its answer
READ_WITHIN = timedelta(seconds=20)  # the lease of a worker that acts on a mail
_UNHANDLED, _PLAYING = text("handled_at IS NULL"), text("state = 'playing'")  # literals, as in the partial indexes


def is_used(settings: Settings) -> bool:
    """Whether players' answers come in by mail; where mail is kept, the pages of /mailbox take them."""
    return bool(settings.incoming_domain) and not settings.keeps_mail


def note_read(runtime: Runtime, at: datetime) -> None:
    """Notes that all answers which had come by `at` are stored. Raises DatabaseDown.

    If none could come in for a while before, all running games are due: their deadlines move by that time.
    """
    # Two processes may read one mailbox: the row is locked, so that neither takes time back.
    with runtime.database.writing() as session:
        last = newest(session, is_locked=True)
        if last is not None and at - last.read_up_to <= TOLERATED:
            # Else no note would count until the clock is there again.
            is_ahead = last.read_up_to > runtime.now()  # the clock was set back
            last.read_up_to = at if is_ahead else max(at, last.read_up_to)
            last.looked_at, last.shut_seconds, last.told_at = None, 0, None
            return
        session.add(WayInRow(opened_at=at, read_up_to=at))
        # The first note of a service moves nothing: nobody could have waited for it.
        if last is not None:
            waits = (_PLAYING, col(GameRow.due_at).is_not(None), col(GameRow.wake_at) > at)
            session.exec(update(GameRow).where(*waits).values(wake_at=at))


def newest(session: Session, *, is_locked: bool = False) -> WayInRow | None:
    """The present stretch of time in which answers come in, or the last; None if none ever has."""
    found = select(WayInRow).order_by(col(WayInRow.id).desc()).limit(1)
    return session.exec(found.with_for_update() if is_locked else found).first()


def reopened_at(session: Session) -> datetime | None:
    """When answers last began to come in, by the clock of the process that reads them; None if they never have."""
    last = newest(session)
    return last.opened_at if last else None


def shut_since(session: Session, settings: Settings, now: datetime) -> datetime | None:
    """Since when no answer can be read; None if all are, or the service takes none, or has never begun to."""
    last = newest(session) if is_used(settings) else None
    return last.read_up_to if last is not None and now - last.read_up_to > TOLERATED else None


def may_have_answered(session: Session, settings: Settings, stored: TableGame, now: datetime) -> bool:
    """Whether somebody whom the hand waits for may have answered by mail before its deadline, which is over: not all
    answers have been read that came until then, or a mail of theirs has not been acted on.
    """
    mailed, due_at = answering(stored), stored.clock.due_at
    if not mailed or due_at is None or not is_used(settings):
        return False
    last = newest(session)
    # A mailbox that stays shut for days has a wrong password: the game goes on without it.
    if last is not None and last.read_up_to < due_at and last.shut_seconds < WAITS_AT_MOST.total_seconds():
        return True
    # Read, but not acted on yet: a worker does so within seconds.
    theirs = col(InboundRow.player_id).in_([seat.player_id for seat in mailed])
    is_next = col(InboundRow.next_at) <= now + READ_WITHIN  # one that has failed holds up nobody
    return bool(session.scalar(select(exists().where(_UNHANDLED, theirs, is_next))))


def answering(stored: TableGame) -> list[SeatRow]:
    """The seats that the hand waits for whose players may answer by mail; none at a pace that is live, or as short."""
    # At a live pace nobody answers by mail, and a minute without a note must stop no table.
    waiting = awaited(stored) if pace_of(stored) > TOLERATED else ()
    return [stored.seats[seat] for seat in waiting if stored.seats[seat].mails]


def shut_times(session: Session, since: datetime) -> Sequence[tuple[datetime, datetime]]:
    """The times that ended after `since` in which no answer could come in, in order."""
    last = newest(session)
    if last is None or last.opened_at <= since:  # as nearly always
        return ()
    last_before = select(col(WayInRow.id)).where(col(WayInRow.opened_at) <= since).order_by(col(WayInRow.id).desc())
    first = session.exec(last_before.limit(1)).first() or 0
    found = session.exec(select(WayInRow).where(col(WayInRow.id) >= first).order_by(col(WayInRow.id))).all()
    return gaps(found, since)


def gaps(notes: Sequence[WayInRow], since: datetime) -> Sequence[tuple[datetime, datetime]]:
    """The times between stretches of time that follow one another, if they ended after `since`."""
    times = [(before.read_up_to, after.opened_at) for before, after in pairwise(notes)]
    return [(began, ended) for began, ended in times if ended - began > TOLERATED and ended > since]


def later_by(due_at: datetime, since: datetime, times: Collection[tuple[datetime, datetime]]) -> datetime:
    """The deadline moved by those of the shut `times` that lie between `since` and it."""
    for began, ended in times:
        start = max(began, since)
        if start < due_at and ended > start:
            due_at += ended - start
    return due_at


def look(session: Session, settings: Settings, now: datetime) -> datetime | None:
    """Counts for how long the service has run while the way in is shut; a scheduler calls it every LOOK_EVERY.

    Returns since when it is shut, once for each such time, if somebody should be told.
    """
    since = shut_since(session, settings, now)
    last = newest(session, is_locked=True)
    if since is None or last is None or last.read_up_to != since:
        return None
    passed = now - last.looked_at if last.looked_at is not None else timedelta()
    # A laptop that slept has tried nothing: that is no fault of the mailbox.
    if timedelta() < passed <= ASLEEP:
        last.shut_seconds += round(passed.total_seconds())
    last.looked_at = now
    # One mail to the operator a time, and none for a restart.
    if last.told_at is not None or last.shut_seconds < TOLD_AFTER.total_seconds():
        return None
    last.told_at = now
    return since


def forget_old(session: Session, now: datetime) -> None:
    """Deletes stretches of time that no question is old enough to need; the last one stays."""
    last = newest(session)
    if last is not None:
        old = (col(WayInRow.read_up_to) < now - KEPT_FOR, col(WayInRow.id) < last.id)
        session.exec(delete(WayInRow).where(*old))
