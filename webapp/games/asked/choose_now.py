"""Choose now: asks followers for a card before their turn, so that nobody waits for one after the other.

As soon as a hand waits for a player to follow, a worker looks at all who follow them (`to_look_at`), and asks those
who have a choice that matters; it looks again at the others whenever another card lies. Who was asked stands in the
hand's clock with the trick, and with the number of the hand's last record at that look. No other player learns of it.

Answers ahead are in `whose_turn`. For whom the table waits (`whose_turn.awaited`) does not depend on any of this.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Final

from hearts.cards import Cards
from hearts.robot import has_a_choice
from hearts.seats import Seat
from hearts.view import view
from hearts.waits.ahead import choices_ahead, foreseen
from webapp.games.asked.due import Due, later_due
from webapp.games.asked.whose_turn import ahead_of, asked_of, awaited
from webapp.games.record.live import is_live
from webapp.games.record.store import TableGame
from webapp.models import AskedAhead

AHEAD: Final = "ahead"  # the reason of a letter that asks its reader before their turn


def to_look_at(stored: TableGame) -> list[Seat]:
    """The seats about which to decide now whether to ask their players before their turn; empty if nothing is due.

    Not those who have answered ahead or were asked already, who have only one card, or for whom a robot plays.
    """
    if not stored.table.asks_ahead or is_live(stored.table.play_time) or not stored.game.on_table:
        return []
    note = _note(stored)
    if (note and note.turn == stored.last_turn) or not awaited(stored):
        return []
    return [Seat(row.seat) for row in stored.seats if _may_be_asked(stored, Seat(row.seat))]


def note_look(stored: TableGame, asked: Collection[Seat], now: datetime) -> None:
    """Notes that the players of the seats in `asked` are asked from now on, and that none of the others need be looked
    at now.
    """
    note = _note(stored) or AskedAhead(stored.game.hand, stored.game.trick, 0, frozenset())
    since = {**note.since, **{int(seat): now for seat in asked}}
    stored.clock.asked_ahead = replace(note, turn=stored.last_turn, seats=note.seats | {*asked}, since=since)


def asked_since(stored: TableGame, seat: Seat) -> datetime | None:
    """Since when the seat's player has been asked for the present trick before their turn; None if they were not."""
    note = _note(stored)
    return note.since.get(seat) if note and seat in note.seats else None


def forget(stored: TableGame, seat: Seat) -> None:
    """Marks the seat to be checked again after its player or their wait has changed."""
    if note := _note(stored):
        stored.clock.asked_ahead = replace(note, turn=0, seats=note.seats - {seat})


def asked_before_turn(stored: TableGame, seat: Seat) -> Due | None:
    """The trick for which the seat's player is asked although others play before them; None if they are not.

    They are not asked any more once they have answered.
    """
    due = later_due(stored.game, seat)
    is_asked = due is not None and was_asked_before_turn(stored, seat) and seat not in stored.played_by_robot
    return due if is_asked else None


def was_asked_before_turn(stored: TableGame, seat: Seat) -> bool:
    """Whether the player of `seat` was asked for the present trick before their turn, and has not answered yet."""
    return seat in _seats(stored) and ahead_of(stored, seat) is None


def question_of(stored: TableGame, seat: Seat) -> Due | None:
    """Returns the question to the player of `seat`, at their turn or before it; None if there is none."""
    return asked_of(stored, seat) or asked_before_turn(stored, seat)


def cards_ahead(stored: TableGame, seat: Seat) -> Cards:
    """The cards that the player of `seat` may choose ahead for the trick on the table."""
    return choices_ahead(view(stored.game, seat))


def has_a_choice_ahead(stored: TableGame, seat: Seat) -> bool:
    """Whether the seat, which plays later to the trick on the table, has cards of different worth for it."""
    seen = foreseen(view(stored.game, seat))
    return seen is not None and has_a_choice(seen)


def _may_be_asked(stored: TableGame, seat: Seat) -> bool:
    if later_due(stored.game, seat) is None or seat in _seats(stored) or seat in stored.played_by_robot:
        return False
    return ahead_of(stored, seat) is None and foreseen(view(stored.game, seat)) is not None


def _note(stored: TableGame) -> AskedAhead | None:
    """The note about the present trick; None if there is none."""
    note = stored.clock.asked_ahead
    return note if note and (note.hand, note.trick) == (stored.game.hand, stored.game.trick) else None


def _seats(stored: TableGame) -> frozenset[int]:
    """The seats that were asked before their turn in the present trick."""
    note = _note(stored)
    return note.seats if note else frozenset()
