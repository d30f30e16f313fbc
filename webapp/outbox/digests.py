"""Digests, which combine several mails into one: when a player's next digest is sent, and what it contains.

Sent to players who prefer one combined mail; others get one where `together` saves mails.

A held letter waits for a digest; the next digest includes all of a player's held letters. To hold a letter or compose a
digest needs a lock on the player's row, so that no letter is included twice or left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from operator import attrgetter
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, or_, select

from hearts.seats import Seat
from webapp.games.asked.due import Due, due_of
from webapp.games.asked.running import running_games
from webapp.games.clock.hours import next_hour
from webapp.games.clock.presence import may_disturb_at
from webapp.games.record import store
from webapp.games.record.store import TableGame
from webapp.kinds import KINDS, QUESTIONS
from webapp.models import Frequency, LetterKind, LetterRow, LetterState, PlayerRow

ALL_TABLES = (0, 0)  # instead of a table and a seat, in a link that is about all of a player's tables
FIRST_WAIT = timedelta(minutes=1)  # so that events close together share a digest
MIN_INTERVAL = timedelta(hours=1)  # between two digests of a player who wants turns together, but not once a day


class Why(StrEnum):
    """Why a player gets a digest who wants a mail for each turn; the reason in the digest's row."""

    LIMIT = "limit"  # their address has got many mails today
    TOGETHER = "together"  # several questions are due at the same time


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that the player has not answered yet, at one of their tables.

    `since` is when a mail should have asked for it; None if one has.
    """

    stored: TableGame
    seat: Seat
    due: Due
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Digest:
    """The contents of a digest: the open questions (`_asked`), and the letters with news, oldest first."""

    asked: tuple[OpenQuestion, ...]
    news: tuple[LetterRow, ...]


def next_digest(
    session: Session, player: PlayerRow, now: datetime, why: Why | None = None
) -> tuple[str, datetime] | None:
    """The dedupe key and time of the digest to queue for a held letter; None if a queued digest will include it."""
    last = _last_digest(session, player.id)
    if last is not None and _is_to_come(last):
        return None
    if why is Why.TOGETHER:
        return f"digest {player.id} {why} {now.isoformat()}", now
    if player.frequency is Frequency.DAILY:
        return _next_daily(session, player, now)
    at = now + FIRST_WAIT if last is None else max(now + FIRST_WAIT, (last.sent_at or now) + MIN_INTERVAL)
    at = may_disturb_at(player, at)
    return f"digest {player.id} {at.isoformat()}", at


def bring_forward(session: Session, player: PlayerRow, now: datetime) -> None:
    """Makes the player's queued digest due now, if there is one that no worker has."""
    last = _last_digest(session, player.id)
    if last is not None and _is_to_come(last) and last.claimed_by is None and last.next_at is not None:
        last.next_at = min(last.next_at, now)


def can_report(letter: LetterRow) -> bool:
    """Whether a digest can say what the letter, which was never composed, is about."""
    return letter.message is None and (KINDS[letter.kind].asks or KINDS[letter.kind].is_news)


def should_have_gone_at(letter: LetterRow, carrier: LetterRow) -> datetime:
    """When `letter` should have gone, which `carrier` carries: itself or a digest.

    That is the digest's time only if its reader wants digests.
    """
    return letter.created_at if carrier.reason else carrier.created_at


def digest_of(session: Session, letter: LetterRow, *, by_table: bool = False) -> Digest | None:
    """Returns the digest's present contents; None if nothing that was held for it is still open or new.

    Besides the held letters, it includes every other open question of the player, or (`by_table`) of the table with the
    most urgent held one. Locks the player.
    """
    session.get_one(PlayerRow, letter.player_id, with_for_update={"key_share": True})
    reported = _reported_by(session, letter)
    since = {_key_of(row): should_have_gone_at(row, letter) for row in reported if KINDS[row.kind].is_question}
    found = _asked(session, letter, reported, by_table=by_table)
    asked = tuple(replace(one, since=since.get(_key(one))) for one in found)
    news = tuple(row for row in reported if KINDS[row.kind].is_news)
    is_wanted = news or {_key(one) for one in asked} & {_key_of(row) for row in reported}
    return Digest(asked, news) if is_wanted else None


