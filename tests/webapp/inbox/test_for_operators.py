"""Mail to postmaster, abuse and feedback: reports count with proof, and people's mail is for the operators."""

import logging

import pytest

from tests.answers import answered, inbound, mail, player, question
from tests.cast import address, start_game
from webapp.core.addresses import Purpose
from webapp.inbox.acting import process_inbound
from webapp.inbox.receiving import receive
from webapp.models import LetterRow, LetterState
from worker import postman

ARF = """From: reports@provider.example
Content-Type: multipart/report; report-type=feedback-report; boundary="=="

--==
Content-Type: message/feedback-report

Feedback-Type: abuse
Original-Mail-From: <{}>
--==--
"""
HOTMAIL = """From: staff@hotmail.example
Subject: complaint about message from 192.0.2.1
Content-Type: message/rfc822

X-HmXmrOriginalRecipient: bo@example.org
Return-Path: <{}>
Subject: Your turn

Play by Tuesday.
"""


@pytest.fixture
def letter(runtime):
    """A question to Bo that is out."""
    start_game(runtime)
    letter = question(runtime, "Bo")
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        session.get_one(LetterRow, letter.id).state = LetterState.SENT  # as it would be with a relay
    return letter


def arrived(runtime, name, raw, sender="reports@provider.example"):
    domain = runtime.postmark.address(Purpose.BOUNCE, 1).partition("@")[2]
    row = receive(runtime, sender, f"{name}@{domain}", raw if isinstance(raw, bytes) else raw.encode())
    process_inbound(runtime)
    return inbound(runtime, row)


@pytest.mark.parametrize("report", [ARF, HOTMAIL], ids=["ARF", "Microsoft's"])
@pytest.mark.parametrize("name", ["feedback", "abuse", "postmaster"])
def test_a_complaint_to_a_name_of_ours_silences_the_address(runtime, letter, name, report):
    arrived(runtime, name, report.format(runtime.postmark.address(Purpose.BOUNCE, letter.id)))
    assert player(runtime, "Bo").unreachable_at == runtime.now()


@pytest.mark.parametrize("purpose", [Purpose.REPLY, Purpose.UNSUBSCRIBE])
def test_an_address_of_a_forwarded_mail_makes_no_complaint(runtime, letter, purpose):
    arrived(runtime, "feedback", ARF.format(runtime.postmark.address(purpose, letter.id)), "eve@example.org")
    assert player(runtime, "Bo").unreachable_at is None


def test_a_report_to_the_postmaster_counts_against_its_address(runtime, letter):
    bounce = "From: MAILER-DAEMON@mx.example.org\nSubject: failure notice\n\n<{}>: 550 5.1.1 unknown user\n\n"
    bounce += (
        f"--- Below this line is a copy.\n\nReturn-Path: <{runtime.postmark.address(Purpose.BOUNCE, letter.id)}>\n"
    )
    arrived(runtime, "postmaster", bounce.format("eve@example.org"), "")
    assert player(runtime, "Bo").unreachable_at is None
    arrived(runtime, "postmaster", bounce.format(address("Bo")), "")
    assert player(runtime, "Bo").unreachable_at == runtime.now()


def test_a_persons_mail_is_kept_for_operators_and_logged(runtime, caplog):
    caplog.set_level(logging.WARNING)
    row = arrived(runtime, "postmaster", mail("Eve", "Your mail does not reach us."), "eve@example.org")
    assert row.outcome == "It is for the operators."
    assert f"mail show {row.id}" in caplog.text
    assert answered(runtime) == []


def test_a_machines_mail_is_not_named_in_the_log(runtime, caplog):
    row = arrived(runtime, "abuse", mail("Eve", "I am away.", Auto_Submitted="auto-replied"), "eve@example.org")
    assert row.outcome.startswith("Nothing was done")
    assert "mail show" not in caplog.text
