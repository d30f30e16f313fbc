"""Delivery reports on our mails: the recipient, the outcome, whether the failure is permanent; and complaints.

Sources: RFC 3464 and 6533 for the reports, RFC 3463 for status codes. Informal notes of older servers are read
heuristically. `verdicts` judges what a server says.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_string
from typing import Final

from webapp.replies.machine import is_from_daemon, is_marked_automatic
from webapp.replies.received import (
    Mail,
    addresses,
    blocks,
    body_lines,
    content_type,
    decoded,
    field,
    fields,
    leaves,
    storable,
    transfer_decoded,
)
from webapp.replies.verdicts import Verdict, by_status, is_decisive, is_vague, judged, status_in

_REPORTS: Final = ("message/delivery-status", "message/global-delivery-status")
# Actions that are no failure. "deliverable" is Sendmail's, for an address that it was asked to check only.
_OTHER_ACTIONS: Final = ("delayed", "delivered", "deliverable", "relayed", "expanded")
_FAILURE_SUBJECT: Final = re.compile(
    r"undeliver|un-?able to deliver|could ?n[o']t (?:be )?deliver|not (?:be )?delivered|non-?deliver"
    r"|deliver\w* (?:status|failure|failed|has failed|incomplete|error|problem|report|notification|delayed)"
    r"|failure (?:notice|delivery)|fail\w* (?:to deliver|mail|message)|returned (?:mail|e-?mail|message|to sender)"
    r"|mail (?:delivery|error|failure|system error)|message (?:delayed|error|status)|returning message to sender"
    r"|warning: .{0,60}(?:delayed|could not|not (?:yet )?(?:been )?)|permanent (?:failure|error)|rejected:"
    r"|non (?:remis|distribu|recapitat|consegnat|deliver)|nicht zustellbar|unzustellbar|nicht zugestellt"
    r"|no se (?:puede|pudo) entregar|n[ãa]o (?:foi )?(?:entregue|poss[ií]vel entregar)|onbestelbaar|не доставлен"
    r"|недоставлен|niedostarczon|kan ?inte levereras|kunne ikke leveres|配信不能|配信できません|无法投递|退信",
    re.IGNORECASE,
)
_FAILURE_TEXT: Final = re.compile(
    r"(?:could|can) ?(?:no|n'?)t be delivered|cannot be delivered|was ?n[o']t delivered|unable to deliver"
    r"|delivery (?:to .{3,80} )?(?:has )?(?:failed|failure)|undeliverable|returned to (?:you|sender)"
    r"|permanent (?:error|fatal error)|fatal errors|giving up on|remote host said|the following address(?:es)? failed",
    re.IGNORECASE,
)
_WARNING: Final = re.compile(
    r"warning:|delayed|\(delay\)|not yet been delivered|will try again|delivery incomplete|verzögert|retard",
    re.IGNORECASE,
)
_STILL_TRIED: Final = re.compile(
    r"still being retried|warning (?:message )?only|not need to resend"
    r"|will (?:be retried|keep trying|continue (?:to (?:try|attempt)|trying)|continue to be made)",
    re.IGNORECASE,
)
_SUCCESS: Final = re.compile(
    r"successful(?:ly)? (?:mail )?deliver|delivered successfully|was (?:successfully )?delivered|return receipt"
    r"|^relayed",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"(?<![^\s<\[(\"':;])([^\s<>,;:\"'()\[\]@]+@[^\s<>,;:\"'()\[\]@]+\.[^\s<>,;:\"'()\[\]@]+)")
# The line after which a note quotes the returned mail, in words or by its first header fields.
_COPY: Final = re.compile(
    r"[-=*_ ]*--.*(?:copy|original|forwarded|below this line|enclosed|returned|headers?|follows).*"
    r"|.*(?:copy of (?:the|your) (?:message|mail)|original message (?:follows|headers|is attached)).*"
    r"|(?:received|return-path|dkim-signature|message-id):.*",
    re.IGNORECASE,
)
_OF_RETURNED: Final = re.compile(
    r"[\s>*]*(?:subject|betreff|objet|asunto)\s*:", re.IGNORECASE
)  # which may say anything
_DISCLAIMER: Final = re.compile(r"\b(?:confidential|privileged|disclaimer)", re.IGNORECASE)
_COMMENT: Final = re.compile(r"\(([^()]*)\)")
_ESCAPED: Final = re.compile(r"\\x\{([0-9A-Fa-f]{2,6})\}")
NO_REASON: Final = "5.0.0"
MOST_NOTE_LINES = 200
LONGEST_NOTE = 8000  # letters that are read


@dataclass(frozen=True, slots=True)
class Bounce:
    """The outcome of one mail, by a report: `action` as in "failed" or "delayed", and `verdict` on what went wrong."""

    recipient: str  # the address that we wrote to, in lower case; empty if the report does not name it
    action: str
    verdict: Verdict

    @property
    def is_failure(self) -> bool:
        """Whether the mail will never arrive; "delayed", "delivered" and "relayed" are no failures."""
        return self.action == "failed"

    @property
    def is_hard(self) -> bool:
        """Whether the address itself is invalid. A full mailbox, a spam verdict and all 4.x are soft."""
        return self.is_failure and self.verdict.is_hard


def bounce_of(mail: Mail, sender: str, *, to_bounce_address: bool = False) -> Bounce | None:
    """The delivery report in `mail`; None if it is none. `sender` is the envelope's.

    `to_bounce_address`: it came to an address that only reports go to. With the null sender it is a report there,
    whatever its form, unless a program answers by it for its user.
    """
    reports = [part for part in leaves(mail) if content_type(part) in _REPORTS]
    is_by_server = not sender or is_from_daemon(mail)
    if not (reports or is_by_server):
        return None
    note = _note(mail)
    reported = [_of_block(block, note) for part in reports for block in _recipient_blocks(part)]
    if reported:
        return next((bounce for bounce in reported if bounce.is_failure), reported[0])
    is_informal = is_by_server and (bool(reports) or _is_note(mail, note, to_bounce_address))
    return _informal_report(mail, note) if is_informal else None


def _is_note(mail: Mail, note: str, to_bounce_address: bool) -> bool:
    """Whether a mail that a server has sent is an informal report."""
    kinds = {content_type(part) for part in leaves(mail)} | {content_type(mail)}
    if kinds & {"message/disposition-notification", "message/feedback-report"}:
        return False
    if fields(mail, "X-Failed-Recipients") or _FAILURE_SUBJECT.search(field(mail, "Subject")):
        return True
    if not to_bounce_address:
        return False
    if is_marked_automatic(mail) and not is_from_daemon(mail):
        return False
    return is_from_daemon(mail) or is_decisive(note) or _FAILURE_TEXT.search(note) is not None


def _recipient_blocks(part: Mail) -> list[Mail]:
    """The groups of fields about a recipient in the machine's part of a report, even if it is encoded."""
    found = _with_outcome(blocks(part) if content_type(part) == _REPORTS[0] else ())
    if found:
        return found
    # Python takes the part for mails, whose text may have been encoded for its way.
    try:
        raw = "\n\n".join(block.as_string() for block in blocks(part)) or str(part.get_payload())
    except (LookupError, ValueError, TypeError, AttributeError, KeyError):
        return []
    text = decoded(transfer_decoded(raw.strip(), field(part, "Content-Transfer-Encoding")))
    groups = (message_from_string(group.strip() + "\n\n") for group in re.split(r"\r?\n[ \t]*\r?\n", text))
    return _with_outcome(groups)


