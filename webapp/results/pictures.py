"""Draws pictures with a pen: the race for mails, and the result of a game for sites that show its link."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from itertools import cycle, pairwise
from math import dist
from typing import Final
from zlib import Z_RLE

from PIL import Image, ImageColor, ImageDraw, ImageFont

from webapp.core.say import say, say_as, tongue
from webapp.presentation import chart as plan
from webapp.presentation.chart import Chart, RaceLine
from webapp.presentation.faces import TEXT_STYLE
from webapp.presentation.scoresheet import QUEEN, SideLine
from webapp.results.result import Result

# A pen that draws lines, shapes and words on a picture, in units of its own, and the fonts that it writes in.
# A picture is drawn twice as large as its file, which makes edges smooth: `finished` makes the file.

Point = tuple[float, float]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
SMOOTH: Final = 2  # so much larger than its file a picture is drawn
_FONTS: Final = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "NotoSans-Regular.ttf", "Arial.ttf", "Helvetica.ttc")
_BOLD_FONTS: Final = ("DejaVuSans-Bold.ttf", "LiberationSans-Bold.ttf", "NotoSans-Bold.ttf", "Arial Bold.ttf")
_SWAPPED: Final = str.maketrans("lr", "rl")  # of anchors
_PLAIN: Final = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "œ": "oe", "đ": "d"})


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws on `image`, which has `scale` pixels for each of the pen's units; its point (0, 0) is at `origin`."""

    image: Image.Image
    scale: float
    origin: Point = (0.0, 0.0)  # in pixels
    mirrored: float = 0.0  # the width, in units, of a drawing that is read from the right; 0 for one from the left

    @property
    def _draw(self) -> ImageDraw.ImageDraw:
        return ImageDraw.Draw(self.image)

    def stroke(self, points: Sequence[Point], ink: str, width: float) -> None:
        """A line through the points."""
        self._draw.line(self._scaled(points), fill=ink, width=round(width * self.scale), joint="curve")

    def outline(self, corners: Sequence[Point], ink: str, fill: str, width: float) -> None:
        """A shape with its outline."""
        self._draw.polygon(self._scaled(corners), fill=fill, outline=ink, width=round(width * self.scale))

    def box(self, corner: Point, other: Point, ink: str, round_by: float = 0.0) -> None:
        """A filled rectangle between two corners."""
        (left, top), (right, bottom) = self._scaled([corner, other])
        left, right = sorted((left, right))
        self._draw.rounded_rectangle([left, top, right, bottom], round_by * self.scale, fill=ink)

    def write(self, at: Point, text: str, ink: str, anchor: str, size: float, *, bold: bool = False) -> None:
        """Writes one line; `anchor` says which of its points is at `at`, as in Pillow."""
        font = font_of(size * self.scale, bold=bold)
        anchor = anchor.translate(_SWAPPED) if self.mirrored else anchor
        self._draw.text(self._scaled([at])[0], text, fill=ink, font=font, anchor=anchor)

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """The width of a line, in units."""
        return font_of(size * self.scale, bold=bold).getlength(text) / self.scale

    def _scaled(self, points: Sequence[Point]) -> list[Point]:
        left, top = self.origin
        across = (((self.mirrored - x) if self.mirrored else x, y) for x, y in points)
        return [(left + x * self.scale, top + y * self.scale) for x, y in across]


def blank(size: tuple[int, int], background: str) -> Image.Image:
    """An empty picture for a file of that size in pixels."""
    return Image.new("RGB", (SMOOTH * size[0], SMOOTH * size[1]), background)


def finished(image: Image.Image) -> Image.Image:
    """The picture in the size of its file."""
    return image.reduce(SMOOTH)


def png_of(image: Image.Image) -> bytes:
    """The bytes of a PNG file."""
    file = BytesIO()
    image.save(
        file, "PNG", compress_type=Z_RLE
    )  # twenty times as fast as the smallest file, which is a fiftieth smaller
    return file.getvalue()


def dashed(points: Sequence[Point], dashes: Sequence[float]) -> Iterator[list[Point]]:
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


def drawable(text: str, instead: str) -> str:
    """The text in letters that the font has, without accents if need be; `instead` if it cannot write it at all."""
    if has_all(text):
        return text
    plain = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return plain if has_all(plain) else instead


def has_all(text: str) -> bool:
    """Whether the font has every letter of the text."""
    return all(_has(letter) for letter in set(text))


@lru_cache(maxsize=4096)
def _has(letter: str) -> bool:
    font = font_of(24)
    return letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


@cache
def font_of(size: float, *, bold: bool = False) -> Font:
    """The installed font that has the most letters, `size` pixels large; if there is none, Pillow's own: A to Z."""
    for name in (*(_BOLD_FONTS if bold else ()), *_FONTS):
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


# Draws the chart of the race, by the geometry of `webapp.presentation.chart`, and makes the PNG of it that mails show.
# The file of a mail is twice as large as the mail shows it, so that it is crisp. It is drawn on felt, as the race is on
# pages: mail programs that darken a mail leave pictures as they are, and felt is at home in the dark, too.

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
        ink = INK[line.colour - 1]
        for part in dashed(line.points, line.dashes) if line.dashes else [line.points]:
            pen.stroke(part, ink, 2.8 if line.leads else 1.8)
        (end_x, end_y), y = line.end, line.label_y
        pen.stroke([(end_x + 4, end_y), (plan.LABEL_AT - 2, y)], ink, 0.7)
        for marker in line.markers:
            pen.outline(marker, ink, BACKGROUND if line.hollow else ink, 1.3)
        if line.leads:
            pen.box((plan.LABEL_AT - 3.5, y - 7.5), (plan.WIDTH - 1.5, y + 7.5), ink, 4)
        pen.write((plan.LABEL_AT, y), label_of(line), BACKGROUND if line.leads else ink, "lm", plan.TEXT)


def label_of(line: RaceLine) -> str:
    """The label in letters that the font has; a name that the font cannot write becomes its number in the sheet."""
    side = say("Side {number} {total}", number=line.number, total=line.total)
    return drawable(line.label, drawable(side, f"{line.number}: {line.total}"))


@cache
def _palette() -> Image.Image:
    """Sixteen colours, or four bits a pixel: every ink, and for smooth edges its mean with the background."""
    background, *others = map(ImageColor.getrgb, (BACKGROUND, GRID, TEXT, *INK))
    halves = [tuple((a + b) // 2 for a, b in zip(ink, background, strict=True)) for ink in others[1:]]
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in (background, *others, *halves) for part in colour])
    return image


# Draws the result of a game as the picture that other sites show of its link.
# Its size is the one that they crop the least: 1200 by 630 (the Open Graph protocol, `summary_large_image` of Twitter).

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
