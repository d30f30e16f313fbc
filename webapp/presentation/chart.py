"""The chart of the race: every side's total after each hand, as points, ticks and labels.

Pure geometry, in units of a pixel on a small phone. `templates/pages/chart.html` draws it as SVG,
`webapp/results/pictures.py` as PNG. Sides differ by label, marker and dashes, never by colour alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, pi, sin
from typing import ClassVar, Final

from webapp.core.say import say, say_many
from webapp.presentation.phrasing import listed
from webapp.presentation.scoresheet import ScoreSheet, SideLine

WIDTH: Final = 400.0
HEIGHT: Final = 236.0
LEFT, RIGHT, TOP, BOTTOM = 30.0, 296.0, 14.0, 210.0  # edges of the plot; the labels stand to the right of it
TEXT: Final = 12.0  # font size
LABEL_AT: Final = RIGHT + 14
LABEL_WIDTH: Final = WIDTH - LABEL_AT - 6
LABEL_GAP: Final = 15.5
MARKER: Final = 3.6
MARKERS_APART: Final = 20.0
TICKS_AT_MOST: Final = 6
COLOURS: Final = 6
DASHES: Final[tuple[tuple[float, ...], ...]] = ((), (7.0, 3.0), (2.5, 2.5), (9.0, 3.0, 2.0, 3.0))
_CORNERS: Final = (16, 4, 3, 4, 3)  # circle, square, triangle, diamond, triangle upside down; then a cross
_TURNED: Final = (0.0, pi / 4, -pi / 2, 0.0, pi / 2)
_CROSS: Final = (
    (1, 3),
    (1, 1),
    (3, 1),
    (3, -1),
    (1, -1),
    (1, -3),
    (-1, -3),
    (-1, -1),
    (-3, -1),
    (-3, 1),
    (-1, 1),
    (-1, 3),
)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class RaceLine:
    """One side: its line through the plot, its markers, and its label at the end."""

    number: int  # in the sheet, from 1
    total: int
    label: str  # the name, shortened if it is long, and the total
    points: tuple[Point, ...]
    markers: tuple[tuple[Point, ...], ...]  # the outline of each
    hollow: bool
    dashes: tuple[float, ...]  # lengths of strokes and gaps; empty for a solid line
    colour: int  # from 1
    label_y: float  # the middle of the label
    leads: bool

    @property
    def end(self) -> Point:
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything to draw; `lines` are in drawing order, so that the leaders come on top."""

    width: ClassVar = WIDTH
    height: ClassVar = HEIGHT
    left: ClassVar = LEFT
    right: ClassVar = RIGHT
    bottom: ClassVar = BOTTOM
    label_at: ClassVar = LABEL_AT

    hands: tuple[Tick, ...]
    totals: tuple[Tick, ...]
    zero: float  # the y of the total 0
    target: Tick | None  # None while it is far away, and if the number of hands ends the game
    lines: tuple[RaceLine, ...]
    alt: str  # the standings in a sentence


def race(score: ScoreSheet) -> Chart | None:
    """The chart of a sheet; None before the first hand is scored."""
    if not score.hands:
        return None
    rows = [tuple(cell.total for cell in hand.cells) for hand in score.hands]
    high = max(map(max, rows))
    target = score.target if score.target and high >= 0.4 * score.target else None
    standings = say_many(
        len(score.hands),
        "The race after {number} hand: {standings}.",
        "The race after {number} hands: {standings}.",
        standings=listed([f"{side.name} {side.total}" for side in score.standings]),
    )
    end = say("The game is over.") if score.over else score.end_text
    return chart_of(score.sides, rows, f"{standings} {end}", target=target)


