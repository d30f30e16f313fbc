"""Reports on the delivery of a mail of ours: for whom, how it went, and whether it is worth trying again.

Sources: RFC 3464 for reports, RFC 3463 for their status; the notes of older servers by their looks.
"""

import re
from dataclasses import dataclass
from typing import Final

from webapp.replies.machine import is_from_daemon
from webapp.replies.received import Mail, addresses, blocks, body_lines, content_type, field, fields, leaves

_STATUS: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_CODE: Final = re.compile(r"(?<![\d.:-])([45])\d\d(?=[ -])")
_ACTIONS: Final = ("failed", "delayed", "delivered", "relayed", "expanded")
_SORRY: Final = re.compile(
    r"undeliver|delivery (?:status|failure|has failed|incomplete)|failure notice|returned mail|mail delivery|non remis"
    r"|nicht zustellbar|unzustellbar|returning message to sender|warning: message .{0,40}delayed",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"^<?([^\s<>,;:\"()@]+@[^\s<>,;:\"()@]+?)>?:?$")
# Where a note ends and the mail that it is about begins.
_COPY: Final = re.compile(
    r"--.*(?:copy|original|forwarded|below this line|enclosed).*|.*copy of the message.*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Bounce:
    """What a report says of one mail: `status` as in "5.1.1", `action` as in "failed" or "delayed"."""

    recipient: str  # the address that we wrote to, lower case; empty where the report does not say it
    status: str
    action: str

    @property
    def is_failure(self) -> bool:
        """Whether the mail did not arrive and will not: "delayed", "delivered" and "relayed" are no failures."""
        return self.action == "failed"

    @property
    def is_hard(self) -> bool:
        """Whether the address itself is no good: 5.1.x and 5.2.1. Full, busy and suspicious are soft, and all 4.x.

        Not 5.1.7 and 5.1.8, which complain about the sender's address: that is ours.
        """
        about_address = self.status.startswith("5.1.") and self.status not in ("5.1.7", "5.1.8")
        return self.is_failure and (about_address or self.status == "5.2.1")


def bounce_of(mail: Mail, sender: str) -> Bounce | None:
    """The report that `mail` is; None where it is no report on a delivery. `sender` is the envelope's."""
    reports = [part for part in leaves(mail) if content_type(part) == "message/delivery-status"]
    if reports and (told := _told(reports[0])):
        return told
    by_server = not sender or is_from_daemon(mail)
    by_looks = bool(fields(mail, "X-Failed-Recipients")) or _SORRY.search(field(mail, "Subject")) is not None
    return _by_looks(mail) if by_server and (reports or by_looks) else None


def _told(report: Mail) -> Bounce | None:
    """What a report in the standard form says: of the recipient that failed, else of the first."""
    told = [_of_block(block) for block in blocks(report) if fields(block, "Action") or fields(block, "Status")]
    return next((bounce for bounce in told if bounce.is_failure), next(iter(told), None))


def _of_block(block: Mail) -> Bounce:
    first = re.split(r"[\s;(]", field(block, "Action").strip().lower(), maxsplit=1)[0]
    status = _status(field(block, "Status"), default="")
    # Some servers put 5.0.0 there, and what was wrong into the words of the other server.
    if status.endswith(".0.0") or not status:
        status = _status(field(block, "Diagnostic-Code"), default=status or "5.0.0")
    action = first if first in _ACTIONS else "delayed" if status.startswith("4") else "failed"
    found = [
        address
        for name in ("Original-Recipient", "Final-Recipient")
        for address in addresses(field(block, name).rpartition(";")[2])
    ]
    return Bounce(next(iter(found), ""), status, action)


def _by_looks(mail: Mail) -> Bounce:
    """What a note in words says: the first address on a line of its own, the first status or code."""
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
    """The first status in `text`; that of its first reply code where there is none."""
    if found := _STATUS.search(text):
        return ".".join(str(int(number)) for number in found.groups())
    code = _CODE.search(text)
    return f"{code[1]}.0.0" if code else default
