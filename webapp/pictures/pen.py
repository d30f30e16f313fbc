"""A pen that draws lines, shapes and words on a picture, in units of its own, and the fonts that it writes in.

A picture is drawn twice as large as its file, which makes edges smooth: `finished` makes the file.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from itertools import cycle, pairwise
from math import dist
from typing import Final
from zlib import Z_RLE

from PIL import Image, ImageDraw, ImageFont

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
