"""The reader of `positions.txt`: what it takes, and what it says of a line that it cannot read."""

import pytest

from tests.hearts.positions import cards, numbers, rows_of

COLUMNS = {"held": cards, "points": numbers}


def read(*lines):
    return rows_of("\n".join(("# Hearts", "[taken]", "MINE = QS 2H-4H", *lines)), "taken", COLUMNS)


@pytest.mark.parametrize(
    "lines", [("all of it [sun=true packs=1] | MINE | 16 -1",), ("all of it [sun=true packs=1]", "    MINE |  16 -1")]
)
def test_a_row_may_stand_on_one_line_or_two(lines):
    (row,) = read(*lines, "[given]", "no such row")
    assert row.values == ({"sun": True, "packs": 1}, "QS 2H 3H 4H", (16, -1))
    assert row.id == "all of it"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("too little | QS", "a row is its rule and 2 columns, held | points, not 1"),
        ("no card | QZ | 13", "'QZ' is not a card: write it like QS or TD"),
        ("a run downwards | 8D-5D | 0", "8D-5D is no run of cards, from a lower to a higher one of its suit"),
        ("a run through suits | 5D-8S | 0", "5D-8S is no run of cards, from a lower to a higher one of its suit"),
        ("no number | QS | ten", "invalid literal for int() with base 10: 'ten'"),
        ("no meaning | YOURS | 13", "'YOURS' is not a card: write it like QS or TD"),
        ("no option [queen=5] | QS | 5", "there is no option 'queen'"),
        ("no value [sun] | QS | 13", "'sun' lacks its '='"),
        ("no such value [sun=maybe] | QS | 13", "sun"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_by_line(line, why):
    with pytest.raises(ValueError, match=r"^positions\.txt, line 5: ") as wrong:
        read("right | QS | 13", line)
    assert why in str(wrong.value)


def test_a_table_that_is_not_there_is_an_error():
    with pytest.raises(ValueError, match=r"positions\.txt has no rows of \[taken\]"):
        read()
