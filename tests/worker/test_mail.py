"""A mail composed of its templates: its two texts, and its subject."""

import re
from dataclasses import replace
from email import policy
from email.parser import BytesParser

import pytest
from jinja2 import UndefinedError

from hearts.rules import preset_rules
from tests.answers import question
from tests.cast import address, letters, start_game
from tests.every import of_every
from tests.playing import play_hand
from tests.runtimes import make_runtime
from tests.samples.mails import mails
from tests.worker.one_letter import only
from webapp.models import LetterKind, PlayerRow
from webapp.outbox.about_accounts import queue_sign_in
from worker.mail import compose, subject_of, text_from, text_of

NAME = "Bo & <b>Cy</b>"


@pytest.fixture
def texts(runtime):
    """The plain text and the HTML of a mail to a player of that name, as they arrive."""
    with runtime.database.writing() as session:
        player = PlayerRow(address=address("Bo"), name=NAME, created_at=runtime.now())
        session.add(player)
        session.flush()
        queue_sign_in(session, runtime, player, runtime.now())
    with runtime.database.reading() as session:
        message = compose(runtime, session, only(runtime))
    sent = BytesParser(policy=policy.default).parsebytes(message.as_bytes())
    return [sent.get_body((kind,)).get_content() for kind in ("plain", "html")]


def test_a_name_is_escaped_in_the_html_alone(texts):
    plain, html = texts
    assert f"Hello {NAME}," in plain
    assert "Hello Bo &amp; &lt;b&gt;Cy&lt;/b&gt;," in html


PIECES = [
    ("<h1>One &amp; all</h1><p>Read\n this.</p>", "One & all\n\nRead this."),
    ("<h2>The last game</h2>", "THE LAST GAME"),
    ("<p>One<br><span>two</span></p>", "One\ntwo"),
    ("<p>See <a href='/x?a=1&amp;b=2'>it</a>.</p>", "See it.\n/x?a=1&b=2"),
    ("<p>See it.</p><p><a href='/x'>Look</a></p>", "See it.\n\nLook:\n/x"),
    ("<p>See it:</p><p><a href='https://h/x'>Look</a></p>", "See it:\nhttps://h/x"),
    ("<p><a href='/x'>X</a> · <a href='/y'>Y</a></p>", "X:\n/x\n\nY:\n/y"),
    ("<p><span class='card'>Q♠ <span class='code'>QS</span></span> too</p>", "Q♠ too"),
    ("<style>p {}</style><div class='preheader'>Unseen</div><p></p>", ""),
]


@pytest.mark.parametrize(("html", "text"), PIECES)
def test_paragraphs_of_html_become_text_with_links_below(html, text):
    made = text_from(f"<p>Brand</p>{html}<td class='foot'><p>Foot</p></td>")
    assert made == f"{text}\n\n-- \nBrand\n\nFoot\n".lstrip()


def test_styles_are_inline_and_dark_ones_in_the_head(texts):
    _, html = texts
    head, body = html.split("</head>")
    assert "@media (prefers-color-scheme: dark)" in head
    assert ".preheader" not in head
    assert 'class="preheader" style="display: none' in body


def test_a_subject_is_one_line():
    assert subject_of(LetterKind.ANSWER, {"heading": " Bo\n and\tCy "}) == "Bo and Cy"


def test_a_mail_that_lacks_a_value_is_not_composed():
    with pytest.raises(UndefinedError, match="heading"):
        subject_of(LetterKind.ANSWER, {"table": {"name": "Table 7F3KM"}})


# These come where nobody opens our pages: the host's own mails, and those of sign-ins and addresses, do not.
BY_MAIL_ALONE = (
    *(LetterKind.INVITATION, LetterKind.TURNS, LetterKind.SCORE_SHEET, LetterKind.FINAL_SHEET),
    *(LetterKind.ANSWER, LetterKind.RESTING, LetterKind.ENDED, LetterKind.REPLACED),
    *(LetterKind.OFFERED, LetterKind.OFFER_OVER, LetterKind.MUTED, LetterKind.ANSWERED_FROM),
    *(LetterKind.UNREAD, LetterKind.YEAR),
)
ABOUT_PAGES = {"answer-ended", "answer-evening", "answer-by-link"}
ONLY_WITH_PAGES = re.compile(r"http|\b(taps?|links?|pages?|settings)\b", re.IGNORECASE)


@of_every([name for name, (kind, _) in mails().items() if kind in BY_MAIL_ALONE and name not in ABOUT_PAGES])
def test_a_mail_without_pages_mentions_none(name):
    kind, context = mails()[name]
    text = text_of(LetterKind(kind), context, has_pages=False)
    assert [line for line in text.splitlines() if ONLY_WITH_PAGES.search(line)] == []
    assert "\n\n\n" not in text


@pytest.fixture
def without_pages(tmp_path):
    mailbox = {"reply_domain": "in.hearts.example.org", "smtp_url": "smtp://127.0.0.1:1"}
    runtime = make_runtime(tmp_path / "var", base_url="none", **mailbox)
    yield runtime
    runtime.database.engine.dispose()


def test_without_pages_a_mail_is_a_text_that_is_answered(without_pages):
    start_game(without_pages)
    letter = question(without_pages, "Ann")
    with without_pages.database.writing() as session:
        message = compose(without_pages, session, letter)
    assert message.get_content_type() == "text/plain"
    assert "Answer this email with 3 cards" in message.get_content()
    assert "http" not in message.as_string()


@pytest.mark.parametrize(
    ("hands", "kind", "parts"),
    [
        (2, LetterKind.SCORE_SHEET, ["text/plain"]),
        (1, LetterKind.FINAL_SHEET, ["text/plain", "application/json"]),
    ],
)
def test_without_pages_a_sheet_has_its_files_and_no_picture(without_pages, hands, kind, parts):
    game_id = start_game(without_pages, rules=replace(preset_rules("classic"), hands=hands))
    play_hand(without_pages, game_id)
    (letter, *_) = letters(without_pages, kind)
    with without_pages.database.writing() as session:
        message = compose(without_pages, session, letter)
    found = [part.get_content_type() for part in message.walk() if not part.is_multipart()]
    assert found == parts
    assert "http" not in message.as_string()
