"""Lines of a body, in plain text or HTML, and which of them are marked as quoted."""

from webapp.replies.lines import flowed_lines, html_lines, plain_lines


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
