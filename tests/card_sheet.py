"""Draws the faces of the 52 cards as one picture, `webapp/static/cards.svg`:  python -m tests.card_sheet

Run it after changing the drawing; the picture is kept with the code. Columns are ranks from the two to the
ace, rows are clubs, diamonds, spades, hearts. There are shapes only: the style sheet lays the picture over a card as a
mask, so that colours stay the page's own, and the index in the corner is text.
"""

import hashlib
import re
from collections.abc import Iterator

from tests.samples.rendering import ROOT

STATIC = ROOT / "webapp" / "static"
WIDE, HIGH = 60, 84  # one face
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
# Ten wide and ten high, around the middle.
PIPS = {
    "c": "M-.7 1.7A2.6 2.6 0 1 1-2.2-1.4A2.6 2.6 0 1 1 2.2-1.4A2.6 2.6 0 1 1 .7 1.7Q.8 4 2.1 5H-2.1Q-.8 4-.7 1.7Z",
    "d": "M0-5.4Q1.6-2.2 4.1 0Q1.6 2.2 0 5.4Q-1.6 2.2-4.1 0Q-1.6-2.2 0-5.4Z",
    "s": "M0-5.2C1.2-3.2 5-1.2 5 1.5A2.5 2.5 0 0 1 .7 3Q.9 4.4 2.1 5H-2.1"
    "Q-.9 4.4-.7 3A2.5 2.5 0 0 1-5 1.5C-5-1.2-1.2-3.2 0-5.2Z",
    "h": "M0 5C-1.2 3.2-5 .8-5-2.1A2.6 2.6 0 0 1 0-3.1A2.6 2.6 0 0 1 5-2.1C5 .8 1.2 3.2 0 5Z",
}
LEFT, MIDDLE, RIGHT = 28.5, 39.5, 50.5
# Heights of the pips in the middle column, and in each of the outer ones; those below 42 stand on their heads.
COLUMNS = {
    "2": ((16, 68), ()),
    "3": ((16, 42, 68), ()),
    "4": ((), (16, 68)),
    "5": ((42,), (16, 68)),
    "6": ((), (16, 42, 68)),
    "7": ((29,), (16, 42, 68)),
    "8": ((29, 55), (16, 42, 68)),
    "9": ((42,), (14, 32.7, 51.3, 70)),
    "10": ((23.3, 60.7), (14, 32.7, 51.3, 70)),
}
# A head and shoulders, as from a wood cut; the pip goes on the breast.
FIGURES = {
    "J": '<path d="M-10 30Q-12 22-4 20Q4 16 12 22L10 26Q4 24 0 26L-9 30Z"/><path class="l" d="M9 22Q16 14 13 8"/>',
    "Q": '<path d="M-11 28L-13 15L-6.5 22L0 12L6.5 22L13 15L11 28Z"/>'
    '<path d="M-13 14a2 2 0 1 0 .1 0M0 11a2 2 0 1 0 .1 0M13 14a2 2 0 1 0 .1 0"/>'
    '<path class="l" d="M-8 31Q-14 38-11 46M8 31Q14 38 11 46"/>',
    "K": '<path d="M-11 28V16L-5.5 20L0 15L5.5 20L11 16V28Z"/><path class="l" d="M0 15V7M-3.5 10.5H3.5"/>'
    '<path d="M-7 37Q0 40 7 37Q6 48 0 50Q-6 48-7 37Z"/>',
}
BODY = '<path class="l" d="M-7 29V36A7 7 0 0 0 7 36V29M-16 76V62Q-15 50 0 49Q15 50 16 62V76Z"/>'


def main() -> None:
    picture = sheet()
    (STATIC / "cards.svg").write_text(picture)
    style = (STATIC / "style.css").read_text()
    (STATIC / "style.css").write_text(re.sub(r"cards\.svg\?\w*", f"cards.svg?{mark(picture)}", style))


def mark(picture: str) -> str:
    """The suffix of the picture's address, so that browsers fetch a changed picture."""
    return hashlib.sha256(picture.encode()).hexdigest()[:10]


def sheet() -> str:
    """All faces, as the text of an SVG file."""
    shapes = [f'<path id="{name}" d="{path}"/>' for name, path in PIPS.items()]
    figures = [f'<g id="{rank}">{BODY}{drawn}</g>' for rank, drawn in FIGURES.items()]
    faces = [
        f'<g transform="translate({column * WIDE} {row * HIGH})">{"".join(face(rank, pip))}</g>'
        for row, pip in enumerate(PIPS)
        for column, rank in enumerate(RANKS)
    ]
    size = f"{len(RANKS) * WIDE} {len(PIPS) * HIGH}"
    width, height = size.split()
    style = "<style>.l{fill:none;stroke:#000;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}</style>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {size}">'
    return "\n".join([head, style, f"<defs>{''.join(shapes + figures)}</defs>", *faces, "</svg>\n"])


def face(rank: str, pip: str) -> Iterator[str]:
    """One face, without its index."""
    if rank == "A":
        yield laid(pip, MIDDLE, 42, 3)
    elif rank in FIGURES:
        yield f'<use href="#{rank}" x="{MIDDLE}"/>{laid(pip, MIDDLE, 64, 1.5)}'
    else:
        middle, outer = COLUMNS[rank]
        for x, heights in ((MIDDLE, middle), (LEFT, outer), (RIGHT, outer)):
            yield from (laid(pip, x, y, 1.05, upside_down=y > 42) for y in heights)


def laid(pip: str, x: float, y: float, size: float, *, upside_down: bool = False) -> str:
    turn = f"{size} {-size}" if upside_down else f"{size}"
    return f'<use href="#{pip}" transform="translate({x} {y})scale({turn})"/>'


if __name__ == "__main__":
    main()
