"""Postpones deadlines whose question goes out late, or whose answer could not come in: so no player misses one unasked
or unheard.

A question's lateness counts from when the mail should have gone that shows it first (`turn_mail`). The deadline moves
by the lateness when that mail goes out at last. If the deadline comes before that, it moves by as long as the question
has waited: again and again while that is our fault, our relay's or an operator's wish, else by the time that the
player was given, at most. Three players need not wait for ever for a fourth whose mail server is gone, nor, at a live
table, for one who is not there.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlmodel import Session

from hearts.seats import Seat
from webapp.core.config import Settings
from webapp.core.database import one_by_one
from webapp.core.runtime import Runtime
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock import clocks, way_in
from webapp.games.clock.deadline import ask_late, due_at, give, until
from webapp.games.clock.hours import at_a_good_time
from webapp.games.clock.pace import is_asked_live, pace_of
from webapp.games.clock.vacation import hours_at
from webapp.games.record import changing
from webapp.games.record.store import TableGame
from webapp.models import Clock, GameRow, LetterKind, LetterRow, PlayerRow, SeatRow, Why
from webapp.outbox import holding, questions, turn_mail
from webapp.outbox.timing import Key, Waiting

log = logging.getLogger(__name__)

TOLERATED_LATENESS = timedelta(seconds=30)  # or a tenth of the time given for the answer, if that is longer
WAIT_DIVISOR = 4  # a letter waits at most the time that is left for its question, divided by this
SHORTEST_WAIT = timedelta(seconds=10)
BROKEN_OFF_AT_MOST = timedelta(days=3)  # then it may be this mail alone with which the relay breaks off
FOREVER = timedelta(days=10_000)  # how long a letter without a deadline may wait
NO_TIME = timedelta()


@dataclass(frozen=True, slots=True)
class Unasked:
    """A player whose turn it is but to whom nothing has shown that; a mail, `letter` if a worker has queued it, should
    have at `since`.
    """

    seat: SeatRow
    letter: LetterRow | None
    since: datetime


def unasked_players(session: Session, stored: TableGame, now: datetime) -> list[Unasked]:
    """The players whose turn it is and to whom a mail should have shown that, but has not gone.

    It leaves out players who have muted the table, who are silenced, whose device has shown a notification of the
    question, and who have seen the question on the page.
    """
    found = [(stored.seats[seat], turn_mail.unshown(session, stored, seat, now)) for seat in stored.game.to_act]
    return [Unasked(row, *late) for row, late in found if late is not None]


def postpone_for_unasked(runtime: Runtime, game_id: int, hand: int, now: datetime) -> bool:
    """Postpones a hand's deadline that is over if a player has not been asked. Returns whether it is now ahead.

    It moves by as long as the question has been late; unless that is our fault, at most by the time that the player
    was given originally.
    """
    with changing.game(runtime, game_id, now, hand, wakes_for_games=False) as game:
        session, stored = game.session, game.stored
        unasked, clock = unasked_players(session, stored, now), stored.clock
        is_live, nothing_goes = is_asked_live(stored), holding.nothing_goes(session, now)
        for one in unasked:
            late = late_if_unasked(stored.clock, one, now, is_live=is_live, nothing_goes=nothing_goes)
            clock = ask_late(clock, one.seat.seat, _player_of(one.seat), late)
        at = due_at(clock, clocks.asking(session, stored, now))
        if not unasked or at is None or at <= now:
            return False
        moved = _postpone(session, stored, clock, [one.letter for one in unasked if one.letter], now)
    _log_postponement(game_id, moved)
    return True


def given_back(session: Session, settings: Settings, stored: TableGame) -> datetime | None:
    """The hand's deadline with the time given back in which no answer by mail could come in; None if there is none."""
    clock, mailed = stored.clock, way_in.answering(stored)
    since = _unread_since(clock)
    if clock.due_at is None or since is None or not mailed or not way_in.is_used(settings):
        return None
    at = way_in.later_by(clock.due_at, since, way_in.shut_times(session, since))
    if at == clock.due_at:
        return None
    hours = [hours_at(seat, session.get_one(PlayerRow, seat.player_id)) for seat in mailed]
    return max(at_a_good_time(at, pace_of(stored), one) for one in hours)


