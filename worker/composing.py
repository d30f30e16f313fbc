"""Composes one letter, and decides in the same transaction what becomes of it: it goes now, it waits, or it goes not.

`postman` hands to the relay what this module returns.
"""

from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session

from webapp.core.addresses import Purpose, address_in_ascii
from webapp.core.runtime import Runtime
from webapp.core.say import if_offered, speaking
from webapp.games.clock.presence import may_disturb_at
from webapp.models import LetterRow, LetterState, PlayerRow
from webapp.models.mail import KINDS
from webapp.outbox import about_tables, allowance, letters, turn_mail
from webapp.outbox.letters import Batch
from webapp.outbox.turn_mail import Look
from webapp.robots import reviews
from worker import attempts
from worker.mail import compose
from worker.notify import Notice, notice_of


class Outgoing(NamedTuple):
    """A letter as the relay gets it. `is_new`: no earlier attempt can have delivered it. `next_at`: when the next mail
    about turns goes to its player, if this one is such a mail; None: not by itself.

    It counts as sent `composed_at` that time: who does something after that, even before it arrives, has read it.
    """

    letter: LetterRow
    sender: str
    address: str
    content: bytes
    is_new: bool
    composed_at: datetime
    next_at: datetime | None


class Composed(NamedTuple):
    """A letter as it goes out: a mail, unless it must wait or nobody needs it, and a notice to its reader's devices."""

    mail: Outgoing | None = None
    notice: Notice | None = None


def compose_letter(runtime: Runtime, batch: Batch, letter_id: int) -> Composed:
    """Composes a letter of the batch, if it is still queued and nobody else has locked it."""
    kind, player_id = batch.claimed[letter_id]
    reviews.prepare(runtime, letter_id, kind)  # a robot may think: before anything is locked
    with runtime.database.writing() as session:
        # The lock order is players, then their letters.
        locked = {"key_share": True} if KINDS[kind].is_question else None
        player = session.get_one(PlayerRow, player_id, with_for_update=locked)
        now = runtime.now()
        for letter in letters.held_letters(session, [letter_id], batch.by, even_locked=False):
            # Else each query in between would write what the letter's row has got so far.
            with speaking(if_offered(player.language)), session.no_autoflush:
                batch.begin(letter)
                return _composed(runtime, session, letter, player, now)
    return Composed()


def _composed(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow, now: datetime) -> Composed:
    look = None
    if KINDS[letter.kind].is_question:
        look = turn_mail.look_before(session, runtime, letter, player, now)
        if look is None:
            return Composed()
    notice = notice_of(runtime, session, letter, look)
    if (notice and notice.replaces_mail) or _has_to_wait(session, runtime, letter, player, now):
        return Composed(None, notice)
    return Composed(_outgoing(runtime, session, letter, player, now, look), notice)


def _has_to_wait(session: Session, runtime: Runtime, letter: LetterRow, player: PlayerRow, now: datetime) -> bool:
    """Whether the letter cannot go now, which is then recorded in its row."""
    if player.unreachable_at and letter.address is None and not KINDS[letter.kind].proves_address:
        letter.state, letter.next_at = LetterState.WITHHELD, None
        about_tables.queue_returned(session, runtime, letter, now)
        attempts.count(letter, "withheld", player.address)
        return True
    if letters.hold_back(session, letter, now):
        return True
    if until := attempts.waits_for_domain(session, letter, letter.address or player.address, now):
        letters.put_off(letter, until)
        return True
    return False


def _outgoing(
    runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow, now: datetime, look: Look | None
) -> Outgoing | None:
    """The letter as the relay gets it; None if nobody needs it, or its address has had enough mails for a day.

    Stores its text: later attempts send the same, as this one may have arrived.
    """
    message = compose(runtime, session, letter, look)
    if message is None:
        letter.state, letter.next_at = LetterState.SUPERSEDED, None
        return None
    address = address_in_ascii(letter.address or player.address)
    if until := allowance.take(session, runtime, letter, address, now):
        letters.put_off(letter, until if KINDS[letter.kind].at_once else may_disturb_at(player, until))
        return None
    if is_new := letter.message is None:
        letter.subject, letter.message = message["Subject"], message.as_string()
    assert letter.message is not None
    # It is already ASCII, or UTF-8 if the address is. To parse it here would fold the lines again.
    content = letter.message.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    next_mail = look.once_gone(letter, now).next_mail(runtime, player) if look else None
    settings = runtime.settings
    # Reports about the letter come to an address of its own if `inbox` takes mails, else to that of MAIL_FROM.
    sender = runtime.postmark.address(Purpose.BOUNCE, letter.id) if settings.reply_domain else settings.sender.addr_spec
    return Outgoing(letter, sender, address, content, is_new, now, next_mail.at if next_mail else None)
