"""Which mails are owed: rows of the outbox, written in the transaction that owes them.

A row says what the mail is about; its words are composed by the worker when it is sent.
"""

import hashlib
import hmac
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlmodel import Session, col, func, select, update

from hearts.game import Game, Stage
from hearts.seats import Seat
from webapp.due import Due, due_of
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.parts import Parts
from webapp.store import Stored

_OWED = text("state = 'owed'")  # as a literal, as in the index
LEASE = timedelta(minutes=10)  # longer than a batch takes with a relay that is slow to answer
KEPT_FOR = timedelta(days=30)
ASKED_AT_MOST = 5  # mails an hour to one address that anybody could have asked for


class TooManyAsked(Exception):
    """An address has been sent enough of the mails that anybody can ask for."""


def owe_what_follows(session: Session, parts: Parts, before: Game, after: Stored, now: datetime) -> None:
    """Score sheets for hands that ended between the two, then a question to every player who is newly awaited."""
    ended = range(len(before.scores) + 1, len(after.game.scores) + 1)
    over = after.game.stage is Stage.OVER and before.stage is not Stage.OVER
    for seat in (row for row in after.seats if row.player_id is not None):
        for hand in ended:
            _owe_in_game(session, parts, LetterKind.SCORE_SHEET, after, seat, Due(hand, "sheet"), now)
        if over:
            _owe_in_game(session, parts, LetterKind.FINAL_SHEET, after, seat, Due(after.game.hand, "game"), now)
        due = due_of(after.game, Seat(seat.seat))
        if due and due != due_of(before, Seat(seat.seat)):
            _owe_in_game(session, parts, _question(due), after, seat, due, now)


def owe_played_for_you(session: Session, parts: Parts, stored: Stored, seat: Seat, due: Due, now: datetime) -> None:
    """Tells the player of `seat` what was played for her when she missed the deadline for `due`."""
    _owe_in_game(session, parts, LetterKind.PLAYED_FOR_YOU, stored, stored.seats[seat], due, now)


def owe_about_table(
    session: Session, parts: Parts, kind: LetterKind, seat: SeatRow, now: datetime, about: str | None = None
) -> None:
    """A mail about a table to the player of `seat`: to confirm it, an invitation, or `about` whom it was declined."""
    letter = _letter(kind, seat, now, about=about)
    _owe(session, parts, letter, f"{kind} {seat.table_id} {seat.seat} {seat.player_id} {about or ''}")


def owe_sign_in(session: Session, parts: Parts, player: PlayerRow, now: datetime) -> None:
    """A sign-in link, as often as `check_asked` allows."""
    assert player.id is not None
    letter = LetterRow(
        kind=LetterKind.SIGN_IN, player_id=player.id, next_at=now, created_at=now, dedupe="", message_id=""
    )
    _owe(session, parts, letter, f"sign-in {player.id} {now.isoformat()}")


def check_asked(session: Session, player: PlayerRow, now: datetime) -> None:
    """Raises TooManyAsked where strangers' requests have already filled this player's inbox enough."""
    asked = session.exec(
        select(func.count())
        .select_from(LetterRow)
        .where(
            LetterRow.player_id == player.id,
            col(LetterRow.kind).in_([LetterKind.CONFIRM, LetterKind.SIGN_IN]),
            LetterRow.created_at > now - timedelta(hours=1),
        )
    ).one()
    if asked >= ASKED_AT_MOST:
        raise TooManyAsked


def claim(session: Session, now: datetime, most: int) -> list[int]:
    """Up to `most` letters that are owed now, the oldest first, each given to one caller only for a lease."""
    owed = (
        select(LetterRow.id)
        .where(_OWED, col(LetterRow.next_at) <= now)
        .order_by(col(LetterRow.next_at))
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    claim = update(LetterRow).where(col(LetterRow.id).in_(owed)).values(next_at=now + LEASE)
    return sorted(session.exec(claim.returning(col(LetterRow.id))).scalars())


def count_owed(session: Session, now: datetime) -> int:
    """How many letters are owed now and claimed by nobody."""
    return session.exec(select(func.count()).select_from(LetterRow).where(_OWED, col(LetterRow.next_at) <= now)).one()


def unreachable_seats(session: Session, table_id: int) -> set[int]:
    """The seats whose last letter about the table was refused for good."""
    newest = select(func.max(LetterRow.id)).where(LetterRow.table_id == table_id, col(LetterRow.tries) > 0)
    last = col(LetterRow.id).in_(newest.group_by(col(LetterRow.seat)))
    refused = session.exec(select(LetterRow.seat).where(last, LetterRow.state == LetterState.FAILED))
    return {seat for seat in refused if seat is not None}


def is_stale(letter: LetterRow, stored: Stored) -> bool:
    """Whether a question need not be sent any more, because its answer is there."""
    assert letter.seat is not None
    questions = (LetterKind.PASS, LetterKind.TURN, LetterKind.MOON)
    return letter.kind in questions and due_of(stored.game, Seat(letter.seat)) != asked_by(letter)


def asked_by(letter: LetterRow) -> Due:
    """What a letter within a game is about."""
    assert letter.hand is not None
    assert letter.about is not None
    return Due(letter.hand, letter.about)


def forget_old(session: Session, now: datetime) -> None:
    """Empties the bodies of old letters; the rows stay, so that nothing is ever sent twice."""
    session.exec(
        update(LetterRow)
        .where(col(LetterRow.created_at) < now - KEPT_FOR, col(LetterRow.message).is_not(None))
        .where(col(LetterRow.state) != LetterState.OWED)
        .values(message=None)
    )


def _question(due: Due) -> LetterKind:
    return LetterKind(due.what) if due.what in ("pass", "moon") else LetterKind.TURN


def _owe_in_game(
    session: Session, parts: Parts, kind: LetterKind, stored: Stored, seat: SeatRow, due: Due, now: datetime
) -> None:
    letter = _letter(kind, seat, now, about=due.what)
    letter.game_id, letter.turns, letter.hand = stored.id, stored.row.turns, due.hand
    letter.thread_id = _thread(session, letter)
    _owe(session, parts, letter, f"{kind} {stored.id} {seat.seat} {due.hand} {due.what}")


def _letter(kind: LetterKind, seat: SeatRow, now: datetime, *, about: str | None) -> LetterRow:
    assert seat.player_id is not None
    return LetterRow(
        kind=kind,
        player_id=seat.player_id,
        table_id=seat.table_id,
        seat=seat.seat,
        about=about,
        next_at=now,
        created_at=now,
        dedupe="",
        message_id="",
    )


def _owe(session: Session, parts: Parts, letter: LetterRow, dedupe: str) -> None:
    letter.dedupe = dedupe
    letter.message_id = _message_id(parts, dedupe)
    session.add(letter)


def _thread(session: Session, letter: LetterRow) -> str | None:
    """The Message-ID of the first mail about this hand to this seat; None where this is the first."""
    session.flush()
    return session.exec(
        select(LetterRow.message_id)
        .where(LetterRow.game_id == letter.game_id, LetterRow.seat == letter.seat, LetterRow.hand == letter.hand)
        .order_by(col(LetterRow.id))
        .limit(1)
    ).first()


def _message_id(parts: Parts, dedupe: str) -> str:
    """The same for the same mail, so that a copy is recognisable; not to be guessed, so that nobody can pose as it."""
    key = parts.settings.keys()[0].encode()
    tag = hmac.new(key, f"message-id {dedupe}".encode(), hashlib.sha256).hexdigest()[:32]
    return f"<{tag}@{parts.settings.sender.domain}>"
