"""The mails about an evening together, with the entry for the reader's calendar."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webapp.core.addresses import Purpose, address_in_ascii
from webapp.core.runtime import Runtime
from webapp.core.tokens import EveningLink
from webapp.evenings import news
from webapp.evenings.hours import SITTING
from webapp.evenings.text import HourLine, hour_lines, pace_text
from webapp.games.record import store
from webapp.games.record.links import evening_link
from webapp.models import EveningRow, EveningState, LetterKind, LetterRow, PlayerRow
from webapp.presentation.timestamps import Timestamp, hour_text, timestamp
from worker.attachments import Calendar
from worker.calendar import Entry, Method, calendar_text
from worker.mails.mail import Mail, MailContext

TITLE = "Hearts: an evening together"
# The states of an evening in which a mail of a kind is still true.
_TRUE_IN = {
    LetterKind.EVENING_ASKED: {EveningState.OPEN},
    LetterKind.EVENING_AGREED: {EveningState.AGREED, EveningState.LIVE},
    LetterKind.EVENING_OFF: {EveningState.NONE, EveningState.CANCELLED, EveningState.OVER},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningMail(MailContext):
    who: str | None
    pace: str
    zone: str
    link: str | None
    is_beside: bool  # hands are played side by side
    hours: Sequence[tuple[HourLine, str]] = ()  # each with the link that ticks it
    closes: Timestamp | None = None
    when: str | None
    cancelled_by: str | None
    is_none: bool  # no hour suited everybody
    is_game_over: bool


def context(mail: Mail) -> EveningMail | None:
    """The context; None if it is not true any more.

    None as well for a player who has lost the seat, or muted the table, unless the hour has been in their calendar.
    """
    runtime, session, letter, player = mail.runtime, mail.session, mail.letter, mail.player
    stored = store.load(session, letter.of_game, hand=letter.hand)
    row, seat = session.get_one(EveningRow, letter.evening_id), stored.seats[letter.of_seat]
    if row.state not in _TRUE_IN[letter.kind]:
        return None
    is_theirs, invitation = seat.player_id == letter.player_id, news.invitation_sent(session, letter)
    if not (is_theirs and seat.mails) and not (letter.kind is LetterKind.EVENING_OFF and invitation):
        return None
    link, now = evening_link(seat), runtime.now()
    made = EveningMail(
        **mail.frame(stored.table, stored.seats),
        who=row.name,
        pace=pace_text(row),
        zone=player.time_zone,
        link=mail.url(link) if is_theirs else None,
        is_beside=stored.row.at_once > 1,
        when=hour_text(row.begins_at, player.time_zone) if row.begins_at else None,
        cancelled_by=row.cancelled_by,
        is_none=row.state is EveningState.NONE,
        is_game_over=row.state is EveningState.OVER,
    )
    match letter.kind:
        case LetterKind.EVENING_ASKED:
            lines = hour_lines(row, stored.seats, seat, player.time_zone, None)
            hours = [(line, _hour_link(runtime, link, line)) for line in lines]
            return replace(made, hours=hours, closes=timestamp(row.closes_at, now, player.time_zone))
        case LetterKind.EVENING_AGREED:
            return replace(made, enclosed=[_calendar(runtime, letter, letter, row, player, made.link, Method.REQUEST)])
        case _:
            if invitation:
                entry = _calendar(runtime, letter, invitation, row, player, made.link, Method.CANCEL)
                made = replace(made, enclosed=[entry])
            return made if is_theirs else replace(made, you=player.name, table_link=None)


def _hour_link(runtime: Runtime, link: EveningLink, line: HourLine) -> str:
    return f"{runtime.signer.url(link)}?hour={line.value}"


def _calendar(
    runtime: Runtime,
    letter: LetterRow,
    invitation: LetterRow,
    row: EveningRow,
    player: PlayerRow,
    link: str | None,
    method: Method,
) -> Calendar:
    """The entry as the mail `letter` brings it; `invitation` is the letter that has brought it first.

    The answers of calendars go to the address for replies to that letter, where they are read and dropped.
    """
    assert row.begins_at is not None
    sender = runtime.settings.sender
    replies = runtime.address_in_mail(Purpose.REPLY, invitation.id)
    entry = Entry(
        method=method,
        uid=f"evening-{invitation.message_id.strip('<>')}",
        changes=int(method is Method.CANCEL),
        written_at=letter.created_at,
        begins_at=row.begins_at,
        length=SITTING,
        title=TITLE if method is Method.REQUEST else f"Called off: {TITLE}",
        text=f"Come to the table here: {link}" if method is Method.REQUEST else "There is no evening together.",
        link=link if method is Method.REQUEST else None,
        organizer=(sender.display_name, replies or sender.addr_spec),
        attendee=(player.name, address_in_ascii(player.address)),
    )
    return Calendar(method.value, calendar_text(entry))
