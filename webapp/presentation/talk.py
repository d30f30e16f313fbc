"""The talk of a table as one reader sees it, and what they may say."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from webapp.core.say import say
from webapp.games.talk import PHRASES, REMINDER
from webapp.models import TalkRow
from webapp.presentation.phrasing import talk_timestamp

LATEST = 6  # lines that are shown at first; earlier ones on demand


@dataclass(frozen=True, slots=True)
class TalkLine:
    """One line of the talk."""

    name: str  # the speaker's name at that time
    text: str
    moment: str  # "today 18:02", in the reader's time zone, and about which trick, if it is about one
    is_yours: bool


@dataclass(frozen=True, slots=True)
class Bubble:
    """A line of talk, shown at its player's seat."""

    name: str
    text: str
    is_unread: bool  # by the reader


class Phrase(NamedTuple):
    """A phrase to be said with one tap."""

    text: str  # as rows keep it, in English
    said: str  # in the reader's language


@dataclass(frozen=True, slots=True)
class TalkSheet:
    """The talk of a table for one reader. `action` is the address of the form; None if they may only read."""

    lines: tuple[TalkLine, ...]  # the newest last
    heard: TalkLine | None = None  # the latest line, if it is recent and somebody else's
    bubbles: tuple[Bubble | None, ...] = ()  # by place, clockwise, the reader's own first
    newest: int | None = None  # the id of the last line, which the reader has read once the page was shown
    action: str | None = None
    reactions: tuple[str, ...] = ()  # those of the phrases that are one sign
    phrases: tuple[Phrase, ...] = ()  # what else the reader may say with one tap
    may_type: bool = False  # whether they may also type text of their own
    longest: int = 0  # letters that they may type
    heading: str = field(default_factory=lambda: say("Talk"))

    @property
    def earlier(self) -> tuple[TalkLine, ...]:
        return self.lines[:-LATEST]

    @property
    def latest(self) -> tuple[TalkLine, ...]:
        return self.lines[-LATEST:]


@dataclass(frozen=True, slots=True)
class Unsaid:
    """A line that was rejected, and a sentence with the reason."""

    text: str
    why: str


def talk_lines(
    rows: Iterable[TalkRow], reader: int | None, zone: str, now: datetime | None = None
) -> tuple[TalkLine, ...]:
    """The rows as the player `reader`, in the time zone `zone`, sees them, in order. Without `now`, as in a mail, no
    line is said to be from today.
    """
    lines = []
    for row in rows:
        moment = talk_timestamp(row.at, zone, now)
        if row.trick is not None:
            moment = say(
                "{time}, about trick {trick} of hand {hand} in game {game}",
                time=moment,
                trick=row.trick,
                hand=row.hand,
                game=row.game_number,
            )
        lines.append(TalkLine(row.name, heard(row.text), moment, row.player_id == reader))
    return tuple(lines)


def heard(text: str) -> str:
    """A line as its reader hears it: a phrase in their language, anything else as it was typed."""
    if text in PHRASES:
        return say(text)
    name = text.removesuffix(REMINDER.format(name=""))
    return text if name == text else say(REMINDER, name=name)


def phrases(texts: Iterable[str]) -> tuple[Phrase, ...]:
    """The texts, as their reader may say them."""
    return tuple(Phrase(text, heard(text)) for text in texts)
