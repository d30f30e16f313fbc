"""Takes a vacation day for a player who has missed a deadline, instead of having a robot play for them."""

from datetime import datetime

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.asked.whose_turn import asked_of, awaited
from webapp.games.clock import deadlines, vacation
from webapp.games.record import changing
from webapp.games.record.store import TableGame
from webapp.models import Why
from webapp.outbox import questions


def excused(stored: TableGame, now: datetime) -> list[Seat]:
    """The seats whose deadline in this hand is over, and for whose players a vacation day is taken, or was for another
    of the hands that are played side by side.
    """
    if stored.clock.due_at is None or stored.clock.due_at > now or not vacation.has_vacation(stored.table):
        return []
    return [seat for seat in awaited(stored) if _is_excused(stored, seat, now)]


def take_for_absent(runtime: Runtime, game_id: int, hand: int, now: datetime) -> bool:
    """Moves a hand's deadline that is over by a day, clear of nights and days off, for the players for whom a vacation
    day is taken; the next mail tells them. Returns whether it did: somebody may have played meanwhile.
    """
    with changing.game(runtime, game_id, now, hand, wakes_for_games=False) as game:
        session, stored = game.session, game.stored
        seats = excused(stored, now)
        for seat in seats:
            at = _since(stored, seat, now) or now
            deadlines.keep(stored, deadlines.granted(stored, seat, at, vacation.DAY, Why.SPARE))
        if seats:
            deadlines.settle(session, stored, now)
        for seat in awaited(stored) if seats else ():
            questions.queue_question(session, stored, stored.seats[seat], now)
        for seat in seats:
            _excuse(stored, seat, now)
    return bool(seats)


def _is_excused(stored: TableGame, seat: Seat, now: datetime) -> bool:
    row, due = stored.seats[seat], asked_of(stored, seat)
    if due is None or vacation.was_taken_for(row, due):
        return False
    return _since(stored, seat, now) is not None or vacation.may_take_one(stored.table, row, due)


def _since(stored: TableGame, seat: Seat, now: datetime) -> datetime | None:
    """Since when the day runs that was taken for the player in another hand; None if none was, or it is over."""
    others = [one for one in stored.open_hands() if one.game.hand != stored.game.hand]
    running = [one.clock for one in others if _is_spared(one, seat) and one.clock.due_at and one.clock.due_at > now]
    player_id = stored.seats[seat].player_id
    days = (one for clock in running for one in clock.grants if (one.seat, one.player) == (seat, player_id))
    return max((one.at for one in days if one.why is Why.SPARE), default=None)


def _is_spared(stored: TableGame, seat: Seat) -> bool:
    """Whether a day was taken for the player's question in that hand."""
    due = asked_of(stored, seat)
    return due is not None and vacation.was_taken_for(stored.seats[seat], due)


def _excuse(stored: TableGame, seat: Seat, now: datetime) -> None:
    """Takes a day for the player, unless one is running that was taken in another hand."""
    row, due = stored.seats[seat], asked_of(stored, seat)
    assert due is not None
    if _since(stored, seat, now) is not None:
        vacation.extend_to(row, due)
        return
    vacation.take_one(row, due, now)
