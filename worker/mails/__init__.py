"""The contexts of all mails: a module for each family of kinds, with a function for each that makes its context.

The context is None if what the mail asks for, or reports, is over already. `webapp.presentation.sheets` decides what a
player may see; `worker.composing` renders the templates of `templates/mail/KIND/` with the context.
"""

from collections.abc import Callable, Mapping
from typing import Final

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, PlayerRow
from webapp.outbox.turn_mail import Look
from worker.mails import accounts, answer, seats, sheets, turns
from worker.mails.mail import Mail, MailContext

CONTEXTS: Final[Mapping[LetterKind, Callable[[Mail], MailContext | None]]] = {
    LetterKind.CONFIRM: accounts.confirm_mail,
    LetterKind.INVITATION: seats.invitation_mail,
    LetterKind.DECLINED: seats.declined_mail,
    LetterKind.SEATS: seats.seats_mail,
    LetterKind.JOIN: accounts.join_mail,
    LetterKind.OFFERED: seats.offered_mail,
    LetterKind.REPLACED: seats.replaced_mail,
    LetterKind.OFFER_OVER: seats.offer_over_mail,
    LetterKind.ENDED: sheets.ended_mail,
    LetterKind.PROPOSED: sheets.proposed_mail,
    LetterKind.RESTING: sheets.resting_mail,
    LetterKind.MUTED: accounts.muted_mail,
    LetterKind.TURNS: turns.context,
    LetterKind.SCORE_SHEET: sheets.after_hand,
    LetterKind.FINAL_SHEET: sheets.after_game,
    LetterKind.YEAR: sheets.year_mail,
    LetterKind.ANSWER: answer.context,
    LetterKind.SIGN_IN: accounts.sign_in_mail,
    LetterKind.NEW_ADDRESS: accounts.address_change_mail,
    LetterKind.ADDRESS_ASKED: accounts.address_change_mail,
    LetterKind.ADDRESS_CHANGED: accounts.address_change_mail,
    LetterKind.ADDRESS_MOVED: accounts.address_change_mail,
    LetterKind.ANSWERED_FROM: accounts.address_change_mail,
    LetterKind.DEVICE_ADDED: accounts.device_added_mail,
    LetterKind.GONE_AWAY: accounts.gone_away_mail,
    LetterKind.FORGET: accounts.forget_mail,
    LetterKind.UNREAD: accounts.unread_mail,
    LetterKind.TRIAL: accounts.trial_mail,
}


def letter_context(
    runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow, look: Look | None = None
) -> MailContext | None:
    """The context of the mail `letter` to `player`; None if what it asks for, or reports, is over already.

    `look`: what was found when it was decided that a mail about turns goes.
    """
    return CONTEXTS[letter.kind](Mail(runtime, session, letter, player, look))
