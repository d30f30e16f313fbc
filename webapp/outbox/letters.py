"""Queues letters: rows of the outbox, written in the transaction of the event that causes them.

A row says what the mail is about; a worker composes the text when it sends it. `timing` decides when that is, and
`digests` collects the letters that wait for a digest.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import Table, bindparam, insert, inspect
from sqlmodel import Session, col, select, update

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.tokens import UnsubscribeLink
from webapp.games.clock import quiet_until
from webapp.games.due import Due
from webapp.games.face_down import open_due
from webapp.games.presence import quiet_of
from webapp.games.store import Stored
from webapp.games.trick_sheet import asked_before_turn
from webapp.kinds import ASKING, IGNORING_MUTE, KINDS, SHOWING_CARDS
from webapp.models import AddressChangeRow, LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox import digests, timing
from webapp.outbox.leases import put_off

KEPT_FOR = timedelta(days=30)
NO_ADDRESS = ""  # of a letter whose recipient is deleted; None would be its player's own
SECOND_INVITATION_AFTER = timedelta(days=3)
_SECOND = "reminder"  # in the dedupe key of a second mail
WAITING = (LetterState.QUEUED, LetterState.HELD)
# The names are not those of columns, which an UPDATE would set.
_OF_HAND = (
    col(LetterRow.game_id) == bindparam("of_game"),
    col(LetterRow.hand) == bindparam("of_hand"),
    col(LetterRow.seat) == bindparam("at_seat"),
    col(LetterRow.player_id) == bindparam("reader"),
)
_OF_DECISION = (*_OF_HAND, col(LetterRow.about) == bindparam("decision"), col(LetterRow.kind).in_(ASKING))
# Built once, as those in `games.store`.
_ASKING = select(LetterRow).where(*_OF_DECISION)
_FIRST_OF_HAND = select(LetterRow.message_id).where(*_OF_HAND).order_by(col(LetterRow.id)).limit(1)
_WAITING_OF_DECISION = (
    select(LetterRow.id)
    .where(*_OF_DECISION, col(LetterRow.state).in_(WAITING))
    .order_by(col(LetterRow.id))  # workers lock letters in this order, too
    .with_for_update()
)
_SUPERSEDING = (
    update(LetterRow)
    .where(col(LetterRow.id).in_(_WAITING_OF_DECISION))
    .values(state=LetterState.SUPERSEDED, next_at=None)
    .execution_options(synchronize_session=False)
)
_LETTERS = cast(Table, inspect(LetterRow).local_table)


class OfferOver(StrEnum):
    """Why somebody who has accepted a seat does not get it."""

    WITHDRAWN = "withdrawn"  # by the host
    GAME_OVER = "over"  # the hand being played was the last one
    ENDED = "ended"  # the host has ended the game


class SeatGiven(StrEnum):
    """Why a player has lost a seat, if not because the host has given it away."""

    LENT = "lent"  # a friend plays for them until they are back
    OWNER_BACK = "owner_back"  # they stood in for a player who is back
    GIVEN_BACK = "given_back"  # by themselves, or because they are away; there is no mail
    MISSED = "missed"  # they stood in, and missed too many deadlines
    GAME_OVER = "over"  # they stood in until the end of the game


BY_OPERATOR = "operator"  # why a game was ended, if its host did not end it
NO_STAND_IN = "no_stand_in"  # why a mail says who declines: they do not play for its reader


def queue_about_table(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    seat: SeatRow,
    now: datetime,
    about: str | None = None,
    occasion: str | None = None,
    number: int = 1,
    **columns: int | str | None,
) -> None:
    """Queues a mail about a table to the player of `seat`, unless they have asked not to get it.

    `about` names a person; `columns` are `game_number`, `newcomer_id` and `reason` of the row. The same mail is queued
    once for an `occasion` (`about`, if none is given) before the game of that `number`. A second invitation is queued
    with the first, for the case that nobody answers it.
    """
    wants = session.get_one(PlayerRow, seat.player_id).invitations if kind is LetterKind.INVITATION else seat.mails
    if not wants and kind is not LetterKind.CONFIRM:
        return
    occasion = occasion or about or ""
    before = "" if number == 1 else f" before game {number}"
    letter = _letter(session, kind, seat, now, about=about, **columns)
    first = _queue_once(session, runtime, letter, occasion + before, now)
    if first is not None and kind is LetterKind.INVITATION:
        letter = _letter(session, kind, seat, now, about=about, again=True, **columns)
        second = _queue_once(session, runtime, letter, f"{_SECOND} {occasion}".strip() + before, now)
        if second is not None:
            second.thread_id = first.message_id
            second.created_at = second.next_at = now + SECOND_INVITATION_AFTER


def queue_ended(
    session: Session, runtime: Runtime, seat: SeatRow, number: int, now: datetime, *, by_operator: bool
) -> None:
    """Queues a mail that tells the player of `seat` that the host, or an operator, has ended game `number`."""
    reason = BY_OPERATOR if by_operator else None
    about: dict[str, Any] = {"occasion": f"game {number}", "number": number, "game_number": number, "reason": reason}
    queue_about_table(session, runtime, LetterKind.ENDED, seat, now, **about)


def queue_offered(session: Session, runtime: Runtime, seat: SeatRow, now: datetime, number: int) -> None:
    """Queues, once, a mail that tells the player of `seat` that the host has offered it to a newcomer.

    The offer is made before the game of that `number`. A player who has muted the table gets no mail.
    """
    if seat.player_id is not None:
        queue_about_table(
            session,
            runtime,
            LetterKind.OFFERED,
            seat,
            now,
            occasion=str(seat.offered_to),
            number=number,
            newcomer_id=seat.offered_to,
        )


def queue_offer_over(session: Session, runtime: Runtime, seat: SeatRow, why: OfferOver, now: datetime) -> None:
    """Queues a mail that tells the player who has accepted the offered `seat` why they do not get it."""
    assert seat.offered_to is not None
    player = session.get_one(PlayerRow, seat.offered_to)
    reader = SeatRow(table_id=seat.table_id, seat=seat.seat, player_id=player.id, name="", state=seat.state)
    letter = _letter(session, LetterKind.OFFER_OVER, reader, now, about=seat.offered_name, reason=why)
    _queue(session, runtime, letter, f"{letter.kind} {seat.table_id} {seat.seat} {player.id} {now.isoformat()}")


def queue_replaced(
    session: Session, runtime: Runtime, seat: SeatRow, name: str, why: SeatGiven | None, now: datetime
) -> None:
    """Queues a mail that tells the player of `seat` why it is not theirs now, unless they have muted the table.

    It stores their `name`, which the seat's row is about to lose. A player who gives a seat back themselves gets none.
    """
    if seat.mails and why is not SeatGiven.GIVEN_BACK:
        letter = _letter(session, LetterKind.REPLACED, seat, now, about=name, reason=why)
        dedupe = f"{letter.kind} {seat.table_id} {seat.seat} {seat.player_id} {now.isoformat()}"
        _queue(session, runtime, letter, dedupe if why is None else f"{dedupe} {why}")


def queue_no_stand_in(session: Session, runtime: Runtime, seat: SeatRow, name: str, now: datetime) -> None:
    """Queues a mail that tells the player of `seat`, who is away, that the friend `name` does not play for them.

    A player who has muted the table gets none.
    """
    if seat.mails:
        letter = _letter(session, LetterKind.DECLINED, seat, now, about=name, reason=NO_STAND_IN)
        dedupe = f"{letter.kind} {seat.table_id} {seat.seat} {seat.player_id} {letter.reason} {now.isoformat()}"
        _queue(session, runtime, letter, dedupe)


def queue_about_evening(
    session: Session, runtime: Runtime, kind: LetterKind, seat: SeatRow, evening_id: int, game_id: int, now: datetime
) -> LetterRow:
    """Queues a mail about an evening together to the player of `seat`, in the thread of that evening, and returns it.

    The caller queues each kind once.
    """
    letter = _letter(session, kind, seat, now, about=None, evening_id=evening_id, game_id=game_id)
    same = (LetterRow.evening_id == evening_id, LetterRow.player_id == seat.player_id)
    session.flush()
    first = session.exec(select(LetterRow.message_id).where(*same).order_by(col(LetterRow.id)).limit(1)).first()
    letter.thread_id = first
    _queue(session, runtime, letter, f"{kind} {evening_id} {seat.seat} {seat.player_id}")
    return letter


def queue_sign_in(session: Session, runtime: Runtime, player: PlayerRow, now: datetime) -> None:
    """Queues a mail with a sign-in link. The caller limits how many go to one address."""
    _queue_without_table(session, runtime, LetterKind.SIGN_IN, player, None, now)


def queue_forget(session: Session, runtime: Runtime, player: PlayerRow, now: datetime) -> None:
    """Queues a mail with the link by which a player has everything of theirs deleted."""
    _queue_without_table(session, runtime, LetterKind.FORGET, player, None, now)


def queue_join(session: Session, runtime: Runtime, player: PlayerRow, table_id: int, name: str, now: datetime) -> None:
    """Queues a mail with the link by which a player who asked for an open seat takes it as `name`."""
    letter = _queue_without_table(session, runtime, LetterKind.JOIN, player, None, now)
    letter.table_id, letter.about = table_id, name


def queue_address_change(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    change: AddressChangeRow,
    address: str,
    at: datetime,
    *,
    again: bool = False,
) -> None:
    """Queues a mail about a change of address, to the old or the new `address`, for the time `at`.

    With `again` it is the reminder.
    """
    letter = LetterRow(
        kind=kind,
        player_id=change.player_id,
        address=address,
        change_id=change.id,
        again=again,
        next_at=at,
        created_at=at,
        dedupe="",
        message_id="",
    )
    _queue(session, runtime, letter, f"{kind.replace('_', '-')} {f'{_SECOND} ' if again else ''}{change.id}")


def queue_answer(session: Session, runtime: Runtime, letter: LetterRow) -> None:
    """Queues an answer to an inbound mail, which `inbox` has written and given a dedupe key."""
    _queue(session, runtime, letter, letter.dedupe)


def queue_trial(session: Session, runtime: Runtime, player: PlayerRow, address: str, now: datetime) -> LetterRow:
    """Queues a mail by which an operator tests outgoing mail, and returns it."""
    return _queue_without_table(session, runtime, LetterKind.TRIAL, player, address, now)


def supersede_for_lost_seat(session: Session, seat: SeatRow) -> None:
    """Supersedes the unsent letters to the player of `seat`, who is about to lose it.

    They still get the score sheets of hands that they have played.
    """
    waiting = select(LetterRow).where(LetterRow.table_id == seat.table_id, LetterRow.seat == seat.seat)
    waiting = waiting.where(LetterRow.player_id == seat.player_id, col(LetterRow.state).in_(WAITING))
    supersede(session.exec(waiting.where(LetterRow.kind != LetterKind.SCORE_SHEET)))


def supersede_without_seat(session: Session, player_id: int, table_id: int | None) -> None:
    """Supersedes the unsent letters to a player about seats that they do not have, at that table or (None) at any.

    `supersede_for_muted_seats` does the same for seats that they have.
    """
    waiting = select(LetterRow).where(LetterRow.player_id == player_id, col(LetterRow.state).in_(WAITING))
    waiting = waiting.where(col(LetterRow.seat).is_not(None))
    waiting = waiting if table_id is None else waiting.where(LetterRow.table_id == table_id)
    supersede([letter for letter in session.exec(waiting).all() if _own_seat(session, letter) is None])


def supersede_for_ended_game(session: Session, game_id: int) -> None:
    """Supersedes the unsent letters of a game that the host has ended, if they ask for a turn or show cards."""
    waiting = select(LetterRow).where(LetterRow.game_id == game_id, col(LetterRow.state).in_(WAITING))
    supersede(session.exec(waiting.where(col(LetterRow.kind).in_((*ASKING, *SHOWING_CARDS)))))


def supersede_for_muted_seats(session: Session, seats: Iterable[SeatRow]) -> None:
    """Supersedes the unsent letters to the players of these seats about them, but for kinds that ignore muting."""
    for seat in seats:
        waiting = select(LetterRow).where(LetterRow.table_id == seat.table_id, LetterRow.seat == seat.seat)
        waiting = waiting.where(LetterRow.player_id == seat.player_id, col(LetterRow.state).in_(WAITING))
        supersede(session.exec(waiting.where(col(LetterRow.kind).not_in(IGNORING_MUTE))))


def reschedule(session: Session, runtime: Runtime, player: PlayerRow, now: datetime) -> None:
    """Reschedules the unsent letters to `player`, whose preferences have changed. The caller has locked their row.

    A letter that was composed or tried before keeps its time.
    """
    waiting = select(LetterRow).where(LetterRow.player_id == player.id, col(LetterRow.state).in_(WAITING))
    fresh = [letter for letter in session.exec(waiting).all() if letter.message is None and letter.tries == 0]
    for letter in fresh:
        if letter.kind is LetterKind.DIGEST:
            _free_dedupe_key(runtime, letter)
        elif letter.kind is LetterKind.REMINDER and letter.next_at is not None:
            _reschedule_reminder(letter, fresh, player)
        elif not KINDS[letter.kind].repeats:
            _schedule(session, letter, player, now)
    session.flush()
    if any(letter.state is LetterState.HELD for letter in fresh):
        queue_digest(session, runtime, player, now)


def is_stale(letter: LetterRow, stored: Stored) -> bool:
    """Whether a mail about a game need not be sent any more: it is answered, or its reader is away or has muted it.

    Once somebody else has the seat, a mail that asks for a turn or shows cards is stale, too; the player who lost it
    still gets the sheets of the hands that they played.
    """
    assert letter.seat is not None
    seat = stored.seats[letter.seat]
    if seat.player_id != letter.player_id:
        return KINDS[letter.kind].asks or KINDS[letter.kind].shows_cards
    if letter.kind is LetterKind.ANSWER:  # its reader has just written to us
        return False
    if not KINDS[letter.kind].asks:
        return not seat.mails
    due = asked_by(letter)
    hand = stored.at(due.hand)
    is_played = Seat(letter.seat) in hand.played_by_robot
    asked = (open_due(hand, Seat(letter.seat)), asked_before_turn(hand, Seat(letter.seat)))
    return not seat.mails or is_played or due not in asked


def hold_back(session: Session, letter: LetterRow, now: datetime) -> bool:
    """Puts off a due letter whose reader is looking at the game, unless they requested it. Returns whether it did."""
    until = held_until(session, letter, now)
    if until is None:
        return False
    put_off(letter, until)
    if letter.message is None:
        letter.created_at = until
    return True


def held_until(session: Session, letter: LetterRow, now: datetime) -> datetime | None:
    """Until when a letter waits because its reader, who has not requested it, is looking at the game; None if it need
    not wait.
    """
    row = None if letter.requested else _own_seat(session, letter)
    return timing.held_until(letter.kind, row, now) if row else None


def asked_by(letter: LetterRow) -> Due:
    """The decision that a letter within a game is about."""
    assert letter.hand is not None
    assert letter.about is not None
    return Due(letter.hand, letter.about)


def unsubscribe_link(letter: LetterRow, player: PlayerRow) -> UnsubscribeLink | None:
    """The link by which one click stops mail to `player`: about the letter's table, or, in a digest, about all tables.

    None if the kind of mail has no such link.
    """
    if letter.kind is LetterKind.DIGEST:
        return UnsubscribeLink(*digests.ALL_TABLES, letter.player_id, player.links)
    if letter.table_id is None or letter.seat is None or not KINDS[letter.kind].has_stop:
        return None
    return UnsubscribeLink(letter.table_id, letter.seat, letter.player_id, player.links)


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the composed text of letters older than `KEPT_FOR`, what the relay said, which may quote addresses, and
    recipients that are not their players' own addresses.

    The rows stay, so that no mail is ever sent twice.
    """
    old = (col(LetterRow.created_at) < now - KEPT_FOR, col(LetterRow.state) != LetterState.QUEUED)
    named = (*old, col(LetterRow.address) != NO_ADDRESS)
    session.exec(update(LetterRow).where(*named).values(address=NO_ADDRESS))
    session.exec(update(LetterRow).where(*old, col(LetterRow.message).is_not(None)).values(message=None, problem=None))


