"""The deadline of a question: what each grant leads to, and what holds whatever happens to a clock."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.games.clock.deadline import Asked, Hand, ask_late, due_at, give, settle, until
from webapp.games.clock.hours import AFTER_QUIET_HOURS, DaysOff, Hours, Quiet, fair_time
from webapp.models import Clock, Grant, Stop, Why

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
NIGHT = Quiet(22, 7)
ANN, BO = 1, 2


def hand(*players, pace=DAY, hours=None, question="trick 1", **more):
    """A hand that asks the players, the first at seat 0; `hours` of all of them."""
    asked = {seat: Asked(player, pace) for seat, player in enumerate(players) if player}
    return Hand(question, asked, {one.player: hours or Hours() for one in asked.values()}, pace, **more)


ASKS = hand(ANN, BO)


def asked(now=AT):
    return settle(Clock(), ASKS, now)


@pytest.mark.parametrize(
    ("grant", "stops", "hours", "leads_to"),
    [
        pytest.param(Grant(0, ANN, AT, DAY), (), Hours(), AT + DAY, id="a day"),
        pytest.param(
            Grant(0, ANN, AT, DAY), (Stop(AT + HOUR, AT + 3 * HOUR),), Hours(), AT + DAY + 2 * HOUR, id="a stop"
        ),
        pytest.param(Grant(0, ANN, AT, DAY), (Stop(AT - DAY, AT),), Hours(), AT + DAY, id="a stop before"),
        pytest.param(
            Grant(0, ANN, AT, DAY), (Stop(AT - DAY, AT + HOUR),), Hours(), AT + HOUR + DAY, id="asked in a stop"
        ),
        pytest.param(Grant(0, ANN, AT, 12 * HOUR), (), Hours(quiet=NIGHT), AT + 22 * HOUR, id="a night"),
        pytest.param(Grant(0, ANN, AT, MINUTE), (), Hours(quiet=Quiet(12, 13)), AT + MINUTE, id="a live pace at night"),
        pytest.param(Grant(0, ANN, AT, DAY), (), Hours(days_off=DaysOff(frozenset({1}))), AT + 2 * DAY, id="a day off"),
        pytest.param(
            Grant(0, ANN, AT, 12 * HOUR, Why.TOLD), (), Hours(quiet=NIGHT), AT + 12 * HOUR, id="what they were told"
        ),
    ],
)
def test_a_grants_time_is_clear_of_stops_and_nights(grant, stops, hours, leads_to):
    assert until(grant, Clock(stops=stops), hours) == leads_to


def test_who_has_answered_or_is_away_counts_no_more():
    clock = give(asked(), 1, BO, AT, 3 * DAY, Why.SPARE)
    assert due_at(clock, ASKS) == AT + 3 * DAY
    assert due_at(clock, hand(ANN)) == AT + DAY
    assert due_at(clock, hand()) is None


def test_others_keep_what_they_were_told_when_one_has_answered():
    clock = settle(give(asked(), 1, BO, AT, 3 * DAY, Why.SPARE), ASKS, AT)
    assert settle(clock, hand(ANN), AT + HOUR).due_at == AT + 3 * DAY


@pytest.mark.parametrize(("pace", "due"), [(3 * DAY, AT + 3 * DAY), (HOUR, AT + DAY)], ids=["longer", "shorter"])
def test_another_pace_counts_from_the_first_asking_and_never_shortens(pace, due):
    clock = settle(asked(), hand(ANN, BO, pace=pace), AT + HOUR)
    assert clock.due_at == due
    assert settle(clock, ASKS, AT + 2 * HOUR).due_at == due


def test_the_third_player_of_a_seat_shares_the_seconds_time():
    clock = asked()
    for player, hours, due in ((3, 20, AT + 44 * HOUR), (4, 30, AT + 44 * HOUR), (BO, 40, AT + 44 * HOUR)):
        clock = settle(clock, hand(None, player), AT + hours * HOUR)
        assert clock.due_at == due


@pytest.mark.parametrize(
    ("left", "gone_on"), [(20 * HOUR, 20 * HOUR), (HOUR, fair_time(DAY))], ids=["much is left", "little: a fair time"]
)
def test_a_pause_leaves_what_was_left_and_a_fair_time(left, gone_on):
    stands = hand(ANN, BO, stands=True)
    paused = settle(asked(), stands, AT + DAY - left)
    assert (paused.due_at, paused.stands) == (None, True)
    resumed = settle(paused, ASKS, AT + 9 * DAY)
    assert resumed.due_at == AT + 9 * DAY + gone_on
    again = settle(settle(resumed, stands, resumed.due_at - HOUR), ASKS, AT + 20 * DAY)
    assert again.due_at == AT + 20 * DAY + HOUR, "a fair time once"


def test_live_play_puts_the_slow_clock_aside():
    live = hand(ANN, BO, pace=MINUTE, is_together=True)
    clock = settle(asked(), live, AT + HOUR)
    assert (clock.due_at, clock.aside.stands) == (AT + HOUR + MINUTE, True)
    assert settle(clock, ASKS, AT + 2 * HOUR).due_at == AT + DAY + HOUR
    later = settle(clock, replace(live, question="trick 2"), AT + 2 * HOUR)
    assert settle(later, replace(ASKS, question="trick 2"), AT + 3 * HOUR).due_at == AT + 3 * HOUR + DAY


def test_own_hours_alone_bring_a_deadline_closer():
    off = hand(ANN, hours=Hours(days_off=DaysOff(frozenset({1, 2}))))
    clock = settle(Clock(), off, AT)
    assert clock.due_at == AT + 3 * DAY
    now = AT + 2 * DAY
    assert settle(clock, hand(ANN), now, changed=ANN).due_at == now + AFTER_QUIET_HOURS
    assert settle(clock, hand(ANN), now).due_at == AT + 3 * DAY, "nobody else brings it closer"
    both = settle(clock, hand(ANN, BO), now)
    assert settle(both, hand(ANN, BO), now, changed=ANN).due_at >= AT + 3 * DAY, "nor for somebody beside them"


STEPS = st.one_of(
    st.tuples(st.just("wait"), st.integers(1, 40).map(lambda hours: hours * HOUR / 2)),
    st.tuples(st.just("ask"), st.frozensets(st.sampled_from([0, 1, 2, 3]))),
    st.tuples(st.just("pause"), st.booleans()),
    st.tuples(st.just("live"), st.booleans()),
    st.tuples(st.just("pace"), st.sampled_from([DAY / 2, DAY, 3 * DAY])),
    st.tuples(st.just("late"), st.sampled_from([0, 1, 2, 3])),
    st.tuples(st.just("spare"), st.sampled_from([0, 1, 2, 3])),
    st.tuples(st.just("hours"), st.sampled_from([None, NIGHT, Quiet(3, 9)])),
    st.tuples(st.just("lend"), st.integers(0, 3)),
)


class History:
    """A clock to which things happen; after each it is settled, and what must always hold is checked."""

    def __init__(self):
        self.now, self.clock, self.pace = AT, Clock(), DAY
        self.players, self.seats = [1, 2, 3, 4], frozenset({0, 1, 2, 3})
        self.quiet = self.is_paused = self.is_live = None
        self.settle()

    def hand(self):
        pace = MINUTE if self.is_live else self.pace
        asked = {seat: Asked(self.players[seat], pace) for seat in sorted(self.seats)}
        hours = {player: Hours(quiet=self.quiet) for player in (*self.players, 5)}
        return Hand("pass", asked, hours, pace, stands=bool(self.is_paused), is_together=bool(self.is_live))

    def settle(self):
        before, self.clock = self.clock, settle(self.clock, self.hand(), self.now)
        assert settle(self.clock, self.hand(), self.now) == self.clock, "settled once, settled"
        told, due = before.due_at, self.clock.due_at
        assert (due is None) or not self.is_paused
        assert self.is_paused or due is not None or not self.seats or not self.clock.grants
        if told and told > self.now and due and before.is_together == self.clock.is_together:
            assert due >= told, "promised time is never shortened"

    def do(self, what, value):
        left = self.clock.due_at and self.clock.due_at - self.now
        match what:
            case "wait":
                self.now += value
            case "ask":
                self.seats = value
            case "pause":
                self.pause(left) if value and not self.is_paused else self.resume()
            case "live":
                self.is_live = value
            case "pace":
                self.pace = value
            case "hours":
                self.quiet = value
            case "lend":
                self.players[value] = 5 if 5 not in self.players else value + 1
            case "late" if value in self.seats and not self.is_paused:
                self.clock = ask_late(self.clock, value, self.players[value], 5 * HOUR)
            case "spare" if value in self.seats and not self.is_paused:
                self.clock = give(self.clock, value, self.players[value], self.now, DAY, Why.SPARE)
        self.settle()

    def pause(self, left):
        """The clock stands for three days, and nobody has less time afterwards."""
        if left is None or left <= timedelta() or not self.seats:
            return
        self.is_paused = True
        self.settle()
        self.now += 3 * DAY
        self.resume()
        self.settle()
        assert self.clock.due_at - self.now >= left, "no time passes while the clock stands"

    def resume(self):
        self.is_paused = False


@given(st.lists(STEPS, max_size=25))
def test_no_history_takes_time_that_players_were_told(steps):
    history = History()
    for step in steps:
        history.do(*step)
    assert len(history.clock.grants) <= len(Why) * 3 * 4, "there are few grants"


@given(st.lists(st.sampled_from([frozenset({0}), frozenset({1}), frozenset({0, 1})]), max_size=20))
def test_coming_and_going_moves_no_deadline(seats):
    history = History()
    for one in seats:
        history.do("ask", one)
        history.now += HOUR
    assert history.clock.due_at == AT + DAY


def test_what_was_left_avoids_the_night_as_the_pace_does():
    asks, stands = hand(ANN, hours=Hours(quiet=NIGHT)), hand(ANN, hours=Hours(quiet=NIGHT), stands=True)
    clock = settle(settle(settle(Clock(), asks, AT), stands, AT + HOUR), asks, AT + 2 * HOUR)
    paused = settle(clock, stands, clock.due_at - HOUR / 2)
    resumed = settle(paused, asks, AT + 10 * DAY + 9.75 * HOUR)
    assert resumed.due_at == AT + 10 * DAY + 22 * HOUR, "three hours after it"
