"""The mail about a player's turns: what happened since they were there, the first decision in full, the others in a few
lines each.

It is made of what waits when it goes. The letter's row then says which questions it has asked: the first in the columns
that name a decision, so that a reply finds it, and all of them in `asked`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypedDict

from sqlmodel import Session

from hearts.cards import card_text
from hearts.game import legal
from hearts.seats import Seat
from hearts.turns import MoonChoice
from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime
from webapp.core.say import say, say_many
from webapp.games import talk
from webapp.games.asked.due import Due, turn_link
from webapp.games.asked.whose_turn import asked_of
from webapp.games.clock.pace import is_first_question, is_live
from webapp.games.clock.presence import last_here
from webapp.games.clock.vacation import days_left, may_take_one, was_taken_for
from webapp.games.fair import dealt_sentences
from webapp.games.record import store
from webapp.games.record.seats import table_name
from webapp.games.record.store import TableGame
from webapp.models import PlayerRow, TurnSource
from webapp.outbox.lateness import as_if_asked
from webapp.outbox.questions import thread_of
from webapp.outbox.timing import Cause, Missed, Waiting
from webapp.outbox.turn_mail import PLAYED, look_at, note_asked
from webapp.presentation.clock_text import taken_sentence
from webapp.presentation.happened import Told, Weight, missed_in, talk_lines, told, told_talk
from webapp.presentation.phrasing import Timestamp, number_word
from webapp.presentation.present import TurnSheet
from webapp.presentation.sheets import (
    deadline_of,
    goal_for_newcomer,
    shared_mailboxes,
    summary_of,
    told_since,
    turn_sheet_of,
)
from webapp.presentation.summary import mail_setting
from webapp.presentation.turn_text import dropped_sentence
from worker.mails.mail import Mail, MailContext

# A question to a seat: its sheet, with a link for each possible choice. The mail about turns and answers use it.


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
    until = deadline_of(stored, player.time_zone, runtime.now())
    return {
        "sheet": sheet,
        "link": link,
        "card_links": {code: f"{link}?card={code}" for code in _codes(stored, seat, due)},
        "deadline": until and replace(until, is_spared=may_take_one(stored.table, stored.seats[seat], due)),
        "why": dropped_sentence(stored, seat),
    }


def named_question(runtime: Runtime, stored: TableGame, seat: Seat, due: Due, player: PlayerRow) -> NamedQuestion:
    """The same beside others."""
    return {
        **question_context(runtime, stored, seat, due, player),
        "hand": due.hand,
        "place": say("Hand {number}", number=due.hand) if stored.row.at_once > 1 else "",
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


FIRST: Final = ("pass", "trick 1")  # what a hand asks first
AT_MOST: Final = 12  # questions; nobody reads more on a phone


@dataclass(frozen=True, slots=True)
class TablePart:
    """The part of the mail about one table: what happened there, and what waits."""

    name: str
    told: Sequence[Told]
    asked: Sequence[NamedQuestion]
    back_link: str | None = None  # a robot plays for the reader from now on, until they are back; the page for that
    is_live: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsMail(MailContext):
    subject: str
    preheader: str
    is_call: bool  # a deadline is near
    first: NamedQuestion | None  # None: nothing waits, but something was played
    goal: str
    first_hands: str
    tables: Sequence[TablePart]  # that of the first decision first
    more: int
    games_link: str
    setting: str  # when the reader gets this mail, in a sentence
    dealt: Sequence[str] = ()  # what the reader may keep, to check the deal of a hand that begins


@dataclass(frozen=True, slots=True)
class _AtTable:
    """A game that the mail is about, with the reader's seat and all that happened there since they were there."""

    stored: TableGame
    seat: Seat
    waiting: Sequence[Waiting]
    found: Sequence[Told]
    late_for: Due | None  # the last decision that we made for the reader, who was late, if a robot plays on for them


def context(mail: Mail) -> TurnsMail | None:
    """The context; None if nothing waits any more, and the reader has missed nothing."""
    session, letter = mail.session, mail.letter
    look = mail.look or look_at(session, mail.player, mail.runtime.now())
    waiting, missed = look.waiting, look.missed
    at_tables = _at_tables(mail, waiting, missed)
    if not at_tables:
        return None
    if letter.message is None:
        note_asked(letter, waiting, missed)
        letter.thread_id = thread_of(session, letter.of_game, letter.of_seat, letter.player_id)
    shown = waiting[:AT_MOST]
    lines = told(one.found for one in at_tables)
    parts = [_part(mail, one, part, shown) for one, part in zip(at_tables, lines, strict=True)]
    first = parts[0].asked[0] if waiting else None
    first_table = at_tables[0]
    frame = mail.frame(first_table.stored.table, first_table.stored.seats)
    if len(at_tables) > 1:  # a mail about one table mutes that one
        frame = {**frame, "you": mail.player.name, "unsubscribe_text": say("Mute all tables")}
    # For who is new to the game, while the first pass waits; it need not be the first decision.
    goals = (goal_with(session, one.stored, first_table.seat, one.due) for one in first_table.waiting)
    begun = [one for one in shown if one.due.what in FIRST]
    return TurnsMail(
        **frame,
        in_game=True,
        subject=_subject(letter.reason, at_tables, missed, first, len(waiting)),
        preheader=_preheader(letter.reason, parts[0], first),
        is_call=letter.reason == Cause.CALL,
        first=first,
        goal=next(filter(None, goals), ""),
        first_hands=_first_hands(at_tables),
        reply_to=mail.runtime.address_in_mail(Purpose.REPLY, letter.id),
        tables=parts,
        more=len(waiting) - len(shown),
        games_link=mail.page("/games"),
        setting=mail_setting(mail.player),
        dealt=[said for one in begun for said in dealt_sentences(session, one.stored, Seat(one.key.seat))],
    )


