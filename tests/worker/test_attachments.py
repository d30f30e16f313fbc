"""The attachments of an email: the chart of the scores, the record and the score sheet."""

import csv
from email import message_from_string, policy
from email.message import EmailMessage
from io import StringIO
from random import Random

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.record import parse_record
from hearts.rules import preset_rules
from tests.cast import NAMES, letters, load, start_game
from tests.playing import play_hand
from tests.samples.cast import CAST, CROWD
from tests.samples.finished import first_score, score_with_stories
from tests.samples.games import finished_game
from webapp.models import LetterKind, LetterRow
from webapp.presentation.chart import race
from webapp.presentation.scoresheet import ScoreSheet, score_sheet
from worker import postman
from worker.attachments import File, Picture, enclose, race_picture, sheet_csv


def _scores():
    return finished_game(preset_rules("classic")).scores[:2]


# messages


def composed() -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "The game is over"
    message.set_content("Text\n", cte="quoted-printable")
    message.add_alternative('<p><img src="cid:race.x@example.org"></p>', subtype="html", cte="quoted-printable")
    return message


def test_pictures_are_attached_to_the_html_files_to_the_mail() -> None:
    message = composed()
    enclose(message, [Picture("race.x@example.org", "words", b"png"), File("a.json", "application/json", b"{}")])
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
    enclose(message, [Picture("race.x@example.org", "words", content), File("b.csv", "text/csv", "ä;\r\n".encode())])
    stored = message.as_string()
    stored.encode("ascii")
    assert max(map(len, stored.splitlines())) <= 998
    sent = message_from_string(stored, policy=policy.default)
    runtime = {
        part.get_content_type(): part.get_payload(decode=True) for part in sent.walk() if not part.is_multipart()
    }
    assert (runtime["image/png"], runtime["text/csv"]) == (content, "ä;\r\n".encode())


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


# the sheet as CSV


def rows_of(score: ScoreSheet) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(sheet_csv(score), newline="")))


def test_the_csv_has_each_hands_points_totals_and_marks() -> None:
    score = score_with_stories(preset_rules("classic"), CAST)
    rows = rows_of(score)
    assert [int(row["hand"]) for row in rows] == [line.number for line in score.hands]
    for row, line in zip(rows, score.hands, strict=True):
        assert [int(row[name]) for name in CAST] == [cell.points for cell in line.cells]
        assert [int(row[f"{name}, total"]) for name in CAST] == [cell.total for cell in line.cells]
        assert [row["queen of spades"]] == [name for name, cell in zip(CAST, line.cells, strict=True) if cell.marks]


def test_the_csv_names_both_takers_of_two_queens() -> None:
    score = score_with_stories(preset_rules("cancellation", players=11), CROWD)
    assert all(row["queen of spades"].count(",") == 1 for row in rows_of(score))


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =HYPERLINK(0)", "＝1", "\r\n=1"])
def test_no_name_becomes_a_formula_in_a_spreadsheet(name: str) -> None:
    score = score_with_stories(preset_rules("classic"), (name, "Bo", "Cy", "Di"))
    cells = [cell for row in csv.reader(StringIO(sheet_csv(score), newline="")) for cell in row]
    assert any(name in cell for cell in cells)
    assert not [cell for cell in cells if cell.strip()[:1] in tuple("=+-@＝＋－＠") and not _is_number(cell)]


@settings(max_examples=40)
@given(st.lists(st.text(min_size=1, max_size=40), min_size=4, max_size=4, unique=True))
def test_any_name_can_be_read_back_from_the_csv(names: list[str]) -> None:
    score = score_sheet(preset_rules("classic"), names, _scores())
    head, *_ = csv.reader(StringIO(sheet_csv(score), newline=""))
    assert [cell.removeprefix("'") for cell in head[2:6]] == [name.removeprefix("'") for name in names]


def _is_number(cell: str) -> bool:
    try:
        return bool(int(cell) or True)
    except ValueError:
        return False


# whole games


@pytest.fixture
def game_id(runtime, smtp_server) -> int:
    """A game of three hands, whose mails are sent."""
    game_id = start_game(runtime, NAMES[:1], robots=3, rules=preset_rules("classic", target=30))
    while load(runtime, game_id).row.due_at is not None:
        play_hand(runtime, game_id)
    postman.deliver(runtime)
    return game_id


def test_the_last_mail_of_a_game_has_all_attachments(runtime, smtp_server, game_id) -> None:
    stored = load(runtime, game_id)
    code = stored.table.code
    final = next(mail.message for mail in smtp_server.mails if "The game is over" in mail.subject)
    files = {part.get_filename(): part for part in final.iter_attachments()}
    assert set(files) == {f"hearts-{code}-1.json", f"hearts-{code}-1.csv"}
    record = parse_record(files[f"hearts-{code}-1.json"].get_payload(decode=True).decode())
    assert record.players == tuple(stored.names)
    assert [len(hand.plays) for hand in record.hands] == [52] * len(stored.game.scores)
    sheet = files[f"hearts-{code}-1.csv"].get_payload(decode=True).decode("utf-8-sig")
    last = list(csv.DictReader(StringIO(sheet)))[-1]
    assert [int(last[f"{name}, total"]) for name in stored.names] == list(stored.game.totals)
    html = BeautifulSoup(final.get_body(("html",)).get_content(), "lxml")
    images = {part["Content-ID"] for part in final.walk() if part.get_content_type() == "image/png"}
    assert {f"<{image['src'].removeprefix('cid:')}>" for image in html.find_all("img")} == images
    assert len(images) == 1


def test_every_score_sheet_has_a_chart_of_scores(runtime, smtp_server, game_id) -> None:
    sheets = [mail.message for mail in smtp_server.mails if ": Hand " in mail.subject]
    assert len(sheets) == len(load(runtime, game_id).game.scores) - 1, "the last hand is on the final sheet"
    alts = [BeautifulSoup(one.get_body(("html",)).get_content(), "lxml").img["alt"] for one in sheets]
    assert [f"after {number} hand" in alt for number, alt in enumerate(alts, 1)] == [True] * len(alts)
    assert not [one for one in sheets if list(one.iter_attachments())]
    assert len(letters(runtime, LetterKind.FINAL_SHEET)) == 1
