"""Draws the chart of the race, by the geometry of `webapp.presentation.chart`, and makes the PNG of it that mails show.

The file of a mail is twice as large as the mail shows it, so that it is crisp. It is drawn on felt, as the race is
on pages: mail programs that darken a mail leave pictures as they are, and felt is at home in the dark, too.
"""

from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageColor

from webapp.core.say import say, tongue
from webapp.pictures.pen import SMOOTH, Pen, blank, dashed, drawable, finished, png_of
from webapp.presentation import chart as plan
from webapp.presentation.chart import Chart, RaceLine

SHOWN_WIDTH: Final = 532
SHOWN_HEIGHT: Final = round(SHOWN_WIDTH * plan.HEIGHT / plan.WIDTH)
_FILE_SIZE: Final = (2 * SHOWN_WIDTH, 2 * SHOWN_HEIGHT)
BACKGROUND, GRID, TEXT = "#2f6d52", "#5b8d77", "#ffffff"
INK: Final = ("#cfe3ff", "#ffd9bd", "#d5f5d9", "#fbd9f1", "#ffffff", "#f7ecae")


@lru_cache(maxsize=64)  # the same for all who read one language at a table: the chart has sentences
def png(chart: Chart) -> bytes:
    """The picture as a PNG file; a mail shows it at `SHOWN_WIDTH` by `SHOWN_HEIGHT`, half its size in pixels."""
    image = blank(_FILE_SIZE, BACKGROUND)
    mirrored = plan.WIDTH if tongue().direction == "rtl" else 0
    draw_race(Pen(image, SMOOTH * _FILE_SIZE[0] / plan.WIDTH, mirrored=mirrored), chart)
    return png_of(finished(image).quantize(palette=_palette(), dither=Image.Dither.NONE))


def draw_race(pen: Pen, chart: Chart) -> None:
    """Draws the chart on a ground of `BACKGROUND`; it takes `chart.width` by `chart.height` of the pen's units."""
    for tick in chart.totals:
        ends = [(plan.LEFT, tick.at), (plan.RIGHT, tick.at)]
        pen.stroke(ends, TEXT if tick.at == chart.zero else GRID, 1.0)
        pen.write((plan.LEFT - 5, tick.at), tick.text, TEXT, "rm", plan.TEXT)
    for tick in chart.hands:
        pen.write((tick.at, plan.BOTTOM + 13), tick.text, TEXT, "mm", plan.TEXT)
    if target := chart.target:
        for piece in dashed([(plan.LEFT, target.at), (plan.RIGHT, target.at)], (3.0, 3.0)):
            pen.stroke(piece, TEXT, 1.2)
        words = drawable(say("ends at {total}", total=target.text), target.text)
        pen.write((plan.LEFT + 4, target.at + 9), words, TEXT, "lm", plan.TEXT)
    for line in chart.lines:
        _draw_line(pen, line)


def label_of(line: RaceLine) -> str:
    """The label in letters that the font has; a name that the font cannot write becomes its number in the sheet."""
    side = say("Side {number} {total}", number=line.number, total=line.total)
    return drawable(line.label, drawable(side, f"{line.number}: {line.total}"))


def _draw_line(pen: Pen, line: RaceLine) -> None:
    ink = INK[line.colour - 1]
    for piece in dashed(line.points, line.dashes) if line.dashes else [line.points]:
        pen.stroke(piece, ink, 2.8 if line.leads else 1.8)
    (end_x, end_y), y = line.end, line.label_y
    pen.stroke([(end_x + 4, end_y), (plan.LABEL_AT - 2, y)], ink, 0.7)
    for marker in line.markers:
        pen.outline(marker, ink, BACKGROUND if line.hollow else ink, 1.3)
    if line.leads:
        pen.box((plan.LABEL_AT - 3.5, y - 7.5), (plan.WIDTH - 1.5, y + 7.5), ink, 4)
    pen.write((plan.LABEL_AT, y), label_of(line), BACKGROUND if line.leads else ink, "lm", plan.TEXT)


@cache
def _palette() -> Image.Image:
    """Sixteen colours, or four bits a pixel: every ink, and for smooth edges its mean with the background."""
    background, *others = map(ImageColor.getrgb, (BACKGROUND, GRID, TEXT, *INK))
    halves = [tuple((a + b) // 2 for a, b in zip(ink, background, strict=True)) for ink in others[1:]]
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in (background, *others, *halves) for part in colour])
    return image
