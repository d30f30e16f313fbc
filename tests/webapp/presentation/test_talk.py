"""The talk that an email quotes: which lines, and that no reply plays them and no line breaks a page or an email."""

import re
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import card_text
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from tests.answers import answer, question, typed_turns
from tests.cast import letters, seats, start_game
from tests.languages import catalogues
from tests.runtimes import make_runtime
from tests.statements import carried_out
from tests.webapp.games.talking import BO, CY, DI, MINUTE, link, mails, quoted_talk, said, say, url
from tests.webapp.replies.clients import CLIENTS
from tests.webapp.replies.sent import WRITERS
from webapp.core.say import Refused, speaking
from webapp.games import talk
from webapp.models import LetterKind, LetterState
from webapp.models.mail import BRINGING_TALK
from webapp.presentation.happened import Phrase, heard, phrases
from webapp.replies.reading import Asked, Classification, Envelope, read
from webapp.site import make_site
from worker.mail import compose
from worker.postman import deliver

# which lines


def test_a_mail_quotes_the_last_six_lines(runtime, table):
    runtime.now.pass_by(MINUTE)
    for number in range(7):
        say(table, CY, f"line {number}")
    assert quoted_talk(*mails(runtime, LetterKind.TURNS, "Di")) == [f"Cy: line {number}" for number in range(1, 7)]


def test_quoting_much_talk_takes_no_more_statements_than_a_line(runtime, table):
    asked, taken = carried_out(runtime), []
    for number in range(7):
        say(table, CY, f"line {number}")
        asked.clear()
        mails(runtime, LetterKind.TURNS, "Di")
        taken.append(len(asked))
    assert len(set(taken[1:])) == 1  # the first one loads the game


def test_a_mail_quotes_nothing_older_than_its_readers_last_line(runtime, table):
    runtime.now.pass_by(MINUTE)
    say(table, BO, "Ouch")
    say(table, DI, "Sorry")
    say(table, CY, "Take your time")
    assert quoted_talk(*mails(runtime, LetterKind.TURNS, "Di")) == ["Cy: Take your time"], (
        "Di saw the others when she spoke"
    )
    assert quoted_talk(*mails(runtime, LetterKind.TURNS, "Ann")) == ["Bo: Ouch", "Di: Sorry", "Cy: Take your time"]


def test_the_next_mail_quotes_lines_of_one_never_sent(runtime, table):
    say(table, BO, "Ouch")
    with runtime.database.writing() as session:
        for letter in letters(runtime, LetterKind.TURNS):
            session.merge(letter).state = LetterState.FAILED
    runtime.now.pass_by(MINUTE)
    table.play_hand()
    assert quoted_talk(mails(runtime, LetterKind.SCORE_SHEET, "Di")[0]) == ["Bo: Ouch"]


def test_score_sheets_quote_the_talk_and_other_news_do_not(runtime):
    table = start_game(runtime, rules=preset_rules("classic", hands=2))
    deliver(runtime)
    while table.row.state == "playing":
        table.play_hand()
    runtime.now.pass_by(MINUTE)
    say(table, BO, "Good game")
    for kind in (LetterKind.SCORE_SHEET, LetterKind.FINAL_SHEET):
        assert quoted_talk(mails(runtime, kind, "Cy")[-1]) == ["Bo: Good game"]
    assert {letter.kind for letter in letters(runtime)} >= set(BRINGING_TALK) - {LetterKind.TURNS}


def test_the_last_mail_quotes_what_was_said_about_tricks(runtime):
    table = start_game(runtime, rules=preset_rules("classic", hands=1))
    while len(table.game.tricks) < 2:
        table.play_first()
    talk.add_line(runtime, link(table, BO), "Brave, that king", runtime.now(), talk.Trick(1, 1, 2))
    runtime.now.pass_by(MINUTE)
    say(table, CY, "Thank you")  # so that it is no news to Cy
    runtime.now.pass_by(MINUTE)
    table.play_hand()
    (mail,) = mails(runtime, LetterKind.FINAL_SHEET, "Cy")
    text = " ".join(mail.get_body(("plain",)).get_content().split())
    assert re.search(r"Bo: Brave, that king \(\w+ \d+ \w+, \d\d:\d\d, about trick 2 of hand 1 in game 1\)", text)


SNARES = ("QS", "stop", f"{'x' * 60} QS", "> 2C", "On Mon, 2 Mar 2026, Bo wrote:")


