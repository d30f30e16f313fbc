"""When a digest goes: each minute, hour or day, and once for all that it holds."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import event

from tests.cast import letters, start_game
from tests.mailing import BUNDLED, DAILY, letters_to, set_preferences
from tests.playing import pass_all, pass_lowest
from tests.races import Overlap
from webapp.models import LetterKind, LetterRow, LetterState
from webapp.players import preferences

QUEUED, HELD = LetterState.QUEUED, LetterState.HELD


def test_held_mails_go_together_a_minute_after_the_first(runtime):
    game_id, other = start_game(runtime), None
    set_preferences(runtime, "Bo", frequency=BUNDLED)
    other = start_game(runtime)
    first_at = runtime.now()
    (digest,) = letters_to(runtime, "Bo", LetterKind.DIGEST)
    assert [letter.state for letter in letters_to(runtime, "Bo", LetterKind.PASS)] == [HELD, HELD]
    assert game_id != other
    assert digest.next_at <= first_at + timedelta(minutes=1)


def test_the_next_hourly_digest_goes_an_hour_later(runtime):
    start_game(runtime)
    set_preferences(runtime, "Bo", frequency=BUNDLED)
    sent = mark_digest_sent(runtime, "Bo")
    start_game(runtime)
    digest = letters_to(runtime, "Bo", LetterKind.DIGEST)[-1]
    assert digest.next_at == sent + timedelta(hours=1)


def mark_digest_sent(runtime, name):
    """Marks the queued digest as sent at its time. Returns it."""
    with runtime.database.writing() as session:
        letter = session.get_one(LetterRow, letters_to(runtime, name, LetterKind.DIGEST)[-1].id)
        at = letter.next_at
        letter.state, letter.message, letter.next_at, letter.sent_at = LetterState.SENT, "told", None, at
        preferences.digests.mark_reported(session, letter)
    runtime.now.pass_by(max(at - runtime.now(), timedelta()))
    return at


def test_a_daily_digest_goes_once_at_the_players_hour(runtime):
    start_game(runtime)
    set_preferences(runtime, "Bo", frequency=DAILY, daily_at=8)
    start_game(runtime)
    (digest,) = letters_to(runtime, "Bo", LetterKind.DIGEST)
    assert digest.next_at == datetime(2026, 3, 3, 8, tzinfo=UTC)
    mark_digest_sent(runtime, "Bo")
    set_preferences(runtime, "Bo", frequency=DAILY, daily_at=12)
    start_game(runtime)
    (_, second) = letters_to(runtime, "Bo", LetterKind.DIGEST)
    assert second.next_at == datetime(2026, 3, 4, 12, tzinfo=UTC), (
        "today's digest was sent, though a later hour is preferred now"
    )


def test_two_games_holding_mails_at_once_queue_one_digest(either_runtime):
    runtime = either_runtime
    games = [start_game(runtime) for _ in range(4)]
    set_preferences(runtime, "Ann", frequency=DAILY)
    set_preferences(runtime, "Bo", frequency=BUNDLED)
    for game_id in games:
        pass_all(runtime, game_id, range(3))
    for name in ("Ann", "Bo"):
        with runtime.database.writing() as session:
            for digest in letters_to(runtime, name, LetterKind.DIGEST):
                session.delete(session.get_one(LetterRow, digest.id))
    overlap = Overlap(runtime, *(partial(pass_lowest, runtime, game_id, 3) for game_id in games))
    event.listen(runtime.database.engine, "commit", overlap.meet)
    overlap.run()
    turns = [letter for name in ("Ann", "Bo") for letter in letters_to(runtime, name, LetterKind.TURN)]
    names = {letter.player_id for letter in turns}
    queued = Counter(letter.player_id for letter in letters(runtime, LetterKind.DIGEST) if letter.state is QUEUED)
    assert queued == dict.fromkeys(names, 1)
