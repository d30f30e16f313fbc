"""Draws the faces of the 52 cards as one picture, `webapp/static/cards.svg`:  python -m tests.card_sheet

Run it after changing the drawing; the picture is kept with the code. Columns are ranks from the two to the
ace, rows are clubs, diamonds, spades, hearts. These are shapes only: the style sheet lays the picture over a card as a
mask, so that colours stay the page's own, and the index in the corner is text. The last row has the second ink of the
court cards, under the first: in the columns of jack, queen and king, and that of the queen of spades in the ace's.
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
PIP, ACE = 1.15, 3.3  # how large
LEFT, MIDDLE, RIGHT = 30, 41, 52
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
# The upper half of each court card, around the card's middle, 16 to each side and 37 high; the other half is the same
# turned around. What has the class "l" is drawn with a pen, "t" with a fine one.
HEAD = (
    '<path class="l" d="M-6.5-28V-20.5A6.5 6.5 0 0 0 6.5-20.5V-28"/>'
    '<circle cx="-2.7" cy="-22.5" r="1"/><circle cx="2.7" cy="-22.5" r="1"/>'
)
GOWN = (
    '<path d="M-16-.7V-6Q-14.5-12.5-6.5-13.5L-3.5-.7ZM16-.7V-6Q14.5-12.5 6.5-13.5L3.5-.7Z"/>'
    '<path class="t" d="M-5-13L0-4L5-13M0-4V-.7"/>'
)
FIGURES = {
    "J": '<path d="M-6.5-28Q-11-26-9.5-15.5Q-7-15-6.2-18ZM6.5-28Q11-26 9.5-15.5Q7-15 6.2-18Z"/>'
    '<path class="l" d="M-9.5-28H9.5Q10-36 0-36Q-10-36-9.5-28Z"/><path class="t" d="M-1.5-18H2"/>'
    '<path class="l" d="M-8-31Q-15-33-14.5-24"/>',
    "Q": '<path d="M-6-29Q-14-26-12-12Q-8-12.5-6-17.5ZM6-29Q14-26 12-12Q8-12.5 6-17.5Z"/>'
    '<path class="l" d="M-8-28.5L-9.5-35L-4.5-31.5L0-36.5L4.5-31.5L9.5-35L8-28.5Z"/><path d="M-1.7-18.5H1.7L0-16.7Z"/>',
    "K": '<path d="M-6.5-21.5Q-6-19.5 0-19.5Q6-19.5 6.5-21.5V-17.5Q6-9 0-7.5Q-6-9-6.5-17.5Z"/>'
    '<path class="l" d="M-8.5-28.5L-9.5-36L-4.5-32L0-36.5L4.5-32L9.5-36L8.5-28.5Z"/>'
    '<path class="l" d="M-13-35V-15M-15.2-17.5H-10.8"/>',
}
# She has a veil, half a face in its shadow, and an eye that shines there.
QUEEN_OF_SPADES = (
    '<path fill-rule="evenodd" d="M0-30.5Q-13-30-13.5-18Q-13.5-8-16-.7H16Q13.5-8 13.5-18Q13-30 0-30.5Z'
    "M0-28.5Q-7.5-27.5-7.5-20Q-7-12.5 0-10.5Z"
    "M1.5-20.5Q4-24 7-21Q4.5-18.8 1.5-20.5ZM0-15.8Q2-16.5 3-15Q2-13.3 0-13.5Z"
    "M-1.8-5A1.8 1.8 0 1 0 1.8-5A1.8 1.8 0 1 0-1.8-5ZM-8.5-4A1.5 1.5 0 1 0-5.5-4A1.5 1.5 0 1 0-8.5-4Z"
    'M5.5-4A1.5 1.5 0 1 0 8.5-4A1.5 1.5 0 1 0 5.5-4Z"/>'
    '<path class="t" d="M-6-23.5Q-4-25-1.8-23.5"/><path d="M-6.2-20.5Q-4-23-1.5-20.5Q-4-19.2-6.2-20.5Z"/>'
    '<path class="t" d="M-10-30L-12-36L-6-33L0-37.5L6-33L12-36L10-30"/>'
)
GOLD, ROSE = "#e6b33d", "#b41f31"
SECOND = {
    "J": f'<path fill="{GOLD}" d="M-9.5-28H9.5Q10-36 0-36Q-10-36-9.5-28ZM-6.5-13.5L0-3.5L6.5-13.5L3.5-.7H-3.5Z"/>',
    "Q": f'<path fill="{GOLD}" d="M-8-28.5L-9.5-35L-4.5-31.5L0-36.5L4.5-31.5L9.5-35L8-28.5Z'
    'M-6.5-13.5L0-3.5L6.5-13.5L3.5-.7H-3.5Z"/>',
    "K": f'<path fill="{GOLD}" d="M-8.5-28.5L-9.5-36L-4.5-32L0-36.5L4.5-32L9.5-36L8.5-28.5Z'
    'M-6.5-13.5L0-3.5L6.5-13.5L3.5-.7H-3.5Z"/>',
    "A": f'<path fill="{GOLD}" d="M-10-29.5L-12-36L-6-33L0-37.5L6-33L12-36L10-29.5ZM1-22H8V-18H1Z"/>'
    f'<path fill="{ROSE}" d="M-2.2-15.5Q0-17 3-15Q0-12-2.2-15.5ZM-9-7.5H9V-2H-9Z"/>',
}


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
    figures = [f'<g id="{rank}">{GOWN}{HEAD}{drawn}</g>' for rank, drawn in FIGURES.items()]
    faces = [
        f'<g transform="translate({column * WIDE} {row * HIGH})">{"".join(face(rank, pip))}</g>'
        for row, pip in enumerate(PIPS)
        for column, rank in enumerate(RANKS)
    ]
    faces += [
        f'<g transform="translate({RANKS.index(rank) * WIDE} {len(PIPS) * HIGH})">{"".join(both_halves(ink))}</g>'
        for rank, ink in SECOND.items()
    ]
    width, height = len(RANKS) * WIDE, (len(PIPS) + 1) * HIGH
    style = (
        "<style>.l,.t{fill:none;stroke:#000;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}"
        ".t{stroke-width:1.1}</style>"
    )
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" preserveAspectRatio="none"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    return "\n".join([head, style, f"<defs>{''.join(shapes + figures)}</defs>", *faces, "</svg>\n"])


def face(rank: str, pip: str) -> Iterator[str]:
    """One face, without its index."""
    if rank == "A":
        yield laid(pip, MIDDLE, 42, ACE)
    elif rank in FIGURES:
        figure = QUEEN_OF_SPADES if (rank, pip) == ("Q", "s") else f'<use href="#{rank}"/>'
        yield from both_halves(figure)
    else:
        middle, outer = COLUMNS[rank]
        for x, heights in ((MIDDLE, middle), (LEFT, outer), (RIGHT, outer)):
            yield from (laid(pip, x, y, PIP, upside_down=y > 42) for y in heights)


def both_halves(drawn: str) -> Iterator[str]:
    for turn in ("", "rotate(180)"):
        yield f'<g transform="translate({MIDDLE} {HIGH / 2:g}){turn}">{drawn}</g>'


def laid(pip: str, x: float, y: float, size: float, *, upside_down: bool = False) -> str:
    turn = f"{size} {-size}" if upside_down else f"{size}"
    return f'<use href="#{pip}" transform="translate({x} {y})scale({turn})"/>'


if __name__ == "__main__":
    main()