def letters_asking(session: Session, game_id: int, seat: SeatRow, due: Due) -> list[LetterRow]:
    """All letters, sent or not, that ask the present player of `seat` for `due`; not those to earlier players."""
    with _only_letters_flushed(session):
        return list(session.exec(_ASKING, params=_decision(game_id, seat, due)))


def supersede_answered(session: Session, game_id: int, seat: SeatRow, due: Due) -> None:
    """Supersedes those of the `letters_asking` that are not sent yet."""
    with _only_letters_flushed(session):
        session.exec(_SUPERSEDING, params=_decision(game_id, seat, due))
    for row in session.identity_map.values():
        if isinstance(row, LetterRow):
            session.expire(row)


def _decision(game_id: int, seat: SeatRow, due: Due) -> dict[str, Any]:
    """A decision of the present player of `seat`, as parameters of a query."""
    return {**_hand(game_id, seat, due), "decision": due.what}


def _hand(game_id: int, seat: SeatRow, due: Due) -> dict[str, Any]:
    return {"of_game": game_id, "of_hand": due.hand, "at_seat": seat.seat, "reader": seat.player_id}


def had_other_reader(session: Session, game_id: int, seat: SeatRow) -> bool:
    """Whether letters about the game were queued to a player who no longer has the seat."""
    found = select(LetterRow.id).where(LetterRow.game_id == game_id, LetterRow.seat == seat.seat)
    return session.exec(found.where(col(LetterRow.player_id).is_distinct_from(seat.player_id))).first() is not None


