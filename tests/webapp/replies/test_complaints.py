"""Complaints: reports of a mail provider that a recipient has marked our mail as spam."""

import pytest

from webapp.replies.bounces import is_complaint
from webapp.replies.received import parse_mail

MAIL = """\
From: reports@provider.example
Content-Type: multipart/report; report-type=feedback-report; boundary=x

--x
Content-Type: text/plain

Feedback-Type: abuse
--x
Content-Type: {kind}

{report}
--x
Content-Type: message/rfc822

Subject: Your turn

Play by Tuesday.
--x--
"""


def report(text, kind="message/feedback-report"):
    return parse_mail(MAIL.format(kind=kind, report=text).replace("\n", "\r\n").encode())


@pytest.mark.parametrize("word", ["abuse", "fraud", "opt-out", "opt-out-list", "other", "virus", " Abuse "])
def test_a_report_of_unwanted_mail_is_a_complaint(word):
    assert is_complaint(report(f"Version: 1\nUser-Agent: x\nFeedback-Type: {word}"))


@pytest.mark.parametrize("word", ["not-spam", "auth-failure", "", "abuse, not-spam", "dmarc"])
def test_a_report_of_anything_else_is_none(word):
    assert not is_complaint(report(f"Version: 1\nUser-Agent: x\nFeedback-Type: {word}"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("Version: 1", "message/feedback-report", id="no type"),
        pytest.param("Feedback-Type: abuse", "text/plain", id="a text that only looks like one"),
        pytest.param("Feedback-Type: abuse", "message/delivery-status", id="another report"),
    ],
)
def test_what_is_no_feedback_report_is_no_complaint(text, kind):
    assert not is_complaint(report(text, kind))


@pytest.mark.parametrize(("name", "is_one"), [("X-HmXmrOriginalRecipient", True), ("X-Other", False)])
def test_a_mail_of_ours_with_microsofts_field_is_a_complaint(name, is_one):
    raw = "From: staff@hotmail.example\nSubject: complaint about message from 192.0.2.1\n"
    raw += f"Content-Type: message/rfc822\n\n{name}: bo@example.org\nSubject: Your turn\n\nPlay by Tuesday.\n"
    assert is_complaint(parse_mail(raw.encode())) is is_one
