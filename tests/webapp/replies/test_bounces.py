"""Reports on deliveries: what is hard, what is soft, and what is no failure at all."""

from base64 import b64encode

import pytest

from tests.webapp.replies.reports import BO, OTHER, reports
from webapp.replies.bounces import Bounce, bounce_of
from webapp.replies.received import parse_mail
from webapp.replies.verdicts import Fault, by_status


def report(*recipients, sender=""):
    """A report in the standard form, a block of fields for each recipient."""
    blocks = "\n\n".join(["Reporting-MTA: dns; mx.example.org", *recipients])
    text = (
        "From: postmaster@example.org\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="=="\n\n'
        "--==\nContent-Type: text/plain\n\nSorry.\n\n"
        f"--==\nContent-Type: message/delivery-status\n\n{blocks}\n\n--==--\n"
    )
    return bounce_of(parse_mail(text.encode()), sender)


def meaning_of(raw):
    """Returns the meaning that we read in a report at the bounce address, as `reports` names it; None for no report."""
    bounce = bounce_of(parse_mail(raw), "", to_bounce_address=True)
    if bounce is None or not bounce.is_failure:
        return bounce and ("late" if bounce.action == "delayed" else "fine")
    if bounce.verdict.fault in (Fault.SENDER, Fault.POLICY, Fault.MAIL):
        return "ours"
    return "hard" if bounce.is_hard else "soft"


def test_reports_of_many_servers_are_taken_for_what_they_mean():
    """The shares that matter: a dead address that is asked again costs a game days, a live one that is silent, too."""
    taken = [(one, meaning_of(one.raw)) for one in reports()]
    of_hard = [meaning for one, meaning in taken if one.meaning == "hard"]
    others = [meaning for one, meaning in taken if one.meaning != "hard"]
    shares = f"hard as hard: {of_hard.count('hard')} of {len(of_hard)}, others: {others.count('hard')} of {len(others)}"
    print(shares)  # noqa: T201 - `pytest -rP` shows it
    assert len(taken) >= 100
    assert [(one.program, one.meaning, meaning) for one, meaning in taken if meaning is None] == []
    assert of_hard.count("hard") >= 0.97 * len(of_hard)
    assert "hard" not in others
    other = ("ours", "late", "fine")
    assert [one for one, meaning in taken if one.meaning in other and meaning != one.meaning] == []


def test_a_reports_recipient_is_found_or_none_is_named():
    named = {bounce_of(parse_mail(one.raw), "", to_bounce_address=True).recipient for one in reports()}
    assert named == {BO, OTHER, "hearts@elsewhere.example", ""}


def test_a_report_in_base64_is_read():
    fields = "Reporting-MTA: dns; x\n\nFinal-Recipient: utf-8; bo@ex\\x{E4}mple.org\nAction: failed\nStatus: 5.1.1\n"
    text = (
        'Content-Type: multipart/report; boundary="=="\n\n--==\nContent-Type: message/global-delivery-status\n'
        f"Content-Transfer-Encoding: base64\n\n{b64encode(fields.encode()).decode()}\n--==--\n"
    )
    assert bounce_of(parse_mail(text.encode()), "") == Bounce("bo@exämple.org", "failed", by_status("5.1.1"))


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("Auto-Submitted: auto-replied\nSubject: I am away, and my mailbox is full", id="marked"),
        pytest.param("Subject: Automatic reply: Your turn", id="by its subject"),
        pytest.param("Subject: Your turn", id="by what it says"),
    ],
)
def test_a_vacation_note_to_the_bounce_address_is_no_bounce(head):
    more = " My mailbox is full." if "full" in head else ""
    raw = f"From: Bo <bo@example.org>\n{head}\n\nI am on holiday until 5 March and read no mail.{more}\n"
    assert bounce_of(parse_mail(raw.encode()), "", to_bounce_address=True) is None


