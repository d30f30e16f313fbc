"""Talk at a table: what a player may say and how much, the recent lines, and those that a player has not read yet.

Talk belongs to the table and stays across its games. `presentation.happened` formats it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from hearts.turns import Play
from webapp.core.names import JOINERS, is_printable, looks_like_link
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, later, say
from webapp.core.tokens import LinkInvalid, PlayLink
from webapp.games.clock.presence import note_seen
from webapp.games.record.links import check_seat
from webapp.games.record.store import load
from webapp.models import GameRow, LetterKind, LetterRow, LetterState, SeatRow, TableRow, Talk, TalkRow
from webapp.models.mail import BRINGING_TALK

REACTIONS = ("👍", "👏", "😀", "😮", "😢")
# What may be said with one tap. Rows keep it in English, and each reader hears it in their own language. None of it
# gives anything away about cards or the play of a hand.
PHRASES = (
    *REACTIONS,
    *(later("Hello, everybody"), later("Good luck, everybody"), later("Well played"), later("Thank you")),
    *(later("Sorry"), later("Ouch"), later("Take your time"), later("Give me a minute"), later("Back in an hour")),
    *(later("I am back"), later("Good game"), later("Good night, everybody")),
)
REMINDER = later("{name}, we wait for you")
LONGEST = 280
SHOWN = 30  # lines on a page
SHOWN_FOR = timedelta(days=30)
IN_A_MAIL = 5  # lines
COMMENTS = 40  # lines about the tricks of a game
ABOUT_TRICKS_IN_A_MAIL = 12  # of them in the final sheet
LEAST_WORDS = 3  # of a line that says something by itself
MAX_PER_MINUTE, MAX_PER_HOUR = 8, 60  # lines of one player
DUPLICATE_WITHIN = timedelta(seconds=10)  # a repetition within this time is a double click
_LATELY = TalkRow.table_id == bindparam("table_id"), TalkRow.at > bindparam("since")
# Built once, as those in `rows`.
_RECENT = select(TalkRow).where(*_LATELY).order_by(col(TalkRow.id).desc()).limit(SHOWN)
_NEWEST = select(func.max(TalkRow.id)).where(*_LATELY)


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick of a game of the table."""

    game_number: int
    hand: int
    number: int


class TalkLimitReached(Exception):
    """A player has reached a limit of lines per minute or hour; the text is a sentence for them."""


def add_line(runtime: Runtime, link: PlayLink, text: str, now: datetime, about: Trick | None = None) -> None:
    """Adds `text` to the talk of the table, said by the player of the link; ignores a repetition by a double click.

    Raises SeatLost if somebody else has the seat, LinkExpired if the player has revoked the link, Refused if the table
    allows no such text or the trick that it is `about` is not over, TalkLimitReached if they have said too much lately.
    """
    with runtime.database.writing() as session:
        add(session, link, text, now, about)


def add(
    session: Session, link: PlayLink, text: str, now: datetime, about: Trick | None = None, also: Collection[str] = ()
) -> None:
    """Does the same within a transaction. `also` is what may be said besides the phrases where others may not be."""
    # The lock lets two requests of one player be counted one after the other. It leaves out the table's key:
    # inserting a row that refers to the table need not wait.
    table = session.get(TableRow, link.table_id, with_for_update={"key_share": True})
    seat = check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))
    if table is None:
        raise LinkInvalid
    line = _read_line(text, table.talk, also)
    if table.has_strangers and looks_like_link(line):
        # Mail programs would make links of them, in mails that strangers get.
        raise Refused(
            say(
                "Players from the lobby sit here, so links, addresses and long numbers can't be said. Leave a space "
                "after a dot."
            )
        )
    if about is not None and not _is_over(session, link.table_id, about):
        raise Refused(say("That trick is not over yet."))
    row = TalkRow(table_id=link.table_id, seat=link.seat, player_id=link.player_id, name=seat.name, text=line, at=now)
    if about is not None:
        row.game_number, row.hand, row.trick = about.game_number, about.hand, about.number
    own = select(TalkRow).where(TalkRow.table_id == link.table_id, TalkRow.player_id == link.player_id)
    own = own.where(TalkRow.at > now - timedelta(hours=1)).order_by(col(TalkRow.id).desc())
    recent = session.exec(own.limit(MAX_PER_HOUR)).all()
    if recent and now - recent[0].at < DUPLICATE_WITHIN:
        said = recent[0]
        if (said.text, said.game_number, said.hand, said.trick) == (row.text, row.game_number, row.hand, row.trick):
            return
    if len(recent) >= MAX_PER_HOUR:
        raise TalkLimitReached(say("That was a lot within an hour. Please wait a few minutes before you say more."))
    if sum(now - row.at < timedelta(minutes=1) for row in recent) >= MAX_PER_MINUTE:
        raise TalkLimitReached(say("That was a lot within a minute. Please wait a moment before you say more."))
    note_seen(session, link.player_id, now)
    session.add(row)
    session.flush()
    seat.talk_read = row.id


def note_read(runtime: Runtime, link: PlayLink, line: int) -> None:
    """Notes that the player of the link was shown the talk up to the line with the id `line`.

    Writes nothing that changes nothing; a line that is not the table's counts as the last one before it. Raises as
    `say`.
    """
    with runtime.database.reading() as session:
        if line <= (check_seat(link, session.get(SeatRow, (link.table_id, link.seat))).talk_read or 0):
            return
    with runtime.database.writing() as session:
        seat = check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))
        shown = select(func.max(TalkRow.id)).where(TalkRow.table_id == link.table_id, TalkRow.id <= line)
        seat.talk_read = max(seat.talk_read or 0, session.exec(shown).one() or 0)


