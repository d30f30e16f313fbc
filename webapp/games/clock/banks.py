"""Each player's bank of time, at a table with banks: it runs as a chess clock does.

A player's time runs while the table waits for them; of hands side by side, however many wait, it counts once. It stands
still on their days off, while they are away, while the clock is paused, and in live play of a slow game. A decision
that the table waited for adds the increment. A card that we played for them, or that they chose ahead, adds nothing, so
that nobody can tell the two apart by the bank. A missed deadline leaves the least that a player has for a question.

The row of the seat keeps what was `left` at the time `since`; None in place of the latter, while it stands still.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from hearts.seats import Seat
from hearts.turns import Deal
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.hours import Bank, time_passed
from webapp.games.clock.pace import bank_of
from webapp.games.clock.vacation import days_off_at
from webapp.games.record.records import BY_PLAYER, Record
from webapp.games.record.store import TableGame
from webapp.models import BankLeft, PlayerRow, SeatRow, TableRow, TurnSource


def settle(session: Session, before: TableGame, after: TableGame, now: datetime) -> set[Seat]:
    """Brings the banks up to date, after turns or after a change of whom the table waits for.

    Returns the seats that have more time because they have decided. Does nothing at a table without banks.
    """
    bank = bank_of(after.table)
    if not bank:
        return set()
    new = after.records[before.turns :]
    decided, missed, waited_for = _played(new, BY_PLAYER), _played(new, (TurnSource.TIMEOUT,)), _waited_for(after)
    for row in after.seats:
        seat = Seat(row.seat)
        is_settled = seat not in decided | missed and _is_running(row) == (seat in waited_for)
        if row.player_id is not None and not is_settled:
            left = _left_after(session, bank, after, row, now, has_decided=seat in decided)
            row.bank = BankLeft(bank.least if seat in missed else left, now if seat in waited_for else None)
    return decided


def left_at(table: TableRow, seat: SeatRow, player: PlayerRow, at: datetime) -> timedelta:
    """Returns the time left at `at` in the bank of `player`, who has the seat, unless they decide before."""
    kept = seat.bank or BankLeft(bank_of(table).start)
    passed = time_passed(kept.since, at, player.time_zone, days_off_at(seat, player)) if kept.since else timedelta()
    return max(timedelta(), kept.left - passed)


def runs_from(seat: SeatRow, asked_at: datetime) -> datetime:
    """Since when a question asked at `asked_at` costs the player time: not before they last decided."""
    since = _since(seat)
    return max(asked_at, since) if since else asked_at


def give_back(seats: Iterable[SeatRow], time: timedelta, now: datetime) -> None:
    """Gives so much time back to the players of these seats, whose question went out late; no more than has run."""
    for seat in seats:
        if since := _since(seat):
            _run_from(seat, min(now, since + time))


def stand_still(session: Session, stored: TableGame, now: datetime) -> None:
    """Stops all time that runs, until the table's banks are settled again: players go on live."""
    for row in stored.seats:
        stop(session, stored.table, row, now)


def begin_anew(seats: Iterable[SeatRow]) -> None:
    """Gives everybody what they begin with, as soon as the table waits for them."""
    for seat in seats:
        seat.bank = None


def restart(seats: Iterable[SeatRow], now: datetime) -> None:
    """Lets the time that runs run from `now`: the service was down, and nobody could answer."""
    for seat in seats:
        if _is_running(seat):
            _run_from(seat, now)


def stop(session: Session, table: TableRow, seat: SeatRow, now: datetime) -> BankLeft | None:
    """Stops the time of the seat, if it runs. Returns what its row then keeps."""
    if seat.player_id is not None and _is_running(seat):
        seat.bank = BankLeft(left_at(table, seat, session.get_one(PlayerRow, seat.player_id), now))
    return seat.bank


def _played(records: Iterable[Record], sources: Collection[TurnSource]) -> set[Seat]:
    """The seats of the turns that came about in one of these ways."""
    return {one.turn.seat for one in records if not isinstance(one.turn, Deal) and one.source in sources}


def _waited_for(stored: TableGame) -> set[Seat]:
    """The seats whose time runs."""
    if stored.table.paused_at is not None:
        return set()
    return {seat for hand in stored.open_hands() for seat in awaited(hand)}


def _left_after(
    session: Session, bank: Bank, stored: TableGame, row: SeatRow, now: datetime, *, has_decided: bool
) -> timedelta:
    left = left_at(stored.table, row, session.get_one(PlayerRow, row.player_id), now)
    return bank.after_decision(left) if has_decided else left


def _is_running(seat: SeatRow) -> bool:
    return _since(seat) is not None


def _run_from(seat: SeatRow, since: datetime) -> None:
    assert seat.bank is not None
    seat.bank = replace(seat.bank, since=since)


def _since(seat: SeatRow) -> datetime | None:
    return seat.bank.since if seat.bank else None
