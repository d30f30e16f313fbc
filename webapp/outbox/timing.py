"""When a mail about turns goes, and when any other letter."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from webapp.games.asked.due import Due
from webapp.games.clock.hours import APART, next_hour, quiet_from
from webapp.games.clock.pace import is_live, pace_for
from webapp.games.clock.presence import READING_FOR, may_disturb_at, quiet_of, read_until
from webapp.games.record.store import TableGame
from webapp.models import Frequency, LetterKind, PlayerRow, SeatRow, TableRow
from webapp.models.mail import KINDS

# When a mail about turns goes: by what waits for its reader, what they got, and when they did something.
# A second one never goes before the first was read: before its player has done something since (`PlayerRow.seen_at`).
# What arises meanwhile is asked, too: its clock runs. But no deadline passes on a question that no mail and no page has
# shown: a quarter of the pace before it, a last call goes, read or not, and shows all that waits by then. One whose
# deadline comes before all that the unread mail has named goes at once; so does the first question of a live game. What
# was shown is called once more, until its player does something. They learn what we have played for them in the same
# mail.

GAP: Final = timedelta(minutes=30)  # between two of these mails to one player
A_DAY: Final = 12  # of them at most, answers to replies, last calls and nudges aside
DAY: Final = timedelta(days=1)
CALL: Final = 4  # a last call goes that part of the pace before the deadline
CALL_ALONE: Final = 2  # to a player who wants no other mail: with a quarter, one in six choices is missed


class Cause(StrEnum):
    """The reasons for which a mail about turns goes, as its row has them."""

    NEXT = "next"  # something new waits, and the last one was read
    CALL = "call"  # a deadline is near
    SOONER = "sooner"  # a deadline comes before all that the last one has named
    REPLY = "reply"  # its reader has just answered one by mail, or wants it sent again
    MISSED = "missed"  # its reader has missed a deadline
    NUDGE = "nudge"  # somebody at the table wants its reader reminded


class Key(NamedTuple):
    """Names a question, as a letter's row keeps it."""

    game_id: int
    seat: int
    hand: int
    what: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question that waits for a player. `shown_at`: when a mail or a page last showed it to them, if any has."""

    stored: TableGame
    key: Key
    asked_at: datetime
    due_at: datetime | None
    pace: timedelta
    shown_at: datetime | None = None

    @property
    def due(self) -> Due:
        return Due(self.key.hand, self.key.what)


class Missed(NamedTuple):
    """A deadline that a player missed `at` that time: we have played for them, or taken a spare day.

    `goes_on`: a robot plays for them from now on.
    """

    key: Key
    table_id: int
    at: datetime
    pace: timedelta
    goes_on: bool = False


class Mailed(NamedTuple):
    """The mails about turns that a player has got: those of the last day that count for its limit, newest first, when
    the last of all went, and when the last that was a last call.
    """

    lately: Sequence[datetime] = ()
    last_at: datetime | None = None
    called_at: datetime | None = None


class When(NamedTuple):
    at: datetime
    why: Cause


def next_turn_mail(
    player: PlayerRow,
    waiting: Collection[Waiting],
    mailed: Mailed,
    missed: Collection[Missed] = (),
    gap: timedelta = GAP,
) -> When | None:
    """When the next mail about turns should go, as things stand; it may be in the past. None: never by itself.

    `gap` is the least time between two, and at most the time that a player is taken to be on our pages after an act.
    """
    found = [When(at, Cause.CALL) for one in waiting if (at := _call_at(player, one, mailed)) is not None]
    found += [When(_after_limit(player, at, mailed, gap), Cause.SOONER) for at in _sooner(player, waiting, mailed, gap)]
    # Who wants no mail but last calls hears of a missed deadline with the next of these.
    told = [one for one in missed if one.goes_on or player.frequency is not Frequency.LAST]
    found += [When(_missed_at(player, one, mailed, gap), Cause.MISSED) for one in told]
    if (at := _next_at(player, waiting, mailed, gap)) is not None:
        found.append(When(at, Cause.NEXT))
    # Without the gap, which is longer than a hand at a live pace: the others sit there and wait.
    live = (one.asked_at for one in waiting if one.shown_at is None and is_live(one.pace))
    found += [When(may_disturb_at(player, at), Cause.SOONER) for at in live]
    return min(found, default=None)


def _next_at(player: PlayerRow, waiting: Collection[Waiting], mailed: Mailed, gap: timedelta) -> datetime | None:
    """When a mail about something new goes to a player who has read the last one; None if none does."""
    new = [one.asked_at for one in waiting if one.shown_at is None]
    # A second mail on top of an unread one says nothing more urgent: what is urgent, a last call says.
    if not new or is_unread(player, mailed) or player.frequency is Frequency.LAST:
        return None
    times = [min(new)]
    # They may still be on our pages, and see there what waits.
    if player.seen_at is not None:
        times.append(player.seen_at + min(READING_FOR, gap))
    if mailed.last_at is not None:
        times.append(mailed.last_at + gap)
    at = max(times)
    # At the hour that they chose: neither the limit nor quiet hours move it.
    if player.frequency is Frequency.DAILY:
        return next_hour(at, player.time_zone, player.daily_at)
    return _after_limit(player, at, mailed, gap)


def _sooner(player: PlayerRow, waiting: Collection[Waiting], mailed: Mailed, gap: timedelta) -> list[datetime]:
    """When mails may go about questions that are due before all that the unread mail has named."""
    named = min((one.due_at for one in waiting if one.shown_at and one.due_at), default=None)
    # Who wants fewer mails hears of it by the last call, which comes in any case.
    if named is None or mailed.last_at is None or player.frequency is not Frequency.EVERY:
        return []
    # Who has read the last mail gets the next one without such a reason.
    if not is_unread(player, mailed):
        return []
    sooner = (one.asked_at for one in waiting if one.shown_at is None and one.due_at and one.due_at < named)
    return [max(at, mailed.last_at + gap) for at in sooner]


def _missed_at(player: PlayerRow, one: Missed, mailed: Mailed, gap: timedelta) -> datetime:
    """When the mail goes that tells of a missed deadline: at once if a robot plays from now on; else not before the
    last mail is a quarter of the pace old.
    """
    if one.goes_on:
        return may_disturb_at(player, one.at)
    at = max(one.at, mailed.last_at + one.pace / CALL) if mailed.last_at else one.at
    if player.frequency is Frequency.DAILY:
        return next_hour(at, player.time_zone, player.daily_at)
    return _after_limit(player, at, mailed, gap)


def _after_limit(player: PlayerRow, at: datetime, mailed: Mailed, gap: timedelta) -> datetime:
    """`at`, or later, so that the player gets no more than `A_DAY`, and is not disturbed. With a shorter `gap` than is
    usual, a day is shorter likewise.
    """
    if len(mailed.lately) >= A_DAY:
        at = max(at, mailed.lately[A_DAY - 1] + DAY * (gap / GAP))
    return may_disturb_at(player, at)


def _call_at(player: PlayerRow, one: Waiting, mailed: Mailed) -> datetime | None:
    """When the last call for a question goes: a quarter of the pace before its deadline, at night the evening before.

    A question that was shown has one only if that was long ago, and only the first such since the player did something.
    The first question of a live game, which goes at once, has none.
    """
    if one.due_at is None or is_live(one.pace):
        return None
    if one.shown_at is not None:
        # Shown in the second half of its time, it needs no second word.
        was_called = mailed.called_at is not None and not (player.seen_at and player.seen_at > mailed.called_at)
        if was_called or one.shown_at >= one.due_at - one.pace / 2:
            return None
    at = one.due_at - one.pace / (CALL_ALONE if player.frequency is Frequency.LAST else CALL)
    night = quiet_from(at, player.time_zone, quiet_of(player))
    if night is None:
        # Asked within that quarter, as after a change of pace: then at once.
        return max(at, one.asked_at)
    # The evening before; what was asked later than that waits for the morning.
    return night - APART if night - APART >= one.asked_at else may_disturb_at(player, at)


def is_unread(player: PlayerRow, mailed: Mailed) -> bool:
    """Whether the player has done nothing since the last mail about their turns went."""
    return mailed.last_at is not None and not (player.seen_at and player.seen_at > mailed.last_at)


# When a letter goes: by its kind, its reader's quiet hours, and whether they look at our pages.

PAGE_GRACE = timedelta(minutes=2)  # a letter that comes up while its player reads the game waits this long
HOLD_DIVISOR = 10  # a letter waits for its reader to leave the game for a tenth of the pace at most


class Schedule(NamedTuple):
    """When a new letter goes. `held_at` is `now` if it waits for its reader to leave the game, else None."""

    at: datetime
    held_at: datetime | None = None


def schedule(
    kind: LetterKind,
    player: PlayerRow,
    now: datetime,
    row: SeatRow | None = None,
    longest: timedelta | None = None,
) -> Schedule:
    """When a new letter to `player` goes; `row` is their seat, if the letter is about a table.

    It waits for its reader to leave the game for `longest` in all, as `longest_hold` says.
    """
    if KINDS[kind].at_once:
        return Schedule(now)
    at = may_disturb_at(player, now)
    held = row and held_until(kind, row, player, now, now, longest)
    if not held:
        return Schedule(at)
    # Who sees the end of a hand on the page mostly reads its sheet there, within a moment.
    grace = PAGE_GRACE if longest is None else min(PAGE_GRACE, longest)
    return Schedule(max(at, held, now + grace), held_at=now)


def longest_hold(table: TableRow, what: str | None) -> timedelta | None:
    """How long a letter about `what` waits at most, in all, for its reader to leave the game: a tenth of the pace.

    None if there is no such limit: at a live pace, all are expected to be there.
    """
    pace = pace_for(table, what or "")
    return None if is_live(pace) else pace / HOLD_DIVISOR


def held_until(
    kind: LetterKind, row: SeatRow, player: PlayerRow, now: datetime, since: datetime, longest: timedelta | None
) -> datetime | None:
    """Until when a letter waits because the player of `row` is reading the game; None if it need not wait.

    If they are still reading then, it waits on, but for `longest` at most, counted from `since`.
    """
    until = read_until(row, player, now) if KINDS[kind].shown_on_page else None
    if until is None or longest is None:
        return until
    # A page that lies open looks read for a while: without an end it swallowed the mail.
    return min(until, since + longest) if now < since + longest else None
