"""Questions that go out late, and the deadlines that move with them."""

from datetime import timedelta

from tests.cast import letters
from webapp import due_games
from webapp.models import LetterKind
from worker import postman

TEN = timedelta(minutes=10)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
STEP = timedelta(seconds=15)


def run_for(runtime, time):
    """Works as schedulers and workers would, every few seconds."""
    ends = runtime.now() + time
    while runtime.now() < ends:
        postman.deliver(runtime)
        while due_games.play_due(runtime):
            pass
        runtime.now.pass_by(min(STEP, ends - runtime.now()))


def questions(runtime, seat=None):
    return [one for one in letters(runtime, LetterKind.PASS) if seat is None or one.seat == seat]
