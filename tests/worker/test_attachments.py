"""The attachments of an email: the chart of the scores, and the record where there are no pages."""

from email import message_from_string, policy
from email.message import EmailMessage
from random import Random

import pytest
from bs4 import BeautifulSoup

from hearts.rules import preset_rules
from tests.cast import NAMES, letters, start_game
from tests.samples.finished import first_score
from tests.table import Table
from webapp.models import LetterKind, LetterRow
from webapp.presentation.chart import race
from worker import postman
from worker.attachments import File, Picture, enclose, race_picture

# messages


def composed() -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "The game is over"
    message.set_content("Text\n", cte="quoted-printable")
    message.add_alternative('<p><img src="cid:race.x@example.org"></p>', subtype="html", cte="quoted-printable")
    return message


def test_pictures_are_attached_to_the_html_files_to_the_mail() -> None:
    message = composed()
    enclose(message, [Picture("race.x@example.org", "words", b"png"), File("a.json", b"{}")])
    assert message.get_content_type() == "multipart/mixed"
    alternative, file = message.iter_parts()
    assert [part.get_content_type() for part in alternative.iter_parts()] == ["text/plain", "multipart/related"]
    html, image = list(alternative.iter_parts())[1].iter_parts()
    assert (html.get_content_type(), image.get_content_type()) == ("text/html", "image/png")
    assert (image["Content-ID"], image.get_content_disposition()) == ("<race.x@example.org>", "inline")
    assert (file.get_filename(), file.get_content_type()) == ("a.json", "application/json")
    assert message.get_body(("plain",)).get_content() == "Text\n"
    assert "cid:race.x@example.org" in message.get_body(("html",)).get_content()


def test_a_mail_with_attachments_is_one_storable_text() -> None:
    message = composed()
    content = Random(1).randbytes(5000)
    enclose(message, [Picture("race.x@example.org", "words", content), File("b.json", "ä;\r\n".encode())])
    stored = message.as_string()
    stored.encode("ascii")
    assert max(map(len, stored.splitlines())) <= 998
    sent = message_from_string(stored, policy=policy.default)
    runtime = {
        part.get_content_type(): part.get_payload(decode=True) for part in sent.walk() if not part.is_multipart()
    }
    assert (runtime["image/png"], runtime["application/json"]) == (content, "ä;\r\n".encode())


def test_a_mail_without_attachments_is_unchanged() -> None:
    message = composed()
    enclose(message, ())
    assert message.get_content_type() == "multipart/alternative"


def test_a_content_id_belongs_to_its_letter() -> None:
    chart = race(first_score())
    assert chart is not None
    one, other = (race_picture(LetterRow(message_id=f"<{tag}@example.org>"), chart) for tag in ("aa", "bb"))
    assert (one.cid, other.cid) == ("race.aa@example.org", "race.bb@example.org")
    assert one.alt == chart.alt


# whole games


@pytest.fixture
def table(runtime, smtp_server) -> Table:
    """A game of three hands, whose mails are sent."""
    table = start_game(runtime, NAMES[:1], robots=3, rules=preset_rules("classic", target=30))
    while table.due_at is not None:
        table.play_hand()
    postman.deliver(runtime)
    return table


def test_the_last_mail_of_a_game_encloses_its_chart_alone(runtime, smtp_server, table) -> None:
    final = next(mail.message for mail in smtp_server.mails if "The game is over" in mail.subject)
    assert list(final.iter_attachments()) == []
    html = BeautifulSoup(final.get_body(("html",)).get_content(), "lxml")
    images = {part["Content-ID"] for part in final.walk() if part.get_content_type() == "image/png"}
    assert {f"<{image['src'].removeprefix('cid:')}>" for image in html.find_all("img")} == images
    assert len(images) == 1
    assert html.find("a", string="Download the record")["href"].endswith("/record.json?game=1")


def test_every_score_sheet_has_a_chart_of_scores(runtime, smtp_server, table) -> None:
    sheets = [mail.message for mail in smtp_server.mails if ": Hand " in mail.subject]
    assert len(sheets) == len(table.game.scores) - 1, "the last hand is on the final sheet"
    alts = [BeautifulSoup(one.get_body(("html",)).get_content(), "lxml").img["alt"] for one in sheets]
    assert [f"after {number} hand" in alt for number, alt in enumerate(alts, 1)] == [True] * len(alts)
    assert not [one for one in sheets if list(one.iter_attachments())]
    assert len(letters(runtime, LetterKind.FINAL_SHEET)) == 1
