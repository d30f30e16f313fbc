"""Rows of tests that stand in `positions.txt`, where a card player can read them and add to them."""

import re
from pathlib import Path

import pytest

from hearts.cards import card_text, parse_code, suit
from tests.hearts.builders import rules_of

FILE = Path(__file__).with_name("positions.txt")


def table(name, **columns):
    """Runs a test on every row of a table: with the row's `options`, and with each column as its function reads it."""
    return pytest.mark.parametrize(("options", *columns), rows_of(FILE.read_text(encoding="utf-8"), name, columns))


def rows_of(text, name, columns):
    """The rows of a table in a text. Raises ValueError, with the line, for one that cannot be read."""
    at, names, rows = None, {}, []
    for number, line in joined(text):
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            at = heading[1]
        elif given := re.fullmatch(r"([A-Z_]{3,}) = (.+)", line):
            names[given[1]] = given[2]
        elif at == name:
            try:
                rows.append(row(line, names, columns))
            except ValueError as wrong:
                raise ValueError(f"{FILE.name}, line {number}: {wrong}") from wrong
    if not rows:
        raise ValueError(f"{FILE.name} has no rows of [{name}]")
    return rows


def joined(text):
    """The numbered lines of a text, without comments; an indented one has the next columns of the one before."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(" ") and lines:
            lines[-1] = lines[-1][0], f"{lines[-1][1]} | {line}"
        elif line and not line.startswith("#"):
            lines.append((number, line))
    return lines


def row(line, names, columns):
    line = re.sub(r"[A-Z_]{3,}", lambda word: names.get(word[0], word[0]), line)
    first, *cells = map(str.strip, line.split("|"))
    if len(cells) != len(columns):
        raise ValueError(f"a row is its rule and {len(columns)} columns, {' | '.join(columns)}, not {len(cells)}")
    rule, _, chosen = first.removesuffix("]").partition(" [")
    options = {option: value(choice) for option, choice in named(chosen, between=" ", sign="=")}
    rules_of(**options)  # refuses what is no option
    return pytest.param(options, *(read(cell) for read, cell in zip(columns.values(), cells, strict=True)), id=rule)


def named(text, between="; ", sign=": "):
    """The pairs in a text such as `0: QS; 1: 2C 3C`."""
    pairs = [one.partition(sign) for one in text.split(between) if one]
    if wrong := [name for name, there, _ in pairs if not there]:
        raise ValueError(f"{wrong[0]!r} lacks its {sign.strip()!r}")
    return [(name, rest) for name, _, rest in pairs]


def cards(text):
    """The cards in a text one by one, `5D-8D` as `5D 6D 7D 8D`."""
    found = []
    for word in text.split():
        first, _, last = word.partition("-")
        first, last = parse_code(first), parse_code(last or first)
        if suit(first) != suit(last) or first > last:
            raise ValueError(f"{word} is no run of cards, from a lower to a higher one of its suit")
        found += map(card_text, range(first, last + 1))
    return " ".join(found)


def value(text):
    """A number, true, false, or a word."""
    return {"true": True, "false": False}.get(text, int(text) if re.fullmatch(r"-?\d+", text) else text)


def numbers(text):
    return tuple(map(int, text.split()))