def supersede(letters: Iterable[LetterRow]) -> None:
    """Marks letters as superseded: none of them is sent, or sent again."""
    for letter in letters:
        letter.state, letter.next_at = LetterState.SUPERSEDED, None


def queue_digest(
    session: Session, runtime: Runtime, player: PlayerRow, now: datetime, why: digests.Why | None = None
) -> None:
    """Queues a digest of what is held for `player`, unless one is queued already. The caller has locked their row.

    `why` is for a player who wants a mail for each turn.
    """
    found = digests.next_digest(session, player, now, why)
    if found is None:
        return
    dedupe, at = found
    letter = LetterRow(kind=LetterKind.DIGEST, player_id=player.id, next_at=at, created_at=at, dedupe="", message_id="")
    letter.reason = why
    _queue(session, runtime, letter, dedupe)
    session.flush()


def _reschedule_reminder(letter: LetterRow, waiting: Sequence[LetterRow], player: PlayerRow) -> None:
    """Supersedes a reminder that its player no longer wants, and moves others out of their quiet hours.

    A player who wants digests gets only the last of several reminders.
    """
    assert letter.next_at is not None
    same = [one for one in waiting if one.kind is letter.kind and _question_of(one) == _question_of(letter)]
    is_last = all(one.next_at is None or one.next_at <= letter.next_at for one in same)
    if not player.reminders or not (is_last or timing.wants_each_turn(player)):
        supersede([letter])
    else:
        put_off(letter, quiet_until(letter.next_at, player.time_zone, quiet_of(player)) or letter.next_at)


