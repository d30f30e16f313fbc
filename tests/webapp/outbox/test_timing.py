"""When a letter goes: each kind, at each hour; one about turns, by what waits, and what its reader got and did."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.games.clock.hours import APART, Hours, Quiet, deadline
from webapp.games.clock.presence import AWAKE_FOR, LEAVE_GRACE, PRESENT_FOR, READING_FOR
from webapp.models import Frequency, LetterKind, PlayerRow, SeatRow, TableRow
from webapp.outbox.timing import (
    A_DAY,
    GAP,
    PAGE_GRACE,
    Cause,
    Key,
    Mailed,
    Missed,
    Schedule,
    Waiting,
    held_until,
    longest_hold,
    next_turn_mail,
    schedule,
)

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
NIGHT = datetime(2026, 3, 2, 23, tzinfo=UTC)
MORNING = datetime(2026, 3, 3, 7, tzinfo=UTC)
DAY, HOUR, MINUTE, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
GONE = PRESENT_FOR + LEAVE_GRACE
SHEET = LetterKind.SCORE_SHEET


def player(quiet=(22, 7), seen_at=None):
    begins, ends = quiet or (None, None)
    about = {"quiet_from": begins, "quiet_to": ends, "seen_at": seen_at}
    return PlayerRow(address="di@example.org", name="Di", created_at=NOON, **about)


@pytest.mark.parametrize(
    ("kind", "who", "now", "expected"),
    [
        pytest.param(SHEET, player(), NOON, NOON, id="a sheet by day: at once"),
        pytest.param(SHEET, player(), NIGHT, MORNING, id="a sheet at night: in the morning"),
        pytest.param(SHEET, player(quiet=None), NIGHT, NIGHT, id="no quiet hours: at once"),
        pytest.param(SHEET, player(seen_at=NIGHT - AWAKE_FOR), NIGHT, NIGHT, id="the player is awake: at once"),
        pytest.param(
            SHEET,
            player(seen_at=NIGHT - AWAKE_FOR - timedelta(seconds=1)),
            NIGHT,
            MORNING,
            id="the player has gone to bed: in the morning",
        ),
        pytest.param(LetterKind.DECLINED, player(), NOON, NOON, id="the host hears of a no by itself"),
        pytest.param(LetterKind.SIGN_IN, player(), NIGHT, NIGHT, id="sign-in: a visitor waits for it"),
        pytest.param(LetterKind.INVITATION, player(), NIGHT, NIGHT, id="invitation: at once"),
        pytest.param(LetterKind.ANSWER, player(), NIGHT, NIGHT, id="an answer: the player has just written"),
    ],
)
def test_each_kind_of_mail_goes_when_its_player_wants_it(kind, who, now, expected):
    assert schedule(kind, who, now).at == expected


HERE = SeatRow(seat=1, here_at=NOON)


@pytest.mark.parametrize(
    ("kind", "row", "seen_at", "longest", "waits"),
    [
        pytest.param(SHEET, HERE, NOON, None, PAGE_GRACE, id="who reads the game gets its sheet later"),
        pytest.param(SHEET, HERE, NOON, HOUR, PAGE_GRACE, id="for a moment"),
        pytest.param(SHEET, HERE, NOON, MINUTE, MINUTE, id="which is a tenth of the pace at most"),
        pytest.param(SHEET, HERE, NOON - READING_FOR, None, None, id="nobody sits before the page"),
        pytest.param(SHEET, SeatRow(seat=1), NOON, None, None, id="they are on another page"),
        pytest.param(SHEET, SeatRow(seat=1, here_at=NOON - MINUTE), NOON, None, None, id="they have left the game"),
        pytest.param(LetterKind.FINAL_SHEET, HERE, NOON, None, None, id="a final sheet is to keep"),
    ],
)
def test_a_sheet_waits_a_moment_for_its_games_reader(kind, row, seen_at, longest, waits):
    goes = Schedule(NOON + waits, NOON) if waits else Schedule(NOON)
    assert schedule(kind, player(seen_at=seen_at), NOON, row, longest) == goes


@pytest.mark.parametrize(
    ("since", "longest", "until"),
    [
        pytest.param(NOON, None, NOON + GONE, id="until they leave"),
        pytest.param(NOON, MINUTE, NOON + GONE, id="if that is soon"),
        pytest.param(NOON - MINUTE, MINUTE + SECOND, NOON + SECOND, id="until it has waited long enough"),
        pytest.param(NOON - MINUTE, MINUTE, None, id="it has"),
    ],
)
def test_a_held_sheet_waits_until_its_reader_leaves(since, longest, until):
    assert held_until(SHEET, HERE, player(seen_at=NOON), NOON, since, longest) == until


@pytest.mark.parametrize(("pace", "longest"), [(DAY, DAY / 10), (MINUTE, None)])
def test_a_sheet_waits_a_tenth_of_the_pace_unless_live(pace, longest):
    seconds = int(pace.total_seconds())
    assert longest_hold(TableRow(pass_seconds=seconds, play_seconds=seconds), "sheet") == longest


LATE_NIGHT = Quiet(22, 7)
minutes = st.integers(0, 40 * 60).map(lambda number: MINUTE * number)
happens = st.sampled_from(["ask", "ask", "ask", "ask soon", "act", "answer"])


class Life:
    """A player, what they are asked, the mails that go to them, and what becomes of each question."""

    def __init__(self, frequency):
        self.player = PlayerRow(address="a@example.org", name="Ann", created_at=NOON, frequency=frequency)
        self.now, self.waiting, self.missed, self.mails, self.acts = NOON, [], [], [], []
        self.unshown = 0

    def when(self):
        return next_turn_mail(self.player, self.waiting, self.mailed(), self.missed)

    def mailed(self):
        counted = [at for at, why, _ in reversed(self.mails) if at > self.now - DAY and why not in (Cause.CALL,)]
        called = [at for at, why, _ in self.mails if why is Cause.CALL]
        return Mailed(counted[:A_DAY], self.mails[-1][0] if self.mails else None, called[-1] if called else None)

    def go_to(self, until):
        while True:
            when, due = self.when(), min((one.due_at for one in self.waiting), default=until)
            at = max(when.at, self.now) if when else until
            if min(at, due) >= until:
                break
            self.now = min(at, due)
            if at <= due:
                self.send(when.why)
            else:
                self.pass_deadlines()
        self.now = until

    def send(self, why):
        had_new = any(one.shown_at is None for one in self.waiting)
        self.mails.append((self.now, why, had_new))
        self.waiting = [Waiting(None, one.key, one.asked_at, one.due_at, one.pace, self.now) for one in self.waiting]
        self.missed = []

    def pass_deadlines(self):
        over = [one for one in self.waiting if one.due_at <= self.now]
        self.unshown += sum(one.shown_at is None for one in over)
        self.missed += [Missed(one.key, 1, self.now, one.pace) for one in over]
        self.waiting = [one for one in self.waiting if one not in over]

    def ask(self, pace):
        at = deadline(self.now, pace, Hours("UTC", LATE_NIGHT))
        self.waiting.append(Waiting(None, Key(1, 0, len(self.mails), f"{self.now}"), self.now, at, pace))

    def act(self):
        self.player.seen_at, self.missed = self.now, []
        self.acts.append(self.now)


@given(st.sampled_from(Frequency), st.lists(st.tuples(minutes, happens), max_size=40))
def test_no_mail_lacks_a_reason_no_deadline_passes_unshown(frequency, events):
    life = Life(frequency)
    for time, what in events:
        life.go_to(life.now + time)
        match what:
            case "ask":
                life.ask(DAY)
            case "ask soon":
                life.ask(3 * HOUR)
            case "act":
                life.act()
            case "answer":
                life.waiting = life.waiting[1:]
                life.act()
    life.go_to(life.now + 3 * DAY)
    assert life.unshown == 0
    for (before, _, _), (at, why, _) in pairwise(life.mails):
        was_read = any(before <= act <= at for act in life.acts)
        assert was_read or why is not Cause.NEXT
        assert why in (Cause.CALL, Cause.MISSED) or at - before >= GAP
    counted = [at for at, why, _ in life.mails if why is not Cause.CALL]
    assert all(last - first >= DAY for first, last in zip(counted, counted[A_DAY:], strict=False))
    reminders = [at for at, why, had_new in life.mails if why is Cause.CALL and not had_new]
    for first, second in pairwise(reminders):
        assert any(first <= act <= second for act in life.acts), "one reminder until it is read"


def test_who_ignores_all_gets_few_mails():
    life = Life(Frequency.EVERY)
    for _ in range(2):  # then a robot plays for them
        for _ in range(4):
            life.ask(DAY)
        life.go_to(life.now + DAY + HOUR)
    life.go_to(life.now + 3 * DAY)
    whys = [why for _, why, _ in life.mails]
    assert len(whys) <= 6
    assert whys[-1] is Cause.MISSED


def a_player(**more):
    about = {"frequency": Frequency.EVERY, "quiet_from": None, **more}
    return PlayerRow(address="a@example.org", name="Ann", created_at=NOON, **about)


def asked(after=timedelta(), pace=DAY, shown_at=None):
    """A question that came up so long after noon."""
    return Waiting(None, Key(1, 0, 1, "pass"), NOON + after, NOON + after + pace, pace, shown_at)


NEW, SHOWN, URGENT = asked(), asked(shown_at=NOON), asked(HOUR, 3 * HOUR)
LAST, DAILY = ({"frequency": one} for one in (Frequency.LAST, Frequency.DAILY))
UNREAD = Mailed((NOON,), NOON)


@pytest.mark.parametrize(
    ("who", "waiting", "mailed", "goes"),
    [
        pytest.param({}, [NEW], Mailed(), (timedelta(), Cause.NEXT), id="a first question: at once"),
        pytest.param({}, [asked(HOUR), NEW], Mailed(), (timedelta(), Cause.NEXT), id="it waits for no second one"),
        pytest.param(
            {"seen_at": NOON - MINUTE}, [NEW], Mailed(), (2 * MINUTE, Cause.NEXT), id="once they have left our pages"
        ),
        pytest.param({}, [SHOWN], UNREAD, (18 * HOUR, Cause.CALL), id="shown, not read: called in the last quarter"),
        pytest.param({}, [SHOWN, asked(HOUR)], UNREAD, (18 * HOUR, Cause.CALL), id="what comes up meanwhile waits"),
        pytest.param({}, [SHOWN, URGENT], UNREAD, (HOUR, Cause.SOONER), id="unless it is due before all of that"),
        pytest.param({}, [SHOWN, asked(MINUTE, 3 * HOUR)], UNREAD, (GAP, Cause.SOONER), id="half an hour later"),
        pytest.param(LAST, [SHOWN, URGENT], UNREAD, (2.5 * HOUR, Cause.CALL), id="who wants last calls waits for it"),
        pytest.param(
            {"seen_at": NOON + HOUR}, [SHOWN, asked(HOUR)], UNREAD, (HOUR + 3 * MINUTE, Cause.NEXT), id="read: the next"
        ),
        pytest.param(
            {"seen_at": NOON + MINUTE}, [SHOWN, asked(2 * MINUTE)], UNREAD, (GAP, Cause.NEXT), id="read at once: later"
        ),
        pytest.param(LAST, [NEW], Mailed(), (12 * HOUR, Cause.CALL), id="last calls alone come at half the time"),
        pytest.param(
            {**DAILY, "daily_at": 18}, [NEW], Mailed(), (6 * HOUR, Cause.NEXT), id="once a day: at the chosen hour"
        ),
        pytest.param(
            {**DAILY, "daily_at": 7}, [NEW], Mailed(), (18 * HOUR, Cause.CALL), id="a last call comes before that hour"
        ),
        pytest.param({}, [SHOWN], Mailed((), NOON + 18 * HOUR, NOON + 18 * HOUR), None, id="called once, and no more"),
        pytest.param(
            {"seen_at": NOON + 2 * HOUR},
            [SHOWN],
            Mailed((), NOON + HOUR, NOON + HOUR),
            (18 * HOUR, Cause.CALL),
            id="once more after they did something",
        ),
        pytest.param({}, [asked(shown_at=NOON + 12 * HOUR)], UNREAD, None, id="shown in the second half: no call"),
        pytest.param({}, [asked(HOUR, 5 * MINUTE)], UNREAD, (HOUR, Cause.SOONER), id="a live game begins: at once"),
        pytest.param(
            {}, [asked(HOUR, 5 * MINUTE)], Mailed((), NOON + HOUR), (HOUR, Cause.SOONER), id="without any gap"
        ),
        pytest.param({}, [], UNREAD, None, id="nothing waits"),
    ],
)
def test_a_mail_about_turns_goes_when_it_says_something_new(who, waiting, mailed, goes):
    assert next_turn_mail(a_player(**who), waiting, mailed) == (goes and (NOON + goes[0], goes[1]))


def test_with_a_shorter_gap_a_mail_waits_less_for_readers():
    assert next_turn_mail(a_player(seen_at=NOON), [NEW], Mailed(), gap=MINUTE).at == NOON + MINUTE


def test_the_thirteenth_mail_in_a_day_waits():
    sent = [NOON - HOUR * number for number in range(1, A_DAY + 1)]  # newest first
    player = a_player(seen_at=NOON)
    (full, room) = (Mailed(some, sent[0]) for some in (sent, sent[:-1]))
    waiting = [asked(pace=2 * DAY)]
    assert next_turn_mail(player, waiting, full).at == sent[-1] + DAY
    assert next_turn_mail(player, waiting, room).at < NOON + HOUR


def test_a_last_call_at_night_goes_the_evening_before():
    waiting = [asked(20 * HOUR - DAY)]  # the call would go at two
    call = next_turn_mail(a_player(quiet_from=22, quiet_to=7), waiting, Mailed((), NOON))
    assert (call.at, call.why) == (NOON.replace(hour=22) - APART, Cause.CALL)


@pytest.mark.parametrize(
    ("who", "goes_on", "goes"),
    [
        pytest.param({}, False, 5 * HOUR, id="a quarter of the pace after the last mail"),
        pytest.param({**DAILY, "daily_at": 18}, False, 6 * HOUR, id="at the chosen hour"),
        pytest.param(LAST, False, None, id="with the next last call"),
        pytest.param({}, True, timedelta(), id="a robot plays on: at once"),
        pytest.param(LAST, True, timedelta(), id="a robot plays on: at once, whatever they chose"),
    ],
)
def test_word_of_a_miss_waits_unless_a_robot_plays_on(who, goes_on, goes):
    missed = [Missed(Key(1, 0, 1, "played"), 1, NOON, DAY, goes_on)]
    told = next_turn_mail(a_player(**who), [], Mailed((), NOON - HOUR), missed)
    assert told == (None if goes is None else (NOON + goes, Cause.MISSED))
