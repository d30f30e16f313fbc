"""Mails of machines: recognized by each sign alone, and by nothing else."""

import pytest

from webapp.replies.machine import machine_reason
from webapp.replies.received import parse_mail

PLAIN = b"From: Bo <bo@example.org>\r\nTo: r-x@in.hearts.example\r\n"


def reason(field, *, sender="bo@example.org", answered=None):
    return machine_reason(parse_mail(PLAIN + field.encode() + b"\r\n\r\nKD\r\n"), sender, answered)


@pytest.mark.parametrize(
    "field",
    [
        "Auto-Submitted: auto-replied",
        'Auto-Submitted: auto-generated; owner-email="x"',
        "Auto-Submitted: auto-replied (vacation)",
        "auto-submitted: AUTO-NOTIFIED",
        "Auto-Submitted: something-new",
        "X-Autoreply: yes",
        "X-Autorespond: Your turn",
        "Precedence: bulk",
        "Precedence: Junk",
        "Precedence: auto_reply",
        "List-Id: <hearts.lists.example.org>",
        "Subject: Out of office: Re: Your turn",
        "Subject: Automatic reply: Your turn: trick 5",
        "Subject: Automatische Antwort: Your turn",
        "Subject: =?utf-8?q?R=C3=A9ponse_automatique_=3A_Your_turn?=",
        "Subject: =?iso-2022-jp?B?GyRCSVQ6XxsoQg==?=",
        "Subject: Abwesenheitsnotiz",
        "Content-Type: multipart/report; report-type=something-new; boundary=x",
        "Content-Type: text/calendar; method=REPLY",
    ],
)
def test_each_sign_alone_marks_a_machine(field):
    assert reason(field)


@pytest.mark.parametrize(
    "field",
    [
        "X-Auto-Response-Suppress: All",
        "X-Auto-Response-Suppress: DR, OOF, AutoReply",
        "Auto-Submitted: no",
        "Auto-Submitted: No (a person)",
        "Precedence: first-class",
        "Subject: Re: Your turn: trick 5, spades led",
        "Subject: Aw: Your turn",
        "Subject: Re: Automatic reply",
        "Subject: Automatically",
        "Subject: =?utf-8?q?=FF=FE?= =?utf-8?b?x?=",
        "Content-Type: text/calendar; name=holiday.ics",
        "X-Mailer: Automatic Mailer 3.0",
    ],
)
def test_headers_that_people_send_mark_no_machine(field):
    assert reason(field) is None


def test_the_null_sender_alone_marks_a_machine():
    assert reason("Subject: Re: Your turn", sender="")


def test_our_own_returned_mail_is_recognized_by_its_id_and_its_sender():
    ours = parse_mail(b"From: Hearts by Mail <hearts@hearts.example>\r\nMessage-ID: <1@hearts.example>\r\n\r\n")
    assert reason("Message-ID: <1@hearts.example>", answered=ours)
    assert reason("Message-ID: <2@example.org>", answered=ours) is None
    by_name = parse_mail(b"From: hearts@HEARTS.example\r\n\r\nKD\r\n")
    assert machine_reason(by_name, "bo@example.org", ours)
