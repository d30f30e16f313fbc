"""A mail composed of its templates: its two texts, and its subject."""

import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_string, policy
from email.parser import BytesParser
from email.utils import parseaddr

import pytest
from jinja2 import UndefinedError

from hearts.rules import preset_rules
from tests.answers import question
from tests.cast import NAMES, address, letters, open_table, seats, start_game
from tests.every import of_every
from tests.runtimes import make_runtime
from tests.samples.mails import mails
from tests.worker.one_letter import only
from tests.worker.scripted import ScriptedRelay, with_relay
from webapp.accounts import sign_ins
from webapp.core.addresses import Purpose
from webapp.core.tokens import UnsubscribeLink
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox.about_accounts import queue_sign_in
from worker import postman
from worker.mail import LONGEST_FIELD, compose, empty_message, subject_of, text_from, text_of

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
    table = start_game(without_pages, rules=replace(preset_rules("classic"), hands=hands))
    table.play_hand()
    (letter, *_) = letters(without_pages, kind)
    with without_pages.database.writing() as session:
        message = compose(without_pages, session, letter)
    found = [part.get_content_type() for part in message.walk() if not part.is_multipart()]
    assert found == parts
    assert "http" not in message.as_string()


REPLY_DOMAIN = "in.hearts.example.org"


def composed(runtime, letter_id):
    """The mail as parsed by a reader's program."""
    with runtime.database.reading() as session:
        letter = session.get_one(LetterRow, letter_id)
        text = compose(runtime, session, letter).as_string()
    return message_from_string(text, policy=policy.default), text


def thread_of(table, states):
    """Made up: the first mail about a game and those after it, in these states, an hour between them."""
    mails = letters(table.runtime, LetterKind.TURNS)
    with table.runtime.database.writing() as session:
        first = session.merge(next(letter for letter in mails if letter.seat == 0))
        about = first.model_dump(exclude={"id", "dedupe", "message_id", "thread_id", "state", "sent_at"})
        for number, state in enumerate(states):
            row = first if number == 0 else LetterRow(**about, dedupe=f"n{number}", message_id=f"<n{number}@x>")
            row.state, row.sent_at = state, table.runtime.now() + timedelta(hours=number)
            row.thread_id = None if number == 0 else first.message_id
            session.add(row)
        about["message"] = "It is in that thread since it was composed."
        last = LetterRow(**about, dedupe="last", message_id="<last@x>", thread_id=first.message_id)
        session.add(last)
        session.flush()
        return first.message_id, last.id


SENT, QUEUED = LetterState.SENT, LetterState.QUEUED
THREADS = [
    pytest.param([SENT], [], "root", id="the second mail"),
    pytest.param([SENT, SENT, SENT], ["<n1@x>", "<n2@x>"], "<n2@x>", id="it answers the last one"),
    pytest.param([SENT] * 8, [f"<n{n}@x>" for n in range(3, 8)], "<n7@x>", id="the first and the last five"),
    pytest.param([SENT, SENT, QUEUED], ["<n1@x>"], "<n1@x>", id="an unsent mail is not referred to"),
    pytest.param([LetterState.SUPERSEDED, QUEUED], [], "root", id="the first keeps the thread together, sent or not"),
    pytest.param([SENT, LetterState.BOUNCED], ["<n1@x>"], "<n1@x>", id="a bounced mail had been sent"),
]


@pytest.mark.parametrize(("states", "references", "answers"), THREADS)
def test_a_mail_refers_to_its_threads_first_and_last(runtime, states, references, answers):
    root, last = thread_of(start_game(runtime, NAMES[:1], robots=3), states)
    message, _ = composed(runtime, last)
    assert message["References"].split() == [root, *references]
    assert message["In-Reply-To"] == (root if answers == "root" else answers)


def test_an_invitations_reminder_is_in_its_thread_only(runtime):
    for _ in range(2):
        open_table(runtime, NAMES[:2], robots=2)
    postman.deliver(runtime)
    invitation, reminder = letters(runtime, LetterKind.INVITATION)[-2:]
    message, _ = composed(runtime, reminder.id)
    assert message["References"].split() == [invitation.message_id]


