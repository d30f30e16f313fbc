"""Draws the chart of the race as a PNG for mails, by the geometry of `webapp.presentation.chart`.

Draws it twice as large as the file, and the file is twice as large as a mail shows it, so that it is crisp. It has a
light background of its own: mail programs that darken a mail leave pictures as they are.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from io import BytesIO
from itertools import cycle, pairwise
from math import dist
from typing import Final
from zlib import Z_RLE

from PIL import Image, ImageColor, ImageDraw, ImageFont

from webapp.presentation import chart as plan
from webapp.presentation.chart import Chart, Point, RaceLine, Tick

SHOWN_WIDTH: Final = 532
SHOWN_HEIGHT: Final = round(SHOWN_WIDTH * plan.HEIGHT / plan.WIDTH)
_FILE_SIZE: Final = (2 * SHOWN_WIDTH, 2 * SHOWN_HEIGHT)
_SCALE: Final = 2 * _FILE_SIZE[0] / plan.WIDTH
_BACKGROUND, _GRID, _TEXT = "#fffdf9", "#e4d9c8", "#65564a"
_INK: Final = ("#1b5cab", "#a84300", "#1c6b38", "#8f2a74", "#26262e", "#7a5c00")
_FONTS: Final = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "NotoSans-Regular.ttf", "Arial.ttf", "Helvetica.ttc")
_PLAIN: Final = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "œ": "oe", "đ": "d"})


Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@lru_cache(maxsize=64)  # the same for everybody at a table
def png(chart: Chart) -> bytes:
    """The picture as a PNG file; a mail shows it at `SHOWN_WIDTH` by `SHOWN_HEIGHT`, half its size in pixels."""
    image = Image.new("RGB", (2 * _FILE_SIZE[0], 2 * _FILE_SIZE[1]), _BACKGROUND)
    draw = ImageDraw.Draw(image)
    _draw_frame(draw, chart)
    for line in chart.lines:
        _draw_line(draw, line)
    few = image.reduce(2).quantize(palette=_palette(), dither=Image.Dither.NONE)
    file = BytesIO()
    few.save(file, "PNG", compress_type=Z_RLE)  # twenty times as fast as the smallest file, which is a fiftieth smaller
    return file.getvalue()


def _draw_frame(draw: ImageDraw.ImageDraw, chart: Chart) -> None:
    for tick in chart.totals:
        ends = [(plan.LEFT, tick.at), (plan.RIGHT, tick.at)]
        _stroke(draw, ends, _TEXT if tick.at == chart.zero else _GRID, 1.0)
        _write(draw, (plan.LEFT - 5, tick.at), tick.text, _TEXT, "rm")
    for tick in chart.hands:
        _write(draw, (tick.at, plan.BOTTOM + 13), tick.text, _TEXT, "mm")
    if chart.target:
        _draw_target(draw, chart.target)


def _draw_target(draw: ImageDraw.ImageDraw, target: Tick) -> None:
    for piece in _dashed([(plan.LEFT, target.at), (plan.RIGHT, target.at)], (3.0, 3.0)):
        _stroke(draw, piece, _TEXT, 1.2)
    _write(draw, (plan.LEFT + 4, target.at + 9), f"ends at {target.text}", _TEXT, "lm")


def _draw_line(draw: ImageDraw.ImageDraw, line: RaceLine) -> None:
    ink = _INK[line.colour - 1]
    for piece in _dashed(line.points, line.dashes) if line.dashes else [line.points]:
        _stroke(draw, piece, ink, 2.8 if line.leads else 1.8)
    (end_x, end_y), y = line.end, line.label_y
    _stroke(draw, [(end_x + 4, end_y), (plan.LABEL_AT - 2, y)], ink, 0.7)
    for marker in line.markers:
        draw.polygon(_scaled(marker), fill=_BACKGROUND if line.hollow else ink, outline=ink, width=round(1.3 * _SCALE))
    if line.leads:
        box = _scaled([(plan.LABEL_AT - 3.5, y - 7.5), (plan.WIDTH - 1.5, y + 7.5)])
        draw.rounded_rectangle([*box[0], *box[1]], 4 * _SCALE, fill=ink)
    _write(draw, (plan.LABEL_AT, y), _drawable(line), _BACKGROUND if line.leads else ink, "lm")


def _stroke(draw: ImageDraw.ImageDraw, points: Sequence[Point], ink: str, width: float) -> None:
    draw.line(_scaled(points), fill=ink, width=round(width * _SCALE), joint="curve")


def _write(draw: ImageDraw.ImageDraw, at: Point, text: str, ink: str, anchor: str) -> None:
    draw.text(_scaled([at])[0], text, fill=ink, font=_font(), anchor=anchor)


def _scaled(points: Sequence[Point]) -> list[Point]:
    return [(x * _SCALE, y * _SCALE) for x, y in points]


def _dashed(points: Sequence[Point], dashes: Sequence[float]) -> Iterator[list[Point]]:
    """The dashes of a line, each as its points; the pattern continues around corners."""
    lengths = cycle(dashes)
    left, is_drawn, piece = next(lengths), True, [points[0]]
    for (x, y), end in pairwise(points):
        whole = dist((x, y), end)
        gone = 0.0
        while whole - gone > left:
            gone += left
            at = (x + (end[0] - x) * gone / whole, y + (end[1] - y) * gone / whole)
            if is_drawn:
                yield [*piece, at]
            left, is_drawn, piece = next(lengths), not is_drawn, [at]
        left -= whole - gone
        piece.append(end)
    if is_drawn:
        yield piece


def _drawable(line: RaceLine) -> str:
    """The label in letters that the font has; a name that the font cannot write becomes its number in the sheet."""
    if _has_all(line.label):
        return line.label
    plain = unicodedata.normalize("NFKD", line.label.translate(_PLAIN))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return plain if _has_all(plain) else f"Side {line.number} {line.total}"


def _has_all(text: str) -> bool:
    return all(_has(letter) for letter in set(text))


@cache
def _palette() -> Image.Image:
    """Sixteen colours, or four bits a pixel: every ink, and for smooth edges its mean with the background."""
    background, *others = map(ImageColor.getrgb, (_BACKGROUND, _GRID, _TEXT, *_INK))
    halves = [tuple((a + b) // 2 for a, b in zip(ink, background, strict=True)) for ink in others[1:]]
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in (background, *others, *halves) for part in colour])
    return image


@lru_cache(maxsize=4096)
def _has(letter: str) -> bool:
    font = _font()
    return letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


@cache
def _font() -> Font:
    """The installed font that has the most letters; if there is none, Pillow's own, which has A to Z."""
    size = plan.TEXT * _SCALE
    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
