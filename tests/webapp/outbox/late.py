"""Questions that go out late, and the deadlines that move with them."""

from datetime import timedelta

from sqlmodel import select, update

from tests.cast import letters
from webapp.models import GameRow, GameState, LetterKind, LetterRow, LetterState, PauseRow, PlayerRow, TurnSource
from webapp.outbox.lateness import unasked_players
from webapp.play import due_games
from worker import postman

TEN = timedelta(minutes=10)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
STEP = timedelta(seconds=15)


def run_for(runtime, time):
    """Works as schedulers and workers would, every few seconds in which something is due."""
    ends = runtime.now() + time
    while runtime.now() < ends:
        postman.deliver(runtime)
        while due_games.play_due(runtime):
            pass
        postman.deliver(runtime)  # what has just been asked
        steps = max(1, (_next_moment(runtime, ends) - runtime.now()) // STEP)
        runtime.now.pass_by(min(steps * STEP, ends - runtime.now()))


def _next_moment(runtime, ends):
    """When the next letter or game is due, or a pause ends."""
    with runtime.database.reading() as session:
        found = [
            *session.exec(select(LetterRow.next_at).where(LetterRow.state == LetterState.QUEUED)),
            *session.exec(select(GameRow.wake_at).where(GameRow.state == GameState.PLAYING)),
            *session.exec(select(PauseRow.until)),
            *session.exec(select(PlayerRow.turns_at)),
        ]
    return min((at for at in found if at is not None and at > runtime.now()), default=ends)


def questions(runtime, seat=None):
    return [one for one in letters(runtime, LetterKind.TURNS) if seat is None or one.seat == seat]


def set_state(runtime, seat, **values):
    """Sets the question to a seat to this state."""
    questions(runtime)  # once they are queued
    of_seat = update(LetterRow).where(LetterRow.kind == LetterKind.TURNS, LetterRow.seat == seat)
    with runtime.database.writing() as session:
        session.exec(of_seat.values(**values))


def all_but_one_are_asked(runtime, seat):
    for other in {0, 1, 2, 3} - {seat}:
        set_state(runtime, other, state=LetterState.SENT, next_at=None, sent_at=runtime.now())


def play_at_deadline(table):
    """Sweeps at the deadline. Returns how many turns were played."""
    table.runtime.now.at = table.due_at
    return table.play_for_absent()


def unasked(table):
    """The names of the players for whom the deadline waits."""
    with table.runtime.database.reading() as session:
        return [one.seat.name for one in unasked_players(session, table.stored, table.runtime.now())]


def moved_by(stored):
    """By how much late questions have moved the deadline."""
    return stored.clock.due_at - stored.clock.first_due_at


def sources_of(table):
    """The sources of the turns so far, in order, without forced cards."""
    return [record.source for record in table.records if record.source is not TurnSource.FORCED]
