"""The mails about a person: links that prove an address, sign in, or end something; and to an operator."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from webapp.accounts import address_changes, sign_ins
from webapp.accounts.devices import kind_of
from webapp.core.runtime import Runtime
from webapp.core.tokens import (
    ConfirmLink,
    DeviceLink,
    ForgetLink,
    JoinLink,
    Link,
    NewAddressLink,
    OldAddressLink,
    OtherAddressLink,
    SignInLink,
    TakeBackLink,
    UnsubscribeLink,
)
from webapp.games.clock import way_in
from webapp.games.record.links import preferences_link
from webapp.games.record.rows import table_seats
from webapp.models import AddressChangeRow, ChangeState, DeviceRow, LetterKind, LetterRow, TableRow
from webapp.outbox.about_accounts import link_number
from webapp.outbox.letters import ALL_TABLES
from webapp.players.own_seats import tables_of
from webapp.presentation.phrasing import Timestamp, span, timestamp
from webapp.presentation.sheets import summary_of
from webapp.presentation.summary import absence_sentence
from webapp.tables.lobby import open_table
from webapp.tables.messenger import summary_for_guests
from worker.mails.mail import Mail, MailContext, at_table, sealing

# The mail to somebody who has opened a table: the link confirms that it is theirs.


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmMail(MailContext):
    link: str
    seal: str | None = None  # of the game that the table plays next
    fair_link: str = ""


def confirm_mail(mail: Mail) -> ConfirmMail:
    link = ConfirmLink(mail.letter.of_table, mail.player.links)
    return ConfirmMail(**at_table(mail).frame, **sealing(mail), link=mail.url(link))


# The mail to somebody who asks for an open seat, from the lobby or by a link: it proves their address.


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinMail(MailContext):
    host_name: str
    is_by_link: bool
    link: str
    seal: str | None = None  # of the game that the table plays next
    fair_link: str = ""


def join_mail(mail: Mail) -> JoinMail:
    """The context; it shows of the others what the page shows on which the reader has asked."""
    letter, number = mail.letter, link_number(mail.letter)
    table, seats = mail.session.get_one(TableRow, letter.of_table), table_seats(mail.session, letter.of_table)
    found = open_table(table, seats)
    return JoinMail(
        you=letter.about,
        host_name=found.host_name,
        table=summary_for_guests(table, seats) if number else found.summary,
        rules_link=mail.page(found.summary.rules_path),
        is_by_link=number > 0,
        link=mail.url(JoinLink(letter.of_table, letter.player_id, mail.player.links, number)),
        **mail.foot(),
        **sealing(mail),
    )


# The mail with the link that signs its reader in, and the code for the browser in which they asked.


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInMail(MailContext):
    link: str
    code: str | None = None  # where the page that asked has a field for it


def sign_in_mail(mail: Mail) -> SignInMail:
    link = SignInLink(mail.letter.player_id, mail.player.sign_ins)
    browser = mail.letter.about
    code = sign_ins.code_of(mail.runtime, mail.player, browser) if browser else None
    return SignInMail(you=mail.player.name, link=mail.url(link), code=code, **mail.foot())


# The mails about another address: about a change, those to the new one and the old one; and the question whether
# answers from it count.
# Mails to the old address show the new one masked: somebody else may read them. `webapp.accounts.address_changes` knows
# the state of a change.


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressMail(MailContext):
    link: str
    new_address: str
    masked: str
    until: Timestamp
    is_agreed: bool
    is_reminder: bool
    proved_within: str
    undone_within: str


_CHANGE_LINKS: Mapping[LetterKind, Callable[[int], Link]] = {
    LetterKind.NEW_ADDRESS: NewAddressLink,
    LetterKind.ADDRESS_ASKED: OldAddressLink,
    LetterKind.ANSWERED_FROM: OtherAddressLink,
    LetterKind.ADDRESS_CHANGED: TakeBackLink,
}


def address_change_mail(mail: Mail) -> AddressMail | None:
    """The context; None if the change's state makes the mail pointless.

    A mail to an address that is not proved, or not the player's any more, has no link to the preferences.
    """
    letter, player, now = mail.letter, mail.player, mail.runtime.now()
    assert letter.address is not None
    change = mail.session.get_one(AddressChangeRow, letter.change_id)
    if not _is_needed(mail.runtime, letter, change):
        return None
    link_to = _CHANGE_LINKS.get(letter.kind)
    made = AddressMail(
        you=player.name,
        link=mail.url(link_to(change.id)) if link_to else mail.page("/sign-in"),
        new_address=change.new_address,
        masked=address_changes.masked(change.new_address),
        until=timestamp(change.ready_at, now, player.time_zone),
        is_agreed=change.agreed_at is not None,
        is_reminder=letter.again,
        proved_within=span(address_changes.PROVED_WITHIN),
        undone_within=span(address_changes.UNDONE_WITHIN),
    )
    has_foot = letter.kind in (LetterKind.ADDRESS_MOVED, LetterKind.ANSWERED_FROM)
    return replace(made, **mail.foot()) if has_foot else made


def _is_needed(runtime: Runtime, letter: LetterRow, change: AddressChangeRow) -> bool:
    match letter.kind:
        case LetterKind.NEW_ADDRESS:
            return address_changes.is_under_way(change, runtime.now()) and change.proved_at is None
        case LetterKind.ADDRESS_ASKED:
            return address_changes.is_under_way(change, runtime.now()) and change.agreed_at is None
        case LetterKind.ANSWERED_FROM:
            return change.state is ChangeState.HEARD
        case _:
            return change.state is ChangeState.DONE


# The mail about a new device that gets the player's notifications.


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceMail(MailContext):
    device: str
    asks: bool  # whether it is theirs
    link: str


def device_added_mail(mail: Mail) -> DeviceMail | None:
    """The context; None if the device is forgotten already."""
    player, device = mail.player, mail.session.get(DeviceRow, int(mail.letter.about or 0))
    if device is None or device.player_id != player.id:
        return None
    link = mail.page("/signed-in")
    if asks := not device.is_confirmed:
        link = mail.url(DeviceLink(player.id, device.id, player.generation))
    return DeviceMail(you=player.name, device=kind_of(device.endpoint), asks=asks, link=link, **mail.foot())


# The mail to a player whom somebody with a link of theirs has set as away: was it them?


@dataclass(frozen=True, slots=True)
class LeftTable:
    """A table from which the player is away, and who plays for them until when, in a sentence."""

    name: str
    absence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneAwayMail(MailContext):
    tables: Sequence[LeftTable]
    back_link: str
    devices_link: str


def gone_away_mail(mail: Mail) -> GoneAwayMail | None:
    """The context; None if the player is back everywhere."""
    now, player, left = mail.runtime.now(), mail.player, []
    for seat, table in tables_of(mail.session, player.id):
        if absence := absence_sentence(seat, player, now):
            left.append(LeftTable(summary_of(table, table_seats(mail.session, table.id)).hosts, absence))
    if not left:
        return None
    return GoneAwayMail(
        you=player.name,
        tables=left,
        back_link=f"{mail.url(preferences_link(player))}/away",
        devices_link=mail.page("/signed-in"),
        **mail.foot(),
    )


# The last mail to a player who has muted tables at which they play: did they mean it?


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedMail(MailContext):
    tables: Sequence[str]  # by their names
    undo_link: str


def muted_mail(mail: Mail) -> MutedMail | None:
    """The context; None if its player hears of all these tables again, or has no seat there any more."""
    letter, player = mail.letter, mail.player
    mine = [(seat, table) for seat, table in tables_of(mail.session, player.id) if seat.player_id == player.id]
    muted = [(seat, table) for seat, table in mine if not seat.mails and letter.table_id in (None, table.id)]
    if not muted:
        return None
    where = ALL_TABLES if letter.table_id is None else (letter.of_table, letter.of_seat)
    return MutedMail(
        you=player.name,
        tables=[summary_of(table, table_seats(mail.session, table.id)).hosts for _, table in muted],
        is_answered=bool(mail.runtime.settings.incoming_domain) and letter.game_id is not None,
        undo_link=mail.url(UnsubscribeLink(*where, player.id, player.links)),
        **mail.foot(),
    )


# The mail to a player who wants to be forgotten: do they mean it?


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetMail(MailContext):
    link: str
    within: str


def forget_mail(mail: Mail) -> ForgetMail:
    link = ForgetLink(mail.letter.player_id, mail.player.generation)
    return ForgetMail(you=mail.player.name, link=mail.url(link), within=span(ForgetLink.ttl), **mail.foot())


# The mail that an operator sends to try the relay. Its reader may be no player, so it has no links.


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialMail(MailContext):
    address: str
    sender: str


def trial_mail(mail: Mail) -> TrialMail:
    settings = mail.runtime.settings
    return TrialMail(address=settings.address, sender=settings.sender.addr_spec)


# The mail to an operator: answers by mail cannot be read. Its reader may be no player, so it has no links.


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadMail(MailContext):
    address: str
    since: str  # "Tue 3 March, 18:00 (Berlin time)"


def unread_mail(mail: Mail) -> UnreadMail | None:
    """The context; None if answers are read again."""
    settings, now = mail.runtime.settings, mail.runtime.now()
    since = way_in.shut_since(mail.session, settings, now)
    if since is None or since.isoformat() != mail.letter.about:
        return None
    return UnreadMail(address=settings.address, since=timestamp(since, now, mail.player.time_zone).text)
