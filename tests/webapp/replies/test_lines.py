"""Lines of a body, in plain text or HTML, and which of them are marked as quoted."""

import pytest

from webapp.replies.lines import MAX_LENGTH, flowed_lines, html_lines, plain_lines, tidy


def test_flowed_text_is_joined_again():
    text = "AS \nKS \nQS\n> quoted \n> on\n>not \nmarked \n-- \nBo\n"
    lines = [(line.text, line.marked) for line in flowed_lines(text, delsp=False)]
    assert lines == [
        ("AS KS QS", False),
        ("quoted on", True),
        ("not", True),
        ("marked", False),
        ("--", False),
        ("Bo", False),
    ]
    assert flowed_lines("Q \nS", delsp=True)[0].text == "QS"


def test_quotation_marks_are_distinguished_from_text():
    marked = [line.marked for line in plain_lines("> a\n>> b\n > c\n| d\nHM> e\n» f\nQS\n5 > 3\nBo: x > y")]
    assert marked == [True] * 6 + [False] * 3


def test_hidden_html_is_not_read():
    html = '<p>KD</p><p style="display:none">QS</p><!-- 5D --><script>"AS"</script><style>x</style><title>8D</title>'
    assert [line.text for line in html_lines(html) if line.text] == ["KD"]
    assert "QS" in [line.text for line in html_lines(html, whole=True)], "a program may quote it all the same"


def test_html_within_quotations_counts_as_quoted():
    lines = [
        line
        for line in html_lines("a<blockquote>b<blockquote>c</blockquote>d</blockquote>e</blockquote>f")
        if line.text
    ]
    assert [(line.text, line.marked) for line in lines] == [
        ("a", False),
        ("b", True),
        ("c", True),
        ("d", True),
        ("e", False),
        ("f", False),
    ]


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        pytest.param("  Q♠ \t QS ", "Q♠ QS", id="blanks"),
        pytest.param("Q\u2660\ufe0e\u200b \u00adQS\u2060", "Q♠ QS", id="invisible letters"),
        pytest.param("\u202eSQ\u202c \u2066QS\u2069", "SQ QS", id="marks of direction"),
        pytest.param("Bo\u0308", "Bö", id="a letter with its accent"),
        pytest.param("Q\u00a0S", "Q S", id="a blank that does not break"),
        pytest.param("x" * MAX_LENGTH, "x" * MAX_LENGTH, id="just short enough"),
        pytest.param("x" * (MAX_LENGTH + 1), "x" * MAX_LENGTH + "…", id="too long"),
        pytest.param("QS" + " " * 20 * MAX_LENGTH + "x", "QS…", id="a card, and too much after it"),
    ],
)
def test_a_line_is_tidied_and_a_cut_shows(text, tidied):
    assert tidy(text) == tidied


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("<p></p>", [], id="an empty paragraph"),
        pytest.param("<p>Q&spades;</p><p>QS</p>", ["Q♠", "QS"], id="paragraphs"),
        pytest.param("QS<br>KD", ["QS", "KD"], id="a break"),
        pytest.param("<script>QS</script>", ["…"], id="what no reader can be said to see"),
    ],
)
def test_html_is_read_as_its_reader_sees_it(html, lines):
    assert [line.text for line in html_lines(html) if line.text] == lines
