"""Questions that go out late, and the deadlines that move with them."""

from datetime import timedelta

from sqlmodel import select

from tests.cast import letters
from webapp.models import GameRow, GameState, LetterKind, LetterRow, LetterState, PauseRow, PlayerRow
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