def _question_of(letter: LetterRow) -> tuple[object, ...]:
    return (letter.game_id, letter.seat, letter.hand, letter.about)


def queue_in_game(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    stored: Stored,
    seat: SeatRow,
    due: Due,
    now: datetime,
    again: str = "",
    after: LetterRow | None = None,
) -> LetterRow:
    """Queues a letter about `due` to the player of `seat` in the mail thread of its hand, and returns it.

    `again` distinguishes its dedupe key from that of an earlier letter of the same kind about the same decision.
    `after` is a letter of the same hand to the same player, if the caller knows one: it names the thread.
    """
    player = session.get_one(PlayerRow, seat.player_id)
    thread = _thread_after(after) if after else _thread(session, stored, seat, due)
    schedule = timing.schedule(kind, player, now, seat)
    letter = LetterRow(**_in_game(runtime, kind, stored, seat, due, again, schedule, now, thread))
    session.add(letter)
    if letter.state is LetterState.HELD:
        queue_digest(session, runtime, player, now)
    return letter


def queue_asking(
    session: Session,
    runtime: Runtime,
    question: LetterKind | None,
    stored: Stored,
    seat: SeatRow,
    due: Due,
    now: datetime,
    *,
    again: str = "",
    reminders: Sequence[datetime] = (),
    remind_again: str = "",
    after: LetterRow | None = None,
) -> None:
    """Queues the question `due` to the player of `seat`, unless it is None, and reminders of it for these times.

    `again` and `remind_again` distinguish their dedupe keys, and `after` is as in `queue_in_game`. Nearly every turn
    asks somebody: so these letters are written by one statement, and nobody gets them as objects.
    """
    player = session.get_one(PlayerRow, seat.player_id)
    thread = _thread_after(after) if after else _thread(session, stored, seat, due)
    schedule = timing.schedule(question, player, now, seat) if question else None
    rows = []
    if question and schedule:
        rows.append(_in_game(runtime, question, stored, seat, due, again, schedule, now, thread))
        thread = thread or rows[0]["message_id"]
    for at in reminders:
        apart, at_that_time = f" {at.isoformat()}{remind_again}", timing.Schedule(LetterState.QUEUED, at)
        rows.append(_in_game(runtime, LetterKind.REMINDER, stored, seat, due, apart, at_that_time, now, thread))
    if rows:
        with session.no_autoflush:
            session.execute(insert(_LETTERS), rows)
    if schedule and schedule.state is LetterState.HELD:
        queue_digest(session, runtime, player, now)