def chart_of(
    sides: Sequence[SideLine],
    after_each: Sequence[Sequence[int]],
    alt: str,
    *,
    target: int | None = None,
    least_step: int = 5,
) -> Chart:
    """The chart of totals: `after_each` hand, or game, those of all sides, which were 0 before the first.

    Those whose place is 1 lead. The horizontal lines are `least_step` or more apart.
    """
    rows = [tuple(0 for _ in sides), *after_each]
    low, high = min(map(min, rows)), max(map(max, rows))
    span = max(high, target or 2 * least_step) - low
    # The distance of the horizontal lines is a round number that gives only a few of them.
    steps = (1, 2, *(times * tens for tens in (1, 10, 100, 1000) for times in (5, 10, 20, 25)))
    step = next(step for step in steps if step >= least_step and span / step <= TICKS_AT_MOST - 1)
    bottom = min(low, 0)
    top = max(high, target) if target else -(-max(high, 2 * least_step) // step) * step

    def place(hand: int, total: int) -> Point:
        across = LEFT + (RIGHT - LEFT) * hand / len(after_each)
        return round(across, 1), round(BOTTOM - (BOTTOM - TOP) * (total - bottom) / (top - bottom), 1)

    paths = [tuple(place(hand, row[side]) for hand, row in enumerate(rows)) for side in range(len(sides))]
    labels_y = _spread([path[-1][1] for path in paths])
    lines = [
        _line(number, side, path, y) for number, (side, path, y) in enumerate(zip(sides, paths, labels_y, strict=True))
    ]
    # There is room for at most a dozen numbers of hands.
    numbered = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200) if len(after_each) / step <= 12)
    return Chart(
        hands=tuple(Tick(place(hand, 0)[0], str(hand)) for hand in range(numbered, len(rows), numbered)),
        totals=tuple(Tick(place(0, total)[1], str(total)) for total in range(-(-bottom // step) * step, top + 1, step)),
        zero=place(0, 0)[1],
        target=Tick(place(0, target)[1], str(target)) if target else None,
        lines=tuple(sorted(lines, key=lambda line: line.leads)),
        alt=alt,
    )


def _line(number: int, side: SideLine, path: tuple[Point, ...], label_y: float) -> RaceLine:
    again = number // COLOURS  # the second side of a colour
    apart = (RIGHT - LEFT) / (len(path) - 1)
    every = max(1, ceil(MARKERS_APART / apart))
    marked = path[:0:-every][::-1]  # the last point, and earlier ones at a distance; never the start
    return RaceLine(
        number=number + 1,
        total=side.total,
        label=_label(side),
        points=path,
        markers=tuple(_marker(number % COLOURS, at) for at in marked),
        hollow=again > 0,
        dashes=DASHES[(number + again) % len(DASHES)],
        colour=number % COLOURS + 1,
        label_y=label_y,
        leads=side.place == 1,
    )


def _marker(shape: int, at: Point) -> tuple[Point, ...]:
    """The outline of one of the six shapes around a point."""
    x, y = at
    if shape == len(_CORNERS):
        return tuple((round(x + MARKER * right / 2.6, 1), round(y + MARKER * down / 2.6, 1)) for right, down in _CROSS)
    corners, turned = _CORNERS[shape], _TURNED[shape]
    size = MARKER * (1.0 if corners > 4 else 1.25)
    angles = [turned + 2 * pi * corner / corners for corner in range(corners)]
    return tuple((round(x + size * cos(angle), 1), round(y + size * sin(angle), 1)) for angle in angles)


def _spread(wanted: Sequence[float]) -> list[float]:
    """The positions nearest to the wanted ones, in the same order, at which labels do not overlap."""
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    places = [wanted[number] for number in order]
    for number in range(1, len(places)):
        places[number] = max(places[number], places[number - 1] + LABEL_GAP)
    highest = BOTTOM + 6
    for number in reversed(range(len(places))):
        places[number] = min(places[number], highest)
        highest = places[number] - LABEL_GAP
    spread = dict(zip(order, places, strict=True))
    return [round(spread[number], 1) for number in range(len(wanted))]


def _label(side: SideLine) -> str:
    """The name, cut to the room that there is, and the total; partners are joined by a plus."""
    total = f" {side.total}"
    if text_width(side.name + total) <= LABEL_WIDTH:
        return side.name + total
    name = "+".join(side.names)
    if text_width(name + total) <= LABEL_WIDTH:
        return name + total
    while name and text_width(f"{name}…{total}") > LABEL_WIDTH:
        name = name[:-1].rstrip()
    return f"{name}…{total}"


def text_width(text: str) -> float:
    """An estimate of a text's width, rather too large than too small."""
    return sum(map(_letter_width, text)) * TEXT


def _letter_width(letter: str) -> float:
    if letter in "ijlI.,:;'|!()[] ":
        return 0.36
    if letter in "mwMW@%…" or ord(letter) > 0x2E7F:
        return 1.0
    return 0.74 if letter.isupper() else 0.62
