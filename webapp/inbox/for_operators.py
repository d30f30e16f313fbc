"""Handles mail to the names of our domain that need no signature: postmaster, abuse, feedback.

A report of spam counts if it has the bounce address of the mail that it is about. The operators find the number of any
other mail in the log, and read it by a command.
"""

import logging

from webapp.core.runtime import Runtime
from webapp.models import InboundRow
from webapp.outbox import bounces
from webapp.outbox.bounces import Proof, ReportOutcome
from webapp.replies.bounces import bounce_of
from webapp.replies.complaints import is_complaint
from webapp.replies.machine import machine_reason
from webapp.replies.received import parse_mail

log = logging.getLogger(__name__)

NOTHING = ReportOutcome("Nothing was done: it is about no mail of ours, and no person wrote it.")


def follow(runtime: Runtime, row: InboundRow) -> ReportOutcome:
    """Acts on a stored mail. The caller must act on `ReportOutcome.silenced`."""
    raw = row.raw or b""
    mail, letter_id = parse_mail(raw), runtime.postmark.letter_reported_in(raw.decode("latin-1"))
    if letter_id is not None and is_complaint(mail):
        return bounces.act_on_complaint(runtime, letter_id, runtime.now())
    if bounce := bounce_of(mail, row.sender):
        if letter_id is None:
            return NOTHING
        return bounces.act_on_bounce(runtime, letter_id, bounce, runtime.now(), Proof.ADDRESS)
    if machine_reason(mail, row.sender, None):
        return NOTHING
    log.warning("mail %d is for the operators: hearts-by-mail mail show %d", row.id, row.id)
    return ReportOutcome("It is for the operators.")
