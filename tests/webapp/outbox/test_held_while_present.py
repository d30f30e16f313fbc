"""Mails that are held while their reader is present, and those that go; at a live pace, and at others."""

from collections import Counter

import pytest

from hearts.game import Stage
from hearts.seats import Seat
from tests.cast import PACE, letters, start_game
from tests.playing import BO, QUICK
from tests.webapp.games.live import KEPT, LIVE, MINUTE, QUEUED, SECOND, mails, wait
from webapp.games.asked.due import due_of
from webapp.games.clock.presence import LEAVE_GRACE, PRESENT_FOR, READING_FOR, is_reading
from webapp.models import LetterKind
from webapp.outbox.timing import PAGE_GRACE
from webapp.players import preferences
from worker import postman

GONE = PRESENT_FOR + LEAVE_GRACE


def asked(table):
    """The states of the mails about turns to Bo."""
    postman.deliver(table.runtime)
    return [one.state for one in mails(table, BO, LetterKind.TURNS)]


@pytest.mark.parametrize("pace", [LIVE, PACE])
def test_what_a_page_shows_its_reader_is_not_mailed(runtime, pace):
    table = start_game(runtime, pace=pace)
    wait(runtime, SECOND)
    table.beat()
    assert asked(table) == []
    wait(runtime, SECOND)
    table.beat(here=False)
    wait(runtime, MINUTE)
    assert asked(table) == []


def test_a_page_left_open_shows_nothing_until_it_is_touched(runtime):
    table = start_game(runtime)
    wait(runtime, SECOND)
    table.beat(idle=READING_FOR)
    assert asked(table) == [KEPT]


def test_a_requested_mail_goes_although_the_player_is_present(runtime):
    table = start_game(runtime)
    table.beat()
    stored = table.stored
    preferences.mail_again(runtime, table.game_id, Seat(BO), due_of(stored.game, Seat(BO)), runtime.now())
    assert asked(table) == [KEPT]


def test_a_silent_page_counts_as_read_for_minutes_after_posting(runtime):
    table = start_game(runtime)
    wait(runtime, READING_FOR)
    table.beat(idle=None)
    table.pass_all([BO])
    table.beat(idle=None)
    seat = table.seats[BO]
    assert is_reading(seat, seat.player, runtime.now())
    wait(runtime, READING_FOR)
    table.beat(idle=None)
    seat = table.seats[BO]
    assert not is_reading(seat, seat.player, runtime.now())


def test_live_play_mails_only_the_first_question_and_last_sheet(runtime):
    table = start_game(runtime, rules=QUICK, pace=LIVE)
    table.beats((0, 2, 3))  # and they stay: the clock stands still
    while table.play_first().game.stage is not Stage.OVER:
        postman.deliver(runtime)
    postman.deliver(runtime)
    sent = Counter(one.kind for one in mails(table, BO) if one.state is KEPT)
    assert sent == {LetterKind.FINAL_SHEET: 1, LetterKind.TURNS: 1}
    ends = [one.kind for seat in (0, 2, 3) for one in mails(table, seat) if one.state is KEPT]
    assert set(ends) <= {LetterKind.FINAL_SHEET, LetterKind.TURNS}
    assert ends.count(LetterKind.FINAL_SHEET) == 3, "to keep, present or not"


def test_everybody_gets_the_score_sheet_once_they_have_left(runtime):
    table = start_game(runtime)
    table.pass_all()
    while table.game.hand == 1:
        table.beat()
        table.play_first()
    postman.deliver(runtime)
    assert sheets_by_seat(runtime) == {0: KEPT, BO: QUEUED, 2: KEPT, 3: KEPT}
    wait(runtime, PAGE_GRACE)
    table.beat()
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