@pytest.fixture(scope="module")
def ensnared(tmp_path_factory):
    """A sent turn mail to Bo that quotes what looks like answers: runtime, game, letter, and mail."""
    runtime = make_runtime(tmp_path_factory.mktemp("ensnared"))
    table = start_game(runtime)
    while BO not in table.game.to_act or table.game.stage is not Stage.PLAY:
        table.play_first()
    for text in SNARES:
        runtime.now.pass_by(MINUTE)
        say(table, CY, text)
    letter = question(runtime, "Bo")
    with runtime.database.writing() as session:
        sent = compose(runtime, session, letter)
        session.merge(letter).message = sent.as_string()
    yield runtime, table, letter, sent
    runtime.database.engine.dispose()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_card_in_quoted_talk_is_never_played(ensnared, client):
    runtime, table, letter, sent = ensnared
    assert len(quoted_talk(sent)) == 5
    before = table.records
    mail = CLIENTS[client]("", sent).raw().replace(b"<c0ffee", f"<{client}".replace(" ", "").encode())
    inbound = answer(runtime, letter, mail)
    assert inbound.taken_for in ("quoted-only", "empty"), inbound.outcome
    assert table.records == before
    assert typed_turns(table) == []
    seat = seats(runtime, table.table_id)[BO]
    assert (seat.away, seat.mails) == (False, True)


@pytest.mark.parametrize("client", CLIENTS)
def test_no_line_of_talk_makes_a_reply_unreadable(ensnared, client):
    _, table, letter, sent = ensnared
    card = card_text(min(legal(table.game, BO)))
    asked = Asked(BO, letter.hand, letter.about, frozenset({WRITERS["Bo"]}))
    reading = read(CLIENTS[client](card, sent).raw(), Envelope(WRITERS["Bo"], "r-x@in.example"), asked, sent)
    assert (reading.classification, reading.cards) == (Classification.MOVE, (card,))


# whatever is typed


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """A game that many examples share, at its own table, and a browser."""
    made = make_runtime(tmp_path_factory.mktemp("talk"))
    yield made, start_game(made), make_site(made).test_client()
    made.database.engine.dispose()


@pytest.fixture(scope="module")
def plainly(lasting):
    """The outline of the page and the mail with a few plain words."""
    runtime, table, browser = lasting
    runtime.now.pass_by(MINUTE)
    say(table, BO, "plain words")
    return [outline(html) for html in page_and_mail(table, browser)[:2]]


def outline(html):
    """The outline of a page or an email, without its words."""
    return [(tag.name, sorted(tag.attrs)) for tag in BeautifulSoup(html, "lxml").find_all(True)]


def page_and_mail(table, browser):
    """Di's page and her mail, and the plain text of that."""
    (mail,) = mails(table.runtime, LetterKind.TURNS, "Di")
    html, text = (mail.get_body((kind,)).get_content() for kind in ("html", "plain"))
    return browser.get(url(table, DI)).get_data(as_text=True), html, text


@settings(max_examples=25)
@given(typed=st.one_of(st.text(max_size=300), st.text("<>&\"'{}%#/\\ \n=;QS♠", max_size=60)))
def test_no_typed_line_breaks_a_page_or_a_mail(lasting, plainly, typed):
    runtime, table, browser = lasting
    runtime.now.pass_by(timedelta(days=40))  # so that it is the only line there
    try:
        say(table, BO, typed)
    except Refused:
        return
    line = said(runtime)[-1]
    assert line == " ".join(line.split())
    assert len(line.splitlines()) == 1
    page, html, text = page_and_mail(table, browser)
    assert line in BeautifulSoup(page, "lxml").get_text()
    assert line in BeautifulSoup(html, "lxml").get_text()
    assert f"  Bo: {line} (" in text
    assert [outline(page), outline(html)] == plainly


# in the reader's language

GERMAN = {"Well played": "Gut gespielt", "{name}, we wait for you": "{name}, wir warten auf dich"}


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("Well played", "Gut gespielt"),
        ("Di, we wait for you", "Di, wir warten auf dich"),
        ("Well played, Bo", "Well played, Bo"),
        ("👍", "👍"),
        ("", ""),
    ],
)
def test_a_phrase_is_heard_in_the_readers_language(tmp_path, text, german):
    assert heard(text) == text
    with catalogues(tmp_path, {"de": GERMAN}), speaking("de"):
        assert heard(text) == german


def test_what_is_kept_of_a_phrase_is_english(tmp_path):
    with catalogues(tmp_path, {"de": GERMAN}), speaking("de"):
        assert phrases(["Well played"]) == (Phrase("Well played", "Gut gespielt"),)
