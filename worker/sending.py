"""Sends the composed letters of a chunk, one after another, and notes in one transaction which of them went.

A worker that is killed before has some of them sent again, under their own Message-IDs. `attempts` records what else
the relay answers.
"""

import logging
import time
from collections import deque
from collections.abc import Iterable
from contextlib import AbstractContextManager
from types import TracebackType

from webapp.core import metrics
from webapp.core.database import DatabaseDown
from webapp.core.log import about
from webapp.core.runtime import Runtime
from webapp.kinds import KINDS
from webapp.models import LetterRow, LetterState
from webapp.outbox import allowance, lateness, leases
from webapp.players import away
from worker import attempts
from worker.batch import Batch
from worker.composing import Outgoing
from worker.dkim import signed
from worker.relay import LeaseLost, NotSent, Relay

log = logging.getLogger(__name__)

CHECK_EVERY = 0.02  # seconds: a question that was answered earlier than that is not sent
NOTE_EVERY = 1.0  # seconds: what a worker sent before that is not sent again if it is killed


def send_in_turn(runtime: Runtime, relay: Relay, batch: Batch, composed: Iterable[Outgoing]) -> bool:
    """Sends, or keeps, those of the letters that are still queued, as long as the batch has time; puts the rest back.

    Returns whether the relay is unavailable; then all letters of the batch that are left have been put off.
    """
    going, checked, is_unavailable = deque(composed), time.monotonic(), False
    with _Sent(runtime) as sent:
        while going:
            if time.monotonic() - checked > CHECK_EVERY:
                going, checked = _still_queued(runtime, batch, going), time.monotonic()
                if not going:
                    break
            outgoing = going.popleft()
            with about(letter=outgoing.letter.id):
                failure = _send(runtime, relay, batch, outgoing, sent)
                if going and (_concerns_others(failure) or not batch.has_time):
                    _put_back(runtime, batch, going)
                    going.clear()
                if isinstance(failure, NotSent):
                    sent.note()
                    _record_refusal(runtime, batch, outgoing, failure)
                    is_unavailable = failure.is_about_us
    return is_unavailable


def _send(
    runtime: Runtime, relay: Relay, batch: Batch, outgoing: Outgoing, sent: "_Sent"
) -> NotSent | LeaseLost | None:
    """Hands the letter to the relay. Returns why it was not sent; LeaseLost if another worker may have it by now."""
    letter_id = outgoing.letter.id
    try:
        if not runtime.settings.keeps_mail:
            content = signed(runtime.settings, outgoing.content)
            relay.send(outgoing.sender, outgoing.address, content, may_go=lambda: batch.holds(letter_id))
    except (NotSent, LeaseLost) as failure:
        return failure
    except Exception:  # one letter that cannot be sent must not hold up the others
        log.exception("letter %d could not be handed over", letter_id)
        attempts.put_off_not_composed(runtime, letter_id, batch.by)
        return None
    sent.add(outgoing)
    return None


def _concerns_others(failure: NotSent | LeaseLost | None) -> bool:
    """Whether the other letters must be looked at anew, because they may have to wait, or are nobody's any more."""
    if isinstance(failure, NotSent):
        return failure.is_about_us or failure.asks_to_slow_down or failure.is_final
    return failure is not None


class _Sent(AbstractContextManager["_Sent"]):
    """Letters that were sent and are not noted yet. Leaving its context notes them."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._letters: list[Outgoing] = []
        self._noted = time.monotonic()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.note()

    def add(self, outgoing: Outgoing) -> None:
        """Moves the deadline to the one that the letter names, which is sent. Then it may be noted.

        In this order: if the worker is killed in between, another sends the letter again, and no deadline is too early.
        """
        try:
            lateness.postpone_for_late_question(self._runtime, outgoing.letter, self._runtime.now())
        except DatabaseDown:
            raise
        except Exception:  # the letter is sent all the same, and must not be sent again and again
            log.exception("letter %d: its deadline could not be moved", outgoing.letter.id)
        self._letters.append(outgoing)
        if time.monotonic() - self._noted > NOTE_EVERY:
            self.note()

    def note(self) -> None:
        """Records that the letters are sent."""
        self._noted = time.monotonic()
        if not self._letters:
            return
        letters, self._letters = self._letters, []
        attempts.note_all_sent(self._runtime, [one.letter.id for one in letters])
        for one in letters:
            _count_sent(self._runtime, one)


def _count_sent(runtime: Runtime, outgoing: Outgoing) -> None:
    letter = outgoing.letter
    with about(letter=letter.id):
        attempts.count(letter, "kept" if runtime.settings.keeps_mail else "sent", outgoing.address)
    if KINDS[letter.kind].is_question:
        metrics.QUESTION_WAIT.observe(max(0.0, (runtime.now() - letter.created_at).total_seconds()))


def _record_refusal(runtime: Runtime, batch: Batch, outgoing: Outgoing, refusal: NotSent) -> None:
    letter_id = outgoing.letter.id
    log.warning("letter %d was not sent: %s", letter_id, refusal.log_text)
    with runtime.database.writing() as session:
        silenced = attempts.note_refusal(session, letter_id, batch.by, refusal, runtime.now(), is_new=outgoing.is_new)
        if refusal.is_about_us:
            attempts.note_relay_unavailable(session, letter_id, batch.rest, batch.by, refusal, runtime.now())
        letter = session.get_one(LetterRow, letter_id)
        is_ours = letter.claimed_by in (None, batch.by)  # else another worker counts it
        if outgoing.is_new and is_ours and not refusal.may_have_arrived:
            allowance.give_back(session, runtime, letter, outgoing.address, runtime.now())
    attempts.count(letter, "failed" if letter.state is LetterState.FAILED else "put off", outgoing.address)
    if silenced is not None:
        away.stop_waiting_for(runtime, silenced, runtime.now())


def _still_queued(runtime: Runtime, batch: Batch, going: deque[Outgoing]) -> deque[Outgoing]:
    """Those of the letters that nobody has answered or taken over since they were composed."""
    with runtime.database.reading() as session:
        held = leases.held_ids(session, [one.letter.id for one in going], batch.by)
    for outgoing in going:
        if outgoing.letter.id not in held:
            _forget_text(runtime, batch, outgoing)
    return deque(one for one in going if one.letter.id in held)


def _put_back(runtime: Runtime, batch: Batch, going: deque[Outgoing]) -> None:
    """Makes the letters wait in the batch as if nobody had composed them."""
    batch.put_back([one.letter.id for one in going])
    for outgoing in going:
        _forget_text(runtime, batch, outgoing)


def _forget_text(runtime: Runtime, batch: Batch, outgoing: Outgoing) -> None:
    """Deletes the text of a letter that nobody has tried to send since it was composed, and its count for the day."""
    if not outgoing.is_new:
        return
    with runtime.database.writing() as session:
        letter = session.get_one(LetterRow, outgoing.letter.id, with_for_update={"key_share": True})
        if letter.claimed_by in (None, batch.by) and letter.tries == outgoing.letter.tries and letter.sent_at is None:
            letter.subject = letter.message = None
            allowance.give_back(session, runtime, letter, outgoing.address, runtime.now())
