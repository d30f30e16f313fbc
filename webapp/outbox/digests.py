"""Several mails in one: when the next digest of a player goes, and what there is to tell in it when it does.

A held letter waits for a digest; one digest that is owed and not yet composed tells all of them. Whoever holds a
letter, or composes a digest, has locked the player's row, so that nothing is told twice or left behind.
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

ALL_TABLES = (0, 0)  # in place of table and seat, where a link is about all tables of a player
FIRST_WAIT = timedelta(minutes=1)  # what comes up together is told together
APART = timedelta(hours=1)  # bundled digests come at most so often


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that is asked of the player at one of her tables."""

    stored: Stored
    seat: Seat
    due: Due
    is_new: bool = False  # no mail has asked for it before


@dataclass(frozen=True, slots=True)
class Digest:
    """What a digest tells: what is asked now, the most urgent first, and the letters with news, the oldest first."""

    asked: tuple[Asked, ...]
    news: tuple[LetterRow, ...]


def next_digest(session: Session, player: PlayerRow, now: datetime) -> tuple[str, datetime] | None:
    """Name and time of the digest to be owed, now that something is held; None where one that will tell it is owed."""
    newest = select(LetterRow).where(LetterRow.player_id == player.id, LetterRow.kind == LetterKind.DIGEST)
    newest = newest.where(LetterRow.state != LetterState.SUPERSEDED).order_by(col(LetterRow.id).desc()).limit(1)
    last = session.exec(newest).first()
    if last is not None and last.state is LetterState.QUEUED and last.message is None:
        return None
    if player.frequency is Frequency.DAILY:
        return _next_daily(session, player, now)
    at = now + FIRST_WAIT if last is None else max(now + FIRST_WAIT, (last.sent_at or now) + APART)
    at = may_disturb_at(player, at)
    return f"digest {player.id} {at.isoformat()}", at


def digest_of(session: Session, letter: LetterRow) -> Digest | None:
    """What the digest tells, as things stand; None where all that was held for it is over or told. Locks the player.

    Beside what was held, it names whatever else is asked of the player at this moment.
    """
    session.get_one(PlayerRow, letter.player_id, with_for_update={"key_share": True})
    held = _held_for(session, letter)
    new = {(row.game_id, row.seat, row.hand, row.about) for row in held}
    asked = tuple(replace(one, is_new=_name(one) in new) for one in _asked_of(session, letter.player_id))
    news = tuple(row for row in held if KINDS[row.kind].is_news)
    return Digest(asked, news) if news or any(one.is_new for one in asked) else None


def note_told(session: Session, letter: LetterRow) -> None:
    """The digest was composed: what it tells is told, and what was over by then never will be."""
    asked = {_name(one) for one in _asked_of(session, letter.player_id)}
    for row in _held_for(session, letter):
        is_told = KINDS[row.kind].is_news or (row.game_id, row.seat, row.hand, row.about) in asked
        row.state = LetterState.BUNDLED if is_told else LetterState.SUPERSEDED
        row.told_by = letter.id if is_told else None


def _next_daily(session: Session, player: PlayerRow, now: datetime) -> tuple[str, datetime]:
    """One a day and no more: its name is its local date, and names are unique."""
    at = now
    while True:
        at = next_hour(at, player.time_zone, player.daily_at)
        name = f"digest {player.id} {at.astimezone(ZoneInfo(player.time_zone)).date()}"
        if session.exec(select(LetterRow.id).where(LetterRow.dedupe == name)).first() is None:
            return name, at


def _name(asked: Asked) -> tuple[int, int, int, str]:
    """What tells a question from all others, as its letter bears it."""
    return asked.stored.id, asked.seat, asked.due.hand, asked.due.what


def _held_for(session: Session, letter: LetterRow) -> Sequence[LetterRow]:
    """What waits for a digest of this player, and what this one has told already in an attempt that failed."""
    held = select(LetterRow).where(LetterRow.player_id == letter.player_id)
    held = held.where(or_(LetterRow.state == LetterState.HELD, LetterRow.told_by == letter.id))
    return session.exec(held.order_by(col(LetterRow.id))).all()


def _asked_of(session: Session, player_id: int) -> list[Asked]:
    """What is asked of the player now at all tables of which she wants mails, the most urgent first."""
    found = []
    for game in waiting_games(session, player_id):
        if game.mine.mails:
            stored = store.load(session, game.row.id)
            if due := due_of(stored.game, game.seat):  # she may have played meanwhile
                found.append(Asked(stored, game.seat, due))
    return found