def give_back_shut_time(runtime: Runtime, game_id: int, hand: int, now: datetime) -> None:
    """Moves a hand's deadline by the time in which no answer could come in, once."""
    with changing.game(runtime, game_id, now, hand, wakes_for_games=False) as game:
        session, stored = game.session, game.stored
        at, since, clock = given_back(session, runtime.settings, stored), _unread_since(stored.clock), stored.clock
        if at is None or since is None:
            return
        for seat in way_in.answering(stored):
            clock = give(clock, seat.seat, _player_of(seat), since, at - since, Why.UNREAD)
        moved = _postpone(session, stored, clock, [], now)
    log.warning("game %d: the deadline moves by %d s, since no answer could come in", game_id, moved.total_seconds())


def postpone_for_late_mail(runtime: Runtime, letter: LetterRow, now: datetime) -> None:
    """Postpones the deadline of each question that a mail about turns, which has just gone, shows first, and late."""
    if letter.kind is not LetterKind.TURNS or now - letter.created_at <= TOLERATED_LATENESS:
        return  # as nearly all; nothing needs to be loaded for that
    with runtime.database.reading() as session:
        asked = {Key(*one) for one in letter.asked or ()}
        found = turn_mail.waiting_for(session, session.get_one(PlayerRow, letter.player_id))
        late = [one for one in found if one.key in asked and one.shown_at is None]
    one_by_one("question", late, lambda one: _postpone_late(runtime, letter, one, now))


def asked_late(clock: Clock, seat: SeatRow, since: datetime, now: datetime) -> Clock:
    """The clock if a question to the player of the seat that should have gone at `since` goes out now.

    It stays as it is if that is tolerable, or if it is paused.
    """
    if clock.due_at is None or clock.first_due_at is None:
        return clock
    since = _since(clock, since)
    late, given = now - since, clock.first_due_at - since
    return ask_late(clock, seat.seat, _player_of(seat), late) if late > max(TOLERATED_LATENESS, given / 10) else clock


def late_if_unasked(clock: Clock, unasked: Unasked, now: datetime, *, is_live: bool, nothing_goes: bool) -> timedelta:
    """How late the question counts to a player who has not been asked when the deadline comes: in full if the mail
    waits through no fault of its reader. Nobody has tried it yet, the relay breaks off with this one, or no mail goes.

    `is_live`: the game asks it at a live pace; there the table waits once, even if we are at fault.
    """
    since, letter = _since(clock, unasked.since), unasked.letter
    assert clock.first_due_at is not None
    # With a fast deadline, workers that come back after a relay or broker that was down have not tried it by then.
    is_untried = letter is None or letter.tries == 0
    is_broken_off = letter is not None and letter.tries > 0 and not letter.refused
    hangs = (is_untried or is_broken_off) and now - unasked.since < BROKEN_OFF_AT_MOST
    is_ours = not is_live and (hangs or nothing_goes)
    return max(NO_TIME, now - since if is_ours else min(now, clock.first_due_at) - since)


def as_if_asked(stored: TableGame, since: datetime, now: datetime, player: PlayerRow) -> TableGame:
    """The game with the deadline that it gets if `player`, who should have been asked at `since`, is asked now.

    It serves for the text of the mail; its rows belong to no session.
    """
    seat = next(seat for seat in stored.seats if seat.player_id == player.id)
    clock = asked_late(stored.clock, seat, since, now)
    late = (one for one in clock.grants if (one.seat, one.player, one.why) == (seat.seat, player.id, Why.LATE))
    at = max((until(one, clock, hours_at(seat, player)) for one in late), default=None)
    if at is None or clock.due_at is None or at <= clock.due_at:
        return stored
    clocks = {**(stored.row.clocks or {}), stored.game.hand: replace(clock, due_at=at)}
    return replace(stored, row=GameRow(**{**dict(stored.row), "clocks": clocks}))


