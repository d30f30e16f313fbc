"""Claims the games that are due, and plays the turns that no player has to play.

These are the turns of robots, and of players who are away or have missed their deadline (`runs`) and have no spare day
left. Each turn goes the one path (`taking`).
"""

from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Final

from sqlalchemy import case, literal, or_, text
from sqlmodel import Session, col, func, select
from sqlmodel.sql.sqltypes import UTCDateTime

from hearts.seats import Seat
from webapp.core import database
from webapp.core.bell import PLAY_DUE
from webapp.core.database import one_by_one
from webapp.core.runtime import Runtime
from webapp.games.asked.whose_turn import asked_of, awaited
from webapp.games.clock import clocks, presence, rest, vacation, way_in
from webapp.games.record import changing, store
from webapp.games.record.changing import OpenGame
from webapp.games.record.store import TableGame
from webapp.models import GameRow, Stands, Why
from webapp.outbox import about_tables, lateness, questions
from webapp.play import course, taking
from webapp.play.runs import has_turn, run_of
from webapp.robots import thinking

# Takes a vacation day for a player who has missed a deadline, instead of having a robot play for them.


def excused(stored: TableGame, now: datetime) -> list[Seat]:
    """The seats whose deadline in this hand is over, and for whose players a vacation day is taken, or was for another
    of the hands that are played side by side.
    """
    if stored.clock.due_at is None or stored.clock.due_at > now or not vacation.has_vacation(stored.table):
        return []
    found = []
    for seat in awaited(stored):
        row, due = stored.seats[seat], asked_of(stored, seat)
        if due is None or vacation.was_taken_for(row, due):
            continue
        if _since(stored, seat, now) is not None or vacation.may_take_one(stored.table, row, due):
            found.append(seat)
    return found


def take_for_absent(runtime: Runtime, game_id: int, hand: int, now: datetime) -> bool:
    """Moves a hand's deadline that is over by a day, clear of nights and days off, for the players for whom a vacation
    day is taken; the next mail tells them. Returns whether it did: somebody may have played meanwhile.
    """
    with changing.game(runtime, game_id, now, hand, wakes_for_games=False) as game:
        session, stored = game.session, game.stored
        seats = excused(stored, now)
        for seat in seats:
            at = _since(stored, seat, now) or now
            clocks.keep(stored, clocks.granted(stored, seat, at, vacation.DAY, Why.SPARE))
        if seats:
            clocks.settle(session, stored, now)
        for seat in awaited(stored) if seats else ():
            questions.queue_question(session, stored, stored.seats[seat], now)
        for seat in seats:
            row, due = stored.seats[seat], asked_of(stored, seat)
            assert due is not None
            # One day is enough for the hands side by side.
            if _since(stored, seat, now) is not None:
                vacation.extend_to(row, due)
            else:
                vacation.take_one(row, due, now)
    return bool(seats)


def _since(stored: TableGame, seat: Seat, now: datetime) -> datetime | None:
    """Since when the day runs that was taken for the player in another hand; None if none was, or it is over."""
    others = [one for one in stored.open_hands() if one.game.hand != stored.game.hand]
    # Those hands for whose question a day was taken.
    spared = [one for one in others if (due := asked_of(one, seat)) and vacation.was_taken_for(one.seats[seat], due)]
    running = [one.clock for one in spared if one.clock.due_at and one.clock.due_at > now]
    player_id = stored.seats[seat].player_id
    days = (one for clock in running for one in clock.grants if (one.seat, one.player) == (seat, player_id))
    return max((one.at for one in days if one.why is Why.SPARE), default=None)


# How long a worker has a game that it has claimed. The first lease is short because the worker may die. Each claim
# after which the service has played nothing has a longer one: it probably plays nothing after the next, either.
LEASES = tuple(timedelta(seconds=seconds) for seconds in (5, 10, 20, 40, 60))
AT_ONCE = 2  # games that a thread of a worker claims together; it does nothing else until it has played in them
_PLAYING = text("state = 'playing'")  # a literal, as in the partial index


