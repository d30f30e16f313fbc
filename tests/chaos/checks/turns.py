"""Nobody was played for before their deadline, nor unasked; and nobody else has played for them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from hearts.seats import Seat
from hearts.turns import Deal, Moon, Pass
from tests.chaos.checks.aftermath import Aftermath, Place, called
from tests.chaos.checks.answers import AWAY, answered, chosen_by, is_written_anew, place_of
from tests.chaos.checks.holders import holder
from tests.chaos.notes import Deed, Way
from webapp.games.asked.due import Due
from webapp.games.asked.whose_turn import SAME
from webapp.games.clock.pace import pace_for
from webapp.games.clock.presence import MAX_MISSED_DEADLINES
from webapp.games.record.store import BY_PLAYER, CHOSEN, Record, TableGame
from webapp.models import LetterRow, TurnSource

Chosen = set[tuple[Place, int | None, tuple[str, ...]]]  # for which decision, by whom, and what


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision in the records of a game: by which seat, on what, since when that was asked, and when it came."""

    record: Record
    seat: Seat
    due: Due
    since: datetime
    at: datetime


def check(left: Aftermath) -> Iterator[str]:
    chosen = {
        (place, left.player_at(deed.player), deed.chosen) for deed in left.notes.deeds for place in _places(left, deed)
    }
    for stored in left.games.values():
        missed: Counter[Seat] = Counter()  # deadlines in a row
        for turn in _turns(left, stored):
            for fault in _faults(left, stored, turn, missed[turn.seat], chosen):
                yield f"{called(stored, turn.seat, turn.due)}: {fault}"
            if turn.record.source is TurnSource.TIMEOUT:
                missed[turn.seat] += 1
            elif turn.record.source in BY_PLAYER:
                missed[turn.seat] = 0


def _places(left: Aftermath, deed: Deed) -> Iterator[Place]:
    """The decisions for which somebody may have chosen: any of the seat's, if nobody knows what their letter asked."""
    place = place_of(left, deed)
    if place is None:
        return
    yield place
    if deed.way is Way.MAIL and is_written_anew(left, answered(left, deed), deed):
        stored, seat = left.games[place[0]], Seat(place[1])
        yield from ((stored.id, int(seat), turn.due) for turn in _turns(left, stored) if turn.seat == seat)


def count_unasked(left: Aftermath) -> int:
    """How many turns were played at a deadline for players whom no email had asked by then, though one could.

    A deadline moves only once for them, so an outage that lasts for longer than the pace may bring such turns.
    """
    turns = [(stored, turn) for stored in left.games.values() for turn in _turns(left, stored)]
    return sum(
        turn.record.source is TurnSource.TIMEOUT and not _was_asked(left, stored, turn) for stored, turn in turns
    )


def _turns(left: Aftermath, stored: TableGame) -> Iterator[Turn]:
    """The decisions of a game in order. Passes are asked since the deal, all else since the hand's last record."""
    dealt: dict[int, datetime] = {}
    last: dict[int, datetime] = {}
    plays: Counter[tuple[int, Seat]] = Counter()
    for record in stored.records:  # a game that has ended early has those of its finished hands
        row = left.turns[stored.id][record.number - 1]
        hand, turn = record.hand, record.turn
        match turn:
            case Deal():
                dealt[hand] = last[hand] = row.at
                continue
            case Pass():
                what, since = "pass", dealt[hand]
            case Moon():
                what, since = "moon", last[hand]
            case _:
                plays[hand, turn.seat] += 1
                what, since = f"trick {plays[hand, turn.seat]}", last[hand]
        last[hand] = row.at
        yield Turn(record, turn.seat, Due(hand, what), since, row.at)


def _faults(left: Aftermath, stored: TableGame, turn: Turn, missed: int, chosen: Chosen) -> Iterator[str]:
    player_id = holder(left, stored, turn.seat, turn.record.number)
    if player_id is None:
        if turn.record.source not in (TurnSource.ROBOT, TurnSource.FORCED, TurnSource.CLAIM):
            yield f"{turn.record.source.value} on the seat of a robot"
        return
    match turn.record.source:
        case TurnSource.TIMEOUT:
            yield from _faults_at_deadline(left, stored, turn)
        case TurnSource.AWAY if missed < MAX_MISSED_DEADLINES and not left.is_unreachable(player_id):
            if not _is_away(left, player_id, turn.at):
                yield f"a robot has played, though they were not away and had missed {missed} deadlines"
        case TurnSource.ROBOT:
            yield "a robot has played on the seat of a person"
        case TurnSource.AS_WISHED if not (turn.record.choice and turn.record.choice.by == SAME):
            yield "we have played for them, and their cards were not worth the same"
        case source if source in CHOSEN:
            cards = chosen_by(turn.record.turn)
            if ((stored.id, int(turn.seat), turn.due), player_id, cards) not in chosen:
                yield f"{source.value} {' '.join(cards)}, which they never chose for this"


def _faults_at_deadline(left: Aftermath, stored: TableGame, turn: Turn) -> Iterator[str]:
    """Says what is wrong with a turn that was played at a deadline.

    A deadline that comes while the question is still in the outbox moves, at least once, by the time that was given at
    most.
    """
    pace, took = pace_for(stored.table, turn.due.what), turn.at - turn.since + left.apart
    if took < pace:
        yield f"played for after {took.total_seconds():.0f} of {pace.total_seconds():.0f} seconds"
    if not _was_asked(left, stored, turn) and (not _questions(left, stored, turn) or took < 2 * pace):
        yield f"played for {took.total_seconds():.0f} seconds after their turn came, and never asked"


def _questions(left: Aftermath, stored: TableGame, turn: Turn) -> list[LetterRow]:
    """The questions to the player who had the seat then."""
    player_id = holder(left, stored, turn.seat, turn.record.number)
    asked = left.questions.get((stored.id, turn.seat, turn.due), [])
    return [letter for letter in asked if letter.player_id == player_id]


def _was_asked(left: Aftermath, stored: TableGame, turn: Turn) -> bool:
    """Whether an email or a notification had asked for the turn before it was played, or none can reach its player."""
    player_id = holder(left, stored, turn.seat, turn.record.number)
    is_unreachable = player_id is not None and left.is_unreachable(player_id)
    return is_unreachable or any(_was_asked_by(left, letter, turn.at) for letter in _questions(left, stored, turn))


def _is_away(left: Aftermath, player_id: int, at: datetime) -> bool:
    """Whether the player had set themselves as away by then, and had not come back since."""
    deeds = [
        deed for deed in left.notes.deeds if deed.at <= at + left.skew and left.player_at(deed.player) == player_id
    ]
    left_at = [deed.ended for deed in deeds if deed.place == AWAY]
    back = [deed for deed in deeds if deed.place == f"{AWAY}/back"]
    came = [deed.at for deed in back if deed.is_acknowledged and deed.ended <= at - left.skew]
    return bool(left_at) and (not came or max(came) <= max(left_at))


def _was_asked_by(left: Aftermath, letter: LetterRow, at: datetime) -> bool:
    if letter.notified_at is not None and letter.notified_at <= at + left.apart:
        return True
    sent_at = left.relay.taken_at.get(letter.message_id)
    return sent_at is not None and sent_at <= at + left.apart
