"""The text that counts as typed. The gate: no quotation of any client, in any form, is ever played."""

import random
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.every import of_every
from tests.webapp.replies.clients import CLIENTS, carelessly_marked, flat, html_of, inner_html, marked, text_of
from tests.webapp.replies.free_clients import FREE_CLIENTS, ROW, in_rows
from tests.webapp.replies.sent import HEARTS, WRITERS, asked_by, mail, questions
from webapp.core.say import LANGUAGES
from webapp.replies import reading as reader
from webapp.replies.grammar import parse_answer
from webapp.replies.lines import html_lines, plain_lines
from webapp.replies.reading import Classification, Envelope, read
from webapp.replies.received import parse_mail, versions
from webapp.replies.typed import AnsweredMail, typed_lines

ENVELOPE = Envelope(WRITERS["Bo"], "r-token@in.hearts.example")
CODE_OF_OURS = "KD"  # stands on a line of its own where the HTML of turn-following is made text
ACTS = {Classification.MOVE, Classification.PASS, Classification.COMMAND}
HEAD = f"From: Bo <{WRITERS['Bo']}>\r\nTo: {HEARTS}\r\nSubject: Re: Your turn\r\nMIME-Version: 1.0\r\n"

names = st.sampled_from(questions())
marks = st.sampled_from(["> ", ">", "| ", "HM> ", "» ", " > "])
widths = st.sampled_from([0, 0, *range(24, 100, 4)])
introductions = st.sampled_from(
    [
        "",
        f"On Mon, 2 Mar 2026 at 19:00, Hearts by Mail <{HEARTS}> wrote:\n\n",
        f"Am Mo., 2. März 2026 um 19:00 Uhr schrieb Hearts by Mail <\n{HEARTS}>:\n\n",
        f"2026年3月2日(月) 19:00 Hearts by Mail <{HEARTS}>:\n",
        "Somebody wrote something, in a language that nobody knows:\n",
        f"Fra: Hearts by Mail <{HEARTS}>\nSendt: 2. marts 2026 19:00\nTil: Bo\nEmne: Your turn\n\n",
        "----- Ursprüngliche Nachricht -----\n",
    ]
)
feet = st.sampled_from(["", "\n\n", "Sent from my iPhone\n\n", "-- \nBo\n+49 30 5550 1234\n\n"])


def plain(text):
    return (HEAD + 'Content-Type: text/plain; charset="utf-8"\r\n\r\n').encode() + text.encode()


def known(name, how):
    """The mail that the address names: the one quoted, none, or another one."""
    others = [other for other in questions() if other != name]
    return {"same": mail(name), "none": None, "other": mail(random.Random(name).choice(others))}[how]


def asked_in_any_language(name):
    return st.sampled_from(LANGUAGES).map(lambda language: replace(asked_by(name), language=language))


knowledge = st.sampled_from(["same", "none", "other"])


@pytest.fixture(scope="module", autouse=True)
def _ours_parsed_once():
    """There are two thousand replies here, but they answer only some dozens of our mails."""
    with pytest.MonkeyPatch.context() as patch:
        for parses in ("_as_received", "_ours"):
            patch.setattr(reader, parses, cache(getattr(reader, parses)))
        yield


def test_the_rest_of_a_line_wrapped_twice_is_not_played():
    """Quotes another email than ours, in which the first two pieces end a line by chance."""
    quoted = carelessly_marked("\n".join(flat(mail("turn-seventeen")).splitlines()[:20]), "> ", 40)
    asked = asked_by("turn-seventeen")
    for other in questions():
        assert read(plain(f"{quoted}\n"), ENVELOPE, asked, mail(other)).classification not in ACTS


@settings(max_examples=300)
@given(names, st.data(), marks, widths, introductions, feet, knowledge, st.booleans(), st.booleans())
def test_no_marked_quotation_is_ever_played(name, data, mark, width, introduction, foot, how, of_html, careless):
    lines = (flat(mail(name)) if of_html else text_of(mail(name))).splitlines()
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start + 1, len(lines)))
    text = "\n".join(lines[start:end])
    assume(not careless or width >= 40)
    quoted = carelessly_marked(text, mark, width) if careless else marked(text, mark, width)
    asked = data.draw(asked_in_any_language(name))
    reading = read(plain(foot + introduction + quoted + "\n"), ENVELOPE, asked, known(name, how))
    assert reading.classification not in ACTS


