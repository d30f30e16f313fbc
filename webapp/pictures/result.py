"""Draws the result of a game as the picture that other sites show of its link.

Its size is the one that they crop the least: 1200 by 630 (the Open Graph protocol, `summary_large_image` of Twitter).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from webapp.core.say import say, say_as
from webapp.pictures.pen import SMOOTH, Pen, Point, blank, drawable, finished, has_all, png_of
from webapp.pictures.race import BACKGROUND, GRID, INK, TEXT, draw_race
from webapp.presentation import chart as plan
from webapp.presentation.faces import TEXT_STYLE
from webapp.presentation.result import Result
from webapp.presentation.scoresheet import QUEEN, SideLine

WIDTH: Final = 1200
HEIGHT: Final = 630
_BAND, _ON_BAND, _SOFT = "#1d4736", "#ffe69c", "#d9e8df"
_WORDS, _PALE = "#ffffff", "#1d4736"
_EDGE: Final = 56.0  # of the page, left and right
_BAND_BELOW: Final = 222.0
_LIST_RIGHT: Final = 520.0
_LIST_TOP, _LIST_BOTTOM = 244.0, 606.0
_ROW_AT_MOST: Final = 76.0
_NARROWER: Final = (1, 0.9, 0.8, 0.72)  # the sizes of a name, as shares
_RACE_LEFT, _RACE_TOP, _RACE_WIDTH = 552.0, 240.0, 620.0


@lru_cache(maxsize=32)
def result_png(result: Result) -> bytes:
    """The picture as a PNG file of `WIDTH` by `HEIGHT` pixels."""
    image = blank((WIDTH, HEIGHT), BACKGROUND)
    pen = Pen(image, SMOOTH)
    # The headline, below what was played and over what happened
    pen.box((0, 0), (WIDTH, _BAND_BELOW), _BAND)
    room = WIDTH - 2 * _EDGE
    heart = "♥ " if has_all("♥") else ""
    pen.write((_EDGE, 44), f"{heart}Hearts by Mail", _SOFT, "lm", 24, bold=True)
    pen.write((WIDTH - _EDGE, 44), drawable(result.game_text, ""), _SOFT, "rm", 22)
    _write_within(pen, (_EDGE, 116), headline(result), _ON_BAND, range(64, 35, -2), room, bold=True)
    _write_within(pen, (_EDGE, 180), what_happened(result), _ON_BAND, range(26, 19, -1), room)
    _draw_list(pen, result.lines)
    at = (SMOOTH * _RACE_LEFT, SMOOTH * _RACE_TOP)
    draw_race(Pen(image, SMOOTH * _RACE_WIDTH / plan.WIDTH, at), result.chart)
    return png_of(finished(image).quantize(64, dither=Image.Dither.NONE))


def headline(result: Result) -> str:
    """The headline in letters that the font has; without the winner's name if it has not."""
    total = result.lines[0].total
    return drawable(result.headline, drawable(say("Won with {total}", total=total), str(total)))


def what_happened(result: Result) -> str:
    """The moments, or if there are none, the result in a sentence; in letters that the font has."""
    return drawable(" ".join(result.moments) or result.sentence, "")


def _draw_list(pen: Pen, lines: Sequence[SideLine]) -> None:
    """A row for each side: place, name, marks, total."""
    pitch = min(_ROW_AT_MOST, (_LIST_BOTTOM - _LIST_TOP) / len(lines))
    size = min(30.0, 0.6 * pitch)
    below = _LIST_TOP + pitch * len(lines)
    if below + 30 < _LIST_BOTTOM:
        pen.write((_EDGE, below + 24), drawable(say("The lowest total wins."), ""), TEXT, "lm", 19)
    for number, line in enumerate(lines, 1):
        middle = _LIST_TOP + pitch * (number - 0.5)
        if line.is_winner:
            pen.box((_EDGE - 16, middle - 0.46 * pitch), (_LIST_RIGHT + 12, middle + 0.46 * pitch), _PALE, 8)
        elif number > 1:
            pen.stroke([(_EDGE, middle - pitch / 2), (_LIST_RIGHT, middle - pitch / 2)], GRID, 1)
        pen.write((_EDGE, middle), f"{line.place}.", TEXT, "lm", size)
        pen.write((_LIST_RIGHT, middle), str(line.total), _WORDS, "rm", size, bold=True)
        marks = []  # from the right
        if line.moons:
            marks.append((_mark("☾", say_as("a mark", "Moon"), line.moons), INK[0]))
        if line.queens:
            queen = QUEEN.symbol.replace(TEXT_STYLE, "")
            marks.append((_mark(queen, say_as("a mark", "Queen"), line.queens), _WORDS))
        left, right = _EDGE + 1.8 * size, _LIST_RIGHT - pen.width("-000", size, bold=True) - 0.6 * size
        for text, ink in marks:
            pen.write((right, middle), text, ink, "rm", 0.8 * size)
            right -= pen.width(text, 0.8 * size) + 0.6 * size
        side, sizes = drawable(say("Side {number}", number=number), str(number)), [share * size for share in _NARROWER]
        name = drawable(line.name, side)
        _write_within(pen, (left, middle), name, _WORDS, sizes, right - left, bold=line.is_winner)


def _mark(sign: str, word: str, times: int) -> str:
    """The sign, or the word in a font without it, and how often."""
    shown = sign if has_all(sign) else word
    return f"{shown}×{times}" if times > 1 else shown


def _write_within(
    pen: Pen, at: Point, text: str, ink: str, sizes: Sequence[float], room: float, *, bold: bool = False
) -> None:
    """Writes the text in the first of the sizes in which it fits into its room; in the last one, cut."""
    size = next((size for size in sizes if pen.width(text, size, bold=bold) <= room), sizes[-1])
    pen.write(at, _fitting(pen, text, size, room, bold=bold), ink, "lm", size, bold=bold)


def _fitting(pen: Pen, text: str, size: float, room: float, *, bold: bool = False) -> str:
    """The text, cut to the room that there is."""
    if pen.width(text, size, bold=bold) <= room:
        return text
    while text and pen.width(f"{text}…", size, bold=bold) > room:
        text = text[:-1].rstrip()
    return f"{text}…"
