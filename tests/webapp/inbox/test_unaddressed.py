"""An unaddressed mail, which answers no letter of ours: which player gets an answer, how often, and what it says."""

from datetime import timedelta
from email.utils import format_datetime

import pytest

from tests.answers import answer as answer_letter
from tests.answers import answered, leader_after_pass, mail, player, question, said, typed_turns
from tests.cast import NAMES, address, letters, start_game
from tests.runtimes import make_runtime
from webapp.inbox import without_game
from webapp.models import LetterKind, PlayerRow
from webapp.replies.received import parse_head

OURS = "hearts@example.org"


@pytest.fixture
def runtime(tmp_path):
    made = make_runtime(tmp_path / "var", reply_mailbox="hearts+@example.org")
    yield made
    made.database.engine.dispose()


@pytest.fixture
def table(runtime):
    return start_game(runtime)


def write(runtime, name="Ann", typed="QS", **headers):
    """Somebody writes to our mailbox, as it is fetched."""
    raw = mail(name, typed, **{"To": OURS, "Date": format_datetime(runtime.now()), **headers})
    if without_game.is_to_us(runtime, head := parse_head(raw)):
        without_game.answer(runtime, head, raw)


def test_a_player_gets_one_answer_a_day(runtime, table):
    for _ in range(2):
        write(runtime)
    assert answered(runtime) == ["unaddressed"]
    (ours,) = letters(runtime, LetterKind.ANSWER)
    assert (ours.player_id, ours.address) == (player(runtime, "Ann").id, None)
    runtime.now.pass_by(timedelta(days=1))
    write(runtime)
    assert answered(runtime) == ["unaddressed"] * 2


def test_the_answer_holds_the_question_and_can_be_answered(runtime, table):
    name = NAMES[leader_after_pass(table)]
    before = table.row.turns
    write(runtime, name)
    assert table.row.turns == before
    subject, text = said(runtime)
    assert subject == "Which email do you answer?"
    assert "Please answer this email" in text
    card = text.partition("such as ")[2][:2]
    answer_letter(runtime, letters(runtime, LetterKind.ANSWER)[0], mail(name, card))
    assert len(typed_turns(table)) == 1


def test_the_answer_says_how_many_other_choices_wait(runtime, table):
    start_game(runtime)
    write(runtime)
    assert "1 more choice waits" in said(runtime)[1]


def test_the_answer_says_if_nothing_waits(runtime, table):
    name = NAMES[leader_after_pass(table)]
    table.play_first()
    write(runtime, name)
    assert "Nothing waits for you just now." in said(runtime)[1]


@pytest.mark.parametrize("to", ["Hearts <HEARTS@example.org>", "hearts+r-aaaaaaaaaaaaaaaaaaaaaaaa@example.org"])
def test_mail_to_either_address_of_the_mailbox_is_answered(runtime, table, to):
    write(runtime, To=to)
    assert answered(runtime) == ["unaddressed"]


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"From": "eve@example.com"}, id="a stranger"),
        pytest.param({"From": f"{address('Ann')}, {address('Bo')}"}, id="two senders"),
        pytest.param({"To": address("Bo")}, id="to somebody else"),
        pytest.param({"In-Reply-To": "<private@home>"}, id="goes on with another mail"),
        pytest.param({"Date": "Mon, 2 Mar 2020 10:00:00 +0000"}, id="old"),
        pytest.param({"Date": "yesterday"}, id="without a date"),
        pytest.param({"Auto-Submitted": "auto-replied"}, id="a vacation note"),
        pytest.param({"List-Id": "<hearts.example.org>"}, id="a list"),
        pytest.param({"Precedence": "bulk"}, id="bulk"),
        pytest.param({"Return-Path": "<>"}, id="a report"),
        pytest.param({"Authentication-Results": "example.org; dmarc=fail"}, id="a forged sender"),
    ],
)
def test_others_and_machines_get_no_answer(runtime, table, headers):
    write(runtime, **{name.replace("-", "_"): value for name, value in headers.items()})
    assert letters(runtime, LetterKind.ANSWER) == []


def test_nobody_gets_an_answer_from_a_players_own_mailbox(runtime, table):
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player(runtime, "Bo").id).address = OURS
    write(runtime)
    assert letters(runtime, LetterKind.ANSWER) == []


def test_a_mailbox_without_plus_addresses_is_answered_likewise(tmp_path):
    runtime = make_runtime(tmp_path / "var", reply_mailbox=OURS)
    start_game(runtime)
    assert question(runtime, "Ann")
    write(runtime)
    assert answered(runtime) == ["unaddressed"]
    runtime.database.engine.dispose()
