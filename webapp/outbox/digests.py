"""Digests, which combine several mails into one: when a player's next digest is sent, and what it contains.

A held letter waits for a digest; the next digest includes all of a player's held letters. Code that holds a letter or
composes a digest must have locked the player's row, so that no letter is included twice or left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, or_, select

from hearts.seats import Seat
from webapp.games import store
from webapp.games.clock import next_hour
from webapp.games.due import Due, due_of
from webapp.games.presence import may_disturb_at
from webapp.games.running import waiting_games
from webapp.games.store import Stored
from webapp.kinds import KINDS
from webapp.models import Frequency, LetterKind, LetterRow, LetterState, PlayerRow

ALL_TABLES = (0, 0)  # instead of a table and a seat, in a link that is about all of a player's tables
FIRST_WAIT = timedelta(minutes=1)  # so that events close together share a digest
MIN_INTERVAL = timedelta(hours=1)  # between two digests of a player who wants turns together, but not once a day


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that the player has not answered yet, at one of their tables."""

    stored: Stored
    seat: Seat
    due: Due
    is_new: bool = False  # no mail has asked for it before


@dataclass(frozen=True, slots=True)
class Digest:
    """What a digest contains: the open questions, most urgent first, and the letters with news, oldest first."""

    asked: tuple[OpenQuestion, ...]
    news: tuple[LetterRow, ...]


def next_digest(session: Session, player: PlayerRow, now: datetime) -> tuple[str, datetime] | None:
    """The dedupe key and time of the digest to queue for a held letter; None if a queued digest will include it."""
    newest = select(LetterRow).where(LetterRow.player_id == player.id, LetterRow.kind == LetterKind.DIGEST)
    newest = newest.where(LetterRow.state != LetterState.SUPERSEDED).order_by(col(LetterRow.id).desc()).limit(1)
    last = session.exec(newest).first()
    if last is not None and last.state is LetterState.QUEUED and last.message is None:
        return None
    if player.frequency is Frequency.DAILY:
        return _next_daily(session, player, now)
    at = now + FIRST_WAIT if last is None else max(now + FIRST_WAIT, (last.sent_at or now) + MIN_INTERVAL)
    at = may_disturb_at(player, at)
    return f"digest {player.id} {at.isoformat()}", at


def digest_of(session: Session, letter: LetterRow) -> Digest | None:
    """What the digest contains as of now; None if nothing that was held for it is still open or new.

    Besides the held letters, it includes every other open question of the player. Locks the player.
    """
    session.get_one(PlayerRow, letter.player_id, with_for_update={"key_share": True})
    held = _held_for(session, letter)
    new = {(row.game_id, row.seat, row.hand, row.about) for row in held}
    asked = tuple(replace(one, is_new=_key(one) in new) for one in _open_questions(session, letter.player_id))
    news = tuple(row for row in held if KINDS[row.kind].is_news)
    return Digest(asked, news) if news or any(one.is_new for one in asked) else None


def mark_reported(session: Session, letter: LetterRow) -> None:
    """Marks the letters that the composed digest includes as bundled, and the other held ones as superseded."""
    asked = {_key(one) for one in _open_questions(session, letter.player_id)}
    for row in _held_for(session, letter):
        is_told = KINDS[row.kind].is_news or (row.game_id, row.seat, row.hand, row.about) in asked
        row.state = LetterState.BUNDLED if is_told else LetterState.SUPERSEDED
        row.told_by = letter.id if is_told else None


def _next_daily(session: Session, player: PlayerRow, now: datetime) -> tuple[str, datetime]:
    """The dedupe key and time of the next daily digest. The key is its local date, so that there is one a day."""
    at = now
    while True:
        at = next_hour(at, player.time_zone, player.daily_at)
        name = f"digest {player.id} {at.astimezone(ZoneInfo(player.time_zone)).date()}"
        if session.exec(select(LetterRow.id).where(LetterRow.dedupe == name)).first() is None:
            return name, at


def _key(asked: OpenQuestion) -> tuple[int, int, int, str]:
    """What identifies a question: game, seat, hand, and what it is about, as in its letter's row."""
    return asked.stored.id, asked.seat, asked.due.hand, asked.due.what


def _held_for(session: Session, letter: LetterRow) -> Sequence[LetterRow]:
    """The letters held for the player, and those that an earlier, failed attempt at this digest has included."""
    held = select(LetterRow).where(LetterRow.player_id == letter.player_id)
    held = held.where(or_(LetterRow.state == LetterState.HELD, LetterRow.told_by == letter.id))
    return session.exec(held.order_by(col(LetterRow.id))).all()


def _open_questions(session: Session, player_id: int) -> list[OpenQuestion]:
    """The player's open questions at all tables that they have not muted, most urgent first."""
    found = []
    for game in waiting_games(session, player_id):
        if game.mine.mails:
            stored = store.load(session, game.row.id)
            for hand in stored.open_hands():
                if due := due_of(hand.game, game.seat):  # None if the player has played meanwhile
                    found.append(OpenQuestion(hand, game.seat, due))
    return found
