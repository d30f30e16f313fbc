"""The contexts of all mails: one module a kind, or a family of kinds, with a function that makes its context.

The context is None if what the mail asks for, or reports, is over already. `webapp.presentation.sheets` decides what a
player may see; `worker.mail` renders the templates of `templates/mail/KIND/` with the context.
"""

from collections.abc import Callable, Mapping
from typing import Final

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, PlayerRow
from worker.mails import (
    address_change,
    answer,
    confirm,
    declined,
    device_added,
    ended,
    forget,
    gone_away,
    invitation,
    join,
    muted,
    offer_over,
    offered,
    proposed,
    replaced,
    resting,
    seats,
    sheets,
    sign_in,
    trial,
    turns,
    unread,
    year,
)
from worker.mails.mail import Mail, MailContext

CONTEXTS: Final[Mapping[LetterKind, Callable[[Mail], MailContext | None]]] = {
    LetterKind.CONFIRM: confirm.context,
    LetterKind.INVITATION: invitation.context,
    LetterKind.DECLINED: declined.context,
    LetterKind.SEATS: seats.context,
    LetterKind.JOIN: join.context,
    LetterKind.OFFERED: offered.context,
    LetterKind.REPLACED: replaced.context,
    LetterKind.OFFER_OVER: offer_over.context,
    LetterKind.ENDED: ended.context,
    LetterKind.PROPOSED: proposed.context,
    LetterKind.RESTING: resting.context,
    LetterKind.MUTED: muted.context,
    LetterKind.TURNS: turns.context,
    LetterKind.SCORE_SHEET: sheets.after_hand,
    LetterKind.FINAL_SHEET: sheets.after_game,
    LetterKind.YEAR: year.context,
    LetterKind.ANSWER: answer.context,
    LetterKind.SIGN_IN: sign_in.context,
    LetterKind.NEW_ADDRESS: address_change.context,
    LetterKind.ADDRESS_ASKED: address_change.context,
    LetterKind.ADDRESS_CHANGED: address_change.context,
    LetterKind.ADDRESS_MOVED: address_change.context,
    LetterKind.ANSWERED_FROM: address_change.context,
    LetterKind.DEVICE_ADDED: device_added.context,
    LetterKind.GONE_AWAY: gone_away.context,
    LetterKind.FORGET: forget.context,
    LetterKind.UNREAD: unread.context,
    LetterKind.TRIAL: trial.context,
}


def letter_context(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> MailContext | None:
    """The context of the mail `letter` to `player`; None if what it asks for, or reports, is over already."""
    return CONTEXTS[letter.kind](Mail(runtime, session, letter, player))
