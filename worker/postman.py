"""Sends letters: claims those that are due, composes them, and hands them to the relay, or keeps them for /mailbox.

A letter is sent at least once, always under its one Message-ID. `attempts` records what the relay answered.
"""

import logging
from typing import NamedTuple

from sqlmodel import Session

from webapp.core import metrics
from webapp.core.addresses import Purpose
from webapp.core.database import DatabaseDown
from webapp.core.idn import address_in_ascii
from webapp.core.log import about, note
from webapp.core.runtime import Runtime
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox import allowance, bounces, digests, holding, lateness, leases, letters, together
from webapp.players import away
from webapp.robots import reviews
from worker import attempts
from worker.batch import Batch
from worker.dkim import signed
from worker.mail import compose
from worker.notify import Notice, Notifier, notice_of
from worker.relay import LeaseLost, NotSent, Relay

log = logging.getLogger(__name__)

BATCH = 50
BATCH_SECONDS = 60.0  # then the worker hands the rest back: if its relay is slow, others may be faster


class Outgoing(NamedTuple):
    """A letter as the relay gets it. `is_new`: no earlier attempt can have delivered it."""

    sender: str
    address: str
    content: bytes
    is_new: bool


def deliver(runtime: Runtime) -> int:
    """Sends, or keeps, every letter that is due and that no other worker has claimed. Returns how many it attempted.

    Stops if the relay is unavailable. Raises DatabaseDown; others can then claim the unsent letters within seconds.
    """
    count = 0
    with Relay(runtime.settings.relay or "smtp://localhost") as relay, Notifier(runtime) as notifier:
        while (batch := _claimed(runtime)).rest:
            with batch:
                for letter_id in batch.in_turn(BATCH_SECONDS):
                    count += 1
                    if _attempt(runtime, relay, notifier, batch, letter_id):
                        return count
    return count


def _claimed(runtime: Runtime) -> Batch:
    """Claims the letters that have been due longest; none while the relay is paused, or an operator holds all."""
    by, now = leases.new_claim(), runtime.now()
    with runtime.database.writing() as session:
        is_paused = attempts.paused_until(session, attempts.EVERY_DOMAIN, now) or holding.held_since(session)
        claimed = {} if is_paused else leases.claim(session, now, BATCH, by)
    return Batch(runtime, claimed, by, now)


def _attempt(runtime: Runtime, relay: Relay, notifier: Notifier, batch: Batch, letter_id: int) -> bool:
    """Tries to send one letter. Returns whether the relay is unavailable, so that the rest of the batch is put off."""
    with about(letter=letter_id):
        return _attempt_noted(runtime, relay, notifier, batch, letter_id)


def _attempt_noted(runtime: Runtime, relay: Relay, notifier: Notifier, batch: Batch, letter_id: int) -> bool:
    try:
        refusal = _deliver_one(runtime, relay, notifier, batch, letter_id)
    except DatabaseDown:
        raise
    except Exception:  # one letter that cannot be composed must not hold up the others
        log.exception("letter %d could not be composed", letter_id)
        with runtime.database.writing() as session:
            attempts.note_not_composed(session, letter_id, batch.by, runtime.now())
        return False
    return refusal is not None and refusal.is_about_us


def _deliver_one(runtime: Runtime, relay: Relay, notifier: Notifier, batch: Batch, letter_id: int) -> NotSent | None:
    """Sends or keeps one letter that is still queued, and notifies devices. Returns the relay's refusal, if any."""
    # It takes the robot's thinking time, and so comes before the transaction.
    reviews.prepare(runtime, letter_id, batch.kinds[letter_id])
    with runtime.database.writing() as session:
        letter = _own_letter(session, letter_id, batch)
        notices, outgoing = _prepared(runtime, session, letter) if letter else ([], None)
    for notice in notices:
        notifier.send(notice)
    if letter is None or outgoing is None:
        return None
    try:
        if not runtime.settings.keeps_mail:
            _send(runtime, relay, outgoing, batch, letter_id)
    except NotSent as refusal:
        _record_refusal(runtime, batch, letter_id, outgoing, refusal)
        return refusal
    except LeaseLost:
        return None
    _record_sent(runtime, letter)
    _count(letter, "kept" if runtime.settings.keeps_mail else "sent", outgoing.address)
    if KINDS[letter.kind].is_question:
        metrics.QUESTION_WAIT.observe(max(0.0, (runtime.now() - letter.created_at).total_seconds()))
    return None


def _prepared(runtime: Runtime, session: Session, letter: LetterRow) -> tuple[list[Notice], Outgoing | None]:
    """The notices to send, and the letter as the relay gets it; None if it need not, or cannot go now.

    A question that is due together with others is not sent: a digest asks them all. It waits while somebody else has
    locked one of them.
    """
    due = together.due_together(session, letter, runtime.now())
    notices = [notice for one in due if (notice := notice_of(runtime, session, one))]
    notified = {notice.letter_id for notice in notices if notice.replaces_mail}
    mailed = [one for one in due if one.id not in notified]
    if len(mailed) > 1:
        together.ask_together(session, runtime, mailed, runtime.now())
        return notices, None
    return notices, _outgoing(runtime, session, letter) if letter in mailed else None