def block(status, action="failed", recipient="rfc822; bo@example.org", more=""):
    return f"Final-Recipient: {recipient}\nAction: {action}\nStatus: {status}" + (f"\n{more}" if more else "")


@pytest.mark.parametrize("status", ["5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"])
def test_an_invalid_recipient_is_a_hard_bounce(status):
    assert report(block(status)).is_hard


@pytest.mark.parametrize(
    "status",
    [
        *("5.0.0", "5.1.7", "5.1.8", "5.2.0", "5.2.2", "5.2.3", "5.3.4", "5.4.1", "5.4.4", "5.5.0", "5.7.1", "5.7.26"),
        *("4.1.1", "4.2.1", "4.2.2", "4.4.1", "4.7.0"),
    ],
)
def test_temporary_failures_and_our_own_faults_bounce_softly(status):
    bounce = report(block(status))
    assert bounce.is_failure
    assert not bounce.is_hard


@pytest.mark.parametrize(
    "action", ["delayed", "delivered", "deliverable", "relayed", "expanded", "Delivered (to mailbox)"]
)
def test_a_delivered_or_delayed_mail_is_no_failure(action):
    bounce = report(block("5.1.1", action))
    assert not bounce.is_failure
    assert not bounce.is_hard


@pytest.mark.parametrize(
    ("recipients", "bounce"),
    [
        pytest.param([block("5.1.1 (bad destination)")], ("bo@example.org", "5.1.1", "failed"), id="a comment"),
        pytest.param(
            [block("5.1.1", recipient="RFC822;BO@Example.org")], ("bo@example.org", "5.1.1", "failed"), id="capitals"
        ),
        pytest.param(
            [
                block(
                    "5.1.1", recipient="rfc822; x@elsewhere.example", more="Original-Recipient: rfc822; bo@example.org"
                )
            ],
            ("bo@example.org", "5.1.1", "failed"),
            id="forwarded",
        ),
        pytest.param(
            [block("5.0.0", more="Diagnostic-Code: smtp; 550-5.1.1 no such user")],
            ("bo@example.org", "5.1.1", "failed"),
            id="the status in the words",
        ),
        pytest.param(
            [block("5.0.0", more="Diagnostic-Code: smtp; 550 from [192.0.2.5.1.1]")],
            ("bo@example.org", "5.0.0", "failed"),
            id="no status within an address",
        ),
        pytest.param(
            [block("2.0.0", "delivered", "rfc822; ann@example.org"), block("5.2.1")],
            ("bo@example.org", "5.2.1", "failed"),
            id="the failed one",
        ),
        pytest.param(
            ["Final-Recipient: rfc822; bo@example.org\nStatus: 4.4.7"],
            ("bo@example.org", "4.4.7", "delayed"),
            id="no action",
        ),
        pytest.param([block("nonsense", "nonsense")], ("bo@example.org", "5.0.0", "failed"), id="nonsense"),
    ],
)
def test_a_report_is_parsed(recipients, bounce):
    recipient, status, action = bounce
    assert report(*recipients) == Bounce(recipient, action, by_status(status))


def test_a_forwarded_report_is_no_bounce():
    text = b"From: Bo <bo@example.org>\nSubject: Undeliverable: Your turn\n\n550 5.1.1\n"
    assert bounce_of(parse_mail(text), "bo@example.org") is None


@pytest.mark.parametrize("body", ["", "x", "Reporting-MTA: dns; x", "\n\n\n", "Status: 5.1.1"])
def test_a_broken_report_is_still_a_report(body):
    text = f"From: mailer-daemon@example.org\nSubject: failure notice\nContent-Type: message/delivery-status\n\n{body}"
    assert bounce_of(parse_mail(text.encode()), "") is not None


def test_a_vacation_note_with_the_null_sender_is_no_bounce():
    assert bounce_of(parse_mail(b"From: bo@example.org\nSubject: Out of office\n\nuntil 5.1.1\n"), "") is None
