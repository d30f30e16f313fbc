"""Writing a reply as a mail program does: whom it goes to, what it answers, and what it quotes."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from webapp.pages.mailbox import answer_mail

NOW = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)


def question(**header):
    mail = EmailMessage()
    fields = {
        "From": "Hearts by Mail <h@example.org>",
        "To": "Ann <ann@example.org>",
        "Reply-To": "r-x@in.example.org",
        "Subject": "Table 7F3K: your turn",
        "Message-ID": "<2@example.org>",
    }
    for name, value in {**fields, **header}.items():
        mail[name] = value
    mail.set_content("Trick 5, diamonds led.\n\nKD  K♦\n")
    mail.add_alternative("<p>Trick 5</p>", subtype="html")
    return mail


def answered(typed, **header):
    return message_from_bytes(answer_mail(question(**header), typed, NOW, "hearts.localhost"), policy=policy.default)


def test_a_reply_goes_from_the_recipient_to_where_answers_go():
    reply = answered("KD")
    assert (reply["From"], reply["To"]) == ("Ann <ann@example.org>", "r-x@in.example.org")
    assert (reply["Subject"], reply["Date"].datetime) == ("Re: Table 7F3K: your turn", NOW)


@pytest.mark.parametrize(
    ("header", "references"),
    [
        ({}, "<2@example.org>"),
        ({"References": "<0@example.org> <1@example.org>"}, "<0@example.org> <1@example.org> <2@example.org>"),
    ],
)
def test_a_reply_belongs_to_its_thread(header, references):
    reply = answered("KD", **header)
    assert (reply["In-Reply-To"], reply["References"]) == ("<2@example.org>", references)
    assert reply["Message-ID"] not in references


def test_what_is_typed_stands_above_the_text_that_is_quoted():
    assert answered("KD\nThanks!").get_content().splitlines() == [
        "KD",
        "Thanks!",
        "",
        "On 03 March 2026 at 18:05, Hearts by Mail <h@example.org> wrote:",
        "> Trick 5, diamonds led.",
        ">",
        "> KD  K♦",
    ]
