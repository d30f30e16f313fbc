"""Reports that somebody has marked a mail of ours as unwanted, as her mail provider passes them on.

Source: RFC 5965 for the report and its types.
"""

from typing import Final

from webapp.replies.received import Mail, blocks, content_type, field, leaves

# "not-spam" takes a mark back, and "auth-failure" is about our signature: neither is her wish.
_UNWANTED: Final = ("abuse", "fraud", "opt-out", "opt-out-list", "other", "virus")


def is_complaint(mail: Mail) -> bool:
    """Whether the mail reports that a mail of ours is unwanted."""
    reports = (part for part in leaves(mail) if content_type(part) == "message/feedback-report")
    types = (field(block, "Feedback-Type") for part in reports for block in blocks(part))
    return any(told.strip().lower() in _UNWANTED for told in types)