@settings(max_examples=200)
@given(names, st.data(), marks, knowledge, st.booleans())
def test_a_card_wrapped_off_a_marked_line_is_not_played(name, data, mark, how, of_html):
    """The rest of the line has no mark, and may be a card and nothing else."""
    lines = (flat(mail(name)) if of_html else text_of(mail(name))).splitlines()
    breakable = [at for at, line in enumerate(lines) if len(line.split()) > 1]
    at = data.draw(st.sampled_from(breakable))
    words = lines[at].split()
    # A single word is left, or two: as many as a card is.
    first = data.draw(st.integers(0, len(words) - 1))
    pieces = [words[:first], words[first : first + 1], words[first + 1 :]]
    first_piece, *rest = [" ".join(piece) for piece in pieces if piece]
    start = data.draw(st.integers(0, at))
    above = [mark + line for line in lines[start:at]]
    below = [mark + line for line in lines[at + 1 :]]
    quoted = "\n".join([*above, mark + first_piece, *rest, *below])
    asked = data.draw(asked_in_any_language(name))
    assert read(plain(quoted + "\n"), ENVELOPE, asked, known(name, how)).classification not in ACTS


SHOWN = {
    "text": text_of,
    "html": flat,
    "rows": lambda sent: in_rows(sent, "{symbol} {code}"),
    "rows of codes": lambda sent: in_rows(sent, "{code}"),
    "rows of symbols": lambda sent: in_rows(sent, "{symbol}"),
}


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("name", ["turn-following", "turn-void", "turn-seven", "pass-classic", "pass-eleven"])
def test_wherever_a_marked_line_breaks_no_card_is_played(name, shown):
    """Each break after which one or two words are a card, in the mail that the address names and beside another."""
    lines = SHOWN[shown](mail(name)).splitlines()
    for at, line in enumerate(lines):
        words = line.split()
        for first, size in product(range(1, len(words)), (1, 2)):
            rest = " ".join(words[first : first + size])
            if parse_answer(rest):
                pieces = ["> " + " ".join(words[:first]), rest, " ".join(words[first + size :])]
                above = [f"> {line}" for line in lines[at // 2 : at]]
                quoted = "\n".join([*above, *filter(None, pieces), *(f"> {below}" for below in lines[at + 1 : at + 4])])
                for how in ("same", "none", "other"):
                    reading = read(plain(f"{quoted}\n"), ENVELOPE, asked_by(name), known(name, how))
                    assert reading.classification not in ACTS, (how, pieces)


def _under_rows():
    for shown, width, (name, typed) in product(
        list(SHOWN)[2:],
        (0, 72, 40),
        [("turn-following", "KD"), ("turn-void", "AH"), ("pass-classic", "AS QS QH"), ("turn-void", "away")],
    ):
        lines = marked(SHOWN[shown](mail(name)), width=width).splitlines()
        rows = [at for at, line in enumerate(lines) if ROW.fullmatch(line[2:]) and len(line.split()) > 4]
        yield (
            f"{shown}, {width}, {name}, {typed}",
            "\n".join([*lines[: rows[-1] + 1], typed, *lines[rows[-1] + 1 :]]),
            name,
            typed,
        )


@of_every(list(_under_rows()))
def test_an_answer_right_under_a_row_of_cards_is_read(case):
    _, text, name, typed = case
    assert lines_typed(text, name) == (typed,)


@settings(max_examples=200)
@given(names, st.data(), widths, introductions, feet, knowledge, st.booleans(), st.sampled_from(["", "    ", "\t"]))
def test_no_unmarked_quotation_is_ever_played(name, data, width, introduction, foot, how, of_html, indent):
    text = flat(mail(name)) if of_html else text_of(mail(name))
    lines = marked(text, indent, width).splitlines()
    end = data.draw(st.integers(1, len(lines)))
    asked = data.draw(asked_in_any_language(name))
    reading = read(plain(foot + introduction + "\n".join(lines[:end])), ENVELOPE, asked, known(name, how))
    assert reading.classification not in ACTS


@settings(max_examples=40)
@given(names, introductions, knowledge, st.sampled_from(["blockquote", "div", "table", "body"]), st.booleans())
def test_no_html_quotation_is_ever_played(name, introduction, how, tag, whole):
    html = html_of(mail(name)) if whole else f"<{tag}>{inner_html(mail(name))}</{tag}>"
    body = f"<html><body><div>{introduction}</div>{html}</body></html>"
    raw = (HEAD + 'Content-Type: text/html; charset="utf-8"\r\n\r\n').encode() + body.encode()
    assert read(raw, ENVELOPE, asked_by(name), known(name, how)).classification not in ACTS


ALL_CLIENTS = CLIENTS | FREE_CLIENTS
# Text that touches the quotation may be the rest of a quoted line, unless the text of our mail says otherwise.
TOUCHING = {"Roundcube", "Roundcube, signature left out", "notmuch"}


@of_every([*product(ALL_CLIENTS, ("turn-following", "pass-classic", "moon"), ("same", "none", "other"))])
def test_an_empty_reply_plays_nothing_from_any_client(case):
    client, name, how = case
    raw = ALL_CLIENTS[client]("", mail(name)).raw()
    expected = Classification.EMPTY if client == "nmh" else Classification.QUOTED_ONLY
    assert read(raw, ENVELOPE, asked_by(name), known(name, how)).classification is expected


ANSWERS = [
    ("turn-following", CODE_OF_OURS, (CODE_OF_OURS,)),
    ("turn-following", "K♦️", ("KD",)),
    ("turn-following", "QS", ("QS",)),  # of somebody else
    ("turn-void", "KH", ("KH",)),  # in a mail with many
    ("pass-classic", "AS QS QH", ("AS", "QS", "QH")),
    ("pass-classic", "AS\nQS\nQH", ("AS", "QS", "QH")),
    ("moon", "add", ()),
]


@of_every([*product(ALL_CLIENTS, ANSWERS, ("same", "none"))])
def test_an_answer_typed_in_any_client_is_read(case):
    client, (name, typed, cards), how = case
    reading = read(ALL_CLIENTS[client](typed, mail(name)).raw(), ENVELOPE, asked_by(name), known(name, how))
    if how == "none" and client in TOUCHING:
        assert reading.classification is Classification.QUOTED_ONLY
    else:
        assert reading.classification in ACTS
        assert reading.cards == cards


def lines_typed(text, name="turn-following"):
    return typed_lines(plain_lines(text), ours(name)).lines


def ours(name):
    return AnsweredMail(versions(parse_mail(mail(name).as_bytes())), ["Hearts by Mail"])


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("KD", ("KD",), id="nothing is quoted"),
        pytest.param("KD\n\nCheers", ("KD", "Cheers"), id="a greeting below"),
        pytest.param("\n\nKD\n\n> K♦\n> KD\n> \n", ("KD",), id="the same card is quoted below"),
        pytest.param("> Trick 5, diamonds led\n>\n\nKD\n", ("KD",), id="below a quotation"),
        pytest.param("> Trick 5, diamonds led\nKD\n> THE TRICK\n", ("KD",), id="right under a finished line"),
        pytest.param("> Trick 5, diamonds\nled\n\nKD", ("KD",), id="below a line that a client has broken"),
        pytest.param(
            "> Not now (you can follow diamonds): 4C 4♣, JC J♣,\n6S 6♠, 3H 3♥, JH\nJ♥\n", (), id="broken twice"
        ),
        pytest.param("> TD\n10♦\n> Cy (winning)\n", (), id="broken where another line of ours ends"),
        pytest.param("> Mute this table:\n> https://hearts.example/x\nKD\n", ("KD",), id="right under a link"),
        pytest.param(
            "> table [5]. Its links are yours alone: please don't forward it.\nKD\n",
            ("KD",),
            id="right under a line whose link a client has rewritten",
        ),
        pytest.param("> JD J♦\n> https://hearts.example/x\nQS\n", (), id="right under the link of a card"),
        pytest.param("> 5D 8D JD KD\nQS\n", (), id="right under a row, a card that our mail does not show"),
        pytest.param("> 5D 8D JD KD\nKD\n", ("KD",), id="right under a whole row of codes"),
        pytest.param("> 5♦ 5D 8♦ 8D J♦ JD K♦ KD\nKD\n", ("KD",), id="right under a whole row"),
        pytest.param("> 5♦ 5D 8♦ 8D J♦ JD K♦\nKD\n", (), id="the other half of a row's last card"),
        pytest.param("> 5D 8D JD\nKD\n", (), id="the rest of a row"),
        pytest.param("> 3H JH\n5D\n", (), id="right under a piece of a row, with nothing above"),
        pytest.param("> Somebody else's line that goes on with\nKD\n", (), id="right under a foreign line"),
        pytest.param("K♦\nKD\n\nA page opens", (), id="a card beside its neighbour in our mail"),
        pytest.param("Trick 5, diamonds led\n\nKD\n", (), id="below our own words without a mark"),
        pytest.param(
            "KD\nOn Mon, 2 Mar 2026, Hearts by Mail wrote:\n> x", ("KD",), id="right above the line of attribution"
        ),
        pytest.param("KD\n\nThe 2nd of March, somebody:\n\n> x", ("KD",), id="above an unknown line of attribution"),
        pytest.param("KD\n-- \nQS\n", ("KD",), id="a signature"),
        pytest.param("Sent from my iPhone", (), id="a phone's own words"),
        pytest.param("KDSent from my Galaxy", ("KD",), id="a phone's own words, glued"),
        pytest.param("KD Von meinem iPhone gesendet", ("KD",), id="a phone's own words on the line"),
        pytest.param(
            "6CSent from my Galaxy-------- Original message --------From: Hearts by Mail <x@example.org>\nQS\n",
            ("6C",),
            id="a phone's own words and a quotation, glued",
        ),
        pytest.param("6C-------- Original message --------From: Hearts\nQS\n", ("6C",), id="a quotation, glued"),
        pytest.param("KD sent by my cat\n", ("KD sent by my cat",), id="words of a player"),
        pytest.param("Well, KDSent from my Galaxy", ("Well, KDSent from my Galaxy",), id="no answer, glued"),
        pytest.param("[EXTERNAL EMAIL]\n\nKD\n", ("KD",), id="a gateway's words"),
        pytest.param(
            "[EXTERNAL EMAIL]\n\nOn Mon, 2 Mar 2026, Hearts by Mail wrote:\n> Trick 5, diamonds led\n>\n\nKD\n",
            ("KD",),
            id="a gateway's words above a quotation",
        ),
        pytest.param(
            "Hearts by Mail <x@hearts.example> writes:\n\nHi all,\n\nKD\n> Trick 5, diamonds led\n",
            ("Hi all,", "KD"),
            id="a greeting above an answer above the quotation",
        ),
        pytest.param(
            "Hearts by Mail <x@hearts.example> writes:\n\nHi all,\n> Trick 5, diamonds led\n",
            (),
            id="a greeting alone above the quotation",
        ),
        pytest.param("Von meinem iPhone gesendet\n", (), id="a phone's own words, in German"),
        pytest.param("Küldve az iPhone-omról\n\n> x\n\nKD\n", ("KD",), id="a phone's own words in any language"),
        pytest.param("Obtenez Outlook pour iOS\n\n> x\n\nKD\n", ("KD",), id="the words of Outlook on a phone"),
        pytest.param("> Email settings:\n>\nhttps://hearts.example/x\n>\n\nKD\n", ("KD",), id="a link below its mark"),
        pytest.param(">\nhttps://hearts.example/x\nKD\n", (), id="right under a link below its mark"),
        pytest.param("Hearts> Trick 5, diamonds led\n\nKD\n", ("KD",), id="marks with a name"),
        pytest.param("KD\n________________________________\nQS\n", ("KD",), id="a rule"),
        pytest.param("Von: x@example.org\nGesendet: Montag\nAn: Bo\nBetreff: QS\n\nQS", (), id="a head"),
        pytest.param("Hearts by Mail, another table\nQS\n", (), id="our name at the top"),
        pytest.param(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nKD\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n",
            ("KD",),
            id="signed",
        ),
    ],
)
def test_the_typed_lines_of_a_reply_are_found(text, lines):
    assert lines_typed(text) == lines


def test_no_line_of_our_own_mails_reads_as_an_answer():
    """Otherwise a card typed below its line could not be distinguished from a client that quotes it."""
    for name in questions():
        lines = text_of(mail(name)).splitlines()
        assert [line for line in lines for language in LANGUAGES if parse_answer(line, language)] == []


def test_an_answer_between_html_quotations_is_found():
    html = (
        f"<div><blockquote>{inner_html(mail('turn-following'))}</blockquote><p>KD</p><blockquote>x</blockquote></div>"
    )
    assert typed_lines(html_lines(html), ours("turn-following")).lines == ("KD",)


def test_a_thousand_pages_of_text_are_parsed_at_once():
    assert typed_lines(plain_lines("> x\ny\n\n" * 100_000), ours("turn-following")).quotes
