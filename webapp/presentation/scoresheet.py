"""A score sheet: standings, a line for every hand, who took the queen, who shot the moon.

`hearts.score` computes the sums; nothing is counted again here. `story` describes what happened in a hand.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from hearts.cards import Suit
from hearts.rules import Rules
from hearts.score import HandScore, is_over, lowest_sides
from hearts.seats import sides
from webapp.core.say import later, say, say_many
from webapp.presentation.faces import TEXT_STYLE, suit_symbol
from webapp.presentation.phrasing import listed, number_word, shortened, signed, some_points

FEW_SIDES = 5  # up to this number, most of a name fits over its column on a phone


@dataclass(frozen=True, slots=True)
class Mark:
    """A note beside the points of a hand, as on paper."""

    sign: str  # with a gap for a suit, if it is a card
    short: str  # the same in plain text
    said: str  # its meaning in English

    @property
    def symbol(self) -> str:
        return say(self.sign, suit=suit_symbol(Suit.SPADES))

    @property
    def letter(self) -> str:
        return say(self.short, suit="")

    @property
    def meaning(self) -> str:
        return say(self.said)


QUEEN: Final = Mark(later("Q{suit}"), later("Q{suit}"), later("took the queen of spades"))
MOON: Final = Mark(f"☾{TEXT_STYLE}", "M", later("shot the moon"))
SUN: Final = Mark(f"☀{TEXT_STYLE}", "S", later("shot the sun"))


@dataclass(frozen=True, slots=True)
class Cell:
    points: int
    total: int
    marks: tuple[Mark, ...] = ()

    @property
    def signed_points(self) -> str:
        return signed(self.points)

    @property
    def noted(self) -> tuple[tuple[str, str], ...]:
        """The marks, each once, as a symbol and its meaning; "2 Q♠" if both queens were taken."""
        counts = Counter(self.marks)
        return tuple(
            (mark.symbol, mark.meaning) if times == 1 else (f"{times}{mark.symbol}", say("took both queens of spades"))
            for mark, times in counts.items()
        )

    @property
    def points_text(self) -> str:
        """For plain text: `+26Q`."""
        return signed(self.points) + "".join(mark.letter for mark in self.marks)


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand: a cell for each side, and its story in sentences."""

    number: int
    cells: tuple[Cell, ...]
    story: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideLine:
    """A player, or a team."""

    names: tuple[str, ...]  # of its players
    short: str  # for a narrow column; unique in the sheet
    total: int
    place: int  # equal totals share a place
    is_winner: bool
    hand_points: int | None  # in the latest hand
    queens: int  # of spades, taken, where they count
    moons: int  # shot; a sun is one, too
    clean: int = 0  # hands that brought no points

    @property
    def name(self) -> str:
        """E.g. "Ann", or "Ann and Cy"."""
        return listed(self.names)

    @property
    def hand_text(self) -> str:
        return "" if self.hand_points is None else signed(self.hand_points)

    @property
    def game_text(self) -> str:
        """Short sentences about their game: queens, moons and hands without points; empty without any."""
        queens = say_many(self.queens, "Queen of spades taken once.", "Queen of spades taken {number} times.")
        moons = say_many(self.moons, "Moon shot once.", "Moon shot {number} times.")
        clean = say_many(self.clean, "No points in {number} hand.", "No points in {number} hands.")
        told = ((self.queens, queens), (self.moons, moons), (self.clean, clean))
        return " ".join(text for number, text in told if number)


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    sides: tuple[SideLine, ...]
    hands: tuple[HandLine, ...]
    target: int | None  # None if the number of hands ends the game before any total reaches it
    end_text: str  # when the game ends, as a sentence: "The game ends at 100."
    over: bool
    headline: str  # "Bo leads with 22"
    sentence: str  # the same in full

    @property
    def standings(self) -> tuple[SideLine, ...]:
        return tuple(sorted(self.sides, key=lambda side: side.place))

    def headline_for(self, side: int) -> str:
        """Returns the headline for a player of that side, who reads it if they have won alone."""
        mine, winners = self.sides[side], [line for line in self.sides if line.is_winner]
        if winners != [mine]:
            return self.headline
        if len(mine.names) > 1:
            return say("Your team wins with {total}", total=mine.total)
        return say("You win with {total}", total=mine.total)

    @property
    def column(self) -> int:
        """The width of a column in plain text, in characters."""
        return 8 if len(self.sides) <= FEW_SIDES else 6

    @property
    def legend(self) -> tuple[Mark, ...]:
        """The marks that occur in the sheet."""
        borne = {mark for hand in self.hands for cell in hand.cells for mark in cell.marks}
        return tuple(mark for mark in (QUEEN, MOON, SUN) if mark in borne)


