"""The path of a turn, and there is only one, whoever plays: a player, a robot, or the clock.

Load the game, ask `hearts`, append the record, let happen what needs no human, write the mails owed, commit, wake a
worker. Sweeping for what is due is here too, because it is the same clock.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import case, literal, or_, text
from sqlmodel import Session, col, func, select
from sqlmodel.sql.sqltypes import UTCDateTime

from hearts.claim import claim, played_out
from hearts.deal import deal, dealer_after
from hearts.game import Game, Stage, legal
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from webapp import seat_transfer
from webapp.core import claims
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkExpired
from webapp.games import store
from webapp.games.clock import arrival_time, deadline, is_live
from webapp.games.due import Decision, Due, answer_to, due_of
from webapp.games.pace import extend_deadline, is_asked_live, is_first_question, pace_of, set_deadline, set_wake
from webapp.games.presence import lock_players, note_seen, quiet_of, was_present_recently
from webapp.games.store import Record, Stored
from webapp.models import GameRow, GameState, PlayerRow, TableRow, TableState, TurnSource
from webapp.outbox import lateness, questions
from webapp.outbox.letters import OfferOver
from webapp.robots import thinking

# How long a swept game is left to the worker that was woken for it. That worker may be dead, so it is not long; but
# thousands of games may wait for a worker, so it grows from ring to ring, until it is as long as a ring lives.
LEASES = tuple(timedelta(seconds=seconds) for seconds in (5, 10, 20, 40, 60))
SWEEP_AT_MOST = 1000
MISSED_AT_MOST = 3  # deadlines in a row, after which the table no longer waits for a player
BY_PLAYER = (TurnSource.LINK, TurnSource.PAGE, TurnSource.REPLY)
_PLAYING = text("state = 'playing'")  # as a literal, as in the index


@dataclass
class TurnOver(Exception):
    """The seat is not asked for this (any more). `answer` is what it played when it was; None if it never was."""

    answer: Record | None


def start_game(session: Session, runtime: Runtime, table: TableRow, now: datetime) -> GameRow:
    """The table's next game, dealt. The caller commits, and then rings with `ring`."""
    earlier = session.exec(select(GameRow).where(GameRow.table_id == table.id)).all()
    row = GameRow(table_id=table.id, number=len(earlier) + 1, state=GameState.PLAYING, started_at=now)
    session.add(row)
    session.flush()
    stored = store.load(session, row.id)
    lock_players(session, stored.seats)
    _go_on(session, runtime, stored, stored, now)
    return row


def take_turn(
    runtime: Runtime,
    game_id: int,
    due: Due,
    turn: Decision,
    way: TurnSource,
    now: datetime,
    choice: Mapping[str, Any] | None = None,
    player_id: int | None = None,
    links: int | None = None,
) -> Stored:
    """The game after `turn`, which answers `due`, and after all that follows from it; `choice` is a robot's grounds.

    `player_id` is who plays, where a player does herself, and `links` the number that her link carries.

    Raises TurnOver where the seat is not asked for `due` (somebody was faster), IllegalTurn where the rules refuse,
    LookupError where there is no such game, or that player has lost the chair, and LinkExpired where the player has
    ended the link. Nothing has then changed.
    """
    seat = turn.seat
    with runtime.database.writing() as session:
        before = store.load(session, game_id, lock=True)
        if player_id is not None and before.seats[seat].player_id != player_id:
            raise LookupError(f"seat {seat} of game {game_id} is somebody else's")
        if links is not None and before.seats[seat].links != links:
            raise LinkExpired
        if due_of(before.game, seat) != due or not _may_play(before, seat, way, now):
            raise TurnOver(answer_to(before.records, seat, due))
        lock_players(session, before.seats)
        after = store.append(session, before, Record(turn, way, choice), now)
        _note_presence(session, after, seat, way, now, was_live=is_asked_live(before))
        if way is TurnSource.TIMEOUT:
            questions.queue_played_for_you(session, runtime, after, seat, due, now)
        after = _go_on(session, runtime, before, after, now)
    ring(runtime, after.row, now)
    return after


def preferences_changed(
    session: Session, runtime: Runtime, game: GameRow, seat: Seat, *, was_away: bool, now: datetime
) -> None:
    """What follows in a running game after its player of `seat` went away, came back, or wants other mails.

    Whoever is back and awaited, or has just got the chair, has her whole time, and is asked by mail. The caller has
    locked the game and changed the seat; it commits, and then rings with `ring`.
    """
    session.flush()
    stored = store.load(session, game.id, lock=True)
    lock_players(session, stored.seats)
    awaited = [seat] if seat in stored.game.to_act and seat not in stored.played_by_robot else []
    if was_away and (fresh := _deadline(session, stored, awaited, now)):
        extend_deadline(stored.row, fresh, now)
    set_wake(stored, now)
    if awaited:
        questions.queue_question(session, runtime, stored, stored.seats[seat], now)