def deadline_of(session: Session, letter: LetterRow) -> datetime | None:
    """The earliest deadline of the questions that a letter asks; None if it asks none that has a deadline."""
    return min((clock.due_at for clock in _clocks_of(session, letter) if clock.due_at is not None), default=None)


def latest_retry_at(due_at: datetime, now: datetime) -> datetime:
    """The latest time for the next attempt at a letter whose question is due at `due_at`.

    It leaves most of the time that is left for further attempts, and for the answer.
    """
    return now + max(SHORTEST_WAIT, (due_at - now) / WAIT_DIVISOR)


def longest_wait(session: Session, letter: LetterRow) -> timedelta:
    """How long a letter that could be sent may be held back at most, counted from when it should have gone."""
    clocks = _clocks_of(session, letter)
    first = min((one.first_due_at for one in clocks if one.first_due_at is not None), default=None)
    return FOREVER if first is None else max(NO_TIME, (first - letter.created_at) / WAIT_DIVISOR)


def _clocks_of(session: Session, letter: LetterRow) -> list[Clock]:
    """The clocks of the running hands about which a letter asks a question."""
    games = [(session.get_one(GameRow, game_id), hand) for game_id, _, hand, _ in letter.asked or ()]
    return [game.clocks[hand] for game, hand in games if game.clocks and hand in game.clocks]


def _postpone_late(runtime: Runtime, letter: LetterRow, late: Waiting, now: datetime) -> None:
    """Postpones the deadline of a question that `letter` shows late, unless it is answered by now."""
    with changing.game(runtime, late.key.game_id, now, late.key.hand) as game:
        session, stored = game.session, game.stored
        row = stored.seats[late.key.seat]
        if due_of(stored.game, Seat(row.seat)) != late.due or row.player_id != letter.player_id:
            return
        clock = asked_late(stored.clock, row, letter.created_at, now)
        at = due_at(clock, clocks.asking(session, stored, now))
        if at is None or stored.clock.due_at is None or at <= stored.clock.due_at:
            return
        moved = _postpone(session, stored, clock, [session.get_one(LetterRow, letter.id)], now)
    _log_postponement(late.key.game_id, moved)


def _postpone(session: Session, stored: TableGame, clock: Clock, late: Sequence[LetterRow], now: datetime) -> timedelta:
    """Moves the deadline to that of `clock`, and the last calls with it. Returns by how much it moved."""
    before = stored.clock.due_at
    clocks.keep(stored, replace(clock, given_until=max(now, way_in.reopened_at(session) or now)))
    clocks.settle(session, stored, now)
    for letter in late:
        letter.moved_at = now
    for seat in awaited(stored):
        questions.queue_question(session, stored, stored.seats[seat], now)
    assert before is not None
    assert stored.clock.due_at is not None
    return stored.clock.due_at - before


def _unread_since(clock: Clock) -> datetime | None:
    """Since when time counts in which no answer could come in: the clock runs, and no earlier one was given back."""
    if clock.asked_at is None:
        return None
    return max(clock.asked_at, *(stop.until or stop.since for stop in clock.stops), clock.given_until or clock.asked_at)


def _player_of(seat: SeatRow) -> int:
    assert seat.player_id is not None
    return seat.player_id


def _since(clock: Clock, since: datetime) -> datetime:
    """When a question's lateness begins: not before it was asked."""
    return max(since, clock.asked_at or since)


def _log_postponement(game_id: int, moved: timedelta) -> None:
    log.warning("game %d: the deadline moves by %d s, since a question was late", game_id, moved.total_seconds())
