"""Letters out: claims what is owed, has it composed, and hands it to the relay, or keeps it for /mailbox.

A letter is sent at least once, always under its one Message-ID. What the relay said is for `outcome`.
"""

import logging
from typing import NamedTuple

from sqlmodel import Session

from webapp.core.addresses import Purpose
from webapp.core.database import DatabaseDown
from webapp.core.idn import address_in_ascii
from webapp.core.runtime import Runtime
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox import bounces, digests, lateness, leases, letters
from webapp.players import away
from webapp.robots import reviews
from worker import outcome
from worker.batch import Batch
from worker.dkim import signed
from worker.mail import compose
from worker.notify import Notifier, notice_of
from worker.relay import NotOurs, NotSent, Relay

log = logging.getLogger(__name__)

BATCH = 50
BATCH_SECONDS = 60.0  # then the rest is handed back: with a slow relay others may be faster


class Ready(NamedTuple):
    """A letter as the relay gets it. `is_new`: no earlier attempt can have handed it over."""

    sender: str
    address: str
    content: bytes
    is_new: bool


def deliver(runtime: Runtime) -> int:
    """Sends, or keeps, every letter that is owed now and that nobody else has claimed. Returns how many it saw to.

    Raises DatabaseDown. What was not sent then is free for others within seconds.
    """
    seen = 0
    with Relay(runtime.settings.relay or "smtp://localhost") as relay, Notifier(runtime) as notifier:
        while (batch := _claimed(runtime)).rest:
            with batch:
                for letter_id in batch.in_turn(BATCH_SECONDS):
                    seen += 1
                    if _saw_to(runtime, relay, notifier, batch, letter_id):
                        return seen
    return seen


def _claimed(runtime: Runtime) -> Batch:
    """The letters that are owed longest; none while the relay is given a pause."""
    by, now = leases.new_claim(), runtime.now()
    with runtime.database.writing() as session:
        is_paused = outcome.paused_until(session, outcome.EVERY_DOMAIN, now)
        claimed = [] if is_paused else leases.claim(session, now, BATCH, by)
    return Batch(runtime, claimed, by, now)


def _saw_to(runtime: Runtime, relay: Relay, notifier: Notifier, batch: Batch, letter_id: int) -> bool:
    """Sees to one letter. Returns whether the relay is unavailable, and the rest of the batch has been put off."""
    try:
        refusal = _deliver_one(runtime, relay, notifier, batch, letter_id)
    except DatabaseDown:
        raise
    except Exception:  # one letter that cannot be composed must not hold up the others
        log.exception("letter %d could not be composed", letter_id)
        with runtime.database.writing() as session:
            outcome.note_not_composed(session, letter_id, batch.by, runtime.now())
        return False
    return refusal is not None and refusal.is_about_us


def _deliver_one(runtime: Runtime, relay: Relay, notifier: Notifier, batch: Batch, letter_id: int) -> NotSent | None:
    """Sends or keeps one letter, if it is still to be sent, and has devices told. Returns why the relay refused it."""
    reviews.prepare(runtime, letter_id)  # thinks, and so before the transaction
    with runtime.database.writing() as session:
        letter = _own_letter(session, letter_id, batch)
        notice = notice_of(runtime, session, letter) if letter else None
        ready = None if letter is None or (notice and notice.is_instead) else _ready(runtime, session, letter)
    if notice is not None:
        notifier.tell(notice)
    if letter is None or ready is None:
        return None
    try:
        if not runtime.settings.keeps_mail:
            _send(runtime, relay, ready, batch, letter_id)
    except NotSent as refusal:
        _note_refusal(runtime, batch, letter_id, ready, refusal)
        return refusal
    except NotOurs:
        return None
    _note_gone(runtime, letter)
    return None


def _own_letter(session: Session, letter_id: int, batch: Batch) -> LetterRow | None:
    """The letter, locked and with a whole lease; None where it is answered by now, or somebody else has it."""
    letter = session.get_one(LetterRow, letter_id)
    if letter.kind is LetterKind.DIGEST:
        bounces.lock_player(session, letter)  # before the letter, as everybody locks them
    for held in leases.held_letters(session, [letter_id], batch.by):
        batch.begin(held)
        return held
    return None


def _send(runtime: Runtime, relay: Relay, ready: Ready, batch: Batch, letter_id: int) -> None:
    """Hands the letter to the relay. Raises NotSent, and NotOurs where others may have the letter by now."""
    content = signed(runtime.settings, ready.content)
    relay.send(ready.sender, ready.address, content, may_go=lambda: batch.holds(letter_id))


def _note_gone(runtime: Runtime, letter: LetterRow) -> None:
    """First the deadline, which the letter names as it is from now on: killed in between, another sends it again."""
    assert letter.id is not None
    try:
        lateness.note_asked(runtime, letter, runtime.now())
    except DatabaseDown:
        raise
    except Exception:  # it has gone all the same, and must not go again and again
        log.exception("letter %d: its deadline could not be moved", letter.id)
    with runtime.database.writing() as session:
        outcome.note_gone(session, letter.id, runtime.now(), is_kept=runtime.settings.keeps_mail)


def _note_refusal(runtime: Runtime, batch: Batch, letter_id: int, ready: Ready, refusal: NotSent) -> None:
    log.warning("letter %d was not sent: %s", letter_id, refusal.for_the_log)
    with runtime.database.writing() as session:
        silenced = outcome.note_refusal(session, letter_id, batch.by, refusal, runtime.now(), is_new=ready.is_new)
        if refusal.is_about_us:
            outcome.note_nobody_can_send(session, letter_id, batch.rest, batch.by, refusal, runtime.now())
    if silenced is not None:
        away.stop_waiting_for(runtime, silenced, runtime.now())


def _ready(runtime: Runtime, session: Session, letter: LetterRow) -> Ready | None:
    """What goes out now of a letter that is owed; None where nothing does, which is then noted."""
    player = session.get_one(PlayerRow, letter.player_id)
    if player.unreachable_at and letter.address is None and not KINDS[letter.kind].proves_address:
        letter.state, letter.next_at = LetterState.WITHHELD, None
        return None
    if letters.hold_back(session, letter, runtime.now()):
        return None
    address = address_in_ascii(letter.address or player.address)
    if until := outcome.waits_for_domain(session, letter, address, runtime.now()):
        leases.put_off(letter, until)
        return None
    message = compose(runtime, session, letter)
    if message is None:
        letter.state, letter.next_at = LetterState.SUPERSEDED, None
        return None
    is_new = letter.message is None
    if is_new:  # every attempt sends what the first one did that may have arrived
        letter.subject, letter.message = message["Subject"], message.as_string()
        if letter.kind is LetterKind.DIGEST:
            digests.note_told(session, letter)
    assert letter.message is not None
    # Its lines are ASCII by now, or UTF-8 where the address is: nothing is taken apart and folded again.
    content = letter.message.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    return Ready(_envelope_sender(runtime, letter), address, content, is_new)


def _envelope_sender(runtime: Runtime, letter: LetterRow) -> str:
    """Where a report about this letter comes back to; its own address if somebody listens there."""
    assert letter.id is not None
    if runtime.settings.reply_domain:
        return runtime.postmark.address(Purpose.BOUNCE, letter.id)
    return runtime.settings.sender.addr_spec
