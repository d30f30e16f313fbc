"""Mails that are held while their reader is present, and those that go; at a live pace, and at others."""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from hearts.game import Stage
from hearts.seats import Seat
from tests.cast import PACE, letters, load, start_game
from tests.mailing import player_id, set_preferences
from tests.playing import BO, QUICK, awaited, beat, pass_all, play_first
from tests.reminding import wait_for_reminder
from tests.webapp.games.live import (
    HELD,
    KEPT,
    LIVE,
    MINUTE,
    QUEUED,
    SECOND,
    SUPERSEDED,
    arrive,
    mails,
    play_at_deadline,
    play_until,
    wait,
)
from webapp.games.asked.due import due_of
from webapp.games.clock.presence import (
    LEAVE_GRACE,
    PRESENT_FOR,
    READING_FOR,
    is_present,
    is_reading,
    was_present_recently,
)
from webapp.kinds import QUESTIONS
from webapp.models import Frequency, LetterKind
from webapp.outbox.timing import PAGE_GRACE
from webapp.players import preferences
from worker import postman

GONE = PRESENT_FOR + LEAVE_GRACE


@pytest.mark.parametrize("pace", [LIVE, PACE])
def test_a_question_to_a_present_player_waits_until_they_leave(runtime, pace):
    game_id = start_game(runtime, pace=pace)
    pass_all(runtime, game_id, {0, 2, 3})
    beat(runtime, game_id)
    (question,) = mails(runtime, BO, game_id, LetterKind.PASS)
    assert (question.state, question.next_at) == (QUEUED, runtime.now()), "Bo was absent when it was asked"
    postman.deliver(runtime)
    (question,) = mails(runtime, BO, game_id, LetterKind.PASS)
    assert (question.state, question.next_at) == (QUEUED, runtime.now() + GONE), "but is when it should go"
    wait(runtime, GONE - SECOND)
    beat(runtime, game_id)
    wait(runtime, SECOND)
    postman.deliver(runtime)
    assert mails(runtime, BO, game_id, LetterKind.PASS)[0].state is QUEUED, "Bo is still present"
    wait(runtime, GONE - SECOND)
    postman.deliver(runtime)
    (question,) = mails(runtime, BO, game_id, LetterKind.PASS)
    assert (question.state, question.sent_at, question.created_at) == (KEPT, runtime.now(), runtime.now())


def test_a_present_player_is_asked_after_two_minutes_at_earliest(runtime):
    game_id = start_game(runtime)
    beat(runtime, game_id)
    pass_all(runtime, game_id)
    play_until(runtime, game_id)
    (question,) = mails(runtime, BO, game_id, LetterKind.TURN)
    assert (question.state, question.next_at) == (QUEUED, runtime.now() + PAGE_GRACE)
    beat(runtime, game_id, here=False)
    postman.deliver(runtime)
    assert mails(runtime, BO, game_id, LetterKind.TURN)[0].state is QUEUED
    wait(runtime, PAGE_GRACE)
    postman.deliver(runtime)
    assert mails(runtime, BO, game_id, LetterKind.TURN)[0].state is KEPT


