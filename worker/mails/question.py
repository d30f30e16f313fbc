"""A question to a seat: its sheet, with a link for each possible turn. Digests, reminders and answers use it, too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
from webapp.outbox.digests import open_questions
from webapp.outbox.letters import asked_by
from webapp.presentation.bank_text import mailed_sentence
from webapp.presentation.phrasing import by_number
from webapp.presentation.present import TurnSheet
from webapp.presentation.sheets import deadline_of, goal_for_newcomer, shared_mailboxes, turn_sheet_of
from webapp.presentation.timestamps import Timestamp
from webapp.presentation.turn_text import dropped_sentence
from worker.mails.mail import Mail, MailContext, game_of, in_game


class Asked(TypedDict):
    """A question: the seat's sheet, a link to its page and one for each possible choice, the deadline."""

    sheet: TurnSheet
    link: str
    card_links: Mapping[str, str]
    deadline: Timestamp | None
    why: str  # why the card that they chose ahead is not played; or empty


class NamedQuestion(Asked):
    """A question beside others in a mail, and how its player answers it alone by mail."""

    goal: str
    place: str
    hand: int
    is_beside: bool  # the first of the mail is of the same game, so that the number of the hand says which is meant
    answer_address: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingMail(MailContext):
    """A mail that asks for a turn; the fields of `Asked`, and which other choices wait, or how many."""

    sheet: TurnSheet
    link: str
    card_links: Mapping[str, str]
    deadline: Timestamp | None
    why: str
    more_waits: str = ""
    also: Sequence[NamedQuestion] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionMail(AskingMail):
    goal: str


def context(mail: Mail) -> QuestionMail | None:
    """The context of a pass, a turn or a moon; None if its question is answered."""
    stored, seat, due = game_of(mail), mail.letter.of_seat, asked_by(mail.letter)
    if stored is None:
        return None
    return QuestionMail(
        **in_game(mail, stored),
        **question_context(mail.runtime, stored, seat, due, mail.player),
        goal=goal_with(mail.session, stored, seat, due),
        more_waits=more_sentence(mail.runtime, mail.session, stored, seat, due, mail.player),
        also=other_hands(mail.runtime, stored, seat, due, mail.player),
    )


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


def goal_with(session: Session, stored: TableGame, seat: Seat, due: Due) -> str:
    """For the first pass: the goal of the game, if its player is new to it, and who share a mailbox; else empty."""
    if due != Due(1, "pass"):
        return ""
    about = (goal_for_newcomer(session, stored, stored.seats[seat]), shared_mailboxes(stored.seats))
    return " ".join(filter(None, about))


def more_sentence(
    runtime: Runtime, session: Session, stored: TableGame, seat: Seat, due: Due, player: PlayerRow
) -> str:
    """How many other choices wait for the player, at all tables; empty if none does, or without pages to show them."""
    if not runtime.settings.has_pages:
        return ""
    found = open_questions(session, player.id)
    asked = [(one.stored.id, one.seat, one.due) for one in found if one.due == asked_of(one.stored, one.seat)]
    if not (more := sum(one != (stored.id, seat, due) for one in asked)):
        return ""
    many = f"{more} more choices wait; the page leads on to them."
    return by_number(more, "1 more choice waits; the page leads on to it.", many)


def other_hands(
    runtime: Runtime, stored: TableGame, seat: Seat, due: Due | None, player: PlayerRow
) -> list[NamedQuestion]:
    """The choices that wait for the seat in other hands of the game than that of `due`.

    None with pages, which lead on to them.
    """
    if runtime.settings.has_pages:
        return []
    asked = [(hand, other) for hand in stored.open_hands() if (other := asked_of(hand, seat)) and other != due]
    return [
        {
            **question_context(runtime, hand, seat, other, player),
            "goal": "",
            "place": f"Hand {other.hand}",
            "hand": other.hand,
            "is_beside": True,
            "answer_address": None,
        }
        for hand, other in asked
    ]


def _deadline(runtime: Runtime, stored: TableGame, seat: Seat, due: Due, player: PlayerRow) -> Timestamp | None:
    """The deadline in the reader's time zone, and what happens after it."""
    row, now = stored.seats[seat], runtime.now()
    until, bank = deadline_of(stored, player.time_zone, now), mailed_sentence(stored.table, row, player, now)
    return until and replace(until, is_spared=may_take_one(stored.table, row, player, due), bank=bank)


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
