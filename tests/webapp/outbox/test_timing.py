"""When a letter goes: each kind, with each preference, at each hour; and which of them wait together."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event

from hearts.seats import Seat
from tests.cast import NAMES, PACE, letters, load, play_first, start_game, turn_link
from tests.mailing import BUNDLED, DAILY, EVERY, letters_to, set_preferences
from tests.playing import pass_all, pass_lowest
from webapp.games.clock import Quiet
from webapp.games.presence import AWAKE_FOR
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox.questions import AGAIN_AFTER
from webapp.outbox.timing import schedule
from webapp.players import preferences
from webapp.site import make_site

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
NIGHT = datetime(2026, 3, 2, 23, tzinfo=UTC)
MORNING = datetime(2026, 3, 3, 7, tzinfo=UTC)
QUEUED, HELD = LetterState.QUEUED, LetterState.HELD


def player(frequency=EVERY, quiet=(22, 7), seen_at=None):
    begins, ends = quiet or (None, None)
    about = {"quiet_from": begins, "quiet_to": ends, "seen_at": seen_at, "frequency": frequency}
    return PlayerRow(address="di@example.org", name="Di", created_at=NOON, **about)


@pytest.mark.parametrize(
    ("kind", "who", "now", "expected"),
    [
        pytest.param(LetterKind.TURN, player(), NOON, (QUEUED, NOON), id="a turn by day: at once"),
        pytest.param(LetterKind.TURN, player(), NIGHT, (QUEUED, MORNING), id="a turn at night: in the morning"),
        pytest.param(LetterKind.TURN, player(quiet=None), NIGHT, (QUEUED, NIGHT), id="no quiet hours: at once"),
        pytest.param(
            LetterKind.TURN,
            player(seen_at=NIGHT - AWAKE_FOR),
            NIGHT,
            (QUEUED, NIGHT),
            id="the player is awake: at once",
        ),
        pytest.param(
            LetterKind.TURN,
            player(seen_at=NIGHT - AWAKE_FOR - timedelta(seconds=1)),
            NIGHT,
            (QUEUED, MORNING),
            id="the player has gone to bed: in the morning",
        ),
        pytest.param(LetterKind.TURN, player(BUNDLED), NOON, (HELD, None), id="together: a turn waits"),
        pytest.param(LetterKind.TURN, player(DAILY), NOON, (HELD, None), id="daily: a turn waits"),
        pytest.param(LetterKind.SCORE_SHEET, player(DAILY), NOON, (HELD, None), id="daily: so does a sheet"),
        pytest.param(LetterKind.SCORE_SHEET, player(), NIGHT, (QUEUED, MORNING), id="a sheet at night: in the morning"),
        pytest.param(
            LetterKind.FINAL_SHEET, player(DAILY), NOON, (QUEUED, NOON), id="the end comes by itself, to keep"
        ),
        pytest.param(LetterKind.DECLINED, player(DAILY), NOON, (QUEUED, NOON), id="the host hears of a no by itself"),
        pytest.param(LetterKind.SIGN_IN, player(DAILY), NIGHT, (QUEUED, NIGHT), id="sign-in: a visitor waits for it"),
        pytest.param(LetterKind.INVITATION, player(DAILY), NIGHT, (QUEUED, NIGHT), id="invitation: at once"),
        pytest.param(
            LetterKind.ANSWER, player(DAILY), NIGHT, (QUEUED, NIGHT), id="an answer: the player has just written"
        ),
    ],
)
def test_each_kind_of_mail_goes_when_its_player_wants_it(kind, who, now, expected):
    assert schedule(kind, who, now) == expected


def test_held_mails_go_in_one_digest_a_minute_after_the_first(runtime):
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


def test_a_daily_digest_goes_at_the_players_hour_once_a_day(runtime):
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


def test_two_games_that_hold_mails_at_the_same_moment_queue_one_digest(either_runtime):
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
    event.listen(runtime.database.engine, "commit", lambda _: time.sleep(0.2))  # so that they do overlap
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda game_id: pass_lowest(runtime, game_id, 3), games))
    turns = [letter for name in ("Ann", "Bo") for letter in letters_to(runtime, name, LetterKind.TURN)]
    names = {letter.player_id for letter in turns}
    queued = Counter(letter.player_id for letter in letters(runtime, LetterKind.DIGEST) if letter.state is QUEUED)
    assert queued == dict.fromkeys(names, 1)


def test_an_answer_supersedes_the_mails_that_still_ask(runtime):
    game_id = start_game(runtime)
    set_preferences(runtime, "Bo", frequency=DAILY)
    pass_lowest(runtime, game_id, 0)
    pass_lowest(runtime, game_id, 1)
    for name in ("Ann", "Bo"):
        asking = letters_to(runtime, name, LetterKind.PASS, LetterKind.REMINDER)
        assert {letter.state for letter in asking} == {LetterState.SUPERSEDED}
    assert {letter.state for letter in letters_to(runtime, "Cy", LetterKind.PASS, LetterKind.REMINDER)} == {QUEUED}


def test_reminders_are_queued_with_the_question(runtime):
    start_game(runtime)
    asked_at = runtime.now()
    due_at = asked_at + PACE
    found = sorted(letter.next_at for letter in letters_to(runtime, "Bo", LetterKind.REMINDER))
    assert found == [datetime(2026, 3, 3, 7, tzinfo=UTC), due_at - timedelta(hours=3)]


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        pytest.param({}, 2, id="half time, and before the end"),
        pytest.param({"reminders": False}, 0, id="no reminders"),
        pytest.param({"frequency": DAILY}, 1, id="daily: the last one breaks through"),
        pytest.param({"frequency": BUNDLED}, 1, id="together: the same"),
    ],
)
def test_each_player_is_reminded_as_often_as_they_chose(runtime, wanted, count):
    start_game(runtime)
    set_preferences(runtime, "Bo", **wanted)
    game_id = start_game(runtime)
    found = [letter for letter in letters_to(runtime, "Bo", LetterKind.REMINDER) if letter.game_id == game_id]
    assert len(found) == count
    assert all(letter.state is QUEUED for letter in found)


def test_new_preferences_apply_to_mails_that_already_wait(runtime):
    start_game(runtime)
    set_preferences(runtime, "Bo", frequency=DAILY, reminders=False)
    assert [letter.state for letter in letters_to(runtime, "Bo", LetterKind.PASS)] == [HELD]
    assert {letter.state for letter in letters_to(runtime, "Bo", LetterKind.REMINDER)} == {LetterState.SUPERSEDED}
    set_preferences(runtime, "Bo", frequency=BUNDLED)
    states = [letter.state for letter in letters_to(runtime, "Bo", LetterKind.DIGEST)]
    assert states == [LetterState.SUPERSEDED, QUEUED]
    set_preferences(runtime, "Bo")
    (question,) = letters_to(runtime, "Bo", LetterKind.PASS)
    assert (question.state, question.next_at) == (QUEUED, runtime.now())
    assert {letter.state for letter in letters_to(runtime, "Bo", LetterKind.DIGEST)} == {LetterState.SUPERSEDED}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param({"frequency": DAILY}, ["03-03 09:15"], id="fewer mails: the last one is enough"),
        pytest.param({"quiet": Quiet(22, 8)}, ["03-03 08:00", "03-03 09:15"], id="a longer night: not in it"),
        pytest.param({}, ["03-03 07:00", "03-03 09:15"], id="nothing new: as they were"),
    ],
)
def test_waiting_reminders_follow_new_preferences(runtime, wanted, expected):
    start_game(runtime)
    set_preferences(runtime, "Bo", **wanted)
    waiting = [letter for letter in letters_to(runtime, "Bo", LetterKind.REMINDER) if letter.state is QUEUED]
    assert sorted(f"{letter.next_at:%m-%d %H:%M}" for letter in waiting) == expected


def test_the_same_turn_is_mailed_again_at_most_every_ten_minutes_in_the_same_thread(runtime):
    game_id = start_game(runtime)
    site = make_site(runtime).test_client()
    again = f"{runtime.signer.local_url(turn_link(runtime, game_id, 0))}/again"
    assert site.post(again).status_code == 303
    first, second = letters_to(runtime, "Ann", LetterKind.PASS)
    assert (first.state, second.state, second.next_at) == (LetterState.SUPERSEDED, QUEUED, runtime.now())
    assert (second.message_id != first.message_id, second.thread_id) == (True, first.message_id)
    with runtime.database.writing() as session:
        sent = session.get_one(LetterRow, second.id)
        sent.state, sent.sent_at = LetterState.SENT, runtime.now()
    refused = site.post(again)
    assert (refused.status_code, "just written to you" in refused.text) == (429, True)
    assert refused.headers["Retry-After"] == "600"
    runtime.now.pass_by(AGAIN_AFTER)
    assert site.post(again).status_code == 303
    assert len({letter.message_id for letter in letters_to(runtime, "Ann", LetterKind.PASS)}) == 3
    pass_lowest(runtime, game_id, Seat(0))
    assert site.post(again).status_code == 409, "that turn is over"


def test_the_latest_deadline_of_a_pass_counts_and_none_falls_into_a_players_night(runtime):
    runtime.now.pass_by(timedelta(hours=10))
    after_night = datetime(2026, 3, 4, 10, tzinfo=UTC)
    assert load(runtime, start_game(runtime)).row.due_at == after_night, "of all, three hours after the night"
    for name in ("Ann", "Bo", "Cy"):
        set_preferences(runtime, name, quiet=None)
    assert load(runtime, start_game(runtime)).row.due_at == after_night, "Di sleeps, and the others wait for her"
    set_preferences(runtime, "Di", quiet=None)
    assert load(runtime, start_game(runtime)).row.due_at == runtime.now() + PACE


def test_the_deadline_of_a_card_avoids_its_own_players_night(runtime):
    game_id = start_game(runtime)
    runtime.now.pass_by(timedelta(hours=9))
    for name in NAMES:
        set_preferences(runtime, name, quiet=None)
    pass_all(runtime, game_id)
    assert load(runtime, game_id).row.due_at == runtime.now() + PACE
    for name in NAMES:
        set_preferences(runtime, name)
    runtime.now.pass_by(timedelta(hours=1))
    play_first(runtime, game_id)
    assert load(runtime, game_id).row.due_at == datetime(2026, 3, 4, 10, tzinfo=UTC)