def _in_game(
    runtime: Runtime,
    kind: LetterKind,
    stored: Stored,
    seat: SeatRow,
    due: Due,
    again: str,
    schedule: timing.Schedule,
    now: datetime,
    thread: str | None,
) -> dict[str, Any]:
    """The columns of a new letter about `due` to the player of `seat`."""
    dedupe = f"{kind} {stored.id} {seat.seat} {seat.player_id} {due.hand} {due.what}{again}"
    return {
        "kind": kind,
        "dedupe": dedupe,
        "player_id": seat.player_id,
        "table_id": seat.table_id,
        "seat": seat.seat,
        "game_id": stored.id,
        "turns": stored.row.turns,
        "hand": due.hand,
        "about": due.what,
        "message_id": _message_id(runtime, dedupe),
        "thread_id": thread,
        "state": schedule.state,
        "next_at": schedule.at,
        "created_at": schedule.at or now,
    }


def _queue_once(
    session: Session, runtime: Runtime, letter: LetterRow, occasion: str, now: datetime
) -> LetterRow | None:
    """Queues a new letter about a table, and returns it; None where the same one is queued or has been sent.

    One that was superseded unsent is queued again, and returned in place of the new one.
    """
    dedupe = f"{letter.kind} {letter.table_id} {letter.seat} {letter.player_id} {occasion}"
    earlier = session.exec(select(LetterRow).where(LetterRow.dedupe == dedupe)).first()
    if earlier is None:
        _queue(session, runtime, letter, dedupe)
        return letter
    if earlier.state is not LetterState.SUPERSEDED or earlier.message is not None:
        return None
    _schedule(session, earlier, session.get_one(PlayerRow, letter.player_id), now)
    return earlier


