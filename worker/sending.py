"""Hands one composed letter to the relay, and records the outcome. `attempts` says what each answer means."""

import logging

from webapp.away import absence
from webapp.core import metrics
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.kinds import KINDS
from webapp.models import LetterRow, LetterState
from webapp.outbox import allowance, lateness, seat_news
from worker import attempts
from worker.batch import Batch
from worker.composing import Outgoing
from worker.dkim import signed
from worker.relay import LeaseLost, NotSent, Relay

log = logging.getLogger(__name__)


def send(runtime: Runtime, relay: Relay, batch: Batch, mail: Outgoing) -> bool:
    """Sends, or keeps, a letter of the batch. Returns whether the relay is unavailable.

    In that case the letters of the batch that were not begun have been put off.
    """
    try:
        if not runtime.settings.keeps_mail:
            content = signed(runtime.settings, mail.content)
            relay.send(mail.sender, mail.address, content, may_go=batch.holds)
    except LeaseLost:
        return False
    except NotSent as refusal:
        _note_refusal(runtime, batch, mail, refusal)
        return refusal.is_about_us
    _note_sent(runtime, mail)
    return False


def _note_sent(runtime: Runtime, mail: Outgoing) -> None:
    """Moves the deadline to the one that the letter names, and then records that the letter is sent.

    In this order: if the worker is killed in between, another sends the letter again, and no deadline is too early.
    """
    letter = mail.letter
    try:
        lateness.postpone_for_late_question(runtime, letter, runtime.now())
    except DatabaseDown:
        raise
    except Exception:  # the letter is sent all the same, and must not be sent again and again
        log.exception("letter %d: its deadline could not be moved", letter.id)
    with runtime.database.writing() as session:
        attempts.note_sent(session, letter.id, runtime.now(), is_kept=runtime.settings.keeps_mail)
    attempts.count(letter, "kept" if runtime.settings.keeps_mail else "sent", mail.address)
    if KINDS[letter.kind].is_question:
        metrics.QUESTION_WAIT.observe(max(0.0, (runtime.now() - letter.created_at).total_seconds()))


def _note_refusal(runtime: Runtime, batch: Batch, mail: Outgoing, refusal: NotSent) -> None:
    letter_id = mail.letter.id
    log.warning("letter %d was not sent: %s", letter_id, refusal.log_text)
    with runtime.database.writing() as session:
        silenced = attempts.note_refusal(session, letter_id, batch.by, refusal, runtime.now(), is_new=mail.is_new)
        if refusal.is_about_us:
            attempts.note_relay_unavailable(session, letter_id, batch.rest, batch.by, refusal, runtime.now())
        letter = session.get_one(LetterRow, letter_id)
        if letter.state is LetterState.FAILED:
            seat_news.queue_returned(session, runtime, letter, runtime.now())
        is_ours = letter.claimed_by in (None, batch.by)  # else another worker counts it
        if mail.is_new and is_ours and not refusal.may_have_arrived:
            allowance.give_back(session, runtime, letter, mail.address, runtime.now())
    attempts.count(letter, "failed" if letter.state is LetterState.FAILED else "put off", mail.address)
    if silenced is not None:
        absence.stop_waiting_for(runtime, silenced, runtime.now())
