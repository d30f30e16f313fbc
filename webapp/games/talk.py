"""Talk at a table: what may be said, by whom and how much of it; what was said, and what somebody has not read yet.

Talk belongs to the table and stays across its games. How a line looks is for `telling.talk`.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlmodel import Session, col, func, select

from webapp.core.names import JOINERS, is_printable
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkInvalid, PlayLink
from webapp.games.links import check_seat
from webapp.games.presence import note_seen
from webapp.kinds import BRINGING_TALK
from webapp.models import LetterRow, LetterState, SeatRow, TableRow, Talk, TalkRow

# None of them tells of cards or of the play of a hand.
PHRASES = (
    *("Hello, everybody", "Good luck, everybody", "Well played", "Thank you", "Sorry", "Ouch"),
    *("Take your time", "Give me a minute", "Back in an hour", "I am back", "Good game", "Good night, everybody"),
)
LONGEST = 280
SHOWN = 30  # lines on a page
SHOWN_FOR = timedelta(days=30)
IN_A_MAIL = 5  # lines
A_MINUTE, AN_HOUR = 8, 60  # lines of one player
TWICE = timedelta(seconds=10)  # the same within this time was a double click
"""The mails that tell what was said."""


class TooMuch(Exception):
    """Somebody has said enough for the moment; the text is the sentence for her."""


def say(runtime: Runtime, link: PlayLink, text: str, now: datetime) -> None:
    """The player of the link says `text` to her table. The same once more at once is a double click, and said once.

    Raises SeatLost where their seat is somebody else's, LinkExpired where they have ended the link, Refused where
    the table does not allow it or the text will not do, TooMuch where they have said enough for now.
    """
    with runtime.database.writing() as session:
        # Without the key, so that rows which only name the table need not wait; her lines are counted one by one.
        table = session.get(TableRow, link.table_id, with_for_update={"key_share": True})
        seat = check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))
        if table is None:
            raise LinkInvalid
        line = _read_line(text, table.talk)
        hers = _of_last_hour(session, link, now)
        if hers and hers[0].text == line and now - hers[0].at < TWICE:
            return
        _check_amount(hers, now)
        note_seen(session, link.player_id, now)
        row = TalkRow(
            table_id=link.table_id, seat=link.seat, player_id=link.player_id, name=seat.name, text=line, at=now
        )
        session.add(row)


def said(session: Session, table: TableRow, now: datetime) -> Sequence[TalkRow]:
    """What was said at the table lately, the newest last; nothing where its host wants no talk."""
    if table.talk is Talk.NONE:
        return ()
    lately = select(TalkRow).where(TalkRow.table_id == table.id, TalkRow.at > now - SHOWN_FOR)
    return session.exec(lately.order_by(col(TalkRow.id).desc()).limit(SHOWN)).all()[::-1]


def unread(session: Session, table: TableRow, letter: LetterRow, now: datetime) -> Sequence[TalkRow]:
    """What `letter` has to tell its reader, the newest last: said since the mail before it, and since she spoke last.

    What was said between the owing and the writing of that mail is told twice rather than never.
    """
    lines = [row for row in said(session, table, now) if row.at >= _last_told_at(session, letter)]
    own = [number for number, row in enumerate(lines) if row.player_id == letter.player_id]
    return lines[own[-1] + 1 if own else 0 :][-IN_A_MAIL:]


def _read_line(text: str, talk: Talk) -> str:
    """What is said, on one line and without letters that cannot be seen. Raises Refused."""
    line = " ".join("".join(filter(is_printable, " ".join(text.split()))).split())
    if talk is Talk.NONE:
        raise Refused("There is no talk at this table.")
    if not line.strip(JOINERS + " "):
        raise Refused("Please write what you want to say.")
    if talk is Talk.PHRASES and line not in PHRASES:
        raise Refused("At this table only the phrases on this page can be said.")
    if len(line) > LONGEST:
        raise Refused(f"That is {len(line)} letters long; please say it in {LONGEST} at most.")
    return line


def _of_last_hour(session: Session, link: PlayLink, now: datetime) -> Sequence[TalkRow]:
    """What the player of the link has said at her table within the hour, the newest first."""
    hers = select(TalkRow).where(TalkRow.table_id == link.table_id, TalkRow.player_id == link.player_id)
    hers = hers.where(TalkRow.at > now - timedelta(hours=1))
    return session.exec(hers.order_by(col(TalkRow.id).desc()).limit(AN_HOUR)).all()


def _check_amount(hers: Sequence[TalkRow], now: datetime) -> None:
    """Raises TooMuch where lines of the last hour, the newest first, are enough."""
    if len(hers) >= AN_HOUR:
        raise TooMuch("That was a lot within an hour. Please wait a few minutes before you say more.")
    if sum(now - row.at < timedelta(minutes=1) for row in hers) >= A_MINUTE:
        raise TooMuch("That was a lot within a minute. Please wait a moment before you say more.")


def _last_told_at(session: Session, letter: LetterRow) -> datetime:
    """When the mail before `letter` came to be owed that told its reader of this table's talk; long ago for none."""
    told = select(func.max(LetterRow.created_at)).where(LetterRow.player_id == letter.player_id)
    told = told.where(LetterRow.table_id == letter.table_id, LetterRow.id != letter.id)
    told = told.where(
        col(LetterRow.kind).in_(BRINGING_TALK), col(LetterRow.state).in_((LetterState.SENT, LetterState.KEPT))
    )
    return session.exec(told).one() or datetime.min.replace(tzinfo=UTC)