def _letter(
    session: Session, kind: LetterKind, seat: SeatRow, now: datetime, *, about: str | None, **columns: Any
) -> LetterRow:
    """A letter to the player of `seat` that is not queued yet; `columns` are those of its row."""
    assert seat.player_id is not None
    letter = LetterRow(
        kind=kind,
        player_id=seat.player_id,
        table_id=seat.table_id,
        seat=seat.seat,
        about=about,
        next_at=now,
        created_at=now,
        dedupe="",
        message_id="",
        **columns,
    )
    _schedule(session, letter, session.get_one(PlayerRow, seat.player_id), now)
    return letter


def _queue_without_table(
    session: Session, runtime: Runtime, kind: LetterKind, player: PlayerRow, address: str | None, now: datetime
) -> LetterRow:
    letter = LetterRow(
        kind=kind, player_id=player.id, address=address, next_at=now, created_at=now, dedupe="", message_id=""
    )
    _queue(session, runtime, letter, f"{kind.replace('_', '-')} {player.id} {now.isoformat()}")
    return letter


def _free_dedupe_key(runtime: Runtime, letter: LetterRow) -> None:
    """Supersedes an unsent letter and frees its dedupe key and Message-ID for another one."""
    supersede([letter])
    letter.dedupe = f"{letter.dedupe} given up {letter.id}"
    letter.message_id = _message_id(runtime, letter.dedupe)


