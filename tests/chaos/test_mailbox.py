"""The mailbox of a run, as a client sees it."""

import random
from collections.abc import Iterator

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError

from tests.chaos.mailbox import PASSWORD, USER, MailboxMood, MoodyMailbox

MAIL = b"From: ann@example.org\nTo: hearts@example.org\nSubject: Re: your\n turn\n\nQS {3}\n"


@pytest.fixture
def mailbox() -> Iterator[MoodyMailbox]:
    with MoodyMailbox(random.Random(1)) as made:
        yield made


@pytest.fixture
def line(mailbox: MoodyMailbox) -> Iterator[IMAPClient]:
    with IMAPClient("127.0.0.1", int(mailbox.url.rpartition(":")[2]), ssl=False, timeout=30) as client:
        client.login(USER, PASSWORD)
        client.select_folder("INBOX")
        yield client


def fetch_often(line: IMAPClient) -> None:
    for _ in range(20):
        line.fetch([1], ["BODY.PEEK[]<0.10000>"])


def test_a_mail_comes_whole_and_in_parts(mailbox: MoodyMailbox, line: IMAPClient) -> None:
    line.idle()
    mailbox.take("ann@example.org", "hearts@example.org", MAIL)
    assert (1, b"EXISTS") in line.idle_check(30)
    line.idle_done()
    (uid,) = line.search(["UID", "1:*"])
    (whole,) = line.fetch([uid], ["BODY.PEEK[]<0.10000>"]).values()
    assert whole[b"BODY[]<0>"].endswith(MAIL)
    (head,) = line.fetch([uid], ["BODY.PEEK[HEADER.FIELDS (SUBJECT)]"]).values()
    assert b"Subject: Re: your\n turn" in head[b"BODY[HEADER.FIELDS (SUBJECT)]"]


def test_a_repeated_mail_is_there_twice(mailbox: MoodyMailbox) -> None:
    mailbox.mood = MailboxMood.REPEATS
    mailbox.take("ann@example.org", "hearts@example.org", MAIL)
    assert len(set(mailbox.mails.values())) == 1
    assert len(mailbox.mails) == 2


def test_a_mail_that_is_cut_is_no_mail(mailbox: MoodyMailbox, line: IMAPClient) -> None:
    mailbox.take("ann@example.org", "hearts@example.org", MAIL)
    mailbox.mood = MailboxMood.CUTS_MAILS
    with pytest.raises(IMAPClientAbortError):
        fetch_often(line)


def test_new_numbers_have_another_validity(mailbox: MoodyMailbox, line: IMAPClient) -> None:
    mailbox.take("ann@example.org", "hearts@example.org", MAIL)
    before = line.select_folder("INBOX")[b"UIDVALIDITY"]
    mailbox.renumber()
    assert line.select_folder("INBOX")[b"UIDVALIDITY"] > before
    assert line.search() == [1]
