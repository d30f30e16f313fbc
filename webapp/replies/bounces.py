"""Delivery reports on our mails: the recipient, the outcome, and whether the failure is permanent.

Sources: RFC 3464 for the reports, RFC 3463 for status codes. Informal notes of older servers are read heuristically.
"""

import re
from dataclasses import dataclass
from typing import Final

from webapp.replies.machine import is_from_daemon
from webapp.replies.received import Mail, addresses, blocks, body_lines, content_type, field, fields, leaves

_STATUS: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_CODE: Final = re.compile(r"(?<![\d.:-])([45])\d\d(?=[ -])")
_ACTIONS: Final = ("failed", "delayed", "delivered", "relayed", "expanded")
_FAILURE_SUBJECT: Final = re.compile(
    r"undeliver|delivery (?:status|failure|has failed|incomplete)|failure notice|returned mail|mail delivery|non remis"
    r"|nicht zustellbar|unzustellbar|returning message to sender|warning: message .{0,40}delayed",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"^<?([^\s<>,;:\"()@]+@[^\s<>,;:\"()@]+?)>?:?$")
# The line after which a note quotes the returned mail.
_COPY: Final = re.compile(
    r"--.*(?:copy|original|forwarded|below this line|enclosed).*|.*copy of the message.*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Bounce:
    """A report on the delivery of one mail: `status` as in "5.1.1", `action` as in "failed" or "delayed"."""

    recipient: str  # the address that we wrote to, in lower case; empty if the report does not name it
    status: str
    action: str

    @property
    def is_failure(self) -> bool:
        """Whether the mail will never arrive; "delayed", "delivered" and "relayed" are no failures."""
        return self.action == "failed"

    @property
    def is_hard(self) -> bool:
        """Whether the address itself is invalid: 5.1.x and 5.2.1. A full mailbox, a spam verdict and all 4.x are soft.

        So are 5.1.7 and 5.1.8: they reject the sender's address, which is ours.
        """
        about_address = self.status.startswith("5.1.") and self.status not in ("5.1.7", "5.1.8")
        return self.is_failure and (about_address or self.status == "5.2.1")


def bounce_of(mail: Mail, sender: str) -> Bounce | None:
    """The delivery report in `mail`; None if it is none. `sender` is the envelope's."""
    reports = [part for part in leaves(mail) if content_type(part) == "message/delivery-status"]
    if reports and (bounce := _standard_report(reports[0])):
        return bounce
    by_server = not sender or is_from_daemon(mail)
    looks_like = (
        bool(fields(mail, "X-Failed-Recipients")) or _FAILURE_SUBJECT.search(field(mail, "Subject")) is not None
    )
    return _informal_report(mail) if by_server and (reports or looks_like) else None


def _standard_report(report: Mail) -> Bounce | None:
    """Reads a report in the standard form: its first failed recipient, else its first one; None if it has none."""
    bounces = [_of_block(block) for block in blocks(report) if fields(block, "Action") or fields(block, "Status")]
    return next((bounce for bounce in bounces if bounce.is_failure), next(iter(bounces), None))


def _of_block(block: Mail) -> Bounce:
    first = re.split(r"[\s;(]", field(block, "Action").strip().lower(), maxsplit=1)[0]
    status = _status(field(block, "Status"), default="")
    # Some servers put 5.0.0 there, and give the real status only in the diagnostic text.
    if status.endswith(".0.0") or not status:
        status = _status(field(block, "Diagnostic-Code"), default=status or "5.0.0")
    action = first if first in _ACTIONS else "delayed" if status.startswith("4") else "failed"
    found = [
        address
        for name in ("Original-Recipient", "Final-Recipient")
        for address in addresses(field(block, name).rpartition(";")[2])
    ]
    return Bounce(next(iter(found), ""), status, action)


def _informal_report(mail: Mail) -> Bounce:
    """Reads an informal note: the first address on a line of its own, and the first status or reply code."""
    note: list[str] = []
    for line in body_lines(mail):
        if note and _COPY.fullmatch(line.text):
            break
        note.append(line.text)
    named = [match[1].lower() for text in note if (match := _NAMED.match(text))]
    recipient = next(iter([*sorted(addresses(field(mail, "X-Failed-Recipients"))), *named]), "")
    status = _status(" ".join(note), default="5.0.0")
    is_warning = re.search(r"warning|delay|still being retried|not yet been delivered", field(mail, "Subject").lower())
    return Bounce(recipient, status, "delayed" if is_warning else "failed")


def _status(text: str, *, default: str) -> str:
    """The first status in `text`, else one that is made from its first SMTP reply code, else `default`."""
    if found := _STATUS.search(text):
        return ".".join(str(int(number)) for number in found.groups())
    code = _CODE.search(text)
    return f"{code[1]}.0.0" if code else default