def recent_lines(session: Session, table: TableRow, now: datetime) -> Sequence[TalkRow]:
    """The recent lines of the table, the newest last; none if its host has turned talk off."""
    if table.talk is Talk.NONE:
        return ()
    return session.exec(_RECENT, params=_lately(table, now)).all()[::-1]


def comments(
    session: Session, table: TableRow, game_number: int, hand: int | None = None, most: int = COMMENTS
) -> Sequence[TalkRow]:
    """The latest lines about the tricks of a game, or of one hand of it, the newest last; none as `recent_lines`."""
    if table.talk is Talk.NONE:
        return ()
    lines = select(TalkRow).where(TalkRow.table_id == table.id, TalkRow.game_number == game_number)
    if hand is not None:
        lines = lines.where(TalkRow.hand == hand)
    return session.exec(lines.order_by(col(TalkRow.id).desc()).limit(most)).all()[::-1]


def last_word(session: Session, table: TableRow, since: datetime) -> TalkRow | None:
    """The last line since then that says something by itself: typed, of some words. None if there is none."""
    if table.talk is not Talk.TEXT:
        return None
    lines = select(TalkRow).where(TalkRow.table_id == table.id, TalkRow.at >= since)
    typed = lines.where(col(TalkRow.text).not_in(PHRASES)).order_by(col(TalkRow.id).desc()).limit(SHOWN)
    return next((row for row in session.exec(typed) if len(row.text.split()) >= LEAST_WORDS), None)


def newest_line(session: Session, table: TableRow, now: datetime) -> int | None:
    """The id of the last of the `recent_lines`; None if there are none."""
    if table.talk is Talk.NONE:
        return None
    return session.exec(_NEWEST, params=_lately(table, now)).one()


def _lately(table: TableRow, now: datetime) -> dict[str, Any]:
    return {"table_id": table.id, "since": now - SHOWN_FOR}


def unread(session: Session, table: TableRow, letter: LetterRow, now: datetime) -> Sequence[TalkRow]:
    """The lines for `letter` to quote, the newest last: since the mail before it, and since its reader's own last line.

    A line said between the queueing and the writing of that mail is quoted twice rather than never. The final sheet
    quotes those about its game's tricks as well, whenever they were said.
    """
    lines = recent_lines(session, table, now)
    if lines:
        # The last mail before `letter` that quoted this table's talk to its reader.
        query = select(func.max(LetterRow.created_at)).where(LetterRow.player_id == letter.player_id)
        query = query.where(LetterRow.table_id == letter.table_id, LetterRow.id != letter.id)
        query = query.where(col(LetterRow.kind).in_(BRINGING_TALK))
        query = query.where(col(LetterRow.state).in_((LetterState.SENT, LetterState.KEPT)))
        quoted_at = session.exec(query).one() or datetime.min.replace(tzinfo=UTC)
        lines = [row for row in lines if row.at >= quoted_at]
        own = [number for number, row in enumerate(lines) if row.player_id == letter.player_id]
        lines = lines[own[-1] + 1 if own else 0 :][-IN_A_MAIL:]
    if letter.kind is not LetterKind.FINAL_SHEET:
        return lines
    number = session.get_one(GameRow, letter.of_game).number
    both = (*comments(session, table, number, most=ABOUT_TRICKS_IN_A_MAIL), *lines)
    return sorted({row.id: row for row in both}.values(), key=lambda row: row.id)


def said_since(session: Session, table: TableRow, seat: SeatRow, since: datetime, now: datetime) -> Sequence[TalkRow]:
    """The recent lines that were said after `since` and that the player of `seat` has not seen, the newest last."""
    lines = [row for row in recent_lines(session, table, now) if row.at > since and row.id > (seat.talk_read or 0)]
    return [row for row in lines if row.player_id != seat.player_id]


def _read_line(text: str, talk: Talk, also: Collection[str]) -> str:
    """`text` on one line and without invisible letters. Raises Refused."""
    line = " ".join("".join(filter(is_printable, " ".join(text.split()))).split())
    if talk is Talk.NONE:
        raise Refused(say("There is no talk at this table."))
    if not line.strip(JOINERS + " "):
        raise Refused(say("Please write what you want to say."))
    if talk is Talk.PHRASES and line not in PHRASES and line not in also:
        raise Refused(say("At this table only the phrases on this page can be said."))
    if len(line) > LONGEST:
        raise Refused(
            say("That is {letters} letters long; please say it in {most} at most.", letters=len(line), most=LONGEST)
        )
    return line


def _is_over(session: Session, table_id: int, about: Trick) -> bool:
    """Whether the table has such a trick, and all its cards are played: then everybody has seen them."""
    where = GameRow.table_id == table_id, GameRow.number == about.game_number
    game_id = session.exec(select(GameRow.id).where(*where)).first()
    if game_id is None or about.number < 1:
        return False
    stored = load(session, game_id)
    played = sum(isinstance(record.turn, Play) for record in stored.of_hand(about.hand))
    return played >= about.number * stored.game.rules.players