def count_due(session: Session, now: datetime, most: int) -> int:
    """How many games are due and not claimed; counts up to `most`."""
    due = select(GameRow.id).where(_PLAYING, col(GameRow.wake_at) <= now).limit(most).subquery()
    return session.exec(select(func.count()).select_from(due)).one()


def play_due(runtime: Runtime) -> bool:
    """Claims up to AT_ONCE games that are due, and plays in them. Rings again, and returns True, if it found AT_ONCE.

    A game in which the service cannot play delays no other; the log says why. Raises DatabaseDown.
    """
    claimed = claim_due(runtime, runtime.now())
    one_by_one("game", claimed, partial(play_for_absent, runtime))
    if len(claimed) < AT_ONCE:
        return False
    runtime.bell.ring(PLAY_DUE)
    return True


def claim_due(runtime: Runtime, now: datetime, most: int = AT_ONCE) -> list[int]:
    """Claims up to `most` games that are due, longest due first, and returns their ids.

    Each lease of the same game is longer than the last.
    """
    waiting = select(GameRow.id).where(_PLAYING, col(GameRow.wake_at) <= now)
    with runtime.database.reading() as session:  # who finds nothing must not block writers
        if session.exec(waiting.limit(1)).first() is None:
            return []
    until = {number: literal(now + lease, UTCDateTime()) for number, lease in enumerate(LEASES)}
    leased = case(until, value=col(GameRow.claims), else_=until[len(LEASES) - 1])
    once_more = col(GameRow.claims) + 1
    with runtime.database.writing() as session:
        return database.claim(
            session, GameRow, col(GameRow.wake_at), _PLAYING, now, most, wake_at=leased, claims=once_more
        )


def play_for_absent(runtime: Runtime, game_id: int) -> int:
    """Plays for robots, absent players and players whose deadline is over, until a present player has to answer.

    Returns how many turns it played. If a player was not asked in time, or has vacation days left, it postpones the
    deadline instead. If they have left a slow game that is played live, it ends that.

    The robot thinks outside of any transaction; if somebody plays meanwhile, its choice is dropped.
    """
    played = 0
    after: TableGame | None = None
    waiting = cache(lambda: _games_waiting(runtime, runtime.now()))
    while True:
        now = runtime.now()
        look, after = _look(runtime, game_id, after, now), None
        # First of all: until that time is given back, it is not known whether the deadline is over.
        if look.is_owed is not None:
            lateness.give_back_shut_time(runtime, game_id, look.is_owed.game.hand, now)
            continue
        # Before anybody is played for: it may be a robot for them, more time, or the end of the game.
        if course.run_due(runtime, look.game, now):
            continue
        if look.game.table.rests:
            _end_pause(runtime, look.game, now)
            return played
        if look.hand is None:
            others = (_go_on, _end_pause)
            if not any(do(runtime, look.game, now) for do in others):
                return played
        elif not any(do(runtime, look, look.hand, now) for do in BEFORE_PLAYING_FOR_ABSENT):
            with suppress(taking.TurnOver):  # somebody else was faster
                run = run_of(look.hand, waiting, now)
                after, turns = taking.take_turns(runtime, look.hand.id, run, LEASES[0], now)
                played += turns


@dataclass(frozen=True, slots=True)
class _Look:
    """The first hand of a game in which the service has something to do now, if there is one; and whether its
    deadline is over for players who were asked too late, or for one who has vacation days left. If a hand `is_owed`
    time in which no answer could come in, that comes first.
    """

    game: TableGame
    hand: TableGame | None = None
    has_unasked: bool = False
    is_excused: bool = False
    is_owed: TableGame | None = None


