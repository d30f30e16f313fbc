"""The commands `mail …`, as an operator types them."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cast import dump, letters, start_game
from webapp.core.addresses import Purpose
from webapp.inbox.receiving import receive
from webapp.models import LetterKind, LetterRow, LetterState
from webapp.outbox import holding
from worker import postman

CORPUS = Path(__file__).parents[1] / "replies" / "corpus"
ASKED = '{"seat": 1, "hand": 2, "what": "trick 5", "addresses": ["Bo@example.org"]}'


def passing_address(runtime):
    """The reply address of the mail that asks Bo which cards to pass."""
    start_game(runtime)
    letter = next(letter for letter in letters(runtime, LetterKind.TURNS) if letter.seat == 1)
    return runtime.postmark.address(Purpose.REPLY, letter.id)


def test_the_command_reads_a_mail_from_a_file(run):
    done = run("mail", "read", str(CORPUS / "gmail-web.eml"), "--asked", ASKED)
    assert done.exit_code == 0
    assert done.stdout.count("\n") == 1
    turn = {"hand": 2, "what": "trick 5"}
    expected = {"class": "move", "cards": ["KD"], "seat": 1, "turn": turn, "word": None, "why": "KD was typed"}
    assert json.loads(done.stdout) == expected


def test_mail_for_the_operators_is_shown_and_no_other(runtime, run):
    start_game(runtime)
    theirs = receive(runtime, "eve@example.org", "postmaster@hearts.localhost", b"Subject: Hello\n\nIs it you?\n")
    other = receive(runtime, "", runtime.postmark.address(Purpose.REPLY, 1), b"Subject: x\n\nQS\n")
    assert "Is it you?" in run("mail", "show", str(theirs)).stdout
    assert run("mail", "show", str(other)).exit_code != 0
    assert run("mail", "show", "999").exit_code != 0


def test_the_command_reads_a_mail_from_standard_input(run):
    done = run("mail", "read", "-", input=(CORPUS / "bounce-postfix-unknown.eml").read_bytes())
    assert json.loads(done.stdout)["bounce"]["status"] == "5.1.1"


def test_without_the_answered_mail_the_command_reads_the_reply_alone(run):
    read = json.loads(run("mail", "read", str(CORPUS / "pass-one-line.eml")).stdout)
    assert (read["class"], read["cards"], read["seat"], read["turn"]) == ("pass", ["AS", "QS", "9C"], None, None)


@pytest.mark.parametrize(
    "head", ["To: Hearts by Mail <{}>", "To: x@example.org\nDelivered-To: {}", "To: x@example.org\nX-Original-To: <{}>"]
)
def test_the_command_shows_seat_and_turn_and_changes_nothing(runtime, run, head):
    to = passing_address(runtime)
    before = dump(runtime)
    done = run("mail", "read", "-", input=f"From: bo@example.org\n{head.format(to)}\n\n2C 3C 4C\n")
    read = json.loads(done.stdout)
    assert (read["class"], read["seat"], read["turn"]) == ("pass", 1, {"hand": 1, "what": "pass"})
    assert dump(runtime) == before


def test_eve_is_recognized_by_the_seat_that_the_address_names(runtime, run):
    done = run("mail", "read", "-", input=f"From: eve@example.org\nTo: {passing_address(runtime)}\n\n2C 3C 4C\n")
    assert json.loads(done.stdout)["class"] == "spoof"


def test_the_null_sender_is_read_from_the_return_path(run):
    done = run("mail", "read", "-", input="Return-Path: <>\nFrom: bo@example.org\nTo: x@example.org\n\nQS\n")
    assert json.loads(done.stdout)["class"] == "autoreply"


@pytest.mark.parametrize(
    "words", [("/nowhere/at/all",), ("/",), ("-", "--asked", "{"), ("-", "--asked", '{"seat": 1}')]
)
def test_an_unreadable_mail_is_rejected_with_one_message(run, words):
    done = run("mail", "read", *words, input="")
    assert done.exit_code == 2
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)


def test_nothing_is_sent_while_an_operator_holds_mail(runtime, run):
    start_game(runtime)
    assert run("mail", "hold").exit_code == 0
    assert postman.deliver(runtime) == 0
    assert "Sending is held since 2026-03-02" in run("mail", "queue").stdout
    run("mail", "hold")  # once more is the same
    assert run("mail", "resume").exit_code == 0
    assert postman.deliver(runtime) > 0
    assert "held" not in run("mail", "queue").stdout


def test_the_queue_says_since_when_the_relay_says_no(runtime, run):
    with runtime.database.writing() as session:
        words = "550 daily limit exceeded"
        holding.pause(session, holding.EVERY_DOMAIN, runtime.now(), words, runtime.now() - timedelta(hours=1))
    said = run("mail", "queue").stdout
    assert "The relay takes no mail of ours since 2026-03-02" in said
    assert "(550 daily limit exceeded)" in said
    runtime.now.pass_by(holding.A_MOMENT)
    assert run("mail", "queue").stdout == "0 letters.\n"


def test_the_queue_lists_due_or_tried_letters_without_addresses(runtime, run):
    table = start_game(runtime)
    postman.deliver(runtime)
    letter = letters(runtime, LetterKind.TURNS)[0].id
    assert run("mail", "queue").stdout == "0 letters.\n"
    with runtime.database.writing() as session:
        row = session.get_one(LetterRow, letter)
        row.state, row.tries, row.next_at = LetterState.QUEUED, 3, runtime.now() + timedelta(minutes=5)
        row.problem = "450 <ann@example.org>: come back later"
    said = run("mail", "queue").stdout
    assert f"{letter:>8}  turns" in said
    assert "tried 3 times: 450 <(an address)>: come back later" in said
    assert table.game_id


def test_only_a_letter_given_up_is_sent_after_retry(runtime, run):
    start_game(runtime)
    postman.deliver(runtime)
    first, second, *_ = letters(runtime, LetterKind.TURNS)
    with runtime.database.writing() as session:
        row = session.get_one(LetterRow, first.id)
        row.state, row.tries, row.problem, row.sent_at = LetterState.FAILED, 4, "550 no", None
    assert f"{first.id:>8}  turns" in run("mail", "queue", "--failed").stdout
    done = run("mail", "retry", first.id, second.id)
    assert done.exit_code == 1
    assert f"{first.id:>8}  queued again" in done.stdout
    assert f"{second.id:>8}  is no letter that was given up" in done.stdout
    assert postman.deliver(runtime) == 1
    states = {letter.id: letter.state for letter in letters(runtime, LetterKind.TURNS)}
    assert states[first.id] is LetterState.KEPT
