"""An evening together in the database: the vote on its hour, and who must be at the table while it lasts.

The players of a slow game agree on an hour. At that hour the game gets a live pace, once all of them are there, and
keeps it until one has been gone for some minutes. `evenings.agreeing` makes these changes, `play.course` sets clocks,
and `games.clock.together` says who is needed.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from hearts.seats import Seat
from webapp.evenings.hours import SOONEST, Waking
from webapp.games.clock.presence import plays_themselves, quiet_of
from webapp.games.clock.together import needed_players
from webapp.games.clock.vacation import days_off_at
from webapp.models import EveningRow, EveningState, PlayerRow, SeatRow, TableRow

LONGEST_VOTE = timedelta(days=2)
DOORS_OPEN = timedelta(minutes=30)  # how long before the hour a mailed link lets its player in
WAIT = timedelta(minutes=10)  # from the hour on, for those who have not come
LATEST_START = timedelta(hours=1)  # after the hour, if the service was down then
GONE_FOR = timedelta(minutes=3)  # a player who has been gone for longer ends the evening
LOOK_EVERY = timedelta(seconds=5)  # while players come, and while they play
SHOWN_FOR = timedelta(hours=12)  # how long pages say how an evening ended
RUNNING = (EveningState.OPEN, EveningState.AGREED, EveningState.LIVE)


def newest(session: Session, table_id: int) -> EveningRow | None:
    """The table's newest evening, over or not; None if it never had one."""
    found = select(EveningRow).where(EveningRow.table_id == table_id).order_by(col(EveningRow.id).desc()).limit(1)
    return session.exec(found.execution_options(populate_existing=True)).first()


def running(session: Session, table_id: int) -> EveningRow | None:
    """The table's evening that is voted on, agreed on or lived; None if there is none."""
    evening = newest(session, table_id)
    return evening if evening and evening.state in RUNNING else None


def votes_since(session: Session, table_id: int, since: datetime) -> int:
    """How many evenings have been proposed at the table since then."""
    found = select(func.count()).select_from(EveningRow).where(EveningRow.table_id == table_id)
    return session.exec(found.where(col(EveningRow.created_at) > since)).one()


def due(session: Session, now: datetime, most: int | None = None) -> Sequence[EveningRow]:
    """The evenings at which the service must look now, up to `most`, the longest due first."""
    found = select(EveningRow).where(col(EveningRow.due_at) <= now).order_by(col(EveningRow.due_at))
    return session.exec(found.limit(most)).all()


def hours_of(evening: EveningRow) -> list[datetime]:
    """The hours on offer."""
    return [datetime.fromisoformat(hour) for hour in evening.hours]


def hours_suiting(evening: EveningRow, player_id: int) -> frozenset[datetime] | None:
    """The hours that suit the player; None if they have not answered."""
    kept = evening.votes.get(str(player_id))
    return None if kept is None else frozenset(map(datetime.fromisoformat, kept))


def keep_vote(evening: EveningRow, player_id: int, suiting: Collection[datetime]) -> None:
    """Notes which of the hours on offer suit the player, in place of what they said before."""
    kept = [hour.isoformat() for hour in hours_of(evening) if hour in suiting]
    evening.votes = {**evening.votes, str(player_id): kept}


def vote_ends_at(hours: Sequence[datetime], now: datetime) -> datetime:
    """When a vote that begins at `now` ends: before the last of its hours."""
    return min(now + LONGEST_VOTE, hours[-1] - SOONEST)


def next_look(evening: EveningRow, now: datetime) -> datetime:
    """When the service next looks at a vote: while the next of its hours can still be agreed on, and at its end."""
    closing = (hour - SOONEST for hour in hours_of(evening))
    return min(next((at for at in closing if at > now), evening.closes_at), evening.closes_at)


def common_hour(evening: EveningRow, seats: Iterable[SeatRow], now: datetime) -> datetime | None:
    """The first hour that suits all players who are needed and is not too soon; None if there is none."""
    suiting = [hours_suiting(evening, player_id) or frozenset() for player_id in needed_players(seats)]
    ahead = (hour for hour in hours_of(evening) if hour >= now + SOONEST)
    return next((hour for hour in ahead if suiting and all(hour in one for one in suiting)), None)


def gone_for_long(seats: Iterable[SeatRow], now: datetime) -> list[Seat]:
    """The needed players who have not looked at the game for `GONE_FOR`."""
    needed = filter(plays_themselves, seats)
    return [Seat(seat.seat) for seat in needed if seat.here_at is None or now - seat.here_at > GONE_FOR]


def is_door_open(evening: EveningRow | None, now: datetime) -> bool:
    """Whether a mailed link lets its player in to play: around the hour, and while the evening lasts."""
    if evening is None or evening.begins_at is None:
        return False
    is_time = evening.state is EveningState.AGREED and now >= evening.begins_at - DOORS_OPEN
    return is_time or evening.state is EveningState.LIVE


def waking_of(seat: SeatRow, player: PlayerRow) -> Waking:
    """When the player of the seat can play."""
    return Waking(player.time_zone, quiet_of(player), days_off_at(seat, player))


def set_state(
    table: TableRow, evening: EveningRow, state: EveningState, due_at: datetime | None, now: datetime
) -> None:
    """Moves the evening on, or ends it: then `due_at` is None."""
    evening.state, evening.due_at, evening.changed_at = state, due_at, now
    note_change(table)


def note_change(table: TableRow) -> None:
    """Lets the pages that follow the table show what has changed."""
    table.evening_changes += 1