def open_questions(session: Session, player_id: int) -> list[OpenQuestion]:
    """The player's open questions at all tables that they have not muted, most urgent first."""
    found = []
    for game in running_games(session, player_id):
        if game.mine.mails and not game.is_played and game.due:
            stored = store.load(session, game.row.id)
            for hand in stored.open_hands():
                # None if the player has played meanwhile
                if due := due_of(hand.game, game.seat):
                    found.append(OpenQuestion(hand, game.seat, due))
    return found


def mark_reported(session: Session, letter: LetterRow, *, by_table: bool = False) -> None:
    """Marks the letters that the composed digest includes as bundled, and the other held ones as superseded.

    `by_table` as in `digest_of`: then the other held ones go by themselves.
    """
    reported = _reported_by(session, letter)
    asked = {_key(one) for one in _asked(session, letter, reported, by_table=by_table)}
    for row in reported:
        is_included = KINDS[row.kind].is_news or _key_of(row) in asked
        if by_table and not is_included and row.state is LetterState.HELD:
            row.state, row.next_at = LetterState.QUEUED, row.created_at
        if is_included or row.state is not LetterState.QUEUED:  # a queued one that is not in it goes by itself
            row.state, row.next_at = (LetterState.BUNDLED if is_included else LetterState.SUPERSEDED), None
            row.digest_id = letter.id if is_included else None


def _asked(
    session: Session, letter: LetterRow, reported: Sequence[LetterRow], *, by_table: bool
) -> Sequence[OpenQuestion]:
    """The open questions that the digest `letter` asks, most urgent first; `by_table` as in `digest_of`."""
    found = open_questions(session, letter.player_id)
    held = set(map(_key_of, reported))
    if not by_table:
        return found
    first = next((one.stored.id for one in found if _key(one) in held), None)
    return [one for one in found if one.stored.id == first]


def _next_daily(session: Session, player: PlayerRow, now: datetime) -> tuple[str, datetime]:
    """The dedupe key and time of the next daily digest. The key is its local date, so that there is one a day."""
    at = now
    while True:
        at = next_hour(at, player.time_zone, player.daily_at)
        name = f"digest {player.id} {at.astimezone(ZoneInfo(player.time_zone)).date()}"
        if session.exec(select(LetterRow.id).where(LetterRow.dedupe == name)).first() is None:
            return name, at


def _key(asked: OpenQuestion) -> tuple[int, int, int, str]:
    """Returns the key of a question: game, seat, hand, and what it is about, as in its letter's row."""
    return asked.stored.id, asked.seat, asked.due.hand, asked.due.what


def _key_of(letter: LetterRow) -> tuple[int | None, int | None, int | None, str | None]:
    """The same of a letter that asks it."""
    return letter.game_id, letter.seat, letter.hand, letter.about


def _last_digest(session: Session, player_id: int) -> LetterRow | None:
    digest = (LetterRow.player_id == player_id, LetterRow.kind == LetterKind.DIGEST)
    sent_or_queued = select(LetterRow).where(*digest, LetterRow.state != LetterState.SUPERSEDED)
    return session.exec(sent_or_queued.order_by(col(LetterRow.id).desc()).limit(1)).first()


def _is_to_come(digest: LetterRow) -> bool:
    """Whether the digest is not composed yet, so that it will include what is held by then."""
    return digest.state is LetterState.QUEUED and digest.message is None


def _reported_by(session: Session, letter: LetterRow) -> list[LetterRow]:
    """The letters that the digest `letter` reports, if what they are about still stands, instead of their going.

    Those held for the player, those that an earlier, failed attempt at it has included, and the questions that are
    queued and that no worker is sending just now, which are locked.
    """
    theirs = select(LetterRow).where(LetterRow.player_id == letter.player_id)
    held = session.exec(theirs.where(or_(LetterRow.state == LetterState.HELD, LetterRow.digest_id == letter.id)))
    queued = theirs.where(LetterRow.state == LetterState.QUEUED, col(LetterRow.kind).in_(QUESTIONS))
    queued = queued.where(col(LetterRow.message).is_(None), col(LetterRow.requested).is_(False))
    return sorted([*held, *session.exec(queued.with_for_update(skip_locked=True))], key=attrgetter("id"))
