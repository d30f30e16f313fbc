"""Answering the mails kept here: the box below an email takes the way of any incoming mail."""

from datetime import timedelta
from email import message_from_bytes, policy

import pytest
from bs4 import BeautifulSoup
from pydantic import SecretStr
from sqlmodel import select

from hearts.cards import card_text
from tests.answers import answered, first_cards, question, typed_turns
from tests.cast import dump, letters, open_table, start_game
from tests.runtimes import make_runtime
from tests.sites import site_of
from webapp.inbox.acting import process_inbound
from webapp.inbox.receiving import OF_ADDRESS
from webapp.models import InboundRow, LetterKind, LetterRow
from webapp.presentation.faces import face
from worker import postman


@pytest.fixture
def table(runtime):
    table = start_game(runtime)
    postman.deliver(runtime)
    return table


def box(client, letter):
    """The form below an email; None if there is none."""
    return BeautifulSoup(client.get(f"/mailbox/letters/{letter.id}").data, "lxml").main.find("form")


def write(client, letter, typed):
    """Types an answer and sends it. Returns the page that follows."""
    form = box(client, letter)
    sent = client.post(form["action"], data={form.find("textarea")["name"]: typed})
    assert sent.status_code == 303
    return sent.location


def soup(client, url):
    page = client.get(url)
    assert page.status_code == 200
    return BeautifulSoup(page.data, "lxml")


def test_an_answer_typed_in_the_box_is_played(runtime, client, table):
    cards = first_cards(table, 0)
    url = write(client, question(runtime, "Ann"), " ".join(map(card_text, cards)))
    process_inbound(runtime)
    (record,) = typed_turns(table)
    assert list(record.turn.cards) == cards
    shown = " ".join(face(card).text for card in cards)
    assert f"You passed {shown} in hand 1." in soup(client, url).text


def test_a_typed_answer_arrives_like_a_mail_programs(runtime, client, table):
    letter = question(runtime, "Ann")
    write(client, letter, "QS\r\nthank you")
    with runtime.database.reading() as session:
        (row,) = session.exec(select(InboundRow)).all()
    mail = message_from_bytes(row.raw, policy=policy.default)
    assert (row.sender, mail["From"]) == ("ann@example.org", "Ann <ann@example.org>")
    assert mail["To"].addresses[0].addr_spec == row.recipient
    assert mail["In-Reply-To"] == letter.message_id
    assert mail["References"].split()[-1] == letter.message_id
    assert mail["Message-ID"] == row.identity
    text = mail.get_content().splitlines()
    assert text[:3] == ["QS", "thank you", ""]
    assert text[3].endswith("wrote:")
    assert all(line.startswith(">") for line in text[4:])
    assert "> YOUR CARDS" in text


def test_answering_too_often_gets_a_page_that_says_so(runtime, client, table):
    letter = question(runtime, "Ann")
    for number in range(OF_ADDRESS.mails):
        write(client, letter, f"hello {number}")
        runtime.now.pass_by(timedelta(seconds=1))
    refused = client.post(f"/mailbox/letters/{letter.id}/answer", data={"answer": "hello"})
    assert refused.status_code == 429
    assert "This letter was answered very often within the hour." in refused.text


def test_an_empty_answer_plays_nothing_and_gets_help(runtime, client, table):
    write(client, question(runtime, "Ann"), "")
    process_inbound(runtime)
    assert (typed_turns(table), answered(runtime)) == ([], ["unclear"])


def test_without_a_script_the_page_waits_for_the_next_mail(runtime, client, table):
    url = write(client, question(runtime, "Ann"), "help")
    page = soup(client, url)
    assert page.h1.text == "Your answer is on its way"
    assert page.find("meta", attrs={"http-equiv": "refresh"})
    process_inbound(runtime)
    assert soup(client, url).find("meta", attrs={"http-equiv": "refresh"}), "our answer is queued, and not written yet"
    runtime.now.pass_by(timedelta(seconds=1))
    postman.deliver(runtime)
    page = soup(client, url)
    assert page.h1.text == "Your answer was read"
    assert not page.find("meta", attrs={"http-equiv": "refresh"})
    (ours,) = letters(runtime, LetterKind.ANSWER)
    assert page.find("a", href=f"/mailbox/letters/{ours.id}")


def test_reopening_the_page_sends_nothing_again(runtime, client, table):
    url = write(client, question(runtime, "Ann"), "help")
    before = dump(runtime)
    for _ in range(3):
        soup(client, url)
        client.head(url)
    assert dump(runtime) == before


def test_a_mail_about_no_game_can_be_answered_too(runtime, client):
    open_table(runtime)
    postman.deliver(runtime)
    (letter,) = letters(runtime, LetterKind.CONFIRM)
    write(client, letter, "hello")
    process_inbound(runtime)
    assert [ours.reason for ours in letters(runtime, LetterKind.ANSWER)] == ["by_link"]


def test_an_old_mail_without_reply_address_has_no_box(runtime, client):
    open_table(runtime)
    postman.deliver(runtime)
    (letter,) = letters(runtime, LetterKind.CONFIRM)
    with runtime.database.writing() as session:
        row = session.get_one(LetterRow, letter.id)
        row.message = row.message.replace("Reply-To:", "X-Former:")
    assert box(client, letter) is None
    assert client.post(f"/mailbox/letters/{letter.id}/answer", data={"answer": "QS"}).status_code == 404


@pytest.mark.parametrize("number", [7, 2**31, 10**30])
def test_what_nobody_has_written_has_no_page(client, number):
    for path in (f"/mailbox/answers/{number}", f"/mailbox/letters/{number}", f"/mailbox/letters/{number}/html"):
        assert client.get(path).status_code == 404, path


def test_an_address_with_a_zero_byte_is_not_found(either_runtime):
    assert site_of(either_runtime).test_client().get("/mailbox/a%00b").status_code == 404


def test_a_service_with_a_relay_shows_no_box(tmp_path):
    sending = make_runtime(tmp_path / "var", smtp_url="smtp://127.0.0.1:1")
    client = site_of(sending).test_client()
    assert client.post("/mailbox/letters/1/answer", data={"answer": "QS"}).status_code == 404
    sending.database.engine.dispose()


def test_the_mailbox_exists_only_while_mails_are_kept(runtime, tmp_path):
    assert site_of(runtime).test_client().get("/mailbox").status_code == 200
    relayed = type(runtime)(
        runtime.settings.model_copy(update={"smtp_url": SecretStr("smtp://127.0.0.1:2525")}), runtime.now
    )
    assert site_of(relayed).test_client().get("/mailbox").status_code == 404


@pytest.mark.parametrize("width", [360, 1280])
def test_the_frame_of_a_mail_shows_all_of_it(browser, runtime, table, address, width):
    page = browser.new_page(viewport={"width": width, "height": 640})
    page.goto(f"{address}/mailbox/letters/{question(runtime, 'Ann').id}")
    shows_all = "scrollHeight <= clientHeight && scrollWidth <= clientWidth"
    page.wait_for_function(
        f"() => {{ with (document.querySelector('iframe').contentDocument.documentElement) return {shows_all}; }}"
    )
    page.close()