def test_a_question_answered_while_present_is_never_sent(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    beat(runtime, game_id)
    play_until(runtime, game_id)
    asked = due_of(load(runtime, game_id).game, Seat(BO))
    play_first(runtime, game_id)
    wait(runtime, PACE)
    postman.deliver(runtime)
    questions = [one for one in letters(runtime, LetterKind.TURN) if (one.seat, one.about) == (BO, asked.what)]
    assert [one.state for one in questions] == [SUPERSEDED]


def test_a_reminder_goes_although_the_player_reads_the_game(runtime):
    game_id = start_game(runtime)
    postman.deliver(runtime)
    wait_for_reminder(runtime, game_id, BO)
    beat(runtime, game_id)
    postman.deliver(runtime)
    assert [one.state for one in mails(runtime, BO, game_id, LetterKind.REMINDER)] == [KEPT]


def test_a_question_to_a_page_left_open_goes_within_minutes(runtime):
    game_id = start_game(runtime)
    beat(runtime, game_id)
    leave_open(runtime, game_id, READING_FOR - SECOND)
    assert question_state(runtime, game_id) is QUEUED, "Bo may still be there"
    leave_open(runtime, game_id, 30 * SECOND)
    assert question_state(runtime, game_id) is KEPT
    assert is_present(load(runtime, game_id).seats[BO], runtime.now()), "the page is still open"


def test_no_reader_delays_questions_over_a_tenth_of_the_pace(runtime):
    game_id = start_game(runtime)
    asked_at = runtime.now()
    while question_state(runtime, game_id) is QUEUED:
        beat(runtime, game_id)
        postman.deliver(runtime)
        wait(runtime, 30 * SECOND)
    assert PACE / 10 - MINUTE < runtime.now() - asked_at <= PACE / 10 + MINUTE


def test_a_silent_page_counts_as_read_for_minutes_after_posting(runtime):
    game_id = start_game(runtime)
    wait(runtime, READING_FOR)
    beat(runtime, game_id, idle=None)
    postman.deliver(runtime)
    assert question_state(runtime, game_id) is KEPT, "nobody has done anything yet"
    pass_all(runtime, game_id, [BO])
    beat(runtime, game_id, idle=None)
    seat = load(runtime, game_id).seats[BO]
    assert is_reading(seat, seat.player, runtime.now())
    wait(runtime, READING_FOR)
    beat(runtime, game_id, idle=None)
    seat = load(runtime, game_id).seats[BO]
    assert not is_reading(seat, seat.player, runtime.now())


def leave_open(runtime, game_id, time):
    """Bo's page stays open for that time, and nobody touches it."""
    ends, begins = runtime.now() + time, load(runtime, game_id).seats[BO].player.seen_at
    while runtime.now() < ends:
        wait(runtime, min(15 * SECOND, ends - runtime.now()))
        beat(runtime, game_id, idle=runtime.now() - begins)
    postman.deliver(runtime)


def question_state(runtime, game_id):
    """The state of the mail that asks Bo to pass."""
    return mails(runtime, BO, game_id, LetterKind.PASS)[0].state


def test_a_player_present_at_one_table_is_mailed_at_another(runtime):
    game_id, other = start_game(runtime), start_game(runtime)
    beat(runtime, game_id)
    postman.deliver(runtime)
    assert [mails(runtime, BO, one, LetterKind.PASS)[0].state for one in (game_id, other)] == [QUEUED, KEPT]


def test_a_requested_mail_goes_although_the_player_is_present(runtime):
    game_id = start_game(runtime)
    beat(runtime, game_id)
    stored = load(runtime, game_id)
    preferences.mail_again(runtime, game_id, Seat(BO), due_of(stored.game, Seat(BO)), runtime.now())
    postman.deliver(runtime)
    assert [one.state for one in mails(runtime, BO, game_id, LetterKind.PASS)] == [KEPT]


def test_everybody_gets_the_score_sheet_once_they_have_left(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    while load(runtime, game_id).game.hand == 1:
        beat(runtime, game_id)
        play_first(runtime, game_id)
    postman.deliver(runtime)
    assert sheets_by_seat(runtime) == {0: KEPT, BO: QUEUED, 2: KEPT, 3: KEPT}
    wait(runtime, PAGE_GRACE)
    beat(runtime, game_id)
    postman.deliver(runtime)
    assert sheets_by_seat(runtime)[BO] is QUEUED, "Bo is still present"
    wait(runtime, GONE)
    postman.deliver(runtime)
    assert sheets_by_seat(runtime)[BO] is KEPT


def sheets_by_seat(runtime):
    """The state of each seat's score sheet."""
    sheets = letters(runtime, LetterKind.SCORE_SHEET)
    assert len({one.seat for one in sheets}) == len(sheets)
    return {one.seat: one.state for one in sheets}


@pytest.mark.parametrize(("pace", "asked"), [(LIVE, {LetterKind.PASS}), (SECOND, {LetterKind.PASS, LetterKind.TURN})])
def test_live_play_mails_only_the_first_question_and_last_sheet(runtime, pace, asked):
    game_id = start_game(runtime, rules=QUICK, pace=pace)
    arrive(runtime, game_id, (0, 2, 3))  # and they stay: the clock stands still
    while play_first(runtime, game_id).game.stage is not Stage.OVER:
        postman.deliver(runtime)
    postman.deliver(runtime)
    sent = Counter(one.kind for one in mails(runtime, BO, game_id) if one.state is KEPT)
    asking = {kind for kind in sent if kind in QUESTIONS}
    assert (asking, sent[LetterKind.FINAL_SHEET]) == (asked, 1)
    assert (LetterKind.SCORE_SHEET in sent) is (pace is SECOND), "the pace for trying out is an email pace"
    assert sent[LetterKind.PASS] == 1 or pace is SECOND
    ends = [one.kind for seat in (0, 2, 3) for one in mails(runtime, seat, game_id) if one.state is KEPT]
    assert set(ends) <= {LetterKind.FINAL_SHEET, LetterKind.PASS}
    assert ends.count(LetterKind.FINAL_SHEET) == 3, "to keep, present or not"


def test_the_trial_pace_reports_every_card_played_for_somebody(runtime):
    game_id = start_game(runtime, pace=SECOND)
    play_at_deadline(runtime, game_id)
    assert [row.away for row in load(runtime, game_id).seats] == [False] * 4
    assert len(letters(runtime, LetterKind.PLAYED_FOR_YOU)) == 4


def test_a_digest_holds_its_mails_present_or_not(runtime):
    game_id = start_game(runtime)
    set_preferences(runtime, "Bo", frequency=Frequency.BUNDLED)
    pass_all(runtime, game_id)
    beat(runtime, game_id)
    play_until(runtime, game_id)
    assert [one.state for one in mails(runtime, BO, game_id, LetterKind.TURN)] == [HELD]
    wait(runtime, 2 * MINUTE)
    postman.deliver(runtime)
    assert player_id(runtime, "Bo") in {
        one.player_id for one in letters(runtime, LetterKind.DIGEST) if one.state is KEPT
    }


def test_new_preferences_send_nothing_to_a_present_player(runtime):
    game_id = start_game(runtime)
    beat(runtime, game_id)
    set_preferences(runtime, "Bo")
    assert mails(runtime, BO, game_id, LetterKind.PASS)[0].next_at == runtime.now() + PAGE_GRACE


def test_a_player_present_at_night_counts_as_awake(runtime):
    wait(runtime, datetime(2026, 3, 2, 23, tzinfo=UTC) - runtime.now())
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    seat = (awaited(runtime, game_id) + 1) % 4  # who has not been asked yet
    wait(runtime, timedelta(hours=1))
    beat(runtime, game_id, seat)
    beat(runtime, game_id, seat, here=False)
    wait(runtime, MINUTE)
    play_until(runtime, game_id, seat)
    assert mails(runtime, seat, game_id, LetterKind.TURN)[-1].next_at == runtime.now()


@pytest.mark.parametrize("chance", range(3))
def test_an_absent_player_has_one_mail_whatever_the_order(runtime, chance):
    """Half an hour of coming, going, playing, sweeping and sending, in any order."""
    chance = random.Random(chance)
    game_id = start_game(runtime)
    for _ in range(40):
        wait(runtime, chance.choice([1, 5, 10, 40, 100]) * SECOND)
        match chance.choice(["beat", "beat", "leave", "play", "send"]):
            case "beat" | "leave" as does:
                beat(runtime, game_id, chance.randrange(4), here=does == "beat")
            case "play":
                play_first(runtime, game_id)
            case "send":
                postman.deliver(runtime)
        stored = load(runtime, game_id)
        for seat in stored.game.to_act:
            due = due_of(stored.game, seat)
            about = (due.hand, due.what)
            asking = [one for one in mails(runtime, seat, game_id, *QUESTIONS) if (one.hand, one.about) == about]
            assert len(asking) == 1
            (one,) = asking
            assert one.state is KEPT or one.next_at <= runtime.now() + PAGE_GRACE
            if one.state is KEPT and one.sent_at == runtime.now():
                assert not was_present_recently(stored.seats[seat], runtime.now())
    wait(runtime, GONE + PAGE_GRACE)
    postman.deliver(runtime)
    stored = load(runtime, game_id)
    for seat in stored.game.to_act:
        about = due_of(stored.game, seat)
        kept = [
            one
            for one in mails(runtime, seat, game_id, *QUESTIONS)
            if (one.hand, one.about) == (about.hand, about.what)
        ]
        assert [one.state for one in kept] == [KEPT]
