"""Asking back: a mail that nothing proves does nothing that lasts; its player is asked by mail, once."""

from datetime import timedelta

import pytest

from tests.answers import answer, answered, codes, leader_after_pass, mail, player, question, said, typed_turns
from tests.cast import NAMES, letters, open_table, seats, start_game
from tests.runtimes import make_runtime
from tests.sites import site_of
from webapp.models import LetterKind, LetterRow

WORDS = ("away", "away 5 days", "stop")


@pytest.fixture
def table(runtime):
    return start_game(runtime)


def asking(runtime) -> LetterRow:
    """The newest mail that asks back."""
    return [letter for letter in letters(runtime, LetterKind.ANSWER) if letter.reason == "sure"][-1]


def state_of(table):
    """All that the words change of Ann's seat."""
    row = seats(table.runtime, table.table_id)[0]
    return row.away, row.away_until, row.mails


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("verdict", [None, "dmarc=none", "dkim=pass header.d=eve.example"])
def test_what_lasts_is_asked_back_where_nothing_proves_it(runtime, table, word, verdict):
    before = state_of(table)
    answer(runtime, question(runtime, "Ann"), mail("Ann", word), verdict=verdict)
    assert state_of(table) == before
    assert [one.partition(" ")[0] for one in answered(runtime)] == ["sure"]
    assert letters(runtime, LetterKind.ANSWER)[0].player_id == question(runtime, "Ann").player_id


@pytest.mark.parametrize("word", WORDS)
def test_a_yes_does_what_was_asked_for(runtime, table, word):
    first = question(runtime, "Ann")
    table.pass_lowest(0)
    proved = start_game(runtime)
    letter = question(runtime, "Ann")
    assert letter.game_id == proved.game_id
    answer(runtime, letter, mail("Ann", word))
    answer(runtime, first, mail("Ann", word), verdict=None)
    runtime.now.pass_by(timedelta(days=1))
    answer(runtime, asking(runtime), mail("Ann", "yes"), verdict=None)
    assert state_of(table) == state_of(proved)


def test_a_no_or_silence_changes_nothing(runtime, table):
    before = state_of(table)
    answer(runtime, question(runtime, "Ann"), mail("Ann", "away"), verdict=None)
    row = answer(runtime, asking(runtime), mail("Ann", "no"), verdict=None)
    assert (row.outcome, state_of(table)) == ("You have said that it was not you.", before)
    assert len(letters(runtime, LetterKind.ANSWER)) == 1


def test_another_command_in_answer_to_the_question_counts(runtime, table):
    answer(runtime, question(runtime, "Ann"), mail("Ann", "away"), verdict=None)
    answer(runtime, asking(runtime), mail("Ann", "away 3 days"), verdict=None)
    assert state_of(table)[0]


def test_each_command_is_asked_back_once_a_day(runtime, table):
    for typed in ("away", "away 3 days", "AWAY", "stop"):
        answer(runtime, question(runtime, "Ann"), mail("Ann", typed), verdict=None)
    assert answered(runtime) == ["sure away", "sure stop"]
    runtime.now.pass_by(timedelta(days=1))
    answer(runtime, question(runtime, "Ann"), mail("Ann", "away", Message_ID="<again@home>"), verdict=None)
    assert answered(runtime)[2:] == ["sure away"]


def test_a_late_yes_is_asked_back_again(runtime, table):
    answer(runtime, question(runtime, "Ann"), mail("Ann", "away"), verdict=None)
    old = asking(runtime)
    runtime.now.pass_by(timedelta(days=4))
    answer(runtime, old, mail("Ann", "yes"), verdict=None)
    assert not state_of(table)[0]
    assert answered(runtime) == ["sure away", "sure away"]


def test_a_late_yes_means_the_day_that_was_asked_for(runtime, table):
    answer(runtime, question(runtime, "Ann"), mail("Ann", "away 5 days"), verdict=None)
    runtime.now.pass_by(timedelta(days=2))
    answer(runtime, asking(runtime), mail("Ann", "yes"), verdict=None)
    until = state_of(table)[1]
    assert (until.month, until.day) == (3, 7)


def test_a_yes_after_the_day_changes_nothing(runtime, table):
    answer(runtime, question(runtime, "Ann"), mail("Ann", "away 1 day"), verdict=None)
    runtime.now.pass_by(timedelta(days=2, hours=20))
    row = answer(runtime, asking(runtime), mail("Ann", "yes"), verdict=None)
    assert (row.outcome, state_of(table)[0]) == ("That day is over.", False)


def test_a_card_and_back_need_no_proof(runtime):
    table = start_game(runtime)
    name = NAMES[leader_after_pass(table)]
    answer(runtime, question(runtime, name), mail(name, codes(table)[0]), verdict=None)
    assert len(typed_turns(table)) == 1
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", "away"))
    answer(runtime, letter, mail("Ann", "back"), verdict=None)
    assert not seats(runtime, letter.table_id)[0].away


def test_machines_and_strangers_are_never_asked_back(runtime, table):
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", "away", Auto_Submitted="auto-replied"), verdict=None)
    answer(runtime, letter, mail("Eve", "away"), verdict=None)
    answer(runtime, letter, mail("Ann", "away"), verdict="dmarc=fail")
    assert answered(runtime) == []


@pytest.mark.parametrize(("name", "counts"), [("", False), ("mx.hearts.example", True)])
def test_a_verdict_counts_only_of_a_server_known_to_sign(tmp_path, name, counts):
    """Anybody can write our domain into a field that no server takes away."""
    replies = {"smtp_url": "smtp://127.0.0.1:1", "reply_domain": "in.hearts.example"}
    made = make_runtime(tmp_path, **replies, verdicts_by=name)
    table = start_game(made)
    answer(made, question(made, "Ann"), mail("Ann", "away"))
    assert state_of(table)[0] is counts
    made.database.engine.dispose()


@pytest.mark.parametrize(
    ("word", "sentence", "end"),
    [
        ("away 5 days", "asked us to set you as away from Ann's table, to the end of Sat 7 March.", "/away"),
        ("away", "asked us to set you as away from Ann's table.", "/away"),
        ("stop", "asked us for no more mail about Ann's table.", None),
    ],
)
def test_the_mail_names_what_was_asked_for_and_its_page(runtime, table, word, sentence, end):
    answer(runtime, question(runtime, "Ann"), mail("Ann", word), verdict=None)
    subject, text = said(runtime)
    assert subject == "Was that you?"
    plain = " ".join(text.split())
    assert f"You, or somebody in your name, {sentence}" in plain
    assert 'answer "yes" to this email' in plain
    link = text.split("on its page:\n")[1].split("\n")[0]
    assert end is None or link.endswith(end)
    assert site_of(runtime).test_client().get(link.removeprefix("http://127.0.0.1:8000")).status_code == 200


def test_stop_to_a_mail_about_no_game_asks_back(runtime):
    open_table(runtime, NAMES[:2], robots=2)
    (invitation, *_) = letters(runtime, LetterKind.INVITATION)
    answer(runtime, invitation, mail("Bo", "stop"), verdict=None)
    assert answered(runtime) == ["sure stop"]
    answer(runtime, asking(runtime), mail("Bo", "yes"), verdict=None)
    assert not player(runtime, "Bo").invitations
