"""Splits a body, in plain text or HTML, into lines, and says of each whether the mail program marked it as quoted.

Source: RFC 3676 for flowed text. `typed` decides which of the unmarked lines the sender typed.
"""

import re
import unicodedata
from dataclasses import dataclass

MOST_LINES = 1000  # of a body that are read; no mail of ours has as many
MAX_LENGTH = 1000  # letters of a line that are read; our own lines are shorter, and so is every valid reply
_INVISIBLE = {ord(sign): None for sign in "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff"}
_INVISIBLE |= dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
# `>` or similar, repeated for deeper quotes, and before it possibly the quoted person's initials or name.
_MARKS = re.compile(r"\s*(?:\w{1,12}(?=>))?(?:[>|»›]\s?)+")
_OPEN, _CLOSE = "\ue000", "\ue001"  # of a quotation in HTML; private-use code points, which have no meaning in mails
_QUOTATION = re.compile(r"<(/?)blockquote\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without quote marks, surrounding blanks and invisible letters; inner blanks are single."""

    text: str
    marked: bool = False


def plain_lines(text: str) -> list[Line]:
    """The lines of plain text."""
    return [_line(line) for line in text.splitlines()[:MOST_LINES]]


def flowed_lines(text: str, *, delsp: bool) -> list[Line]:
    """The lines of flowed text, with soft breaks joined; with `delsp`, the blank before a soft break is dropped."""
    lines: list[Line] = []
    begun, depth_begun = "", 0
    for line in text.splitlines()[:MOST_LINES]:
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        # A soft break before a signature, or before another quote depth, is an error; we treat it as a hard break.
        if begun and (depth != depth_begun or content == "-- "):
            lines.append(_flowed(begun, depth_begun))
            begun = ""
        begun, depth_begun = begun + content, depth
        if content.endswith(" ") and content != "-- ":
            begun = begun[:-1] if delsp else begun
            continue
        lines.append(_flowed(begun, depth))
        begun = ""
    return [*lines, _flowed(begun, depth_begun)] if begun else lines


def html_lines(html: str, *, whole: bool = False) -> list[Line]:
    """The lines of an HTML body as a reader sees them; those within quotations are marked.

    `whole`: what a style hides is among them, too, as in programs that quote without regard to styles.
    """
    marked = _QUOTATION.sub(lambda tag: f"<p>{_CLOSE if tag[1] else _OPEN}</p>", html.replace("\0", ""))
    lines: list[Line] = []
    depth = 0
    for raw in _flattened(marked, whole=whole).splitlines()[:MOST_LINES]:
        depth = max(0, depth + raw.count(_OPEN) - raw.count(_CLOSE))
        line = _line(raw.replace(_OPEN, "").replace(_CLOSE, ""))
        lines.append(Line(line.text, line.marked or depth > 0))
    return lines


def _flattened(html: str, *, whole: bool) -> str:
    # Only workers read HTML; the scheduler and the listener start sooner without these.
    from inscriptis.html_engine import Inscriptis
    from lxml.etree import LxmlError
    from lxml.html import document_fromstring

    from webapp.replies.seen import empty_unseen

    try:
        tree = document_fromstring(html)
        if whole:
            for element in tree.iter():
                element.attrib.pop("style", None)
        else:
            empty_unseen(tree, _OPEN + _CLOSE)
        text: str = Inscriptis(tree).get_text()
    except (LxmlError, ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError):
        text = ""
    # There is content, but we cannot tell what a reader sees: an ellipsis is neither empty nor a valid answer.
    return text if text.strip() or not _TAG.sub("", html).strip() else "…"


def _line(raw: str) -> Line:
    marks = _MARKS.match(raw)
    return Line(tidy(raw[marks.end() :] if marks else raw), marks is not None)


def _flowed(text: str, depth: int) -> Line:
    return Line(tidy(text), True) if depth else _line(text)


def tidy(text: str) -> str:
    """The text as a reader sees it, on one line: in NFC, with single blanks and without invisible letters.

    Text longer than `MAX_LENGTH` ends in an ellipsis, so that the cut cannot turn it into a valid answer.
    """
    # Also cut beforehand: one line may hold the whole of a large mail.
    whole = " ".join(unicodedata.normalize("NFC", text[: 20 * MAX_LENGTH].translate(_INVISIBLE)).split())
    return whole if len(whole) <= MAX_LENGTH and len(text) <= 20 * MAX_LENGTH else whole[:MAX_LENGTH] + "…"