def _look(runtime: Runtime, game_id: int, played: TableGame | None, now: datetime) -> _Look:
    """Looks at the game as a turn has just left it (`played`), or loads it."""
    with runtime.database.reading() as session:
        game = played or store.load(session, game_id)
        owed = (one for one in game.open_hands() if lateness.given_back(session, runtime.settings, one))
        if (hand := next(owed, None)) is not None:
            return _Look(game, is_owed=hand)
        # At a missed deadline, once all answers are read that may have come before.
        due = (
            one
            for one in game.open_hands()
            if has_turn(one, now)
            and not (clocks.is_late(one, now) and way_in.may_have_answered(session, runtime.settings, one, now))
        )
        hand = next(due, None)
        if hand is None:
            return _Look(game)
        has_unasked = clocks.is_late(hand, now) and bool(lateness.unasked_players(session, hand, now))
        return _Look(game, hand, has_unasked, bool(excused(hand, now)))


def _wait_for_unasked(runtime: Runtime, look: _Look, hand: TableGame, now: datetime) -> bool:
    return look.has_unasked and lateness.postpone_for_unasked(runtime, hand.id, hand.game.hand, now)


def _take_spare_days(runtime: Runtime, look: _Look, hand: TableGame, now: datetime) -> bool:
    return look.is_excused and take_for_absent(runtime, hand.id, hand.game.hand, now)


def _end_live_play(runtime: Runtime, look: _Look, hand: TableGame, now: datetime) -> bool:
    if not presence.is_deserted(hand, now):
        return False
    with _open(runtime, hand, now) as game:
        if presence.is_deserted(game.stored, now):  # they may have come back meanwhile
            course.part(game)
    return True


def _put_to_rest(runtime: Runtime, look: _Look, hand: TableGame, now: datetime) -> bool:
    if not rest.is_due(hand, now):
        return False
    with _open(runtime, hand, now) as game:
        if rests := rest.is_due(game.stored, now):
            course.stop_clock(game, Stands.REST, rest.LASTS)
    return rests


BEFORE_PLAYING_FOR_ABSENT: Final = (
    # Who was never asked has missed nothing, and would spend a day on it.
    _wait_for_unasked,
    _take_spare_days,
    _end_live_play,
    # Last: as long as somebody has time left, they may still come.
    _put_to_rest,
)
"""The steps that may replace a turn of the service, in order. Each returns whether to look at the game anew."""


def _games_waiting(runtime: Runtime, now: datetime) -> int:
    """How many games, claimed or not, wait for a robot's turn; counts no further than the robot's level needs."""
    due_at, wake_at = col(GameRow.due_at), col(GameRow.wake_at)
    is_for_a_robot = or_(due_at.is_(None), due_at <= now, wake_at < due_at)
    found = select(GameRow.id).where(_PLAYING, wake_at <= now + LEASES[-1], is_for_a_robot)
    some = found.limit(max(thinking.QUEUES.values()) + 1).subquery()
    with runtime.database.reading() as session:
        return session.exec(select(func.count()).select_from(some)).one()


def _open(runtime: Runtime, stored: TableGame, now: datetime) -> AbstractContextManager[OpenGame]:
    """A transaction on the game, about the same hand, in which this worker goes on."""
    return changing.game(runtime, stored.id, now, stored.game.hand, wakes_for_games=False)


def _go_on(runtime: Runtime, loaded: TableGame, now: datetime) -> bool:
    """Sets a game going that stands still, such as one whose last turn a migration wrote. Returns whether it did."""
    if not clocks.is_stopped(loaded):
        return False
    with _open(runtime, loaded, now) as game:
        # Looked at again under the lock, since somebody may have played meanwhile.
        if was_stopped := game.stored.turns == loaded.turns and clocks.is_stopped(game.stored):
            clocks.forget(game.stored)
            course.go_on(game)
    return was_stopped


def _end_pause(runtime: Runtime, loaded: TableGame, now: datetime) -> bool:
    """Lets the clock go on if its pause has run out, or closes a game that has rested for as long. Returns whether it
    had.
    """
    if not _is_pause_over(loaded, now):
        return False
    with _open(runtime, loaded, now) as game:
        was_over = _is_pause_over(game.stored, now)
        if was_over and game.table.rests:
            course.close(game, about_tables.RESTED)
        elif was_over:
            course.start_clock(game)
    return was_over


def _is_pause_over(stored: TableGame, now: datetime) -> bool:
    pause = stored.table.pause
    return pause is not None and pause.until is not None and pause.until <= now