def _at_tables(mail: Mail, waiting: Sequence[Waiting], missed: Sequence[Missed]) -> list[_AtTable]:
    """The games at which something waits, in that order, then those at which the reader has only missed something."""
    games = {one.key.game_id: one.stored for one in waiting}
    keys = [*(one.key for one in waiting), *(one.key for one in missed)]
    games |= {key.game_id: store.load(mail.session, key.game_id) for key in keys if key.game_id not in games}
    seats = {key.game_id: Seat(key.seat) for key in keys}
    goes_on = {one.key.game_id: one.key.hand for one in missed if one.goes_on}
    found = []
    for number, stored in games.items():
        late_for = None
        if number in goes_on:
            played = missed_in(stored.of_hand(goes_on[number]), seats[number], after=0)
            late_for = next((due for due, one in reversed(played) if one.source is TurnSource.TIMEOUT), None)
        waiting_here = [one for one in waiting if one.key.game_id == number]
        found.append(_at_table(mail, stored, seats[number], waiting_here, late_for))
    return found


def _at_table(mail: Mail, stored: TableGame, seat: Seat, waiting: Sequence[Waiting], late_for: Due | None) -> _AtTable:
    here, row = last_here(mail.session, stored, seat), stored.seats[seat]
    found = told_since(stored, seat, here.turns)
    if any(was_taken_for(row, one.due) for one in waiting):
        found.append(Told(Weight.FOR_YOU, taken_sentence(days_left(stored.table, row))))
    for one in waiting:
        if dropped := dropped_sentence(one.stored, seat):
            place = say("Hand {number}", number=one.key.hand) if stored.row.at_once > 1 else ""
            found.append(Told(Weight.FOR_YOU, dropped, place, one.key.hand))
    since, now = here.at or stored.table.created_at, mail.runtime.now()
    said = talk.said_since(mail.session, stored.table, row, since, now)
    found += told_talk(talk_lines(said, mail.player.id, mail.player.time_zone))
    return _AtTable(stored, seat, waiting, found, late_for)


def _part(mail: Mail, at_table: _AtTable, lines: Sequence[Told], shown: Sequence[Waiting]) -> TablePart:
    stored, asked = at_table.stored, []
    for one in at_table.waiting:
        if one in shown:
            hand, now = one.stored, mail.runtime.now()
            # With the deadline that it has once the mail is out.
            if one.shown_at is None:
                hand = as_if_asked(hand, mail.letter.created_at, now, mail.player)
            asked.append(named_question(mail.runtime, hand, Seat(one.key.seat), one.due, mail.player))
    return TablePart(
        name=table_name(stored.seats),
        told=lines,
        asked=asked,
        back_link=mail.url(turn_link(stored, at_table.seat, at_table.late_for)) if at_table.late_for else None,
        is_live=is_live(stored.table.play_time),
    )


def _subject(
    why: str | None, at_tables: Sequence[_AtTable], missed: Sequence[Missed], first: NamedQuestion | None, number: int
) -> str:
    """The subject: at which table and what the first decision is, and how many wait beside it."""
    stored = at_tables[0].stored
    where = summary_of(stored.table, stored.seats).hosts
    if first is None:
        return say("We played for you at {table}", table=where)
    what, more = first["sheet"].mail_subject, number - 1
    if _is_of_first_hands(at_tables):
        what = say("your first hands")
    elif more:
        what = say_many(more, "{what}, and 1 more choice", "{what}, and {number} more choices", what=what)
    if why == Cause.CALL:
        return say("Last call: {table}: {what}", table=where, what=what)
    if why == Cause.NUDGE:
        return say("Reminder: {table}: {what}", table=where, what=what)
    if why == Cause.MISSED:
        if all(one.key.what != PLAYED for one in missed):
            return say("A spare day for you: {table}: {what}", table=where, what=what)
        return say("We played for you: {table}: {what}", table=where, what=what)
    return say("{table}: {what}", table=where, what=what)


def _preheader(why: str | None, part: TablePart, first: NamedQuestion | None) -> str:
    """The line beside the subject in an inbox: what we played, when a last call ends, or how the first trick stands."""
    if part.told and part.told[0].weight is Weight.FOR_YOU:
        return part.told[0].sentence
    assert first is not None
    if why == Cause.CALL and (deadline := first["deadline"]):
        if deadline.is_spared:
            return say("After {time}, we use one of your spare days.", time=deadline.text)
        return say("After {time}, a robot plays for you.", time=deadline.text)
    return first["sheet"].preheader


def _first_hands(at_tables: Sequence[_AtTable]) -> str:
    """Says in a first mail how many hands are played at once; empty in any other mail."""
    if not _is_of_first_hands(at_tables):
        return ""
    hands = len(list(at_tables[0].stored.open_hands()))
    return say_many(hands, "You play one hand.", "You play {count} hands at once.", count=number_word(hands))


def _is_of_first_hands(at_tables: Sequence[_AtTable]) -> bool:
    """Whether it asks for several hands of one table, where its reader has chosen nothing yet."""
    (first, *more), asked = at_tables, at_tables[0].waiting
    is_first = all(one.stored.row.number == 1 and is_first_question(one.stored, first.seat) for one in asked)
    return not more and len(asked) > 1 and is_first
