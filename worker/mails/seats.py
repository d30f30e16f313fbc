"""The mail that tells a host about the seats of their table. `outbox.seat_news` queues it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from webapp.core.tokens import ConfirmLink
from webapp.games.record.guests import waits_for_host
from webapp.games.record.rows import table_seats
from webapp.models import LetterRow, SeatState, TableRow, TableState
from webapp.outbox.seat_news import SeatNews, seat_still_asked
from webapp.presentation.phrasing import listed
from worker.mails.mail import Mail, MailContext, at_table


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsMail(MailContext):
    why: str | None
    who: Sequence[str]
    listed: str  # the same names in a sentence
    is_played: bool
    deal_link: str  # of the page on which the host deals, and goes on to play


def context(mail: Mail) -> SeatsMail | None:
    """The context: why it is sent, and the names of the people that it is about; None if it is not so any more."""
    if not _is_news(mail.session, mail.letter):
        return None
    here, who = at_table(mail), _people(mail.session, mail.letter)
    is_played = here.table.state is TableState.PLAYING
    return SeatsMail(
        **here.frame,
        why=mail.letter.reason,
        who=who,
        listed=listed(who),
        is_played=is_played,
        deal_link=mail.url(ConfirmLink(mail.letter.of_table, mail.player.links)),
    )


def _is_news(session: Session, letter: LetterRow) -> bool:
    """Whether what the letter tells its host is still so."""
    match letter.reason:
        case SeatNews.RETURNED:
            return seat_still_asked(session, letter.of_table, letter.newcomer_id or 0) is not None
        case SeatNews.UNANSWERED:
            return bool(_unanswered(session, letter))
        case _:
            return waits_for_host(session.get_one(TableRow, letter.of_table), table_seats(session, letter.of_table))


def _people(session: Session, letter: LetterRow) -> list[str]:
    """The names of those who are invited and out of reach, or have not answered, or who came by the host's link."""
    match letter.reason:
        case SeatNews.RETURNED:
            seat = seat_still_asked(session, letter.of_table, letter.newcomer_id or 0)
            return [seat.offered_name or seat.name] if seat else []
        case SeatNews.UNANSWERED:
            return _unanswered(session, letter)
        case _:
            seats = table_seats(session, letter.of_table)
            return [seat.name for seat in seats if seat.by_link and seat.state is SeatState.ACCEPTED]


def _unanswered(session: Session, letter: LetterRow) -> list[str]:
    """The names of those whom the host has invited to a table that has not begun, and who have not answered."""
    if session.get_one(TableRow, letter.of_table).state is not TableState.INVITING:
        return []
    return [seat.name for seat in table_seats(session, letter.of_table) if seat.state is SeatState.INVITED]
