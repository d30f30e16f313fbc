"""What was said at a table, as one reader sees it, and what she may say herself."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from webapp.models import TalkRow
from webapp.presentation.moments import moment_of_talk

LATEST = 6  # lines that are shown at once; those before them on demand


@dataclass(frozen=True, slots=True)
class TalkLine:
    """Something that was said."""

    name: str  # who said it, as the table knew her then
    text: str
    moment: str  # "today 18:02", in the reader's time zone
    is_yours: bool


@dataclass(frozen=True, slots=True)
class TalkSheet:
    """The talk of a table for one reader. `action` is where what she says goes; None where she may only read."""

    lines: tuple[TalkLine, ...]  # the newest last
    heard: TalkLine | None = None  # what somebody else has said just now, if nothing was said since
    action: str | None = None
    phrases: tuple[str, ...] = ()  # what she may say by one tap
    may_type: bool = False  # whether she may also say what is none of them
    longest: int = 0  # letters of what she types

    @property
    def earlier(self) -> tuple[TalkLine, ...]:
        return self.lines[:-LATEST]

    @property
    def latest(self) -> tuple[TalkLine, ...]:
        return self.lines[-LATEST:]


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What somebody wanted to say, and the sentence why it was not said."""

    text: str
    why: str


def talk_lines(
    rows: Iterable[TalkRow], reader: int | None, zone: str, now: datetime | None = None
) -> tuple[TalkLine, ...]:
    """The rows as the player `reader` sees them, in their order; `zone` is hers. A mail is read on whatever day."""
    return tuple(
        TalkLine(row.name, row.text, moment_of_talk(row.at, zone, now), row.player_id == reader) for row in rows
    )
