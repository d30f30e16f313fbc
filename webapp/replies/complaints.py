"""Feedback reports: a recipient has marked our mail as spam, and their mail provider passes that on.

Source: RFC 5965 for the report and its types.
"""

from typing import Final

from webapp.replies.received import Mail, blocks, content_type, field, leaves

# Not "not-spam", which takes a mark back, nor "auth-failure", which is about our signature: neither is a complaint.
_UNWANTED: Final = ("abuse", "fraud", "opt-out", "opt-out-list", "other", "virus")


def is_complaint(mail: Mail) -> bool:
    """Whether the mail reports that a recipient has marked our mail as unwanted."""
    reports = (part for part in leaves(mail) if content_type(part) == "message/feedback-report")
    types = (field(block, "Feedback-Type") for part in reports for block in blocks(part))
    return any(one.strip().lower() in _UNWANTED for one in types)
