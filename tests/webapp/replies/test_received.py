"""Any bytes are some mail: nothing raises, nothing is lost, nothing takes long."""

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.replies.reading import Asked, Classification, Envelope, read
from webapp.replies.received import (
    addresses,
    body_lines,
    date_of,
    decoded,
    field,
    fields,
    parse_mail,
    part_text,
    storable,
)

CORPUS = Path(__file__).parent / "corpus"
MAILS = sorted(CORPUS.glob("*.eml"))
ENVELOPE = Envelope("bo@example.org", "r-x@in.hearts.example")
ASKED = Asked(1, 2, "trick 5", frozenset({"bo@example.org"}))


@given(st.binary(max_size=400))
def test_any_bytes_can_be_parsed(raw):
    read(raw, ENVELOPE, ASKED, None)


@settings(max_examples=200)
@given(st.sampled_from(MAILS), st.data())
def test_a_damaged_mail_can_be_parsed(path, data):
    raw = path.read_bytes()[:6000]
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, min(len(raw), 1500)))
        raw = raw[:at] + data.draw(st.binary(max_size=6)) + raw[at + data.draw(st.integers(0, 20)) :]
    for sender in ("bo@example.org", ""):
        read(raw, Envelope(sender, ENVELOPE.recipient), ASKED, raw.decode("latin-1"))


@given(
    st.text(alphabet=st.characters(codec="utf-8"), max_size=80), st.sampled_from(["utf-8", "utf-16", "utf-7", "utf-32"])
)
def test_unicode_text_is_decoded_correctly(text, charset):
    text = text.replace("\ufeff", "").replace("\0", "")
    assert decoded(text.encode(charset), charset) == text


@pytest.mark.parametrize(
    ("content", "charset", "text"),
    [
        pytest.param("Q♠".encode(), "", "Q♠", id="missing"),
        pytest.param("Q♠".encode(), "us-ascii", "Q♠", id="too narrow"),
        pytest.param("Q♠".encode(), "iso-8859-1", "Q♠", id="another one"),
        pytest.param("Q♠".encode(), "x-user-defined", "Q♠", id="unknown"),
        pytest.param("Q♠".encode(), "rot13", "Q♠", id="a charset that is not of text"),
        pytest.param("Q♠".encode(), "\0", "Q♠", id="a zero"),
        pytest.param("“QS”".encode("cp1252"), "", "“QS”", id="Windows, undeclared"),
        pytest.param("“QS”".encode("cp1252"), "iso-8859-1", "\x93QS\x94", id="Windows, declared as Latin"),
        pytest.param("Боб".encode("koi8-r"), "koi8-r", "Боб", id="Russian"),
        pytest.param("女王".encode("iso-2022-jp"), "iso-2022-jp", "女王", id="Japanese, which looks like ASCII"),
        pytest.param("QS".encode("utf-16-le"), "", "QS", id="two bytes a letter, undeclared"),
        pytest.param("QS".encode("utf-16-be"), "utf-16", "QS", id="two bytes a letter, the order undeclared"),
        pytest.param(b"\x81\xff", "", "\x81ÿ", id="nothing known"),
    ],
)
def test_text_is_decoded_whatever_charset_the_mail_claims(content, charset, text):
    assert decoded(content, charset) == text


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Bo <bo@example.org>", {"bo@example.org"}),
        ("BO@EXAMPLE.ORG", {"bo@example.org"}),
        ('"ann@example.org" <eve@example.org>', {"eve@example.org"}),
        ("eve@example.org (bo@example.org)", {"eve@example.org"}),
        ('"a \\" (" <bo@example.org>', {"bo@example.org"}),
        ("bo@example.org, eve@example.org", {"bo@example.org", "eve@example.org"}),
        ("bo@example.org <eve@example.org>", {"bo@example.org", "eve@example.org"}),
        ("<bo@example.org>eve@example.org", {"bo@example.org", "eve@example.org"}),
        ("=?utf-8?q?bo=40example.org?= <eve@example.org>", {"eve@example.org"}),
        ("friends: bo@example.org;", {"bo@example.org"}),
        ("nobody", set()),
    ],
)
def test_addresses_are_found_in_a_header(value, found):
    assert addresses(value) == found


def test_a_header_is_decoded_and_an_undecodable_one_left_unchanged():
    mail = parse_mail("Subject: =?utf-8?q?Q=E2=99=A0?=\nX-A: =?utf-8?b?x?=\nX-B: Grüße\nSubject: second\n\n".encode())
    assert [field(mail, name) for name in ("subject", "X-A", "X-B", "X-C")] == ["Q♠", "=?utf-8?b?x?=", "Grüße", ""]


