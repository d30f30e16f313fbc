"""Writes the calendar entry of an evening together, and what takes it out of the calendar again.

Sources: RFC 5545 (iCalendar) for lines, escapes and times, RFC 5546 (iTIP) for the methods. A REQUEST to somebody who
has agreed already: mail programs enter it at once and ask no questions, and a CANCEL finds it by UID and organizer.
PUBLISH would be a file to save, which no cancellation reaches. Times are in UTC, so an entry needs no time zones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

LONGEST_LINE: Final = 75  # octets, without the line break
_ESCAPED: Final = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})
# A parameter in quotes has no escapes: these cannot be in it.
_UNQUOTABLE: Final = str.maketrans({'"': "'", "\n": " ", "\r": " "})


class Method(StrEnum):
    REQUEST = "REQUEST"
    CANCEL = "CANCEL"


@dataclass(frozen=True, slots=True)
class Entry:
    """An appointment of one person, who has agreed to it. `changes` counts what came after the first mail of it."""

    method: Method
    uid: str
    changes: int
    written_at: datetime
    begins_at: datetime
    length: timedelta
    title: str
    text: str
    link: str | None
    organizer: tuple[str, str]  # name and mail address, in ASCII
    attendee: tuple[str, str]


def calendar_text(entry: Entry) -> str:
    """The entry as a calendar, whose lines end in CRLF and are folded."""
    return "".join(f"{folded}\r\n" for line in _lines(entry) for folded in _folded(line))


def _lines(entry: Entry) -> Iterator[str]:
    is_cancelled = entry.method is Method.CANCEL
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Hearts by Mail//Evenings//EN", "CALSCALE:GREGORIAN")
    yield from (f"METHOD:{entry.method}", "BEGIN:VEVENT", f"UID:{escaped(entry.uid)}", f"SEQUENCE:{entry.changes}")
    yield from (f"DTSTAMP:{_utc(entry.written_at)}", f"DTSTART:{_utc(entry.begins_at)}")
    yield from (f"DTEND:{_utc(entry.begins_at + entry.length)}", f"SUMMARY:{escaped(entry.title)}")
    yield from (f"DESCRIPTION:{escaped(entry.text)}", *([f"URL:{entry.link}"] if entry.link else []))
    yield f"ORGANIZER;CN={_quoted(entry.organizer[0])}:mailto:{entry.organizer[1]}"
    yield f"ATTENDEE;CN={_quoted(entry.attendee[0])};PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:{entry.attendee[1]}"
    yield f"STATUS:{'CANCELLED' if is_cancelled else 'CONFIRMED'}"
    yield from ("CLASS:PRIVATE", "TRANSP:OPAQUE")  # a shared calendar shows that its owner is busy, and no link
    if not is_cancelled:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", f"DESCRIPTION:{escaped(entry.title)}")
        yield "END:VALARM"
    yield from ("END:VEVENT", "END:VCALENDAR")


def escaped(text: str) -> str:
    r"""A text as the value of a property (RFC 5545, 3.3.11).

    >>> escaped("Ann, Bo; Cy\nand a \\")
    'Ann\\, Bo\\; Cy\\nand a \\\\'
    """
    return text.translate(_ESCAPED)


def _quoted(text: str) -> str:
    """A text as the value of a parameter (3.2)."""
    return f'"{text.translate(_UNQUOTABLE)}"'


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: str) -> Iterator[str]:
    """The line in pieces of at most `LONGEST_LINE` octets, cut between letters; all later ones begin with a blank."""
    piece, room = "", LONGEST_LINE
    for letter in line:
        size = len(letter.encode())
        if size > room:
            yield piece
            piece, room = " ", LONGEST_LINE - 1
        piece, room = piece + letter, room - size
    yield piece
