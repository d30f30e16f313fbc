"""Makes the context of the mails about another address: of a change to the new one and to the old one, and of the
question whether answers from it count.

Mails to the old address show the new one masked: somebody else may read them. `webapp.accounts.address_changes`
knows the state of a change.
"""

from typing import Any

from sqlmodel import Session

from webapp.accounts import address_changes
from webapp.core.runtime import Runtime
from webapp.core.tokens import Link, NewAddressLink, OldAddressLink, OtherAddressLink, TakeBackLink
from webapp.models import AddressChangeRow, ChangeState, LetterKind, LetterRow, PlayerRow
from webapp.presentation.timestamps import span, timestamp

Context = dict[str, Any]


def address_change_context(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Context | None:
    """The context of a mail about an address change; None if the change's state makes the mail pointless."""
    change = session.get_one(AddressChangeRow, letter.change_id)
    if not _is_needed(runtime, letter, change):
        return None
    link = _link(letter.kind, change)
    return {
        "you": player.name,
        "link": runtime.signer.url(link) if link else runtime.signer.absolute_url("/sign-in"),
        "new_address": change.new_address,
        "masked": address_changes.masked(change.new_address),
        "until": timestamp(change.ready_at, runtime.now(), player.time_zone),
        "is_agreed": change.agreed_at is not None,
        "is_reminder": letter.again,
        "proved_within": span(address_changes.PROVED_WITHIN),
        "undone_within": span(address_changes.UNDONE_WITHIN),
    }


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
