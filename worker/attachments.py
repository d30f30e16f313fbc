"""Attaches to a mail the chart that its HTML shows (RFC 2387, multipart/related), and the record of a game as a file.

The message stays one text, as all of this is in base64.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from email.message import EmailMessage

from sqlmodel import Session

from hearts.record import record_text
from webapp.games.record.finished import proved_record
from webapp.games.record.store import TableGame
from webapp.models import LetterRow
from webapp.presentation.chart import Chart
from webapp.results.pictures import SHOWN_HEIGHT, SHOWN_WIDTH, png


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that the HTML part shows as `cid:…`; `alt` says the same as text."""

    cid: str
    alt: str
    png: bytes
    width: int = SHOWN_WIDTH
    height: int = SHOWN_HEIGHT


@dataclass(frozen=True, slots=True)
class File:
    """An attachment of type `application/json`."""

    name: str
    content: bytes


Enclosed = Picture | File


def enclose(message: EmailMessage, enclosed: Iterable[Enclosed]) -> None:
    """Adds the pictures and files to a message, which must have its text already, and its HTML if it has any.

    Without HTML there is no place for a picture, and the text says the same.
    """
    for item in enclosed:
        match item:
            case Picture(cid=cid, png=content):
                html = message.get_body(("html",))
                if isinstance(html, EmailMessage):
                    html.add_related(content, "image", "png", cid=f"<{cid}>", disposition="inline", filename="race.png")
            case File():
                message.add_attachment(item.content, "application", "json", filename=item.name)


def race_picture(letter: LetterRow, chart: Chart) -> Picture:
    """The chart, with a Content-ID that is the same at every attempt, and as hard to guess as the Message-ID."""
    return Picture(f"race.{letter.message_id.strip('<>')}", chart.alt, png(chart))


def record_file(session: Session, stored: TableGame) -> File:
    """The game record of the finished hands, as JSON."""
    name = f"hearts-{stored.table.code}-{stored.row.number}.json"
    return File(name, record_text(proved_record(session, stored)).encode())
