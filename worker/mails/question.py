"""A question to a seat: its sheet, with a link for each possible choice. The mail about turns and answers use it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from sqlmodel import Session

from hearts.cards import card_text
from hearts.game import legal
from hearts.seats import Seat
from hearts.turns import MoonChoice
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due, turn_link
from webapp.games.asked.whose_turn import asked_of
from webapp.games.clock.vacation import may_take_one
from webapp.games.record.store import TableGame
from webapp.models import PlayerRow
from webapp.presentation.present import TurnSheet
from webapp.presentation.sheets import deadline_of, goal_for_newcomer, shared_mailboxes, turn_sheet_of
from webapp.presentation.timestamps import Timestamp
from webapp.presentation.turn_text import dropped_sentence


class Asked(TypedDict):
    """A question: the seat's sheet, a link to its page and one for each possible choice, the deadline."""

    sheet: TurnSheet
    link: str
    card_links: Mapping[str, str]
    deadline: Timestamp | None
    why: str  # why the card that they chose ahead is not played; or empty


class NamedQuestion(Asked):
    """A question beside others in a mail."""

    place: str  # "Hand 2", of hands that are played side by side; else empty
    hand: int


def question_context(runtime: Runtime, stored: TableGame, seat: Seat, due: Due, player: PlayerRow) -> Asked:
    """The question to a seat, which must be asked for `due`.

    Times are in the time zone of `player`, who has the seat.
    """
    link = runtime.signer.url(turn_link(stored, seat, due))
    sheet = turn_sheet_of(stored, seat, player.time_zone, runtime.now())
    return {
        "sheet": sheet,
        "link": link,
        "card_links": {code: f"{link}?card={code}" for code in _codes(stored, seat, due)},
        "deadline": _deadline(runtime, stored, seat, due, player),
        "why": dropped_sentence(stored, seat),
    }


def named_question(runtime: Runtime, stored: TableGame, seat: Seat, due: Due, player: PlayerRow) -> NamedQuestion:
    """The same beside others."""
    return {
        **question_context(runtime, stored, seat, due, player),
        "hand": due.hand,
        "place": f"Hand {due.hand}" if stored.row.at_once > 1 else "",
    }


def goal_with(session: Session, stored: TableGame, seat: Seat, due: Due) -> str:
    """For the first pass: the goal of the game, if its player is new to it, and who share a mailbox; else empty."""
    if due != Due(1, "pass"):
        return ""
    about = (goal_for_newcomer(session, stored, stored.seats[seat]), shared_mailboxes(stored.seats))
    return " ".join(filter(None, about))


def other_hands(
    runtime: Runtime, stored: TableGame, seat: Seat, due: Due | None, player: PlayerRow
) -> Sequence[NamedQuestion]:
    """The choices that wait for the seat in other hands of the game than that of `due`.

    None with pages, which lead on to them.
    """
    if runtime.settings.has_pages:
        return ()
    asked = [(hand, other) for hand in stored.open_hands() if (other := asked_of(hand, seat)) and other != due]
    return [named_question(runtime, hand, seat, other, player) for hand, other in asked]


def _deadline(runtime: Runtime, stored: TableGame, seat: Seat, due: Due, player: PlayerRow) -> Timestamp | None:
    """The deadline in the reader's time zone, and what happens after it."""
    until = deadline_of(stored, player.time_zone, runtime.now())
    return until and replace(until, is_spared=may_take_one(stored.table, stored.seats[seat], due))


def _codes(stored: TableGame, seat: Seat, due: Due) -> list[str]:
    """Returns the codes of the seat's choices, as they stand in links."""
    game = stored.game
    match due.what:
        case "moon":
            return [str(choice) for choice in MoonChoice]
        case "pass":
            return [card_text(card) for card in game.held[seat]]
        case _:
            return [card_text(card) for card in legal(game, seat)]
