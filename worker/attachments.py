"""What a mail brings along beside its words: the chart inside its HTML, the record and the sheet of a game as files.

Sources: RFC 2387 (multipart/related), RFC 4180 (CSV). A mail stays one text: all of this is base64.
"""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from email.message import EmailMessage
from io import StringIO
from typing import Final

from hearts.record import record_of, record_text
from webapp.games.store import Stored
from webapp.models import LetterRow
from webapp.presentation.chart import Chart
from webapp.presentation.scoresheet import QUEEN, HandLine, ScoreSheet
from worker.picture import SHOWN_HEIGHT, SHOWN_WIDTH, png

_FORMULA: Final = re.compile(r"\s*[=+\-@＝＋－＠]")  # what a spreadsheet would work out


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that the HTML part shows as `cid:…`; `alt` says the same in words."""

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
    """Adds everything to a message that has its text and its HTML."""
    for one in enclosed:
        match one:
            case Picture():
                html = message.get_body(("html",))
                assert isinstance(html, EmailMessage)
                html.add_related(one.png, "image", "png", cid=f"<{one.cid}>", disposition="inline", filename="race.png")
            case File():
                main, _, sub = one.kind.partition("/")
                message.add_attachment(one.content, main, sub, filename=one.name)


def race_picture(letter: LetterRow, chart: Chart) -> Picture:
    """The chart, with a Content-ID that is the same every time, and as hard to guess as the letter's Message-ID."""
    return Picture(f"race.{letter.message_id.strip('<>')}", chart.alt, png(chart))


def record_file(stored: Stored) -> File:
    """The record of the hands that are finished."""
    record = record_of(stored.game.rules, stored.names, stored.finished_turns())
    return File(f"{_stem(stored)}.json", "application/json", record_text(record).encode())


def sheet_file(stored: Stored, score: ScoreSheet) -> File:
    """The sheet as CSV: for each hand the points and totals of every side, who took the queen, who shot the moon."""
    return File(f"{_stem(stored)}.csv", "text/csv", sheet_csv(score).encode("utf-8-sig"))  # so that Excel reads names


def sheet_csv(score: ScoreSheet) -> str:
    """The sheet as CSV text. No name is a formula in it."""
    names = [side.name for side in score.sides]
    text = StringIO()
    writer = csv.writer(text)
    totals = [f"{name}, total" for name in names]
    writer.writerow(map(_harmless, ["hand", "dealer", *names, *totals, "queen of spades", "moon"]))
    for line in score.hands:
        points, sums = [cell.points for cell in line.cells], [cell.total for cell in line.cells]
        marks = [_harmless(words) for words in (_queens(names, line), _shooter(names, line))]
        writer.writerow([line.number, _harmless(line.dealer), *points, *sums, *marks])
    return text.getvalue()


def _queens(names: list[str], line: HandLine) -> str:
    takers = [name for name, cell in zip(names, line.cells, strict=True) for mark in cell.marks if mark is QUEEN]
    return ", ".join(takers)


def _shooter(names: list[str], line: HandLine) -> str:
    shot = [name for name, cell in zip(names, line.cells, strict=True) if set(cell.marks) - {QUEEN}]
    return ", ".join(shot)


def _harmless(words: str) -> str:
    """A name that a spreadsheet takes for text."""
    return f"'{words}" if _FORMULA.match(words) else words


def _stem(stored: Stored) -> str:
    return f"hearts-{stored.table.code}-{stored.row.number}"
