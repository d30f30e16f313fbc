"""A stranger who writes odd mails all the time: harmless ones, as every mailbox gets them, and none names a card."""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import count
from threading import Event, Thread

from tests.chaos.posting import Post
from tests.chaos.relay import MoodyRelay

EVERY = 0.2  # seconds
TO_A_LETTER = 0.1  # the share of the mails that go to an address which a mail of ours has named, each once
SENDER = "stranger@elsewhere.example"
HUGE = 20_000  # characters of a subject
DEEP = 25  # parts within parts
DATES = (
    "Mon, 2 Mar 2026 12:00:00 +99999999999999999",
    "Fri, 31 Feb 2026 25:61:61 +0000",
    "Thu, 1 Jan 1 00:00:00 +2359",
    "Fri, 31 Dec 9999 23:59:59 -2359",
    "yesterday",
    "",
)


class Stranger(Thread):
    """Writes one odd mail after another until it is to `stop`, each to one of the `addresses` or to one of a letter."""

    def __init__(self, post: Post, relay: MoodyRelay, luck: random.Random, addresses: tuple[str, ...]) -> None:
        super().__init__(daemon=True)
        self._post, self._relay, self._luck, self._addresses = post, relay, luck, addresses
        self._over, self._used, self._numbers = Event(), set[str](), count(1)
        self.written = 0

    def stop(self) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while not self._over.wait(EVERY):
            write = ODD[self.written % len(ODD)]
            to, number = self._recipient(), next(self._numbers)
            self._post(f"{number}-{SENDER}" if self._luck.random() < 0.8 else "", to, write(to, number))
            self.written += 1

    def _recipient(self) -> str:
        mails = self._relay.mails
        if mails and self._luck.random() < TO_A_LETTER:
            answered = self._luck.choice(mails).message["Reply-To"]
            address = answered.addresses[0].addr_spec if answered and answered.addresses else ""
            if address and address not in self._used:
                self._used.add(address)
                return address
        return self._luck.choice(self._addresses)


def _mail(to: str, number: int, *fields: str, body: str = "hello there\n") -> bytes:
    """A mail with these fields instead of the usual ones of their names."""
    usual = [
        f"From: A Stranger <{SENDER}>",
        f"To: {to}",
        "Subject: hello",
        f"Date: {format_datetime(datetime.now(UTC))}",
        f"Message-ID: <{number}@elsewhere.example>",
    ]
    names = {field.partition(":")[0].lower() for field in fields}
    kept = [field for field in usual if field.partition(":")[0].lower() not in names]
    return "\r\n".join([*kept, *fields, "", body]).encode("utf-8", "surrogateescape")


def _with_date(to: str, number: int) -> bytes:
    return _mail(to, number, f"Date: {DATES[number // len(ODD) % len(DATES)]}")


def _in_eight_bits(to: str, number: int) -> bytes:
    return _mail(to, number).replace(b"A Stranger", b"J\xfcrgen \xff\xfe").replace(b"hello\r\n", b"gr\xfc\xdfe\r\n")


def _with_zero_bytes(to: str, number: int) -> bytes:
    return _mail(to, number).replace(b"Stranger", b"Str\0nger").replace(b"there", b"th\0re")


def _empty(to: str, number: int) -> bytes:
    return _mail(to, number, body="")


def _without_fields(to: str, _: int) -> bytes:
    return f"To: {to}\r\n\r\n".encode()


def _of_nobody(to: str, number: int) -> bytes:
    return _mail(to, number, "From: undisclosed-recipients:;", "Sender: <>", "Reply-To: nobody at all")


def _of_two(to: str, number: int) -> bytes:
    return _mail(to, number, f"From: {SENDER}, other@elsewhere.example", "From: third@elsewhere.example")


def _with_huge_subject(to: str, number: int) -> bytes:
    return _mail(to, number, f"Subject: {'hello ' * (HUGE // 6)}")


def _in_unknown_charset(to: str, number: int) -> bytes:
    kind = ("text/plain; charset=x-none", 'text/plain; charset="utf 8; x"', "text", "/", "text/html; charset=")
    of_turn = kind[number // len(ODD) % len(kind)]
    return _mail(to, number, f"Content-Type: {of_turn}", "Content-Transfer-Encoding: x-none")


def _with_broken_words(to: str, number: int) -> bytes:
    return _mail(to, number, "Subject: =?utf-8?q?=ff=?= =?x-none?b?*?= =?utf-8?b?gA?=", "From: =?x?q?a?= <a@b.example>")


def _nested(to: str, number: int) -> bytes:
    body = "Content-Type: text/plain\r\n\r\nhello\r\n"
    for depth in range(DEEP):
        kind = f"multipart/mixed; boundary={depth}" if depth % 2 else f'multipart/alternative; boundary="{depth}"'
        body = f"Content-Type: {kind}\r\n\r\n--{depth}\r\n{body}\r\n" + (f"--{depth}--\r\n" if depth % 3 else "")
    return _mail(to, number, "MIME-Version: 1.0").rpartition(b"\r\n\r\n")[0] + b"\r\n" + body.encode()


def _without_parts(to: str, number: int) -> bytes:
    return _mail(to, number, "MIME-Version: 1.0", "Content-Type: multipart/mixed", body="--\r\n--\r\n")


def _half_a_page(to: str, number: int) -> bytes:
    return _mail(to, number, "Content-Type: text/html", body="<table><tr><td>hello <b>there</table></i><!-- ")


REPORT = """\
--b
Content-Type: text/plain

not delivered
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.elsewhere.example

Final-Recipient: rfc822;
Action: failed
Status: 5.1.1

--b--
"""


def _report_of_nobody(to: str, number: int) -> bytes:
    kind = 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"'
    return _mail(to, number, kind, "From: Mail Delivery System <MAILER-DAEMON@elsewhere.example>", body=REPORT)


def _of_a_machine(to: str, number: int) -> bytes:
    return _mail(to, number, "Auto-Submitted: auto-replied", "Subject: Out of office", "Precedence: bulk")


def _in_another_thread(to: str, number: int) -> bytes:
    ids = " ".join(f"<{one}@elsewhere.example>" for one in range(50))
    return _mail(to, number, f"References: {ids}", "In-Reply-To: yesterday's mail", "Subject: Re: Re: hello")


def _in_one_line(to: str, number: int) -> bytes:
    return _mail(to, number, body="hello " * 5_000)


def _again(to: str, _: int) -> bytes:
    return _mail(to, 0)


ODD: tuple[Callable[[str, int], bytes], ...] = (
    _with_date,
    _in_eight_bits,
    _with_zero_bytes,
    _empty,
    _without_fields,
    _of_nobody,
    _of_two,
    _with_huge_subject,
    _in_unknown_charset,
    _with_broken_words,
    _nested,
    _without_parts,
    _half_a_page,
    _report_of_nobody,
    _of_a_machine,
    _in_another_thread,
    _in_one_line,
    _again,
)
