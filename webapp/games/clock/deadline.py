"""When the question of a hand is due: a pure function of what its players were granted, and of when its clock stood.

Nothing here reads a clock or a row. A grant is a fact: from `at` on, a player has `time`, for one reason (`Why`). The
deadline is the latest time to which a grant of somebody who is asked leads, so that none ever takes time away. A grant
keeps the pace of its moment, the clock's stops are intervals, and the players' hours are those of now. So a shorter
pace moves nothing, a pause moves all grants by what it lasted, and new hours count as if they had always been so.

`settle` brings a clock up to date from whom the hand asks now: no caller says that somebody has gone or come back, that
the clock was stopped, that there is another pace, or another question. What that does not show is said by `give` and
`ask_late`: a spare day, an arrival, a late mail, a mailbox that could not be read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from webapp.games.clock.hours import (
    AFTER_QUIET_HOURS,
    NO_DAYS_OFF,
    SHORTEST_QUIET_PACE,
    Hours,
    after,
    at_a_good_time,
    fair_time,
    time_passed,
)
from webapp.models import Clock, Grant, Stop, Why

NONE: Final = timedelta()
MOST_STARTS: Final = 2  # of one question: for the first player of its seat, and for all who have the seat later
WHOLE: Final = (Why.ASKED, Why.PACE, Why.LATE)  # give a whole time for the question
# End at night and on days off, too: else a player could move them by turning hours on and off.
AT_ANY_HOUR: Final = (Why.HOURS, Why.TOLD, Why.UNREAD)
LATER: Final = (Why.LATE, Why.SPARE, Why.UNREAD)  # come after the deadline that its players were told first


class Asked(NamedTuple):
    """The player who is asked at a seat, and the time that a question asked now gives them."""

    player: int
    time: timedelta


@dataclass(frozen=True, slots=True)
class Hand:
    """The question of a hand, whom it asks by seat, the hours of each, and the table's pace for that.

    `stands`: its clock has to stand still. `is_together`: it is of a slow game that is played live.
    """

    question: str
    asked: Mapping[int, Asked]
    hours: Mapping[int, Hours]
    pace: timedelta
    stands: bool = False
    is_together: bool = False


def due_at(clock: Clock, hand: Hand, *, without: tuple[Why, ...] = ()) -> datetime | None:
    """The deadline for those whom the hand asks; None if there is none. Grants `without` which it is are left out."""
    asked = {(seat, one.player) for seat, one in hand.asked.items()}
    counted = [one for one in clock.grants if (one.seat, one.player) in asked and one.why not in without]
    if clock.stands:
        return None
    return max((until(one, clock, hand.hours[one.player]) for one in counted), default=None)


def until(grant: Grant, clock: Clock, hours: Hours) -> datetime:
    """To when a grant leads: its time passes neither on days off nor while the clock stands, and ends clear of nights.

    >>> from datetime import UTC
    >>> at, day = datetime(2026, 3, 2, 12, tzinfo=UTC), timedelta(days=1)
    >>> str(until(Grant(0, 1, at, day), Clock(stops=(Stop(at + day / 2, at + day),)), Hours()) - at)
    '1 day, 12:00:00'
    """
    if grant.why in AT_ANY_HOUR:
        hours = Hours()
    at, left = grant.at, grant.time
    # What was left of a long pace is short, and yet has the long one's nights and days off.
    pace = (clock.pace or grant.time) if grant.why is Why.LEFT else grant.time  # of which it is what was left
    off = hours.days_off if pace >= SHORTEST_QUIET_PACE else NO_DAYS_OFF
    for stop in clock.stops:
        # A stop that still lasts has no end to count from: `due_at` says that there is no deadline.
        if stop.until is not None and stop.until > at:
            left = max(NONE, left - time_passed(at, stop.since, hours.zone, off))
            at = stop.until
    return at_a_good_time(after(at, left, hours.zone, off), pace, hours)


def settle(clock: Clock, hand: Hand, now: datetime, changed: int | None = None) -> Clock:
    """The clock at `now`, with the deadline that its players are told.

    That may come closer for the player `changed` alone, whose hours have changed; who is asked beside them keeps what
    they were told.
    """
    clock = _played_live(clock, hand, now)
    # Another question starts from nothing, but in the same kind of play.
    if clock.question not in (None, hand.question):
        clock = Clock(is_together=clock.is_together)
    clock = replace(clock, question=hand.question)
    if hand.stands:
        clock = _stopped(clock, hand, now)
    elif clock.stands:
        clock = _going_on(clock, hand, now)
    for seat, (player, time) in hand.asked.items():
        clock = _started(clock, seat, player, time, now)
    # None: the first question of a clock, whose grants have this pace already.
    if clock.pace not in (None, hand.pace):
        clock = _with_pace(clock, hand)
    clock = _keeping(clock, hand, now, changed)
    due, told = due_at(clock, hand), None if clock.stands else clock.due_at
    # A deadline that is over stays over: a robot may be about to play, and players were told so.
    if due is None or (told is not None and due < told <= now):
        due = told
    first = due_at(clock, hand, without=LATER) or due
    return replace(clock, pace=hand.pace, due_at=due, first_due_at=first)


def give(clock: Clock, seat: int, player: int, at: datetime, time: timedelta, why: Why = Why.ASKED) -> Clock:
    """Gives the player of the seat `time` from `at` on, in place of what they had for the same reason.

    If that was more, as for who is absent from a live table, it stays. So there are few grants.
    """
    same = [one for one in clock.grants if (one.seat, one.player, one.why) == (seat, player, why)]
    # An arrival, say, must not shorten the time of somebody who was given more for being absent.
    if any(one.at + one.time >= at + time for one in same):
        return clock
    others = tuple(one for one in clock.grants if one not in same)
    return replace(clock, grants=(*others, Grant(seat, player, at, time, why)))


def ask_late(clock: Clock, seat: int, player: int, late: timedelta) -> Clock:
    """The question to a player went out so `late`, or not even yet: as if they had been asked so much later."""
    since, time = clock.asked_since(seat, player), max((one.time for one in _whole(clock, seat, player)), default=NONE)
    return give(clock, seat, player, since + late, time, Why.LATE) if since and time else clock


def _played_live(clock: Clock, hand: Hand, now: datetime) -> Clock:
    """Puts the clock of a slow game aside while that is played live, and brings it back afterwards."""
    # The slow game's clock stands while they play live, and goes on afterwards where it stood.
    if hand.is_together and not clock.is_together:
        return Clock(hand.question, is_together=True, aside=_stopped(clock, hand, now))
    if clock.is_together and not hand.is_together:
        return clock.aside or Clock()
    # Else the slow clock would come back with the grants of a question that was answered live.
    if clock.aside and clock.aside.question not in (None, hand.question):
        return replace(clock, aside=None)  # that question is answered
    return clock


def _stopped(clock: Clock, hand: Hand, now: datetime) -> Clock:
    """The clock stands still from `now` on, if it does not yet; those who are asked keep what is left of their time."""
    if clock.stands:
        return clock
    told = clock.due_at
    # Past its deadline nobody has anything left, and the robot's turn only waits.
    for seat, (player, _) in hand.asked.items() if told and told > now else ():
        zone, _, days_off = hand.hours[player]
        # A short pace counts days off as time, so what is left of it must, too.
        off = NO_DAYS_OFF if clock.pace is None or clock.pace < SHORTEST_QUIET_PACE else days_off
        clock = give(clock, seat, player, now, time_passed(now, told, zone, off), Why.LEFT) if told else clock
    return replace(clock, stops=(*clock.stops, Stop(now)), due_at=None)


def _going_on(clock: Clock, hand: Hand, now: datetime) -> Clock:
    """The clock goes on. The first time, those who were asked before have a fair time: nobody comes back to minutes."""
    known = {(one.seat, one.player) for one in clock.grants}
    # Only once: else a host could give somebody time for ever by stopping and going on.
    is_first = not any(one.why is Why.RESUMED for one in clock.grants)
    clock = replace(clock, stops=(*clock.stops[:-1], Stop(clock.stops[-1].since, now)))
    for seat, (player, time) in hand.asked.items() if is_first else ():
        # Who is asked for the first time by this starts with a whole time anyway.
        if (seat, player) in known:
            clock = give(clock, seat, player, now, fair_time(time), Why.RESUMED)
    return clock


def _started(clock: Clock, seat: int, player: int, time: timedelta, now: datetime) -> Clock:
    """The player of the seat is asked, from now on unless they were before; of several players in one seat, all but the
    first share their time.
    """
    starts = [one for one in clock.grants if one.seat == seat and one.why is Why.ASKED]
    # A player who lends their seat and takes it back has the time that they had.
    if any(one.player == player for one in starts):
        return clock
    # From the second stand-in on nothing starts anew: a seat that goes round would stop the game.
    return give(clock, seat, player, starts[-1].at if len(starts) >= MOST_STARTS else now, time)


def _with_pace(clock: Clock, hand: Hand) -> Clock:
    """The table has another pace: it counts from when each player was asked, and a shorter one changes nothing."""
    for seat, (player, time) in hand.asked.items():
        # The latest: a late mail counts as if it had asked later.
        if starts := [one.at for one in _whole(clock, seat, player)]:
            clock = give(clock, seat, player, max(starts), time, Why.PACE)
    return clock


def _keeping(clock: Clock, hand: Hand, now: datetime, changed: int | None) -> Clock:
    """Grants what the players were told, if the deadline would be earlier; to one whose own hours have changed, and who
    is asked alone, only the time to see that.
    """
    others = [seat for seat, one in hand.asked.items() if one.player != changed]
    if not others:  # what others were told binds nobody any more
        clock = replace(clock, grants=tuple(one for one in clock.grants if one.why is not Why.TOLD))
    due, told = due_at(clock, hand), clock.due_at
    # Nobody would lose by it: there is nothing to keep.
    if due is None or told is None or told <= now or due >= told:
        return clock
    for seat in others[:1]:  # it holds for all
        clock = give(clock, seat, hand.asked[seat].player, now, told - now, Why.TOLD)
    # They shortened their own time; the rest of it is theirs, but not a deadline in a minute.
    for seat, one in () if others else hand.asked.items():
        clock = give(clock, seat, one.player, now, min(AFTER_QUIET_HOURS, told - now), Why.HOURS)
        clock = replace(clock, due_at=None)  # they are told another one
    return clock


def _whole(clock: Clock, seat: int, player: int) -> list[Grant]:
    return [one for one in clock.grants if (one.seat, one.player) == (seat, player) and one.why in WHOLE]
