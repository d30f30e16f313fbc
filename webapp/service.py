"""The path of a turn, and there is only one, whoever plays: a player, a robot, or the clock.

Load the game, ask `hearts`, append the record, let happen what needs no human, write the mails owed, commit, wake a
worker. Sweeping for what is due is here too, because it is the same clock.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import text
from sqlmodel import Session, col, func, select, update

from hearts.deal import deal, dealer_after
from hearts.game import Game, Stage, legal
from hearts.seats import Seat
from hearts.turns import Play, Turn
from webapp import letters, store, thinking
from webapp.due import Decision, Due, answer_to, due_of
from webapp.models import GameRow, GameState, TableRow, TableState, Way
from webapp.parts import Parts
from webapp.store import Record, Stored

LEASE = timedelta(minutes=2)  # how long a swept game is left to the worker that was woken for it
SWEEP_AT_MOST = 1000
_PLAYING = text("state = 'playing'")  # as a literal, as in the index


@dataclass
class TurnOver(Exception):
    """The seat is not asked for this (any more). `answer` is what it played when it was; None if it never was."""

    answer: Record | None


def start_game(session: Session, parts: Parts, table: TableRow, now: datetime) -> GameRow:
    """The table's next game, dealt. The caller commits, and then rings with `ring`."""
    assert table.id is not None
    earlier = session.exec(select(GameRow).where(GameRow.table_id == table.id)).all()
    row = GameRow(table_id=table.id, number=len(earlier) + 1, state=GameState.PLAYING, started_at=now)
    session.add(row)
    session.flush()
    assert row.id is not None
    _go_on(session, parts, store.load(session, row.id), store.load(session, row.id), now)
    return row


def take_turn(
    parts: Parts,
    game_id: int,
    due: Due,
    turn: Decision,
    way: Way,
    now: datetime,
    choice: Mapping[str, Any] | None = None,
) -> Stored:
    """The game after `turn`, which answers `due`, and after all that follows from it; `choice` is a robot's grounds.

    Raises TurnOver where the seat is not asked for `due` (somebody was faster), IllegalTurn where the rules refuse, and
    LookupError where there is no such game. Nothing has then changed.
    """
    seat = turn.seat
    with parts.database.writing() as session:
        before = store.load(session, game_id, lock=True)
        if due_of(before.game, seat) != due:
            raise TurnOver(answer_to(before.records, seat, due))
        after = store.append(session, before, Record(turn, way, choice), now)
        if way is Way.TIMEOUT:
            letters.owe_played_for_you(session, parts, after, seat, due, now)
        after = _go_on(session, parts, before, after, now)
    ring(parts, after.row, now)
    return after


def play_for_absent(parts: Parts, game_id: int) -> int:
    """Plays for every robot that is awaited, and for every player whose deadline is over. Returns how many turns.

    The robot thinks outside of any transaction; if somebody is faster meanwhile, its choice is dropped.
    """
    played = 0
    while True:
        now = parts.now()
        with parts.database.reading() as session:
            stored = store.load(session, game_id)
        seat = _first_absent(stored, now)
        if seat is None:
            return played
        due = due_of(stored.game, seat)
        assert due is not None
        way = Way.ROBOT if seat in stored.robots else Way.TIMEOUT
        level = stored.table.robots if way is Way.ROBOT else thinking.strongest(_waiting(parts, now))
        thought = thinking.think(stored.game, seat, level)
        try:
            take_turn(parts, game_id, due, thought.turn, way, now, thought.grounds)
            played += 1
        except TurnOver:
            continue


def claim_due(parts: Parts, now: datetime) -> list[int]:
    """The games that need the service now, each given to one caller only for the length of a lease."""
    due = (
        select(GameRow.id)
        .where(_PLAYING, col(GameRow.wake_at) <= now)
        .order_by(col(GameRow.wake_at))
        .limit(SWEEP_AT_MOST)
        .with_for_update(skip_locked=True)
    )
    claim = update(GameRow).where(col(GameRow.id).in_(due)).values(wake_at=now + LEASE).returning(col(GameRow.id))
    with parts.database.writing() as session:
        return [game_id for game_id in session.exec(claim).scalars() if game_id is not None]


def ring(parts: Parts, row: GameRow, now: datetime) -> None:
    """After the commit: wakes a worker for the mails, and one for the robots if it is their turn."""
    parts.bell.deliver()
    if row.wake_at is not None and row.wake_at <= now:
        assert row.id is not None
        parts.bell.mind(row.id)


def _waiting(parts: Parts, now: datetime) -> int:
    """How many games wait for somebody whose deadline is over, claimed or not; counted as far as it matters."""
    late = select(GameRow.id).where(_PLAYING, col(GameRow.wake_at) <= now + LEASE, col(GameRow.due_at) <= now)
    some = late.limit(max(thinking.QUEUES.values()) + 1).subquery()
    with parts.database.reading() as session:
        return session.exec(select(func.count()).select_from(some)).one()


def _go_on(session: Session, parts: Parts, before: Stored, after: Stored, now: datetime) -> Stored:
    """Everything that needs no human, up to the next question; then the clock and the mails."""
    while turn := _turn_without_choice(after):
        after = store.append(session, after, Record(turn, Way.FORCED), now)
    _set_clock(before.game, after, now)
    letters.owe_what_follows(session, parts, before.game, after, now)
    return after


def _turn_without_choice(stored: Stored) -> Turn | None:
    game = stored.game
    if game.stage is Stage.DEAL:
        chance = secrets.SystemRandom()
        dealer = dealer_after(game.scores[-1].dealer, game.rules) if game.scores else None
        return deal(game.rules, Seat(chance.randrange(game.rules.players)) if dealer is None else dealer, chance)
    if game.stage is Stage.PLAY:
        (seat,) = game.to_act
        cards = set(legal(game, seat))
        return Play(seat, cards.pop()) if len(cards) == 1 else None
    return None


def _set_clock(before: Game, after: Stored, now: datetime) -> None:
    row, game = after.row, after.game
    if game.stage is Stage.OVER:
        row.state, row.ended_at, row.due_at, row.wake_at = GameState.OVER, now, None, None
        after.table.state = TableState.OVER
        return
    if _question(game) != _question(before):
        row.due_at = now + (after.table.pass_time if game.stage is Stage.PASS else after.table.play_time)
    row.wake_at = now if after.robots.intersection(game.to_act) else row.due_at


def _question(game: Game) -> tuple[object, ...]:
    """What the deadline is for: the whole table's passing, or one seat's decision."""
    return (game.hand, game.stage) if game.stage is Stage.PASS else (game.hand, game.stage, game.trick, game.to_act)


def _first_absent(stored: Stored, now: datetime) -> Seat | None:
    row, awaited = stored.row, stored.game.to_act
    is_late = row.due_at is not None and row.due_at <= now
    return next((seat for seat in awaited if is_late or seat in stored.robots), None)