NOT_ABOUT_A_TABLE = {LetterKind.SIGN_IN, LetterKind.CONFIRM}


def test_every_mail_about_a_table_supports_one_click_unsubscribing(runtime):
    there = with_relay(runtime, runtime.settings.relay, reply_domain=REPLY_DOMAIN)
    open_table(runtime, NAMES[:2], robots=2)
    start_game(runtime, NAMES[:1], robots=3)
    sign_ins.request_sign_in(runtime, address("Bo"), runtime.now())
    kinds = set()
    for letter in letters(runtime):
        message, _ = composed(there, letter.id)
        kinds.add(letter.kind)
        if letter.kind in NOT_ABOUT_A_TABLE:
            assert message["List-Unsubscribe"] is message["List-Unsubscribe-Post"] is None
            continue
        by_mail, by_page = message["List-Unsubscribe"].split(", ")
        named = there.postmark.read(by_mail.removeprefix("<mailto:").removesuffix(">"))
        assert (named.purpose, named.letter_id) == (Purpose.UNSUBSCRIBE, letter.id)
        site, token = by_page.strip("<>").split("/unsubscribe/")
        link = there.signer.read(UnsubscribeLink, token)
        assert (link.table_id, link.seat, link.player_id) == (letter.table_id, letter.seat, letter.player_id)
        assert site == there.settings.address
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert kinds >= NOT_ABOUT_A_TABLE | {LetterKind.INVITATION, LetterKind.TURNS}


def test_long_links_and_message_ids_are_never_encoded(runtime):
    start_game(runtime, NAMES[:1], robots=3)
    there = with_relay(runtime, runtime.settings.relay, reply_domain=f"{'very-long-' * 6}domain.example.org")
    _, text = composed(there, letters(runtime, LetterKind.TURNS)[0].id)
    head = text.partition("\n\n")[0]
    assert "=?" not in head
    assert max(map(len, head.split("\n"))) < 998


def test_without_a_reply_domain_no_mail_names_one(runtime, smtp_server):
    start_game(runtime, NAMES[:1], robots=3)
    postman.deliver(runtime)
    mail = smtp_server.mails[-1]
    assert mail.message["Reply-To"] is None
    assert "mailto:" not in mail.message["List-Unsubscribe"]
    assert mail.sender == "hearts@hearts.localhost"


def test_every_mail_has_its_own_reply_and_bounce_addresses(runtime, smtp_server):
    there = with_relay(runtime, smtp_server.url, reply_domain=REPLY_DOMAIN)
    start_game(runtime, NAMES[:2], robots=2)
    postman.deliver(there)
    for mail in smtp_server.mails:
        (letter,) = [row for row in letters(runtime) if row.message_id == mail.message["Message-ID"]]
        named = there.postmark.read(mail.sender)
        assert (named.purpose, named.letter_id) == (Purpose.BOUNCE, letter.id)
        answer_to = mail.message["Reply-To"]
        (to,) = answer_to.addresses
        named = there.postmark.read(to.addr_spec)
        assert (named.purpose, named.letter_id, to.display_name) == (Purpose.REPLY, letter.id, "Hearts by Mail")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        pytest.param("Bo, the 2nd", "Bo the 2nd", id="a comma"),
        pytest.param('"Bo" <eve@example.org>', "Bo eveexample.org", id="an address in the name"),
        pytest.param("Bo\r\nBcc: eve@example.org", "Bo Bcc eveexample.org", id="another header"),
        pytest.param("x" * 90, "x" * 75, id="75 characters at most"),
        pytest.param("♠" * 75, "", id="none where it would make the field too long"),
        pytest.param("Jürgen Ødegård", "Jürgen Ødegård", id="letters beyond ASCII stay"),
        pytest.param("@,:", "", id="nothing left"),
    ],
)
def test_a_display_name_is_written_as_any_relay_accepts_it(runtime, name, written):
    open_table(runtime, NAMES[:2], robots=2)
    invitation = letters(runtime, LetterKind.INVITATION)[0]
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, invitation.player_id).name = name
    message, text = composed(runtime, invitation.id)
    (to,) = message["To"].addresses
    assert (to.display_name, to.addr_spec) == (written, address("Bo"))
    assert message["Bcc"] is None
    field = text.partition("To: ")[2].partition("\nDate:")[0]
    assert len(field) <= LONGEST_FIELD


