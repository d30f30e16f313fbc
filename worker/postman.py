"""Sends letters: claims those that are due, composes each, and hands it to the relay, or keeps it for /mailbox.

A letter is sent at least once, always under its one Message-ID. `attempts` says what each answer of the relay means.
"""

import logging

from webapp.core import metrics
from webapp.core.database import DatabaseDown
from webapp.core.log import about
from webapp.core.runtime import Runtime
from webapp.models import LetterRow, LetterState
from webapp.models.mail import KINDS
from webapp.outbox import about_tables, allowance, holding, lateness, letters, turn_mail
from webapp.outbox.letters import Batch
from webapp.players import away
from worker import attempts
from worker.composing import Outgoing, compose_letter
from worker.mail import signed
from worker.notify import Notifier
from worker.relay import LeaseLost, NotSent, Relay

log = logging.getLogger(__name__)

BATCH = 50
BATCH_SECONDS = 20.0  # within the lease; then the worker hands the rest back: others may have a faster relay


def deliver(runtime: Runtime) -> int:
    """Sends, or keeps, every letter that is due and that no other worker has claimed. Returns how many it attempted.

    Stops if the relay is unavailable. Raises DatabaseDown; others can then claim the unsent letters within seconds.
    """
    count = 0
    # It looked at as many players as it does at once, so there may be more: another worker looks at those.
    if turn_mail.queue_due(runtime, runtime.now()) == turn_mail.AT_ONCE:
        runtime.bell.deliver()
    settings = runtime.settings
    with Relay(settings.relay or "smtp://localhost", settings.mailbox_password) as relay, Notifier(runtime) as notifier:
        while (batch := _claimed(runtime)).rest:
            with batch:
                for letter_id in batch.each(BATCH_SECONDS):
                    if is_down := _deliver(runtime, relay, notifier, batch, letter_id):
                        break  # each other letter would only wait for the same no
            count += batch.done
            if is_down:
                break
    return count


def _claimed(runtime: Runtime) -> Batch:
    """Claims the letters that have been due longest; none while the relay is paused, or an operator holds all."""
    by, now = letters.new_claim(), runtime.now()
    with runtime.database.writing() as session:
        # A letter that is claimed and not sent waits for the end of its lease: so none is claimed while nothing goes.
        is_paused = attempts.paused_until(session, holding.EVERY_DOMAIN, now) or holding.held_since(session)
        found = {} if is_paused else letters.claim(session, now, BATCH, by)
    return Batch(runtime, found, by)


def _deliver(runtime: Runtime, relay: Relay, notifier: Notifier, batch: Batch, letter_id: int) -> bool:
    """Composes and sends a letter. Returns whether the relay is unavailable, so that all others are put off."""
    with about(letter=letter_id):
        try:
            mail, notice = compose_letter(runtime, batch, letter_id)
            # A notice may take the place of the mail, or go before it.
            if notice is not None:
                notifier.send(notice)
            return mail is not None and _send(runtime, relay, batch, mail)
        except DatabaseDown:
            # Nothing can be noted now. The leases end by themselves, and another worker sends what is left.
            raise
        except Exception:  # one letter that cannot be composed or sent must not hold up the others
            log.exception("letter %d could not be composed", letter_id)
            attempts.put_off_not_composed(runtime, letter_id, batch.by)
            return False


def _send(runtime: Runtime, relay: Relay, batch: Batch, mail: Outgoing) -> bool:
    """Sends, or keeps, a letter of the batch. Returns whether the relay is unavailable.

    In that case the letters of the batch that were not begun have been put off.
    """
    try:
        if not runtime.settings.keeps_mail:
            content = signed(runtime.settings, mail.content)
            relay.send(mail.sender, mail.address, content, may_go=batch.holds)
    except LeaseLost:  # whoever has claimed the letter meanwhile sends it, and notes what came of it
        return False
    except NotSent as refusal:
        return _note_refusal(runtime, batch, mail, refusal)
    _note_sent(runtime, mail)
    return False


def _note_sent(runtime: Runtime, mail: Outgoing) -> None:
    """Moves the deadline to the one that the letter names, and then records that the letter is sent.

    In this order: if the worker is killed in between, another sends the letter again, and no deadline is too early.
    """
    letter = mail.letter
    try:
        lateness.postpone_for_late_mail(runtime, letter, runtime.now())
    except DatabaseDown:
        raise
    except Exception:  # the letter is sent all the same, and must not be sent again and again
        log.exception("letter %d: its deadline could not be moved", letter.id)
    with runtime.database.writing() as session:
        # It locks the player, who come before their letters: else two workers may wait for each other.
        if KINDS[letter.kind].is_question:
            turn_mail.note_out(session, letter.player_id, runtime.now(), mail.next_at)
        attempts.note_sent(session, letter.id, mail.composed_at, is_kept=runtime.settings.keeps_mail)
    attempts.count(letter, "kept" if runtime.settings.keeps_mail else "sent", mail.address)
    if KINDS[letter.kind].is_question:
        metrics.QUESTION_WAIT.observe(max(0.0, (runtime.now() - letter.created_at).total_seconds()))


def _note_refusal(runtime: Runtime, batch: Batch, mail: Outgoing, refusal: NotSent) -> bool:
    """Records a refusal. Returns whether the relay is unavailable."""
    letter_id = mail.letter.id
    log.warning("letter %d was not sent: %s", letter_id, refusal.log_text)
    with runtime.database.writing() as session:
        # First: whether a refusal is about this letter or about all decides what is noted.
        refusal.is_for_all = attempts.is_for_all(session, letter_id, refusal, runtime.now())
        silenced = attempts.note_refusal(session, letter_id, batch.by, refusal, runtime.now(), is_new=mail.is_new)
        # One refusal speaks for all: without this, each letter of the batch would spend a try on the same fault.
        if refusal.is_about_us:
            until = attempts.note_relay_unavailable(session, letter_id, batch.rest, batch.by, refusal, runtime.now())
            log.warning("the relay takes no mail of ours; it is asked again at %s: %s", until, refusal.words)
        letter = session.get_one(LetterRow, letter_id)
        # Who has invited a player by an address that takes no mail is told; nobody else could.
        if letter.state is LetterState.FAILED:
            about_tables.queue_returned(session, runtime, letter, runtime.now())
        is_ours = letter.claimed_by in (None, batch.by)  # else another worker counts it
        # It was counted when it was composed. What may have arrived stays counted: else we could write to somebody
        # without end through a relay that breaks off.
        if mail.is_new and is_ours and not refusal.may_have_arrived:
            allowance.give_back(session, runtime, letter, mail.address, runtime.now())
    attempts.count(letter, "failed" if letter.state is LetterState.FAILED else "put off", mail.address)
    # After the commit: it locks tables, which come before players.
    if silenced is not None:
        away.stop_waiting_for(runtime, silenced, runtime.now())
    return refusal.is_about_us