def clock_changed(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """What follows in a running game after its table has got another pace, or its clock was paused, or goes on.

    Whoever is asked has the longer of the time that she had and a fresh one; nobody is asked twice for the same. The
    caller has locked the game and its players; it commits, and then rings with `ring`.
    """
    fresh = _deadline(session, stored, stored.game.to_act, now)
    if fresh is None:
        set_deadline(stored.row, None, now)
    else:
        extend_deadline(stored.row, fresh, now)
    set_wake(stored, now)
    for seat in stored.game.to_act:
        if seat not in stored.played_by_robot:
            questions.queue_question(session, runtime, stored, stored.seats[seat], now)


def play_for_absent(runtime: Runtime, game_id: int) -> int:
    """Plays for every robot that is awaited, for everybody who is away, and for every player whose deadline is over.

    Returns how many turns it played. Where somebody has not been asked in time, the deadline moves instead.

    The robot thinks outside of any transaction; if somebody is faster meanwhile, its choice is dropped.
    """
    played = 0
    while True:
        now = runtime.now()
        with runtime.database.reading() as session:
            stored = store.load(session, game_id)
            unasked = lateness.unasked_players(session, stored, now) if _is_late(stored, now) else []
        if unasked and lateness.give_time(runtime, game_id, now):
            continue
        seat = _first_absent(stored, now)
        if seat is None:
            return played
        due = due_of(stored.game, seat)
        assert due is not None
        way = _way_for(stored, seat)
        level = stored.table.robots if way is TurnSource.ROBOT else thinking.strongest(_waiting(runtime, now))
        thought = thinking.think(stored.game, seat, level)
        try:
            take_turn(runtime, game_id, due, thought.turn, way, now, thought.grounds)
            played += 1
        except TurnOver:
            continue


def claim_due(runtime: Runtime, now: datetime) -> list[int]:
    """The games that need the service now, each given to one caller only for a lease, which is longer each time."""
    waiting = select(GameRow.id).where(_PLAYING, col(GameRow.wake_at) <= now)
    with runtime.database.reading() as session:  # most sweeps find nothing, and must keep nobody from writing
        if session.exec(waiting.limit(1)).first() is None:
            return []
    until = {rings: literal(now + lease, UTCDateTime()) for rings, lease in enumerate(LEASES)}
    leased = case(until, value=col(GameRow.rings), else_=until[len(LEASES) - 1])
    once_more = col(GameRow.rings) + 1
    with runtime.database.writing() as session:
        return claims.claim(
            session, GameRow, col(GameRow.wake_at), _PLAYING, now, SWEEP_AT_MOST, wake_at=leased, rings=once_more
        )


def ring(runtime: Runtime, row: GameRow, now: datetime) -> None:
    """After the commit: wakes a worker for the mails, and one for the robots if it is their turn."""
    runtime.bell.deliver()
    if row.wake_at is not None and row.wake_at <= now:
        runtime.bell.play_for_absent(row.id)


def _waiting(runtime: Runtime, now: datetime) -> int:
    """How many games wait for somebody to be played for, claimed or not; counted as far as it matters."""
    is_late = or_(col(GameRow.due_at).is_(None), col(GameRow.due_at) <= now)
    late = select(GameRow.id).where(_PLAYING, col(GameRow.wake_at) <= now + LEASES[-1], is_late)
    some = late.limit(max(thinking.QUEUES.values()) + 1).subquery()
    with runtime.database.reading() as session:
        return session.exec(select(func.count()).select_from(some)).one()


def _go_on(session: Session, runtime: Runtime, before: Stored, after: Stored, now: datetime) -> Stored:
    """Everything that needs no human, up to the next question; then the clock and the mails."""
    while records := _records_without_choice(after, runtime.chance):
        if after.game.stage is Stage.DEAL and after.game.scores:
            _between_hands(session, runtime, after, now)
        for record in records:
            after = store.append(session, after, record, now)
    if after.game.stage is Stage.OVER:
        questions.queue_score_sheets(session, runtime, after, now)
    _set_clock(session, runtime, before.game, after, now)
    questions.queue_what_follows(session, runtime, before.game, after, now)
    return after


def _between_hands(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """A hand is scored, and the next not dealt yet: the one moment at which seats pass to other players."""
    questions.queue_score_sheets(session, runtime, stored, now)
    seat_transfer.seat_newcomers(session, runtime, stored, now)


def _records_without_choice(stored: Stored, chance: Random) -> list[Record]:
    """What comes next without anybody: a deal, the only legal card, or a whole rest that one seat cannot but win."""
    game = stored.game
    if game.stage is Stage.DEAL:
        dealer = dealer_after(game.scores[-1].dealer, game.rules) if game.scores else None
        dealer = Seat(chance.randrange(game.rules.players)) if dealer is None else dealer
        return [Record(deal(game.rules, dealer, chance), TurnSource.FORCED)]
    if game.stage is not Stage.PLAY:
        return []
    (seat,) = game.to_act
    cards = set(legal(game, seat))
    if len(cards) == 1:
        return [Record(Play(seat, cards.pop()), TurnSource.FORCED)]
    rest = claim(view(game, seat))
    return [Record(turn, TurnSource.CLAIM) for turn in played_out(game, rest)] if rest and rest.any_order else []


def _note_presence(
    session: Session, stored: Stored, seat: Seat, way: TurnSource, now: datetime, *, was_live: bool
) -> None:
    """Whoever plays is back, and was seen; whoever misses one deadline after the other is waited for no longer.

    Nor is whoever misses one in live play and is not there.
    """
    row = stored.seats[seat]
    if way in BY_PLAYER:
        row.away, row.missed = False, 0
        if row.player_id is not None:
            note_seen(session, row.player_id, now)
    elif way is TurnSource.TIMEOUT:
        row.missed += 1
        # With nobody there who would have to wait, there is no hurry: else the game would be over before she is back.
        others_wait = len(stored.played_by_robot | {seat}) < len(stored.seats)
        has_left = was_live and not was_present_recently(row, now)  # for whom people who are there would wait
        row.away = row.away or (others_wait and (has_left or row.missed >= MISSED_AT_MOST))


def _set_clock(session: Session, runtime: Runtime, before: Game, after: Stored, now: datetime) -> None:
    row, game = after.row, after.game
    if game.stage is Stage.OVER:
        end_game(session, runtime, after, OfferOver.GAME_OVER, now)
        return
    if _question(game) != _question(before):
        set_deadline(row, _deadline(session, after, game.to_act, now), now)
    set_wake(after, now)


def end_game(session: Session, runtime: Runtime, stored: Stored, why: OfferOver, now: datetime) -> None:
    """Nobody is asked anything more, and what held for this game only is over with it; whoever was to join is told why.

    The caller has locked it, and its players.
    """
    row, table = stored.row, stored.table
    row.state, row.ended_at, row.due_at, row.wake_at = GameState.OVER, now, None, None
    table.state, table.paused_at = TableState.OVER, None
    for seat in stored.seats:
        seat_transfer.withdraw(session, runtime, seat, why, now)


def _deadline(session: Session, stored: Stored, asked: Collection[Seat], now: datetime) -> datetime | None:
    """Until when those may play who are asked now, the latest of theirs; None where the table waits for none of them.

    Each has the pace of the table, and her night; in live play, time to come where she is not there. While the clock is
    paused, all have as long as they like.
    """
    if stored.table.paused_at is not None:
        return None
    waited_for = [seat for seat in asked if seat not in stored.played_by_robot]
    return max((_own_deadline(session, stored, seat, now) for seat in waited_for), default=None)


def _own_deadline(session: Session, stored: Stored, seat: Seat, now: datetime) -> datetime:
    row, pace = stored.seats[seat], pace_of(stored)
    if is_live(pace):
        is_first = is_first_question(stored, seat)
        return now + (pace if was_present_recently(row, now) else arrival_time(pace, is_first=is_first))
    player = session.get_one(PlayerRow, row.player_id)
    return deadline(now, pace, player.time_zone, quiet_of(player))


def _question(game: Game) -> tuple[object, ...]:
    """What the deadline is for: the whole table's passing, or one seat's decision."""
    return (game.hand, game.stage) if game.stage is Stage.PASS else (game.hand, game.stage, game.trick, game.to_act)


def _first_absent(stored: Stored, now: datetime) -> Seat | None:
    is_late = _is_late(stored, now)
    return next((seat for seat in stored.game.to_act if is_late or seat in stored.played_by_robot), None)


def _is_late(stored: Stored, now: datetime) -> bool:
    """Whether the deadline is over."""
    return stored.row.due_at is not None and stored.row.due_at <= now


def _may_play(stored: Stored, seat: Seat, way: TurnSource, now: datetime) -> bool:
    """Whether `way` is one by which the seat is played for at `now`.

    While a robot thought, she may have come back, her chair may be somebody else's, or the clock may have been paused.
    """
    if way is TurnSource.TIMEOUT:
        return seat not in stored.robots and _is_late(stored, now)
    return way not in (TurnSource.ORDER, TurnSource.ROBOT) or seat in stored.played_by_robot


def _way_for(stored: Stored, seat: Seat) -> TurnSource:
    """By what way the robot plays for a seat."""
    if seat in stored.robots:
        return TurnSource.ROBOT
    return TurnSource.ORDER if stored.seats[seat].away else TurnSource.TIMEOUT
