"""The events while a player was not there: the tricks, the cards that we played for them and why; and the talk.

A page tells all of one hand since its player last chose in it. A mail tells a few lines of a table since its reader was
there. The talk is shown as one reader sees it, with what they may say.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from itertools import groupby
from typing import Final, NamedTuple

from hearts.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES
from hearts.rules import Rules
from hearts.score import HandScore
from hearts.seats import Seat, sides
from hearts.turns import Deal, Pass, Play
from webapp.core.say import say, say_many
from webapp.games.asked.due import Due, answers_in_hand
from webapp.games.record.store import BY_PLAYER, Record, TableGame
from webapp.games.talk import PHRASES, REMINDER
from webapp.models import TalkRow, TurnSource
from webapp.presentation.chart import Chart
from webapp.presentation.faces import face
from webapp.presentation.phrasing import listed, number_word, signed, talk_timestamp
from webapp.presentation.present import TurnSheet
from webapp.presentation.tricks import TrickSheet
from webapp.presentation.turn_text import claim_sentence, missed_sentence, played_sentence, turn_sentence

# The talk of a table as one reader sees it, and what they may say.

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


# The events while a player was not there.

MOST_LINES: Final = 6  # of what happened, in a mail
MISSED: Final = (TurnSource.TIMEOUT, TurnSource.AWAY)
_ALL: Final = 100  # the end of a hand weighs more than any of its tricks


class Weight(IntEnum):
    """How much a reader wants to know of it: where there is room for few lines, the heavier ones stay."""

    TRICK = 0  # without points
    REPLIED = 1  # what they chose by mail themselves, as a receipt
    TALK = 2
    POINTS = 3
    FOR_YOU = 4


@dataclass(frozen=True, slots=True)
class Told:
    """A line about what happened at a table: a sentence, or what somebody has said."""

    weight: Weight
    sentence: str = ""
    place: str = ""  # "Hand 2, trick 5", to stand before the sentence and a colon
    hand: int = 0
    number: int = 0  # of the record
    points: int = 0
    said: TalkLine | None = None


@dataclass(frozen=True, slots=True)
class Happened:
    """The events since the player's last choice in the hand, or since its deal."""

    sentences: tuple[str, ...] = ()  # about each card that they did not choose now
    tricks: tuple[TrickSheet, ...] = ()  # finished since; the first may be that of their own card
    laid: int = 0  # the cards of the first of these tricks that they have seen
    passed: str = ""  # what they passed and got, if that was their choice

    @property
    def first(self) -> int | None:
        """The number of the first of these tricks; None if there is none."""
        return self.tricks[0].number if self.tricks else None

    @property
    def summary(self) -> str:
        """The same in a line; empty if nothing has happened."""
        cards, tricks = len(self.sentences), len(self.tricks)
        if cards == 1:
            return self.sentences[0]
        if cards:
            word = number_word(cards)
            return say_many(cards, "We played one card for you.", "We played {word} cards for you.", word=word)
        return say_many(tricks, "What happened: {number} trick", "What happened: {number} tricks") if tricks else ""


def happened(stored: TableGame, seat: Seat, sheet: TurnSheet) -> Happened:
    """Collects the events of the hand that `sheet` shows to the player of `seat`."""
    records = stored.of_hand(sheet.hand)
    before, last = stored.turns_before(seat), 0
    for place, one in enumerate(records, 1):
        is_theirs = not isinstance(one.turn, Deal) and one.turn.seat == seat and one.number > before
        if is_theirs and one.source in BY_PLAYER:
            last = place  # so many records the hand had once the player had chosen last
    since = records[last:]
    theirs = [one for one in since if not isinstance(one.turn, Deal) and one.turn.seat == seat]
    sentences = tuple(turn_sentence(one) for one in theirs if one.source is not TurnSource.CLAIM)
    claim = claim_sentence(records, stored.names_of_hand(sheet.hand)) if len(sentences) < len(theirs) else None
    played = sum(isinstance(one.turn, Play) for one in records[:last])
    trick, laid = divmod(played, stored.game.rules.players)
    if played and not laid:  # theirs was the last card of a trick, which they have not seen won
        trick, laid = trick - 1, stored.game.rules.players
    passed = f"{sheet.gave} {sheet.got}".strip() if last and isinstance(records[last - 1].turn, Pass) else ""
    return Happened((*sentences, *filter(None, [claim])), sheet.tricks[trick:], laid, passed)


def missed_in(records: Sequence[Record], seat: Seat, after: int) -> list[tuple[Due, Record]]:
    """The turns of one hand after the first `after` records of the game that we chose because the seat's player was
    late, or away, each with the decision that it answers.
    """
    theirs = answers_in_hand(records, seat)
    return [(due, one) for due, one in theirs if one.number > after and one.source in MISSED]


