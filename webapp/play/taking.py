"""The one path of a turn, whether a player, a robot or an expired deadline plays it.

It loads the game, asks `hearts` whether the turn is legal, appends the record and those that need no decision, queues
the mails, commits, and wakes a worker.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from hearts.game import Game
from webapp.core.log import log_event
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkExpired
from webapp.games.asked.due import Decision, Due, answer_to, due_of
from webapp.games.clock import clocks, presence, rest
from webapp.games.clock.clocks import extend_lease
from webapp.games.clock.pace import is_asked_live
from webapp.games.clock.presence import missed_since, note_turn
from webapp.games.record import changing
from webapp.games.record.changing import OpenGame
from webapp.games.record.store import BY_PLAYER, Record, TableGame
from webapp.models import Grounds, TurnSource
from webapp.outbox import questions
from webapp.outbox.about_tables import SeatGiven
from webapp.play import seat_transfer
from webapp.play.advancing import advance, append, unasked
from webapp.play.course import start_clock

# A robot chose these for a seat for which it plays now.
BY_ROBOT: Final = (TurnSource.AWAY, TurnSource.ROBOT, TurnSource.AS_WISHED)


@dataclass
class TurnOver(Exception):
    """The seat is not, or no longer, asked for this. `answer` is what it played when it was; None if it never was."""

    answer: Record | None


@dataclass(frozen=True, slots=True)
class ChosenTurn:
    """A turn that answers `due`, why the service plays it, and the robot's reasons."""

    due: Due
    turn: Decision
    source: TurnSource
    choice: Grounds | None = None
    seen: Game | None = None
    """The hand for which the service chose a card; None if nothing that others do meanwhile matters."""


def take_turn(
    runtime: Runtime,
    game_id: int,
    due: Due,
    turn: Decision,
    source: TurnSource,
    now: datetime,
    choice: Grounds | None = None,
    player_id: int | None = None,
    links: int | None = None,
) -> TableGame:
    """Plays `turn`, which answers `due`, and returns the game after it and the records that then need no decision.

    `choice` is a robot's reasons. If a player plays, `player_id` is theirs, and `links` the number in their link.

    Raises TurnOver if the seat is not asked for `due` (somebody was faster), IllegalTurn if the rules refuse the turn,
    LookupError if there is no such game or the player no longer has the seat, and LinkExpired if the player has ended
    the link. Nothing has changed then.
    """
    seat, answer = turn.seat, ChosenTurn(due, turn, source, choice)
    with changing.game(runtime, game_id, now, due.hand) as game:
        # Under the lock, for the seat may have changed hands since the page was opened.
        if player_id is not None and game.seats[seat].player_id != player_id:
            raise LookupError(f"seat {seat} of game {game_id} is somebody else's")
        # Who signs out everywhere means the links in mails that somebody else has.
        if links is not None and game.seats[seat].links != links:
            raise LinkExpired
        _check_due(game.stored, answer, now)
        if game.table.rests:
            start_clock(game)
        before = game.stored
        _take(game, answer)
        advance(game, before)
    _note_taken(game.stored, answer)
    return game.stored


def take_turns(
    runtime: Runtime, game_id: int, answers: Sequence[ChosenTurn], lease: timedelta, now: datetime
) -> tuple[TableGame, int]:
    """Plays turns that the service has chosen in one transaction: of seats that a hand asks at the same time, or cards
    one after the other, with all that then needs no decision.

    Leaves out what the hand does not ask any more, or asks in another way. Returns the game as `take_turn` does, and
    the number of turns. Wakes no worker for the game: the caller plays its next turns, too, or another worker claims it
    after the `lease`.

    Raises TurnOver if it can play none of the turns any more, and IllegalTurn and LookupError as `take_turn`.
    """
    taken: list[tuple[TableGame, ChosenTurn]] = []
    with changing.game(runtime, game_id, now, answers[0].due.hand, wakes_for_games=False) as game:
        before = game.stored
        for answer in answers:
            with suppress(TurnOver):
                _check_due(game.stored, answer, now)
                _take(game, answer)
                taken.append((game.stored, answer))
                while records := unasked(game.stored):
                    append(game, records)
        if not taken:
            raise TurnOver(None)
        advance(game, before)
        # After `advance`, which sets anew when the game is due.
        extend_lease(game.row, lease, now)
    for each in taken:
        _note_taken(*each)
    return game.stored, len(taken)


def _check_due(stored: TableGame, answer: ChosenTurn, now: datetime) -> None:
    """Raises TurnOver unless the seat is asked for what it answers, and may be played for so now."""
    seat = answer.turn.seat
    # The card was chosen for a trick that may lie otherwise by now.
    has_moved = answer.seen is not None and answer.seen != stored.game
    if due_of(stored.game, seat) != answer.due or has_moved or not _may_play(stored, answer, now):
        raise TurnOver(answer_to(stored.records, seat, answer.due))


def _take(game: OpenGame, answer: ChosenTurn) -> None:
    """Appends the record of a turn that is due. Marks the player as seen, or as having missed the deadline. Raises
    IllegalTurn.
    """
    session, now, before = game.session, game.now, game.stored
    source, seat = answer.source, answer.turn.seat
    # Before the record is appended, which would count as the next one missed.
    is_missed_again = source is TurnSource.TIMEOUT and missed_since(session, before, seat)
    game.append(Record(answer.turn, source, answer.choice))
    was_live = is_asked_live(before)
    # By the clock as it is under the lock: a mail that was composed while they waited for that counts as read.
    acted_at = game.runtime.now() if source in BY_PLAYER else now
    note_turn(session, game.stored, seat, source, acted_at, was_live=was_live, is_missed_again=is_missed_again)
    rest.note_turn(before, source, now)
    if source is TurnSource.TIMEOUT:
        questions.note_missed(session, game.seats[seat], now)
        # The second in a row sets a stand-in away, and the seat is its owner's again.
        seat_transfer.give_back_from_absent(game, SeatGiven.MISSED)


def _note_taken(stored: TableGame, answer: ChosenTurn) -> None:
    """Logs a turn that is committed."""
    about = {"game": stored.id, "number": stored.turns, "hand": answer.due.hand}
    log_event("turn", **about, seat=int(answer.turn.seat), source=answer.source.value)


def _may_play(stored: TableGame, answer: ChosenTurn, now: datetime) -> bool:
    """Whether the seat may still be played for in this way at `now`.

    While the robot was thinking, the player may have come back or lost the seat, the clock may have been paused, or the
    game put to rest.
    """
    seat, source = answer.turn.seat, answer.source
    if stored.table.rests and source not in BY_PLAYER:
        return False
    if source is TurnSource.TIMEOUT:
        return seat not in stored.robots and clocks.is_late(stored, now) and not presence.is_deserted(stored, now)
    return source not in BY_ROBOT or seat in stored.played_by_robot
