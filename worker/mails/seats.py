"""The mails about seats: who is invited to one, who has taken, declined, offered or lost one."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from webapp.core.say import Tongue, offered, say, spoken, tongue
from webapp.core.tokens import ConfirmLink, InvitationLink
from webapp.games.record import store
from webapp.games.record.links import again_link
from webapp.games.record.rows import table_seats, waits_for_host
from webapp.games.record.seats import is_offered, is_promised, is_stand_in_asked, own_name, owner_name
from webapp.models import SeatState, TableRow, TableState
from webapp.outbox.about_tables import NO_STAND_IN, SeatGiven, SeatNews, seat_still_asked
from webapp.presentation.faces import Face, example
from webapp.presentation.phrasing import listed
from webapp.results.result import LastGame, last_game_of
from webapp.tables import seating
from webapp.tables.again import who_wants_again
from webapp.tables.offers import Offer, offer_of
from worker.mails.mail import Mail, MailContext, at_table, has_seat, own_seat, sealing

# The mail that tells a host about the seats of their table. `outbox.about_tables` queues one for each `SeatNews`.


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsMail(MailContext):
    why: str | None
    who: Sequence[str]
    listed: str  # the same names in a sentence
    is_played: bool
    deal_link: str  # of the page on which the host deals, and goes on to play


def seats_mail(mail: Mail) -> SeatsMail | None:
    """The context: why it is sent, and the names of the people that it is about; None if it is not so any more."""
    session, letter = mail.session, mail.letter
    match SeatNews(letter.reason or ""):
        case SeatNews.RETURNED:  # they are invited and out of reach
            seat = seat_still_asked(session, letter.of_table, letter.newcomer_id or 0)
            who = [seat.offered_name or seat.name] if seat else []
            is_news = bool(who)
        case SeatNews.UNANSWERED:  # the host has invited them to a table that has not begun
            may_begin = seating.may_play_now(session, session.get_one(TableRow, letter.of_table))
            seats = table_seats(session, letter.of_table) if may_begin else ()
            who = [seat.name for seat in seats if seat.state is SeatState.INVITED]
            is_news = bool(who)
        case SeatNews.ALL_HERE:  # they came by the host's link
            seats = table_seats(session, letter.of_table)
            who = [seat.name for seat in seats if seat.by_link and seat.state is SeatState.ACCEPTED]
            is_news = waits_for_host(session.get_one(TableRow, letter.of_table), seats)
    if not is_news:
        return None
    here = at_table(mail)
    is_played = here.table.state is TableState.PLAYING
    return SeatsMail(
        **here.frame,
        why=letter.reason,
        who=who,
        listed=listed(who),
        is_played=is_played,
        deal_link=mail.url(ConfirmLink(letter.of_table, mail.player.links)),
    )


# The invitation to a table's first game, to another one, or to a seat of a game that is being played.


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationMail(MailContext):
    host_name: str
    link: str
    is_reminder: bool
    company: str
    is_played: bool
    example: Sequence[Face] = field(default_factory=example)  # cards that the reader might hold
    who_again: str | None = None  # wants another game
    last: LastGame | None = None  # the game before that
    stand_in_for: str | None = None
    seal: str | None = None  # of the game that the table plays next
    fair_link: str = ""
    languages: Sequence[tuple[Tongue, str]] = ()  # others, each with the link; empty for who has been here


def invitation_mail(mail: Mail) -> InvitationMail | None:
    """The context; None if the seat does not wait for the reader's answer any more."""
    letter, seat, player_id = mail.letter, own_seat(mail), mail.letter.player_id
    is_open = mail.session.get_one(TableRow, letter.table_id).state is TableState.INVITING
    is_invited = is_open and seat.state is SeatState.INVITED and seat.player_id == player_id
    if not is_invited and (not is_offered(seat, player_id) or is_promised(seat, player_id)):
        return None
    here = at_table(mail)
    if letter.game_number is None:
        link = mail.url(InvitationLink(letter.of_table, letter.of_seat, player_id, mail.player.links))
    else:
        link = mail.url(again_link(here.own, letter.game_number - 1, player_id))
    others = [tongue(one) for one in offered() if one != spoken() and mail.player.seen_at is None]
    made = InvitationMail(
        **here.frame,
        **sealing(mail),
        host_name=here.host_name,
        link=link,
        languages=[(one, f"{link}?language={one.language}") for one in others],
        is_reminder=letter.again,
        company=here.frame["table"].company_of(letter.of_seat),
        is_played=False,
    )
    if letter.game_number is not None:
        row, who = seating.game(mail.session, letter.of_table, letter.game_number - 1), who_wants_again(here.seats)
        if row is None:
            return replace(made, who_again=who)
        before = store.load(mail.session, row.id)
        return replace(made, who_again=who, last=last_game_of(mail.session, before, player_id, mail.player.time_zone))
    if not is_offered(here.own, player_id):
        return made
    return replace(
        made,
        you=here.own.offered_name,
        table_link=None,
        stand_in_for=here.own.name if is_stand_in_asked(here.own) else None,
        seal=None if is_stand_in_asked(here.own) else made.seal,
        is_played=here.table.state is TableState.PLAYING,
    )