def _own_letter(session: Session, letter_id: int, batch: Batch) -> LetterRow | None:
    """The letter, locked and with a whole lease; None if it is not queued any more, or another worker has it."""
    if batch.kinds[letter_id] is LetterKind.DIGEST:  # the lock order is players, then their letters
        bounces.lock_player(session, session.get_one(LetterRow, letter_id))
    for held in leases.held_letters(session, [letter_id], batch.by):
        batch.begin(held)
        return held
    return None


def _send(runtime: Runtime, relay: Relay, outgoing: Outgoing, batch: Batch, letter_id: int) -> None:
    """Hands the letter to the relay. Raises NotSent, and LeaseLost if another worker may have the letter by now."""
    content = signed(runtime.settings, outgoing.content)
    relay.send(outgoing.sender, outgoing.address, content, may_go=lambda: batch.holds(letter_id))


def _record_sent(runtime: Runtime, letter: LetterRow) -> None:
    """Moves the deadline to the one that the letter names, and then records the letter as sent.

    In this order: if the worker is killed in between, another one sends the letter again, and no deadline is too early.
    """
    try:
        lateness.postpone_for_late_question(runtime, letter, runtime.now())
    except DatabaseDown:
        raise
    except Exception:  # the letter is sent all the same, and must not be sent again and again
        log.exception("letter %d: its deadline could not be moved", letter.id)
    with runtime.database.writing() as session:
        attempts.note_sent(session, letter.id, runtime.now(), is_kept=runtime.settings.keeps_mail)


def _record_refusal(runtime: Runtime, batch: Batch, letter_id: int, outgoing: Outgoing, refusal: NotSent) -> None:
    log.warning("letter %d was not sent: %s", letter_id, refusal.log_text)
    with runtime.database.writing() as session:
        silenced = attempts.note_refusal(session, letter_id, batch.by, refusal, runtime.now(), is_new=outgoing.is_new)
        if refusal.is_about_us:
            attempts.note_relay_unavailable(session, letter_id, batch.rest, batch.by, refusal, runtime.now())
        letter = session.get_one(LetterRow, letter_id)
        is_ours = letter.claimed_by in (None, batch.by)  # else another worker counts it
        if outgoing.is_new and is_ours and not refusal.may_have_arrived:
            allowance.give_back(session, runtime, letter, outgoing.address, runtime.now())
    _count(letter, "failed" if letter.state is LetterState.FAILED else "put off", outgoing.address)
    if silenced is not None:
        away.stop_waiting_for(runtime, silenced, runtime.now())


def _count(letter: LetterRow, outcome: str, address: str) -> None:
    metrics.LETTERS.labels(letter.kind.value, outcome, metrics.provider(address)).inc()
    note("letter", kind=letter.kind.value, outcome=outcome, **({"game": letter.game_id} if letter.game_id else {}))


def _outgoing(runtime: Runtime, session: Session, letter: LetterRow) -> Outgoing | None:
    """The letter as the relay gets it; None if it cannot go now, which is then recorded in its row."""
    player = session.get_one(PlayerRow, letter.player_id)
    if player.unreachable_at and letter.address is None and not KINDS[letter.kind].proves_address:
        letter.state, letter.next_at = LetterState.WITHHELD, None
        _count(letter, "withheld", player.address)
        return None
    if letters.hold_back(session, letter, runtime.now()):
        return None
    address = address_in_ascii(letter.address or player.address)
    if until := attempts.waits_for_domain(session, letter, address, runtime.now()):
        leases.put_off(letter, until)
        return None
    message = compose(runtime, session, letter)
    if message is None:
        letter.state, letter.next_at = LetterState.SUPERSEDED, None
        return None
    if until := allowance.take(session, runtime, letter, address, runtime.now()):
        together.wait_for_room(session, runtime, letter, until, runtime.now())
        return None
    is_new = letter.message is None
    if is_new:  # later attempts send the same text, as this one may have arrived
        letter.subject, letter.message = message["Subject"], message.as_string()
        if letter.kind is LetterKind.DIGEST:
            digests.mark_reported(session, letter)
    assert letter.message is not None
    # The text is ASCII by now, or UTF-8 if the address is: parsing it here would fold the lines anew.
    content = letter.message.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    return Outgoing(_envelope_sender(runtime, letter), address, content, is_new)


def _envelope_sender(runtime: Runtime, letter: LetterRow) -> str:
    """The address for reports about this letter: one of its own if `inbox` takes mails, else that of MAIL_FROM."""
    if runtime.settings.reply_domain:
        return runtime.postmark.address(Purpose.BOUNCE, letter.id)
    return runtime.settings.sender.addr_spec