def score_sheet(
    rules: Rules,
    names: Sequence[str],
    scores: Sequence[HandScore],
    winners: Collection[int] = (),
    stories: Sequence[tuple[str, ...]] = (),
    *,
    is_ended: bool = False,
) -> ScoreSheet:
    """The sheet of the finished hands.

    `names` are by seat; `winners` are the sides that won, empty before the end; `stories` are by hand, or empty. With
    `is_ended` the host has ended the game, and nobody has won.
    """
    teams = sides(rules.players, partnership=rules.partnership)
    side_names = [tuple(names[seat] for seat in team) for team in teams]
    totals = scores[-1].totals if scores else (0,) * rules.sides
    latest = scores[-1].points if scores else (None,) * rules.sides
    shorts = _shorts(side_names)
    hands = []
    for score, story in zip(scores, stories or [()] * len(scores), strict=True):
        cells = []
        for side, team in enumerate(teams):
            of_cell = [QUEEN] * sum(score.queens[seat] for seat in team) if rules.queen_points else []
            of_cell += [SUN if score.sun else MOON] if score.moon == side else []
            cells.append(Cell(score.points[side], score.totals[side], tuple(of_cell)))
        hands.append(HandLine(score.number, tuple(cells), story))
    marks = [[mark for hand in hands for mark in hand.cells[side].marks] for side in range(len(teams))]
    queens = [of_side.count(QUEEN) for of_side in marks]
    places = [1 + sum(other < total for other in totals) for total in totals]
    lines = tuple(
        SideLine(
            *(people, shorts[side], totals[side], places[side], side in winners, latest[side]),
            *(queens[side], len(marks[side]) - queens[side], sum(not score.points[side] for score in scores)),
        )
        for side, people in enumerate(side_names)
    )
    where = _ended_text(lines, scores) if is_ended else _standing_text(rules, lines, scores, over=bool(winners))
    headline, sentence = where
    target = rules.target if rules.may_reach_target else None
    return ScoreSheet(lines, tuple(hands), target, end_text(rules), bool(winners), headline, sentence)


def end_text(rules: Rules) -> str:
    """When the game ends, as a sentence."""
    if not rules.hands:
        return say("The game ends at {target}.", target=rules.target)
    number, word = rules.hands, number_word(rules.hands)
    if not rules.may_reach_target:
        return say_many(number, "The game ends after one hand.", "The game ends after {word} hands.", word=word)
    return say_many(
        number,
        "The game ends at {target}, or after one hand.",
        "The game ends at {target}, or after {word} hands.",
        target=rules.target,
        word=word,
    )


def _standing_text(
    rules: Rules, lines: Sequence[SideLine], scores: Sequence[HandScore], *, over: bool
) -> tuple[str, str]:
    """The headline and the sentence of a sheet."""
    if not scores:
        return say("no hand scored yet"), f"{say('No hand has been scored yet.')} {end_text(rules)}"
    totals = [line.total for line in lines]
    first = [lines[side] for side in lowest_sides(totals)]
    if over:
        return _won(first, len(scores))
    who, short, total, people = _names(first), _short_names(first), first[0].total, _people(first)
    points = some_points(total)
    headline = say_many(people, "{names} leads with {total}", "{names} lead with {total}", names=short, total=total)
    if len(first) > 1:
        sentence = say("{names} lead with {points} each.", names=who, points=points)
    else:
        sentence = say_many(
            people, "{names} leads with {points}.", "{names} lead with {points}.", names=who, points=points
        )
    return headline, f"{sentence} {_distance_text(rules, lines, scores[-1])}"


