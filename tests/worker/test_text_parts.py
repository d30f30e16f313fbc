"""The text and the HTML of an email arrive as they were written, in lines that no server breaks."""

from email import message_from_string, policy
from email.message import EmailMessage

import pytest

from worker.attachments import Calendar, File, Picture, enclose
from worker.headers import empty_message
from worker.text_parts import set_texts, source

TEXTS = [
    pytest.param("one line", id="no end of line"),
    pytest.param("Q♠︎ und Jürg = 1\n", id="letters beyond ASCII"),
    pytest.param("x" * 75 + "\n" + "y" * 76 + "\n" + "♥" * 300 + "\n", id="long lines"),
    pytest.param("blank at the end \ntab\t\n-- \n", id="blanks at the ends of lines"),
    pytest.param(".\n..\n\n.hidden\nFrom here\n\n\n", id="what servers treat specially"),
    pytest.param("a form\x0cfeed, a line\u2028separator\n", id="rare ends of lines"),
]


@pytest.mark.parametrize("text", TEXTS)
def test_both_texts_arrive_as_written_and_as_the_library_would_send_them(text):
    ours, theirs = empty_message("ann@example.org"), EmailMessage()
    set_texts(ours, text, f"<p>{text}</p>")
    theirs.set_content(text, cte="quoted-printable")
    theirs.add_alternative(f"<p>{text}</p>", subtype="html", cte="quoted-printable")
    source = ours.as_string()
    assert max(map(len, source.split("\n"))) <= 78
    received, expected = (message_from_string(one.as_string(), policy=policy.default) for one in (ours, theirs))
    for kind in ("plain", "html"):
        got, wanted = (one.get_body((kind,)) for one in (received, expected))
        assert got.get_content() == wanted.get_content()
        assert (got.get_content_type(), got.get_content_charset()) == (f"text/{kind}", "utf-8")
    assert received.get_content_type() == "multipart/alternative"
    assert len(list(received.iter_parts())) == 2


def test_a_text_cannot_end_its_part():
    first, second = empty_message("ann@example.org"), empty_message("ann@example.org")
    set_texts(first, "hello\n", "<p>hello</p>\n")
    text = f"--{first.get_boundary()}\n--{first.get_boundary()}--\n"
    set_texts(second, text, "<p>hello</p>\n")
    received = message_from_string(second.as_string(), policy=policy.default)
    assert received.get_body(("plain",)).get_content() == text


@pytest.mark.parametrize("text", TEXTS)
def test_the_source_is_that_which_the_library_would_write(text):
    message = empty_message("ann@example.org")
    message["Subject"] = "Hearts: " + "your turn, Ann, " * 12 + "♥"
    set_texts(message, text, f"<p>{text}</p>")
    assert source(message) == message.as_string()
    record = File("record.json", "application/json", b'{"hands": []}\n')
    enclose(
        message,
        [Picture("race.1@example.org", "The race", b"\x89PNG\r\n" * 40), Calendar("REQUEST", "A\r\nB\r\n"), record],
    )
    assert source(message) == message.as_string()
    assert source(message).isascii()