def _schedule(session: Session, letter: LetterRow, player: PlayerRow, now: datetime) -> None:
    """Sets when a letter is sent, and ends a worker's claim on it.

    A letter that waits for the morning is dated then: so it is on top in the inbox, and not too old to be sent.
    """
    letter.claimed_by = None
    letter.state, letter.next_at = timing.schedule(letter.kind, player, now, _own_seat(session, letter))
    letter.created_at = letter.next_at or now


def _own_seat(session: Session, letter: LetterRow) -> SeatRow | None:
    """The seat that the letter is about; None if it is about none, or its reader no longer has the seat."""
    if letter.table_id is None or letter.seat is None:
        return None
    row = session.get(SeatRow, (letter.table_id, letter.seat))
    return row if row and row.player_id == letter.player_id else None


def _queue(session: Session, runtime: Runtime, letter: LetterRow, dedupe: str) -> None:
    letter.dedupe = dedupe
    letter.message_id = _message_id(runtime, dedupe)
    session.add(letter)


def _thread(session: Session, stored: Stored, seat: SeatRow, due: Due) -> str | None:
    """The Message-ID of the first mail about this hand to this player; None if there is none yet."""
    with _only_letters_flushed(session):
        return session.exec(_FIRST_OF_HAND, params=_hand(stored.id, seat, due)).first()


def _thread_after(letter: LetterRow) -> str:
    return letter.thread_id or letter.message_id


@contextmanager
def _only_letters_flushed(session: Session) -> Iterator[None]:
    """While it lasts, statements find every letter as it is; other changes are not written for them."""
    if any(isinstance(row, LetterRow) for row in (*session.new, *session.dirty)):
        session.flush()
    with session.no_autoflush:
        yield


def _message_id(runtime: Runtime, dedupe: str) -> str:
    """The Message-ID for a dedupe key: the same each time, so that mail programs recognise a copy.

    It cannot be guessed, so that nobody can make a mail that passes for it.
    """
    return f"<{message_tag(runtime.keys[0], dedupe)}@{runtime.settings.sender.domain}>"


def message_tag(key: str, dedupe: str) -> str:
    """What stands before the @ in the Message-ID that was made with that key for a dedupe key."""
    return hmac.new(key.encode(), f"message-id {dedupe}".encode(), hashlib.sha256).hexdigest()[:32]
