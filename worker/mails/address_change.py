"""The mails about another address: about a change, those to the new one and the old one; and the question whether
answers from it count.

Mails to the old address show the new one masked: somebody else may read them. `webapp.accounts.address_changes`
knows the state of a change.
"""

from dataclasses import dataclass, replace

from webapp.accounts import address_changes
from webapp.core.runtime import Runtime
from webapp.core.tokens import Link, NewAddressLink, OldAddressLink, OtherAddressLink, TakeBackLink
from webapp.models import AddressChangeRow, ChangeState, LetterKind, LetterRow
from webapp.presentation.timestamps import Timestamp, span, timestamp
from worker.mails.mail import Mail, MailContext


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


def context(mail: Mail) -> AddressMail | None:
    """The context; None if the change's state makes the mail pointless.

    A mail to an address that is not proved, or not the player's any more, has no link to the preferences.
    """
    letter, player, now = mail.letter, mail.player, mail.runtime.now()
    assert letter.address is not None
    change = mail.session.get_one(AddressChangeRow, letter.change_id)
    if not _is_needed(mail.runtime, letter, change):
        return None
    link = _link(letter.kind, change)
    made = AddressMail(
        you=player.name,
        link=mail.url(link) if link else mail.page("/sign-in"),
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


def _link(kind: LetterKind, change: AddressChangeRow) -> Link | None:
    match kind:
        case LetterKind.NEW_ADDRESS:
            return NewAddressLink(change.id)
        case LetterKind.ADDRESS_ASKED:
            return OldAddressLink(change.id)
        case LetterKind.ANSWERED_FROM:
            return OtherAddressLink(change.id)
        case LetterKind.ADDRESS_CHANGED:
            return TakeBackLink(change.id)
        case _:
            return None