def _won(first: Sequence[SideLine], hands: int) -> tuple[str, str]:
    """Says who has won after so many hands: in a headline, and in a sentence."""
    who, short, total, people = _names(first), _short_names(first), first[0].total, _people(first)
    points = some_points(total)
    if len(first) > 1:
        return say("{names} share the win with {total}", names=short, total=total), say_many(
            hands,
            "{names} share the win with {points} each, after {number} hand.",
            "{names} share the win with {points} each, after {number} hands.",
            names=who,
            points=points,
        )
    headline = say_many(people, "{names} wins with {total}", "{names} win with {total}", names=short, total=total)
    if people > 1:
        return headline, say_many(
            hands,
            "{names} win with {points}, after {number} hand.",
            "{names} win with {points}, after {number} hands.",
            names=who,
            points=points,
        )
    return headline, say_many(
        hands,
        "{name} wins with {points}, after {number} hand.",
        "{name} wins with {points}, after {number} hands.",
        name=who,
        points=points,
    )


def _people(lines: Sequence[SideLine]) -> int:
    """How many players these sides are."""
    return sum(len(line.names) for line in lines)


def _names(lines: Sequence[SideLine]) -> str:
    return listed([line.name for line in lines])


def _ended_text(lines: Sequence[SideLine], scores: Sequence[HandScore]) -> tuple[str, str]:
    """The same for a game that its host has ended early."""
    if not scores:
        return say("The game was ended early"), say("The game ended before its first score.")
    lowest = [lines[side] for side in lowest_sides([line.total for line in lines])]
    had = say_many(
        len(lowest),
        "{names} had the lowest total, {points}.",
        "{names} had the lowest total, {points} each.",
        names=_names(lowest),
        points=some_points(lowest[0].total),
    )
    ended = say_many(
        len(scores), "The game ended early, after {number} hand.", "The game ended early, after {number} hands."
    )
    return say("The game was ended early"), f"{ended} {had}"


def _distance_text(rules: Rules, lines: Sequence[SideLine], last: HandScore) -> str:
    """How near the end of the game is, after the hand `last`."""
    total, to_come = max(last.totals), rules.hands - last.number
    if (total >= rules.target or (rules.hands and to_come <= 0)) and not is_over(rules, last.number, last.totals):
        return say("Nobody has the lowest total alone, so another hand is played.")
    if rules.hands:
        left = say_many(to_come, "One more hand is to be played.", "{number} more hands are to be played.")
        ends = say("The game ends at {target}, if that comes first.", target=rules.target)
        return f"{left} {ends}" if rules.may_reach_target else left
    nearest = [line for line in lines if line.total == total]
    if len(nearest) == len(lines):
        return end_text(rules)
    return say_many(
        _people(nearest),
        "The game ends at {target}; {names} is nearest to it with {total}.",
        "The game ends at {target}; {names} are nearest to it with {total}.",
        target=rules.target,
        names=_names(nearest),
        total=total,
    )


def _short_names(lines: Sequence[SideLine]) -> str:
    """The names of these sides for a subject line."""
    if len(lines) > 2:
        return say_many(len(lines), "{number} player", "{number} players")
    return shortened(_names(lines))


def short_names(names: Sequence[str]) -> list[str]:
    """A short, unique name for each, for narrow columns."""
    return _shorts([[name] for name in names])


def _shorts(teams: Sequence[Sequence[str]]) -> list[str]:
    """A short name for every side: initials for a team; names that are equal after cutting get a number."""
    longest = 7 if len(teams) <= FEW_SIDES else 3
    cut = ["+".join(name[:3] for name in team) if len(team) > 1 else _cut(team[0], longest) for team in teams]
    return [
        short if cut.count(short) == 1 else f"{short[: longest - 2].strip()}{number}"
        for number, short in enumerate(cut, 1)
    ]


def _cut(name: str, longest: int) -> str:
    """The beginning of a name, "Eve" of "Eve (Ann)": where it is cut, no small word and no bracket ends it."""
    words = name[:longest].split()
    while len(name) > longest and len(words) > 1 and (words[-1].islower() or words[-1].startswith("(")):
        words.pop()
    return " ".join(words)