def test_answers_are_marked_auto_replied_and_other_mails_auto_generated(runtime):
    start_game(runtime, NAMES[:1], robots=3)
    letter = letters(runtime, LetterKind.TURNS)[0]
    assert composed(runtime, letter.id)[0]["Auto-Submitted"] == "auto-generated"
    with runtime.database.writing() as session:
        row = session.get_one(LetterRow, letter.id)
        row.kind, row.reason = LetterKind.ANSWER, "unclear"
    message, _ = composed(runtime, letter.id)
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["List-Unsubscribe"] is None
    assert message["Precedence"] is None


def test_a_letter_with_an_address_of_its_own_goes_there(runtime):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    sign_ins.request_sign_in(runtime, address("Ann"), runtime.now())
    with runtime.database.writing() as session:
        row = session.merge(letters(runtime, LetterKind.SIGN_IN)[0])
        row.address = "ann@elsewhere.example"
    with ScriptedRelay() as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
    assert "rcpt to:<ann@elsewhere.example>" in scripted.heard
    assert seats(runtime, table_id)


def test_no_subject_is_folded_before_its_first_word():
    for length in range(60, 90):
        message = empty_message("ann@example.org")
        message["Subject"] = " ".join(["turn"] * (length // 5))
        assert message.as_string().startswith("Subject: turn")


NAMES_AS_SENT = [
    pytest.param("Ann", "To: Ann <ann@example.org>", id="a plain name"),
    pytest.param("Jürg", "To: =?utf-8?q?J=C3=BCrg?= <ann@example.org>", id="a letter beyond ASCII"),
    pytest.param("Dr. Ann", 'To: "Dr. Ann" <ann@example.org>', id="a dot"),
    pytest.param("=?utf-8?q?Eve?=", "To: = ?utf-8?q?Eve?= <ann@example.org>", id="what looks encoded"),
]


@pytest.mark.parametrize(("name", "line"), NAMES_AS_SENT)
def test_a_name_is_written_as_the_library_would_write_it(runtime, name, line):
    open_table(runtime, NAMES[:1], robots=3)
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, letters(runtime)[0].player_id).name = name
    parsed, text = composed(runtime, letters(runtime)[0].id)
    assert line in text.splitlines()
    assert parsed["To"].addresses[0].addr_spec == "ann@example.org"


def test_a_line_end_in_a_header_cannot_add_another():
    message = empty_message(address("Ann"))
    for text in ("one\nBcc: eve@example.org", "one\r\nBcc: eve@example.org", "one\rBcc: eve@example.org"):
        with pytest.raises(ValueError, match="linefeed"):
            message["Subject"] = text


def test_a_long_subject_is_folded_and_arrives_whole():
    message, subject = empty_message(address("Ann")), "Your turn at a table with a long name, " * 5
    message["Subject"] = subject.strip()
    source = message.as_string()
    assert max(map(len, source.split("\n"))) <= 78
    assert message_from_string(source, policy=policy.default)["Subject"] == subject.strip()


@pytest.mark.parametrize(("mailbox", "is_signed"), [("hearts+@example.org", True), ("hearts@example.org", False)])
def test_answers_go_to_the_mailbox(runtime, smtp_server, mailbox, is_signed):
    there = with_relay(runtime, smtp_server.url, reply_mailbox=mailbox)
    start_game(runtime, NAMES[:1], robots=3)
    postman.deliver(there)
    mail = smtp_server.mails[-1]
    answer_to = parseaddr(mail.message["Reply-To"])[1]
    assert answer_to.startswith("hearts+r-") if is_signed else answer_to == mailbox
    assert ("mailto:hearts+u-" in mail.message["List-Unsubscribe"]) == is_signed
    assert ("mailto:" in mail.message["List-Unsubscribe"]) == is_signed
    assert mail.sender == "hearts@hearts.localhost", "a relay may refuse any other sender than the mailbox's owner"
