"""An evening together: the players of a slow game agree on an hour, and at that hour the game goes live.

One player proposes hours, everybody says which suit them, and the first hour that suits all who are needed is agreed on
at once. At the hour the game goes live as soon as all of them are there, and is slow again once one has been gone for
some minutes, or says that it is enough. `evenings.meeting` says who is needed; `run_due` does what the clock asks for.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, update

from webapp.core.batches import TRIED_AGAIN_AFTER, one_by_one
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import EveningLink, PlayLink, SeatLink
from webapp.evenings import meeting, news
from webapp.evenings.hours import MOST_HOURS, Waking, suggested_hours
from webapp.games.clock import together
from webapp.games.clock.presence import acting, plays_themselves
from webapp.games.record import changing
from webapp.games.record.changing import OpenGame
from webapp.games.record.live import is_live, plays_live
from webapp.games.record.rows import table_seats
from webapp.games.record.store import TableGame
from webapp.models import EveningRow, EveningState, PlayerRow, SeatRow, TableRow
from webapp.play import course

AnyLink = EveningLink | PlayLink | SeatLink
GONE = "That vote is over. This is how things stand now."
MOST_VOTES = 3  # of a table within a day: each is a mail to everybody
A_DAY = timedelta(days=1)


def may_propose(table: TableRow, seats: Sequence[SeatRow], seat: SeatRow) -> bool:
    """Whether the player of the seat may propose an evening, while a game is played and none is on its way."""
    return not plays_live(table) and plays_themselves(seat) and together.has_enough_players(seats)


def hours_for(session: Session, seats: Sequence[SeatRow], seat: SeatRow, now: datetime) -> list[datetime]:
    """The hours that are suggested to the player of `seat`, in UTC: good for everybody who is needed."""
    waking = {one.seat: _waking(session, one) for one in seats if plays_themselves(one)}
    proposer = waking.pop(seat.seat, None)
    return suggested_hours(now, proposer, list(waking.values())) if proposer else []


def propose(runtime: Runtime, link: AnyLink, hours: Collection[datetime], pace: timedelta, now: datetime) -> None:
    """The player of the link proposes `hours`, all of which suit them, and a live `pace`; the others are asked by mail.

    Raises Refused if no evening can be proposed now, SeatLost or LinkExpired.
    """
    with acting(runtime, link, now) as (game, seat):
        session, stored = game.session, game.stored
        _check_proposal(session, stored, seat, now)
        if not 1 <= len(hours) <= MOST_HOURS or not is_live(pace):
            raise Refused(f"Choose from one to {MOST_HOURS} hours.")
        row = _new_vote(stored, seat, sorted(hours), pace, now)
        session.add(row)
        session.flush()
        meeting.note_change(stored.table)
        news.queue_question(session, runtime, stored, row, now)


def vote(runtime: Runtime, link: AnyLink, evening_id: int, suiting: Collection[datetime], now: datetime) -> None:
    """Notes which hours suit the player of the link. The first hour that suits everybody is agreed on at once.

    Raises Refused if that vote is over, SeatLost or LinkExpired.
    """
    with acting(runtime, link, now) as (game, _):
        row = _running(game.session, link, evening_id)
        if row.state is not EveningState.OPEN:
            raise Refused(GONE)
        meeting.keep_vote(row, link.player_id, suiting)
        meeting.note_change(game.table)
        if hour := meeting.common_hour(row, game.seats, now):
            _agree(game, row, hour)


def cancel(runtime: Runtime, link: AnyLink, evening_id: int, now: datetime) -> None:
    """Calls off an evening that has not begun: any of its players may, and while it is voted on, its proposer.

    Raises Refused if they may not, or it has begun or is over, SeatLost or LinkExpired.
    """
    with acting(runtime, link, now) as (game, seat):
        row = _running(game.session, link, evening_id)
        if row.state is EveningState.LIVE or not may_cancel(row, link.player_id):
            raise Refused(GONE)
        row.cancelled_by = seat.name
        news.call_off(game, row, EveningState.CANCELLED)


def may_cancel(row: EveningRow, player_id: int) -> bool:
    """Whether the player may call off the evening, as long as it has not begun."""
    return row.proposed_by == player_id or (row.state is EveningState.AGREED and bool(row.votes.get(str(player_id))))


def run_due(runtime: Runtime, now: datetime) -> int:
    """Does what is due for the evenings of all tables. Returns how many it has looked at.

    Any number of workers may do so at once: each evening is looked at under the lock of its table.
    """
    with runtime.database.reading() as session:
        found = {row.id: (row.table_id, row.due_at) for row in meeting.due(session, now)}

    def look(evening_id: int) -> None:
        table_id, due_at = found[evening_id]
        if due_at is not None and not _look_again(runtime, evening_id, table_id, due_at, now):
            _move_on(runtime, table_id, now)

    one_by_one("evening", found, look, lambda evening_id: _put_off(runtime, evening_id, now))
    return len(found)


def _put_off(runtime: Runtime, evening_id: int, now: datetime) -> None:
    with runtime.database.writing() as session:
        session.get_one(EveningRow, evening_id).due_at = now + TRIED_AGAIN_AFTER


def _look_again(runtime: Runtime, evening_id: int, table_id: int, due_at: datetime, now: datetime) -> bool:
    """Puts off an evening that goes on as it does, without loading its game. Returns whether it does."""
    with runtime.database.reading() as session:
        row, seats = meeting.running(session, table_id), table_seats(session, table_id)
        if row is None or row.id != evening_id or not _goes_on(row, seats, now):
            return False
    same = (col(EveningRow.id) == evening_id, col(EveningRow.due_at) == due_at)
    with runtime.database.writing() as session:
        session.exec(update(EveningRow).where(*same).values(due_at=now + meeting.LOOK_EVERY))
    return True


def _goes_on(row: EveningRow, seats: Sequence[SeatRow], now: datetime) -> bool:
    """Whether the players of an evening are still coming, or all still there."""
    if not together.has_enough_players(seats):
        return False
    if row.state is EveningState.LIVE:
        return not meeting.gone_for_long(seats, now)
    is_waiting = row.waits_until is not None and now < row.waits_until
    return row.state is EveningState.AGREED and is_waiting and bool(together.not_there(seats, now))


def _move_on(runtime: Runtime, table_id: int, now: datetime) -> None:
    """Does what is due for the evening of a table, unless another worker has."""
    with changing.games(runtime, now) as transaction:
        game = transaction.running(table_id)
        row = meeting.running(transaction.session, table_id)
        if game is None or row is None or row.due_at is None or row.due_at > now:  # the end of a game ends its evening
            return
        match row.state:
            case EveningState.OPEN:
                _see_votes(game, row)
            case EveningState.AGREED:
                _begin(game, row)
            case _:
                _see_who_is_there(game, row)


def _see_votes(game: OpenGame, row: EveningRow) -> None:
    """Ends a vote, or lets it go on.

    Players who have gone away since the last answer are not needed any more, so that there may be a common hour now.
    """
    seats, now = game.seats, game.now
    if together.has_enough_players(seats) and (hour := meeting.common_hour(row, seats, now)):
        _agree(game, row, hour)
    elif now < row.closes_at:
        row.due_at = meeting.next_look(row, now)
    else:
        news.call_off(game, row, EveningState.NONE)


def _agree(game: OpenGame, row: EveningRow, hour: datetime) -> None:
    row.begins_at = hour
    meeting.set_state(game.table, row, EveningState.AGREED, hour, game.now)
    news.queue_hour(game.session, game.runtime, game.stored, row, game.now)


def _begin(game: OpenGame, row: EveningRow) -> None:
    """At the agreed hour, goes live once all are there, and gives up if not all come.

    A service that was down at the hour lets the wait begin when it is back, if that is soon enough.
    """
    assert row.begins_at is not None
    seats, now = game.seats, game.now
    if row.waits_until is None:
        is_too_late = now > row.begins_at + meeting.LATEST_START
        row.waits_until = now if is_too_late else now + meeting.WAIT
        meeting.note_change(game.table)
    has_come = together.has_enough_players(seats) and not together.not_there(seats, now)
    if has_come and now <= row.begins_at + meeting.LATEST_START:
        meeting.set_state(game.table, row, EveningState.LIVE, now + meeting.LOOK_EVERY, now)
        course.come_together(game, timedelta(seconds=row.pace_seconds))
    elif now >= row.waits_until or not together.has_enough_players(seats):
        meeting.set_state(game.table, row, EveningState.MISSED, None, now)
    else:
        row.due_at = now + meeting.LOOK_EVERY


def _see_who_is_there(game: OpenGame, row: EveningRow) -> None:
    """Ends a live evening that a player has left."""
    if _goes_on(row, game.seats, game.now):
        row.due_at = game.now + meeting.LOOK_EVERY
    else:
        course.part(game)


def _check_proposal(session: Session, stored: TableGame, seat: SeatRow, now: datetime) -> None:
    """Raises Refused unless the player of the seat may propose an evening now."""
    if meeting.running(session, stored.table.id) is not None:
        raise Refused("Somebody was faster: an evening is proposed already.")
    if not may_propose(stored.table, stored.seats, seat):
        raise Refused("An evening takes a slow game, and at least two players who are not away.")
    if meeting.votes_since(session, stored.table.id, now - A_DAY) >= MOST_VOTES:
        raise Refused("There have been three proposals at this table within a day. Wait a little with the next.")


def _new_vote(
    stored: TableGame, seat: SeatRow, hours: Sequence[datetime], pace: timedelta, now: datetime
) -> EveningRow:
    """A vote on `hours`, which are in order, with that of the proposer, who has `seat`."""
    assert seat.player_id is not None
    closes_at = meeting.vote_ends_at(hours, now)
    row = EveningRow(
        table_id=stored.table.id,
        game_id=stored.id,
        proposed_by=seat.player_id,
        name=seat.name,
        pace_seconds=int(pace.total_seconds()),
        hours=[hour.isoformat() for hour in hours],
        votes={},
        due_at=closes_at,
        closes_at=closes_at,
        created_at=now,
        changed_at=now,
    )
    row.due_at = meeting.next_look(row, now)
    meeting.keep_vote(row, seat.player_id, hours)
    return row


def _running(session: Session, link: AnyLink, evening_id: int) -> EveningRow:
    """The table's evening of that number. Raises Refused if it is over, or not its own."""
    row = meeting.running(session, link.table_id)
    if row is None or row.id != evening_id:
        raise Refused(GONE)
    return row


def _waking(session: Session, seat: SeatRow) -> Waking:
    return meeting.waking_of(seat, session.get_one(PlayerRow, seat.player_id))