# The mail to a host whose guest has declined, or to a player whose friend has.


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclinedMail(MailContext):
    who: str | None
    is_stand_in: bool
    is_played: bool
    may_fill_seat: bool


def declined_mail(mail: Mail) -> DeclinedMail | None:
    """The context; None if a player who asked a friend is not away any more."""
    letter = mail.letter
    if letter.reason == NO_STAND_IN and not (has_seat(mail) and own_seat(mail).away):
        return None
    here = at_table(mail)
    return DeclinedMail(
        **here.frame,
        who=letter.about,
        is_stand_in=letter.reason == NO_STAND_IN,
        is_played=here.table.state is TableState.PLAYING,
        may_fill_seat=letter.of_seat == 0,  # other seats get this mail if the host has declined
    )


# The mail to a player whose seat the host has offered to somebody else.


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedMail(MailContext):
    offer: Offer


def offered_mail(mail: Mail) -> OfferedMail | None:
    """The context; None if the reader has not the seat any more, or it is not offered to the newcomer any more."""
    seat, letter = own_seat(mail), mail.letter
    offer = offer_of(mail.session, seat)
    if offer is None or seat.player_id != letter.player_id or seat.offered_to != letter.newcomer_id:
        return None
    return OfferedMail(**at_table(mail).frame, offer=offer)


# The mail to somebody whose offered seat they cannot have any more.


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferOverMail(MailContext):
    why: str | None
    host_name: str
    new_table_link: str


def offer_over_mail(mail: Mail) -> OfferOverMail | None:
    """The context; None if the reader has been offered the seat again, or has it."""
    if has_seat(mail) or is_offered(own_seat(mail), mail.letter.player_id):
        return None
    here = at_table(mail)
    over = OfferOverMail(
        **here.frame, why=mail.letter.reason, host_name=here.host_name, new_table_link=mail.page("/tables/new")
    )
    return replace(over, you=mail.letter.about, table_link=None)


# The mail to a player who has not their seat any more, or lends it: why, and who has it.


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedMail(MailContext):
    host_name: str
    new_table_link: str
    why: str | None
    who: str  # the friend who plays for the reader, or the player for whom they played
    new_occupant: str  # "Eve", or "a robot, Pip"


def replaced_mail(mail: Mail) -> ReplacedMail | None:
    """The context; None if the reader has the seat again."""
    letter, is_lent = mail.letter, mail.letter.reason == SeatGiven.LENT
    if has_seat(mail) or (is_lent and own_seat(mail).stands_in_for != letter.player_id):
        return None
    here = at_table(mail)
    own = here.own
    made = ReplacedMail(
        **here.frame,
        host_name=here.host_name,
        new_table_link=mail.page("/tables/new"),
        why=letter.reason,
        who=own_name(own) if is_lent else owner_name(own),
        new_occupant=say("a robot, {name}", name=own.name) if own.state is SeatState.ROBOT else own.name,
    )
    return replace(made, you=letter.about, table_link=made.table_link if is_lent else None)
