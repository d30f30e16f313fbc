"""Feedback reports: a recipient has marked our mail as spam, and their mail provider passes that on.

Source: RFC 5965 for the report and its types. Microsoft sends only the mail itself, with a field of its own.
"""

from typing import Final

from webapp.replies.received import Mail, blocks, content_type, field, fields, leaves

# Not "not-spam", which takes a mark back, nor "auth-failure", which is about our signature: neither is a complaint.
_UNWANTED: Final = ("abuse", "fraud", "opt-out", "opt-out-list", "other", "virus")

_HOTMAIL: Final = "X-HmXmrOriginalRecipient"


def is_complaint(mail: Mail) -> bool:
    """Whether the mail reports that a recipient has marked our mail as unwanted."""
    parts = list(leaves(mail))
    reports = (part for part in parts if content_type(part) == "message/feedback-report")
    types = (field(block, "Feedback-Type") for part in reports for block in blocks(part))
    returned = (block for part in parts if content_type(part) == "message/rfc822" for block in blocks(part))
    return any(one.strip().lower() in _UNWANTED for one in types) or any(fields(one, _HOTMAIL) for one in returned)
