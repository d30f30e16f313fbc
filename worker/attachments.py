"""Attaches to a mail the chart that its HTML shows, and the record and the score sheet as files.

Sources: RFC 2387 (multipart/related), RFC 4180 (CSV). The message stays one text, as all of this is in base64.
"""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from email.message import EmailMessage
from io import StringIO
from typing import Final

from sqlmodel import Session

from hearts.record import record_text
from webapp.games.record.finished import proved_record
from webapp.games.record.store import TableGame
from webapp.models import LetterRow
from webapp.pictures.race import SHOWN_HEIGHT, SHOWN_WIDTH, png
from webapp.presentation.chart import Chart
from webapp.presentation.scoresheet import QUEEN, HandLine, ScoreSheet

_FORMULA: Final = re.compile(r"\s*[=+\-@＝＋－＠]")  # a spreadsheet would evaluate what begins like this


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
    """An attachment of type `application/json` or `text/csv`."""

    name: str
    kind: str
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
                main, _, sub = item.kind.partition("/")
                message.add_attachment(item.content, main, sub, filename=item.name)


def race_picture(letter: LetterRow, chart: Chart) -> Picture:
    """The chart, with a Content-ID that is the same at every attempt, and as hard to guess as the Message-ID."""
    return Picture(f"race.{letter.message_id.strip('<>')}", chart.alt, png(chart))


def record_file(session: Session, stored: TableGame) -> File:
    """The game record of the finished hands, as JSON."""
    return File(f"{_stem(stored)}.json", "application/json", record_text(proved_record(session, stored)).encode())


def sheet_file(stored: TableGame, score: ScoreSheet) -> File:
    """The score sheet as CSV: for each hand every side's points and totals, who took the queen, who shot the moon."""
    content = sheet_csv(score).encode("utf-8-sig")  # without the BOM Excel would garble names
    return File(f"{_stem(stored)}.csv", "text/csv", content)


def sheet_csv(score: ScoreSheet) -> str:
    """The score sheet as CSV text, in which no name can act as a formula."""
    names = [side.name for side in score.sides]
    text = StringIO()
    writer = csv.writer(text)
    totals = [f"{name}, total" for name in names]
    writer.writerow(map(_harmless, ["hand", "dealer", *names, *totals, "queen of spades", "moon"]))
    for line in score.hands:
        points, sums = [cell.points for cell in line.cells], [cell.total for cell in line.cells]
        marks = [_harmless(mark) for mark in (_queens(names, line), _shooter(names, line))]
        writer.writerow([line.number, _harmless(line.dealer), *points, *sums, *marks])
    return text.getvalue()


def _queens(names: list[str], line: HandLine) -> str:
    takers = [name for name, cell in zip(names, line.cells, strict=True) for mark in cell.marks if mark is QUEEN]
    return ", ".join(takers)


def _shooter(names: list[str], line: HandLine) -> str:
    shot = [name for name, cell in zip(names, line.cells, strict=True) if set(cell.marks) - {QUEEN}]
    return ", ".join(shot)


def _harmless(text: str) -> str:
    """The text in a form that no spreadsheet evaluates as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def _stem(stored: TableGame) -> str:
    return f"hearts-{stored.table.code}-{stored.row.number}"
