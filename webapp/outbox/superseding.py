"""Supersedes unsent letters that have lost their purpose: the seat or the game is over, or the table is muted.

The mail about turns is none of them: it is composed when it goes, of what waits then.
"""

from collections.abc import Iterable
from typing import Any

from sqlmodel import Session, col, select

from webapp.kinds import IGNORING_MUTE, SHOWING_CARDS
from webapp.models import LetterKind, LetterRow, LetterState, SeatRow
from webapp.outbox.letters import own_seat

# While machines are updated one after the other, a newer program may have queued kinds that this one does not know.
_KNOWN = col(LetterRow.kind).in_([kind for kind in LetterKind if kind is not LetterKind.TURNS])
_UNSENT = LetterRow.state == LetterState.QUEUED


def supersede(letters: Iterable[LetterRow]) -> None:
    """Marks letters as superseded: none of them is sent, or sent again."""
    for letter in letters:
        letter.state, letter.next_at = LetterState.SUPERSEDED, None


def supersede_for_lost_seat(session: Session, seat: SeatRow) -> None:
    """Supersedes the unsent letters to the player of `seat`, who is about to lose it.

    They still get the score sheets of hands that they have played.
    """
    unsent = select(LetterRow).where(*_unsent_to_player(seat))
    supersede(session.exec(unsent.where(LetterRow.kind != LetterKind.SCORE_SHEET)))


def supersede_without_seat(session: Session, player_id: int, table_id: int | None) -> None:
    """Supersedes the unsent letters to a player about seats that they do not have, at that table or (None) at any.

    `supersede_for_muted_seats` does the same for seats that they have.
    """
    waiting = select(LetterRow).where(LetterRow.player_id == player_id, _UNSENT, _KNOWN)
    waiting = waiting.where(col(LetterRow.seat).is_not(None))
    waiting = waiting if table_id is None else waiting.where(LetterRow.table_id == table_id)
    supersede([letter for letter in session.exec(waiting).all() if own_seat(session, letter) is None])


def supersede_for_ended_game(session: Session, game_id: int) -> None:
    """Supersedes the unsent letters of a game that the host has ended, if they show cards."""
    waiting = select(LetterRow).where(LetterRow.game_id == game_id, _UNSENT)
    # Else who typed a wrong card just before is told to play another one, in a game that is over.
    supersede(session.exec(waiting.where(col(LetterRow.kind).in_(SHOWING_CARDS))))


def supersede_for_muted_seats(session: Session, seats: Iterable[SeatRow]) -> None:
    """Supersedes the unsent letters about these seats to their players, except those of kinds that ignore muting."""
    for seat in seats:
        unsent = select(LetterRow).where(*_unsent_to_player(seat))
        supersede(session.exec(unsent.where(col(LetterRow.kind).not_in(IGNORING_MUTE))))


def _unsent_to_player(seat: SeatRow) -> tuple[Any, ...]:
    """The conditions that letters about `seat` to its player, still unsent, meet."""
    about = (LetterRow.table_id == seat.table_id, LetterRow.seat == seat.seat)
    return *about, LetterRow.player_id == seat.player_id, _UNSENT, _KNOWN
