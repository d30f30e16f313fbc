"""Every game is over, or waits for a person whom an email has asked, or will have by a last call."""

from collections.abc import Iterator

from hearts.seats import Seat
from tests.chaos.checks.aftermath import Aftermath, called
from webapp.games.asked.whose_turn import asked_of, awaited
from webapp.games.record.store import TableGame
from webapp.models import GameState, LetterKind, SeatState, TableRow, TableState


def check(left: Aftermath) -> Iterator[str]:
    for stored in left.games.values():
        if stored.row.state is GameState.PLAYING:
            yield from _game(left, stored)
    for table in left.tables:
        if table.state in (TableState.UNCONFIRMED, TableState.INVITING):
            yield from _table(left, table)


def _game(left: Aftermath, stored: TableGame) -> Iterator[str]:
    is_paused = stored.table.pause is not None
    if (stored.row.wake_at is None and not is_paused) or (stored.row.wake_at and stored.row.wake_at < left.at):
        yield f"game {stored.id} stands still: it was to wake at {stored.row.wake_at}"
    for hand in stored.open_hands():
        if not hand.clock.due_at and not is_paused:
            yield f"game {stored.id}, hand {hand.game.hand}, waits without a deadline"
        for seat in awaited(hand):
            yield from _seat(left, hand, seat)


def _seat(left: Aftermath, hand: TableGame, seat: Seat) -> Iterator[str]:
    row, due = hand.seats[seat], asked_of(hand, seat)
    assert row.player_id is not None
    assert due is not None
    asking = [one for one in left.questions.get((hand.id, seat, due), []) if one.player_id == row.player_id]
    looks_at, due_at = left.players[row.player_id].turns_at, hand.clock.due_at
    is_planned = looks_at is not None and (due_at is None or looks_at < due_at)
    # While the clock stands there is no last call, and so no mail before they have read the one that they have.
    is_paused = hand.table.pause is not None and _has_unread(left, row.player_id)
    is_mailed = row.mails and not left.is_unreachable(row.player_id)
    if is_mailed and not is_paused and not is_planned and not any(map(left.went_out, asking)):
        states = ", ".join(letter.state.value for letter in asking) or "none was queued"
        yield f"{called(hand, seat, due)}: the game waits for them, and no letter has asked or will ({states})"


def _has_unread(left: Aftermath, player_id: int) -> bool:
    """Whether a mail about their turns has gone since the player did something."""
    seen_at = left.players[player_id].seen_at
    mails = (one for one in left.letters if one.player_id == player_id and one.kind is LetterKind.TURNS)
    return any(one.sent_at and (seen_at is None or one.sent_at > seen_at) for one in mails)


def _table(left: Aftermath, table: TableRow) -> Iterator[str]:
    """A table that has no game waits for its host's confirmation, or for guests who were invited."""
    kind = LetterKind.CONFIRM if table.state is TableState.UNCONFIRMED else LetterKind.INVITATION
    asked = {
        letter.seat
        for letter in left.letters
        if letter.table_id == table.id and letter.kind is kind and left.went_out(letter)
    }
    waits = SeatState.HOST if kind is LetterKind.CONFIRM else SeatState.INVITED
    for seat in left.seats:
        if seat.table_id == table.id and seat.state is waits and seat.seat not in asked:
            yield f"table {table.id} waits for {seat.name}, and no {kind.value} was sent"
