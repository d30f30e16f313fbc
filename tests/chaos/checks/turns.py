"""Nobody was played for before their deadline, nor unasked; and nobody else has played for them."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from hearts.plans import ASK
from hearts.seats import Seat
from hearts.turns import Deal, Moon, Pass
from tests.chaos.checks.aftermath import Aftermath, called
from tests.chaos.checks.answers import chosen_by
from webapp.games.due import Due
from webapp.games.pace import pace_for
from webapp.games.planning import plan_of
from webapp.games.presence import MAX_MISSED_DEADLINES
from webapp.games.store import Stored
from webapp.models import LetterRow, TurnRow, TurnSource

BY_PLAYERS = (TurnSource.LINK, TurnSource.PAGE, TurnSource.REPLY, TurnSource.AHEAD)
ROUNDED = timedelta(seconds=1)


def check(left: Aftermath) -> Iterator[str]:
    chosen = {(deed.player, deed.chosen) for deed in left.notes.deeds}
    for stored in left.games.values():
        yield from _game(left, stored, chosen)


def _game(left: Aftermath, stored: Stored, chosen: set[tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    dealt: dict[int, datetime] = {}  # by hand
    last: dict[int, datetime] = {}
    plays: Counter[tuple[int, int]] = Counter()
    missed: Counter[int] = Counter()
    for row, record in zip(left.turns[stored.id], stored.records, strict=True):
        hand, turn = record.hand, record.turn
        if isinstance(turn, Deal):
            dealt[hand] = last[hand] = row.at
            continue
        seat = turn.seat
        plays[hand, seat] += not isinstance(turn, Pass | Moon)
        what = "pass" if isinstance(turn, Pass) else "moon" if isinstance(turn, Moon) else f"trick {plays[hand, seat]}"
        due, where = Due(hand, what), called(stored, seat, Due(hand, what))
        since = dealt[hand] if what == "pass" else last[hand]
        last[hand] = row.at
        player = left.players.get(stored.seats[seat].player_id or 0)
        match record.source:
            case TurnSource.TIMEOUT:
                missed[seat] += 1
                yield from (f"{where}: {fault}" for fault in _at_deadline(left, stored, seat, due, since, row))
            case TurnSource.ORDER if missed[seat] < MAX_MISSED_DEADLINES and player:
                if not left.is_unreachable(player.id):
                    yield f"{where}: a robot has played, though they had missed {missed[seat]} deadlines"
            case TurnSource.ROBOT if player:
                yield f"{where}: a robot has played on the seat of a person"
            case TurnSource.PLAN if plan_of(stored.table, stored.seats[seat]) == ASK:
                yield f"{where}: a plan has played, and they have none"
            case source if source in BY_PLAYERS:
                missed[seat] = 0
                if player is None or (player.address, chosen_by(turn)) not in chosen:
                    yield f"{where}: {source.value} {' '.join(chosen_by(turn))}, which they never chose"


def _at_deadline(left: Aftermath, stored: Stored, seat: Seat, due: Due, since: datetime, row: TurnRow) -> Iterator[str]:
    """The faults of a turn that was played at a deadline, by the service's own clocks.

    A deadline that comes while the question is still in the outbox moves once, by the time that was given at most.
    """
    player_id = stored.seats[seat].player_id
    if player_id is None:
        yield "a robot has missed a deadline"
        return
    pace = pace_for(stored.table, due.what)
    if row.at < since + pace - ROUNDED:
        yield f"played for after {(row.at - since).total_seconds():.1f} of {pace.total_seconds():.0f} seconds"
    asking = left.questions.get((stored.id, seat, due), [])
    if any(_was_asked_by(left, letter, row.at) for letter in asking) or left.is_unreachable(player_id):
        return
    if not asking or row.at < since + 2 * pace - ROUNDED:
        yield f"played for {(row.at - since).total_seconds():.1f} seconds after their turn came, and never asked"


def _was_asked_by(left: Aftermath, letter: LetterRow, at: datetime) -> bool:
    carrier = left.carrier(letter)
    sent_at = left.relay.taken_at.get(carrier.message_id)
    return sent_at is not None and sent_at <= at + left.set_off + ROUNDED
