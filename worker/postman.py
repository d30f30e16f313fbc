"""Letters out: claims what is owed, has it composed, and hands it to the relay, or keeps it for /mailbox.

A letter is sent at least once, always under its one Message-ID. What the relay said is for `outcome`.
"""

import logging
import time
from typing import NamedTuple

from sqlmodel import Session

from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.parts import Parts
from webapp.post import bounces, digests, letters
from webapp.post.addresses import Purpose
from webapp.post.idn import written_address
from webapp.robots import reviews
from worker import outcome
from worker.dkim import signed
from worker.mail import compose
from worker.notify import Notifier, notice_of
from worker.relay import NotSent, Relay

log = logging.getLogger(__name__)

BATCH = 50
BATCH_SECONDS = 60.0  # then the rest is handed back: a batch stays far within its lease, however slow the relay is
PROVES_AN_ADDRESS = (LetterKind.SIGN_IN, LetterKind.CONFIRM, LetterKind.NEW_ADDRESS, LetterKind.JOIN)


class Ready(NamedTuple):
    """A letter as the relay gets it."""

    sender: str
    address: str
    content: bytes


def deliver(parts: Parts) -> int:
    """Sends, or keeps, every letter that is owed now and that nobody else has claimed. Returns how many it saw to."""
    seen = 0
    with Relay(parts.settings.relay or "smtp://localhost") as relay, Notifier(parts) as notifier:
        while claimed := _claimed(parts):
            begun = time.monotonic()
            while claimed and time.monotonic() - begun < BATCH_SECONDS:
                seen += 1
                if _saw_to(parts, relay, notifier, claimed.pop(0), claimed):
                    return seen
            with parts.database.writing() as rows:
                outcome.hand_back(rows, claimed, parts.now())
    return seen


def _claimed(parts: Parts) -> list[int]:
    with parts.database.writing() as rows:
        if outcome.paused_until(rows, outcome.EVERY_DOMAIN, parts.now()):
            return []
        return letters.claim(rows, parts.now(), BATCH)


def _saw_to(parts: Parts, relay: Relay, notifier: Notifier, letter_id: int, others: list[int]) -> bool:
    """Sees to one letter. Returns whether the relay is of no use now, and `others` have been told to wait."""
    try:
        refusal = _deliver_one(parts, relay, notifier, letter_id)
    except Exception:  # one letter that cannot be composed must not hold up the others
        log.exception("letter %d could not be composed", letter_id)
        with parts.database.writing() as rows:
            outcome.note_not_composed(rows, rows.get_one(LetterRow, letter_id), parts.now())
        return False
    if refusal is None:
        return False
    log.warning("letter %d was not sent: %s", letter_id, refusal.for_the_log)
    with parts.database.writing() as rows:
        silenced = outcome.note_refusal(rows, rows.get_one(LetterRow, letter_id), refusal, parts.now())
        if refusal.is_about_us:
            outcome.note_nobody_can_send(rows, letter_id, others, refusal, parts.now())
    if silenced is not None:
        bounces.wait_no_longer(parts, silenced, parts.now())
    return refusal.is_about_us


def _deliver_one(parts: Parts, relay: Relay, notifier: Notifier, letter_id: int) -> NotSent | None:
    """Sends or keeps one letter, if it is still to be sent, and has devices told. Returns why the relay refused it."""
    reviews.prepare(parts, letter_id)  # thinks, and so before the transaction
    with parts.database.writing() as rows:
        letter = rows.get_one(LetterRow, letter_id)
        notice = notice_of(parts, rows, letter)
        ready = None if notice and notice.is_instead else _ready(parts, rows, letter)
    if notice is not None:
        notifier.tell(notice)
    if ready is None:
        return None
    ready = ready._replace(content=signed(parts.settings, ready.content))
    try:
        relay.send(*ready)
    except NotSent as refusal:
        return refusal
    with parts.database.writing() as rows:
        outcome.note_sent(rows.get_one(LetterRow, letter_id), parts.now())
    return None


def _ready(parts: Parts, rows: Session, letter: LetterRow) -> Ready | None:
    """What goes to the relay now; None where nothing does, which is then noted."""
    player = rows.get_one(PlayerRow, letter.player_id)
    if letter.state is not LetterState.OWED:  # answered since it was claimed
        return None
    if player.unreachable_at and letter.address is None and letter.kind not in PROVES_AN_ADDRESS:
        letter.state, letter.next_at = LetterState.WITHHELD, None
        return None
    if letters.hold_back(rows, letter, parts.now()):
        return None
    address = written_address(letter.address or player.address)
    if until := outcome.paused_until(rows, outcome.domain_of(address), parts.now()):
        letter.next_at = until
        return None
    message = compose(parts, rows, letter)
    if message is None:
        letter.state, letter.next_at = LetterState.SUPERSEDED, None
        return None
    if letter.message is None:  # every attempt sends what the first one did
        letter.subject, letter.message = message["Subject"], message.as_string()
        if letter.kind is LetterKind.DIGEST:
            digests.note_told(rows, letter)
    if parts.settings.keeps_mail:
        letter.state, letter.next_at, letter.sent_at = LetterState.KEPT, None, parts.now()
        return None
    # Its lines are ASCII by now, or UTF-8 where the address is: nothing is taken apart and folded again.
    content = letter.message.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    return Ready(_envelope_sender(parts, letter), address, content)


def _envelope_sender(parts: Parts, letter: LetterRow) -> str:
    """Where a report about this letter comes back to; its own address if somebody listens there."""
    assert letter.id is not None
    if parts.settings.reply_domain:
        return parts.postmark.address(Purpose.BOUNCE, letter.id)
    return parts.settings.sender.addr_spec
