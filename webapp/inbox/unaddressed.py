"""Answers a player who writes to our mailbox without answering a letter of ours: once a day, with what waits for them.

Nothing is played, stored or moved, for nobody knows what such a mail is about. The mailbox may be somebody's own: who
writes to a player there gets no answer, and neither does a stranger, a machine, or who goes on with another mail.
"""

from datetime import timedelta

from sqlmodel import Session, col, select

from webapp.core.addresses import forms_of, mailbox_of
from webapp.core.runtime import Runtime
from webapp.inbox import answering
from webapp.inbox.finding import ANSWERED, sender_of
from webapp.models import PlayerRow
from webapp.outbox.turn_mail import waiting_for
from webapp.replies.reading import PEOPLE, Envelope, read
from webapp.replies.received import Mail, addresses, date_of, fields

TO = ("To", "Cc")
WITHIN = timedelta(days=1)  # a mail that has lain for longer needs no answer


def is_to_us(runtime: Runtime, head: Mail) -> bool:
    """Whether a mail was written to our mailbox just now, and begins a thread. The caller rules out what is ours."""
    sent = date_of(head)
    if any(fields(head, name) for name in ANSWERED) or sent is None or abs(runtime.now() - sent) >= WITHIN:
        return False
    own, signed = runtime.settings.mailbox_address, runtime.settings.before_signature
    to = {address for name in TO for value in fields(head, name) for address in addresses(value)}
    return any(mailbox_of(one) == mailbox_of(own) or one.startswith(signed) for one in to)


def answer(runtime: Runtime, head: Mail, raw: bytes) -> None:
    """Queues the answer to such a mail, if a player has written it, and has had none today."""
    by = read(raw, Envelope(sender_of(head), ""), None, None, runtime.settings.verdict_authority)
    if by.classification not in PEOPLE:
        return
    senders, now = forms_of(addresses(fields(head, "From")[0])), runtime.now()
    with runtime.database.writing() as session:
        if _player_at(session, {runtime.settings.mailbox_address}) is not None:
            return
        player = _player_at(session, senders)
        if player is None:
            return
        waiting = next(iter(waiting_for(session, player)), None)
        is_queued = answering.queue_unaddressed(session, runtime, player, waiting, now)
    if is_queued:
        runtime.bell.deliver()


def _player_at(session: Session, forms: set[str]) -> PlayerRow | None:
    return session.exec(select(PlayerRow).where(col(PlayerRow.address).in_(forms))).first()