def test_the_plain_alternative_and_all_inline_text_are_read():
    text = (
        'Content-Type: multipart/mixed; boundary="a"\n\n--a\nContent-Type: multipart/alternative; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\none\n--b\nContent-Type: text/html\n\n<p>two</p>\n--b--\n"
        "--a\nContent-Type: text/plain\nContent-Disposition: attachment\n\nthree\n"
        "--a\nContent-Type: message/rfc822\n\nSubject: x\n\nfour\n--a\nContent-Type: text/plain\n\nfive\n--a--\n"
    )
    assert [line.text for line in body_lines(parse_mail(text.encode())) if line.text] == ["one", "five"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<div>" * 40_000, id="nested blocks"),
        pytest.param("<table><tr><td>" * 15_000, id="nested tables"),
        pytest.param("<blockquote>" * 20_000, id="nested quotations"),
        pytest.param("<!--" * 60_000, id="comments without an end"),
        pytest.param("<style" * 40_000, id="styles without an end"),
        pytest.param("<" * 250_000, id="tags without an end"),
        pytest.param("<blockquote " * 20_000, id="quotations without an end"),
        pytest.param('"\\' * 120_000, id="quoted strings"),
        pytest.param("a@" * 120_000, id="addresses"),
        pytest.param("(" * 250_000, id="brackets"),
        pytest.param("- " * 120_000, id="rules"),
        pytest.param("x:\n" * 80_000, id="labels"),
        pytest.param("QS and " * 36_000, id="cards"),
        pytest.param("> x\ny:\n\n" * 30_000, id="quotations"),
    ],
)
@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_no_mail_takes_long_to_parse(kind, body):
    one_line = body.replace("\n", " ")
    head = f"From: bo@example.org\nSubject: {one_line}\nAuthentication-Results: {one_line}\nContent-Type: {kind}\n\n"
    started = time.thread_time()
    taken = read(head.encode() + body.encode(), ENVELOPE, ASKED, None, "mx.hearts.example").classification
    assert taken not in (Classification.MOVE, Classification.PASS, Classification.COMMAND)
    read(head.encode() + body.encode(), Envelope("", "b-x@in.hearts.example"), None, None)
    assert time.thread_time() - started < 5


def test_an_odd_charset_beside_odd_bytes_can_be_parsed():
    raw = b'From: bo@example.org\nContent-Type: text/plain; charset="us\0ascii"\n\nKD\n\xff\n'
    assert read(raw, ENVELOPE, ASKED, None).cards == ("KD",)


def test_an_endlessly_nested_mail_can_be_parsed():
    text = b"From: bo@example.org\n"
    text += b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (at, at) for at in range(4000))
    assert read(text, ENVELOPE, ASKED, None).classification is Classification.EMPTY


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("Mon, 2 Mar 2026 13:00:00 +0100", datetime(2026, 3, 2, 12, tzinfo=UTC)),
        ("Mon, 2 Mar 2026 12:00:00 -0000", datetime(2026, 3, 2, 12, tzinfo=UTC)),
        ("Mon, 2 Mar 2026 12:00:00", datetime(2026, 3, 2, 12, tzinfo=UTC)),
        ("Mon, 2 Mar 2026 12:00:00 +99999999999999999", None),
        ("Mon, 2 Mar 99999999999999999999 12:00:00 +0000", None),
        ("Fri, 31 Dec 9999 23:59:59 -2359", None),
        ("Mon, 32 Mar 2026 25:61:00 +0000", None),
        ("yesterday", None),
        ("=?utf-8?q?=00?=", None),
        ("", None),
    ],
)
def test_a_date_that_is_none_is_no_date(value, at):
    assert date_of(parse_mail(f"Date: {value}\n\n".encode())) == at


@given(st.text(max_size=60))
def test_any_words_as_a_date_can_be_read(text):
    date_of(parse_mail(b"Date: " + text.encode("utf-8", "surrogatepass") + b"\n\n"))


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: An\0n\n\nQ\0S\n",
        b"Subject: =?utf-8?q?An=00n?=\n\nQS\n",
        b"Subject: =?utf-7?q?+2AA-?=\n\nQS\n",
        b"Content-Type: text/plain; charset=utf-7\n\n+2AA-QS\n",
        b"Content-Transfer-Encoding: quoted-printable\n\nQ=00S\n",
        b"Content-Transfer-Encoding: base64\n\nUQBTAA==\n",
        b"Content-Type: text/html\n\n<p>Q&#0;S&#xD800;</p>\n",
    ],
)
def test_no_text_of_a_mail_has_what_databases_refuse(raw):
    mail = parse_mail(raw)
    texts = [field(mail, "Subject"), *fields(mail, "Subject"), part_text(mail), *(one.text for one in body_lines(mail))]
    assert [storable(text) for text in texts] == texts


def test_zeros_in_a_field_leave_its_letters():
    assert fields(parse_mail(b"From: A\0n\0n\0 <a\0nn@example.org>\n\n"), "From") == ["Ann <ann@example.org>"]