def told_of_hand(
    records: Sequence[Record], seat: Seat, after: int, tricks: Sequence[TrickSheet], end: str, *, is_beside: bool
) -> list[Told]:
    """The lines about one hand with these records, for the player of `seat`, since the first `after` of the game.

    `tricks` are its finished tricks, and `end` is the sentence on how the hand ended, which tells more than they do; or
    it is empty. `is_beside`: other hands are played at the same time, so each line says which one it is about.
    """
    hand = records[0].hand
    found: list[Told] = []
    # Several cards that we chose for one reason are one line.
    for _, group in groupby(missed_in(records, seat, after), lambda one: (one[1].source, type(one[1].turn))):
        dues, missed = zip(*group, strict=True)
        is_card = len(dues) == 1 and isinstance(missed[0].turn, Play)
        place = _place(dues[0], is_card=is_card, is_beside=is_beside)
        found.append(Told(Weight.FOR_YOU, missed_sentence(missed), place, dues[0].hand, missed[-1].number))
    for due, one in answers_in_hand(records, seat):
        if one.number > after and one.source is TurnSource.REPLY:
            place = _place(due, is_card=isinstance(one.turn, Play), is_beside=is_beside)
            found.append(Told(Weight.REPLIED, played_sentence(one.turn), place, due.hand, one.number))
    if end:
        return [*found, Told(Weight.POINTS, end, "", hand, records[-1].number, points=_ALL)]
    plays = [one.number for one in records if isinstance(one.turn, Play)]
    for trick in tricks:
        number = plays[trick.number * trick.seats - 1]
        if number > after:
            weight = Weight.POINTS if trick.points else Weight.TRICK
            place = _of_trick(trick.number, hand if is_beside else None)
            found.append(Told(weight, trick.sentence, place, hand, number, trick.points))
    return found


def told_talk(said: Iterable[TalkLine]) -> list[Told]:
    """The lines about what somebody has said."""
    return [Told(Weight.TALK, number=number, said=line) for number, line in enumerate(said)]


def told(tables: Iterable[Sequence[Told]], most: int = MOST_LINES) -> list[tuple[Told, ...]]:
    """By table, of all these lines at most so many, the most important ones; at each table first what we played for the
    reader, and last the talk.
    """
    tables = list(tables)
    found = sorted((one for lines in tables for one in lines), key=_importance, reverse=True)
    return [tuple(sorted((one for one in lines if one in found[:most]), key=_order)) for lines in tables]


def _importance(one: Told) -> tuple[int, int, int]:
    return one.weight, one.points, one.number


def _order(one: Told) -> tuple[bool, bool, int, int]:
    return one.weight is not Weight.FOR_YOU, one.said is not None, one.hand, one.number


def _place(due: Due, *, is_card: bool, is_beside: bool) -> str:
    """The place to name: the hand if there are others beside it, and the trick if it was one card."""
    hand = due.hand if is_beside else None
    if is_card:
        return _of_trick(due.trick, hand)
    return "" if hand is None else say("Hand {hand}", hand=hand)


def _of_trick(trick: int, hand: int | None) -> str:
    if hand is None:
        return say("Trick {trick}", trick=trick)
    return say("Hand {hand}, trick {trick}", hand=hand, trick=trick)


# How a hand ended: who took what, the moon, the points, and where everybody stands.


@dataclass(frozen=True, slots=True)
class EndLine:
    """A player, or a team, at the end of a hand."""

    name: str
    took: str  # "Q♠ and 4 hearts"; empty if nothing that counts
    points: str  # "+17"
    total: int | None  # after the hand; None as long as an earlier hand is being played


@dataclass(frozen=True, slots=True)
class HandEnd:
    """A finished hand, for one of its players."""

    sheet: TurnSheet  # the hand at its end, as they saw it
    since: Happened
    lines: tuple[EndLine, ...]  # the fewest points first
    story: tuple[str, ...]
    chart: Chart | None  # the race so far; None as long as the hand is not counted
    running: tuple[int, ...]  # the earlier hands that are still being played
    moon: str = ""  # who shot the moon or the sun, as a sentence without its full stop

    @property
    def number(self) -> int:
        return self.sheet.hand

    @property
    def trick(self) -> TrickSheet:
        """The hand's last trick."""
        return self.sheet.tricks[-1]

    @property
    def sentence(self) -> str:
        """The points of each side."""
        return end_sentence(self.number, self.lines)

    @property
    def note(self) -> str:
        """When the points count, if they do not count yet."""
        if not self.running:
            return ""
        hands = listed([str(number) for number in self.running])
        return say_many(
            len(self.running),
            "These points count once hand {hands} is over.",
            "These points count once hands {hands} are over.",
            hands=hands,
        )


def end_sentence(hand: int, lines: Sequence[EndLine]) -> str:
    """Says that a hand is over, with the points of each side."""
    points = listed([f"{line.name} {line.points}" for line in lines])
    return say("Hand {hand} is over: {points}.", hand=hand, points=points)


def moon_text(rules: Rules, names: Sequence[str], score: HandScore) -> str:
    """E.g. "Bo shot the moon"; empty if nobody did."""
    if score.moon is None:
        return ""
    who = listed([names[seat] for seat in sides(rules.players, partnership=rules.partnership)[score.moon]])
    if rules.partnership:
        return say("{names} shot the sun", names=who) if score.sun else say("{names} shot the moon", names=who)
    return say("{name} shot the sun", name=who) if score.sun else say("{name} shot the moon", name=who)


def end_lines(rules: Rules, names: Sequence[str], score: HandScore, *, is_counted: bool) -> tuple[EndLine, ...]:
    """The lines of a finished hand; `names` are by seat. Totals count only if it `is_counted`."""
    teams = sides(rules.players, partnership=rules.partnership)
    order = sorted(range(len(teams)), key=lambda side: score.points[side])
    lines = []
    for side in order:
        team = teams[side]
        queens, jacks = (sum(taken[seat] for seat in team) for taken in (score.queens, score.jacks))
        hearts = sum(score.taken[seat] for seat in team) - queens * rules.queen_points
        took = [face(QUEEN_OF_SPADES).text] * queens if rules.queen_points else []
        took += [face(JACK_OF_DIAMONDS).text] * jacks if rules.jack_points else []
        took += [say_many(hearts, "{number} heart", "{number} hearts")] if hearts else []
        who, total = listed([names[seat] for seat in team]), score.totals[side] if is_counted else None
        lines.append(EndLine(who, listed(took) if took else "", signed(score.points[side]), total))
    return tuple(lines)
