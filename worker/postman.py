"""Sends letters: claims those that are due, composes each, and hands it to the relay, or keeps it for /mailbox.

A letter is sent at least once, always under its one Message-ID.
"""

import logging

from webapp.core.database import DatabaseDown
from webapp.core.log import about
from webapp.core.runtime import Runtime
from webapp.outbox import holding, leases
from worker import attempts
from worker.batch import Batch
from worker.composing import compose_letter
from worker.notify import Notifier
from worker.relay import Relay
from worker.sending import send

log = logging.getLogger(__name__)

BATCH = 50
BATCH_SECONDS = 20.0  # within the lease; then the worker hands the rest back: others may have a faster relay


def deliver(runtime: Runtime) -> int:
    """Sends, or keeps, every letter that is due and that no other worker has claimed. Returns how many it attempted.

    Stops if the relay is unavailable. Raises DatabaseDown; others can then claim the unsent letters within seconds.
    """
    count = 0
    settings = runtime.settings
    with Relay(settings.relay or "smtp://localhost", settings.mailbox_password) as relay, Notifier(runtime) as notifier:
        while (batch := _claimed(runtime)).rest:
            with batch:
                for letter_id in batch.each(BATCH_SECONDS):
                    if is_down := _deliver(runtime, relay, notifier, batch, letter_id):
                        break
            count += batch.done
            if is_down:
                break
    return count


def _claimed(runtime: Runtime) -> Batch:
    """Claims the letters that have been due longest; none while the relay is paused, or an operator holds all."""
    by, now = leases.new_claim(), runtime.now()
    with runtime.database.writing() as session:
        is_paused = attempts.paused_until(session, holding.EVERY_DOMAIN, now) or holding.held_since(session)
        found = {} if is_paused else leases.claim(session, now, BATCH, by)
    return Batch(runtime, found, by)


def _deliver(runtime: Runtime, relay: Relay, notifier: Notifier, batch: Batch, letter_id: int) -> bool:
    """Composes and sends a letter. Returns whether the relay is unavailable, so that all others are put off."""
    with about(letter=letter_id):
        try:
            mail, notices = compose_letter(runtime, batch, letter_id)
            for notice in notices:
                notifier.send(notice)
            return mail is not None and send(runtime, relay, batch, mail)
        except DatabaseDown:
            raise
        except Exception:  # one letter that cannot be composed or sent must not hold up the others
            log.exception("letter %d could not be composed", letter_id)
            attempts.put_off_not_composed(runtime, letter_id, batch.by)
            return False