def _with_outcome(groups: Iterator[Mail] | list[Mail] | tuple[()]) -> list[Mail]:
    return [group for group in groups if fields(group, "Action") or fields(group, "Status")]


def _of_block(block: Mail, note: str) -> Bounce:
    words = re.split(r"[\s;(]", field(block, "Action").strip().lower(), maxsplit=1)[0]
    declared = status_in(field(block, "Status")) or ""
    comments = _COMMENT.findall(f"{field(block, 'Status')} {field(block, 'Action')}")
    said = " ".join([*fields(block, "Diagnostic-Code"), *comments])
    if not is_decisive(said) and (is_vague(declared) or not said.strip()):
        said = f"{said}\n{note}"
    verdict = judged(declared, said)
    action = words
    if words not in (*_OTHER_ACTIONS, "failed"):
        action = {"2": "delivered", "4": "delayed"}.get((declared or verdict.status)[:1], "failed")
    named: list[str] = []
    for name in ("Original-Recipient", "Final-Recipient", "X-Actual-Recipient"):
        address = field(block, name).rpartition(";")[2]
        # RFC 6533 writes letters beyond ASCII as numbers.
        named += addresses(storable(_ESCAPED.sub(lambda sign: chr(min(int(sign[1], 16), 0x10FFFF)), address)))
    return Bounce(next(iter(named), ""), action, verdict if verdict.status else by_status(NO_REASON))


def _informal_report(mail: Mail, note: str) -> Bounce:
    """Reads an informal note: its first address but the sender's and the recipient's, and the reason that it gives."""
    subject = field(mail, "Subject")
    values = [value for name in ("From", "To", "Reply-To") for value in fields(mail, name)]
    own = {address for value in values for address in addresses(value)}
    named = (found.lower().strip(".`*") for found in _NAMED.findall(note))
    others = (one for one in named if one not in own)
    others = (one for one in others if not one.startswith(("postmaster@", "mailer-daemon@", "abuse@")))
    recipients = [*sorted(addresses(field(mail, "X-Failed-Recipients"))), *others]
    verdict = judged("", f"{subject}\n{note}")
    is_still_tried = (
        _WARNING.search(subject)
        or _STILL_TRIED.search(note)
        or (_WARNING.search(note) and not _FAILURE_SUBJECT.search(subject))
    )
    action = "failed"
    if _SUCCESS.search(subject):
        action = "delivered"
    elif is_still_tried and not verdict.is_hard:
        action = "delayed"
    return Bounce(next(iter(recipients), ""), action, verdict if verdict.status else by_status(NO_REASON))


def _note(mail: Mail) -> str:
    """The text of a report for its reader, a line each paragraph, up to where it quotes the returned mail."""
    kept: list[str] = []
    for line in body_lines(mail)[:MOST_NOTE_LINES]:
        if kept and _COPY.fullmatch(line.text):
            break
        if not _OF_RETURNED.match(line.text):
            kept.append(line.text)
    paragraphs = (" ".join(part.split()) for part in "\n".join(kept).split("\n\n"))
    return "\n".join(one for one in paragraphs if one and not _DISCLAIMER.search(one))[:LONGEST_NOTE]


# Feedback reports: a recipient has marked our mail as spam, and their mail provider passes that on.
# Source: RFC 5965 for the report and its types. Microsoft sends only the mail itself, with a field of its own.

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
