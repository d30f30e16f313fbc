"""Sends letters: claims those that are due, composes them, and hands them to the relay, or keeps them for /mailbox.

A letter is sent at least once, always under its one Message-ID. `composing` and `sending` do a few letters at a time.
"""

from contextlib import nullcontext
from threading import Lock

from webapp.core.runtime import Runtime
from webapp.outbox import holding, leases
from worker import attempts
from worker.batch import Batch
from worker.composing import compose_chunk
from worker.notify import Notifier
from worker.relay import Relay
from worker.sending import send_in_turn

BATCH = 50
CHUNK = 25  # letters at most that are composed together, and noted as sent together
CHUNK_SECONDS = 0.1  # and no more of them than the relay takes in that time
BATCH_SECONDS = 60.0  # then the worker hands the rest back: if its relay is slow, others may be faster
# Held while letters are composed together: threads that do so at the same time take the interpreter from each other. A
# letter that is composed by itself may take seconds, in which a robot thinks, and no interpreter.
_composing = Lock()


def deliver(runtime: Runtime) -> int:
    """Sends, or keeps, every letter that is due and that no other worker has claimed. Returns how many it attempted.

    Stops if the relay is unavailable. Raises DatabaseDown; others can then claim the unsent letters within seconds.
    """
    count = 0
    with Relay(runtime.settings.relay or "smtp://localhost") as relay, Notifier(runtime) as notifier:
        while (batch := _claimed(runtime)).rest:
            with batch:
                chunks = batch.chunks(BATCH_SECONDS, lambda: _chunk_size(runtime, relay))
                is_over = any(_deliver_chunk(runtime, relay, notifier, batch, ids) for ids in chunks)
            count += batch.done
            if is_over:
                break
    return count


def _claimed(runtime: Runtime) -> Batch:
    """Claims the letters that have been due longest; none while the relay is paused, or an operator holds all."""
    by, now = leases.new_claim(), runtime.now()
    with runtime.database.writing() as session:
        is_paused = attempts.paused_until(session, holding.EVERY_DOMAIN, now) or holding.held_since(session)
        found = {} if is_paused else leases.claim(session, now, BATCH, by)
    return Batch(runtime, found, by, now)


def _chunk_size(runtime: Runtime, relay: Relay) -> int:
    """How many letters to compose at a time: a single one while the relay is slow, or nobody knows yet."""
    if runtime.settings.keeps_mail:
        return CHUNK
    return max(1, min(CHUNK, int(CHUNK_SECONDS / relay.seconds)))


def _deliver_chunk(runtime: Runtime, relay: Relay, notifier: Notifier, batch: Batch, ids: list[int]) -> bool:
    """Composes and sends a few letters. Returns whether the relay is unavailable, so that all others are put off."""
    with _composing if len(ids) > 1 else nullcontext():
        composed = compose_chunk(runtime, batch, ids)
    batch.put_back(composed.alone, alone=True)
    for notice in composed.notices:
        notifier.send(notice)
    return send_in_turn(runtime, relay, batch, composed.going)
