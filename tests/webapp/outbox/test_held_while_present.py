"""Mails that are held while their reader is present, and those that go; at a live pace, and at others."""

from collections import Counter

import pytest

from hearts.game import Stage
from hearts.seats import Seat
from tests.cast import PACE, letters, load, start_game
from tests.playing import BO, QUICK, beat, pass_all, play_first
from tests.webapp.games.live import KEPT, LIVE, MINUTE, QUEUED, SECOND, arrive, mails, wait
from webapp.games.asked.due import due_of
from webapp.games.clock.presence import LEAVE_GRACE, PRESENT_FOR, READING_FOR, is_reading
from webapp.models import LetterKind
from webapp.outbox.timing import PAGE_GRACE
from webapp.players import preferences
from worker import postman

GONE = PRESENT_FOR + LEAVE_GRACE


def asked(runtime, game_id):
    """The states of the mails about turns to Bo."""
    postman.deliver(runtime)
    return [one.state for one in mails(runtime, BO, game_id, LetterKind.TURNS)]


@pytest.mark.parametrize("pace", [LIVE, PACE])
def test_what_a_page_shows_its_reader_is_not_mailed(runtime, pace):
    game_id = start_game(runtime, pace=pace)
    wait(runtime, SECOND)
    beat(runtime, game_id)
    assert asked(runtime, game_id) == []
    wait(runtime, SECOND)
    beat(runtime, game_id, here=False)
    wait(runtime, MINUTE)
    assert asked(runtime, game_id) == []


def test_a_page_left_open_shows_nothing_until_it_is_touched(runtime):
    game_id = start_game(runtime)
    wait(runtime, SECOND)
    beat(runtime, game_id, idle=READING_FOR)
    assert asked(runtime, game_id) == [KEPT]


def test_a_requested_mail_goes_although_the_player_is_present(runtime):
    game_id = start_game(runtime)
    beat(runtime, game_id)
    stored = load(runtime, game_id)
    preferences.mail_again(runtime, game_id, Seat(BO), due_of(stored.game, Seat(BO)), runtime.now())
    assert asked(runtime, game_id) == [KEPT]


def test_a_silent_page_counts_as_read_for_minutes_after_posting(runtime):
    game_id = start_game(runtime)
    wait(runtime, READING_FOR)
    beat(runtime, game_id, idle=None)
    pass_all(runtime, game_id, [BO])
    beat(runtime, game_id, idle=None)
    seat = load(runtime, game_id).seats[BO]
    assert is_reading(seat, seat.player, runtime.now())
    wait(runtime, READING_FOR)
    beat(runtime, game_id, idle=None)
    seat = load(runtime, game_id).seats[BO]
    assert not is_reading(seat, seat.player, runtime.now())


@pytest.mark.parametrize(("pace", "is_asked_once"), [(LIVE, True), (SECOND, False)])
def test_live_play_mails_only_the_first_question_and_last_sheet(runtime, pace, is_asked_once):
    game_id = start_game(runtime, rules=QUICK, pace=pace)
    arrive(runtime, game_id, (0, 2, 3))  # and they stay: the clock stands still
    while play_first(runtime, game_id).game.stage is not Stage.OVER:
        postman.deliver(runtime)
    postman.deliver(runtime)
    sent = Counter(one.kind for one in mails(runtime, BO, game_id) if one.state is KEPT)
    assert sent[LetterKind.FINAL_SHEET] == 1
    assert (LetterKind.SCORE_SHEET in sent) is not is_asked_once, "the pace for trying out is an email pace"
    assert sent[LetterKind.TURNS] == 1
    ends = [one.kind for seat in (0, 2, 3) for one in mails(runtime, seat, game_id) if one.state is KEPT]
    assert set(ends) <= {LetterKind.FINAL_SHEET, LetterKind.TURNS, LetterKind.SCORE_SHEET}
    assert ends.count(LetterKind.FINAL_SHEET) == 3, "to keep, present or not"


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
