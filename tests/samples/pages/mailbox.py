"""The mailbox, in which letters are kept where none are sent: its addresses, their letters, and an answer to one."""

from tests.samples.links import LINK
from tests.samples.rendering import PageSample
from webapp.pages.mailbox import AddressPage, AnswerPage, Inbox, LetterPage, MailboxPage

LONG_ADDRESS = "a.very.long.address.of.somebody+hearts@mail.department.example.org"


def pages() -> dict[str, PageSample]:
    return {**_addresses(), **_letters(), **_answers()}


def _addresses() -> dict[str, PageSample]:
    ann = Inbox("ann@example.org", 12, "02 March, 18:00 UTC")
    long = Inbox(LONG_ADDRESS, 1, "01 March, 09:12 UTC")
    letters = [
        (3, "Your turn: trick 5, spades led", "2 minutes ago", "turn"),
        (1, "Hand 1 is over: Bo leads with 2", "2 minutes ago", "score_sheet"),
    ]
    return {
        "mailbox": MailboxPage(addresses=[ann, long]),
        "mailbox-empty": MailboxPage(addresses=[]),
        "mailbox-address": AddressPage(address="ann@example.org", letters=letters),
        "mailbox-address-empty": AddressPage(address="ann@example.org", letters=[]),
    }


def _letters() -> dict[str, PageSample]:
    letter = {
        "subject": "Your turn: trick 5, spades led",
        "from": "Hearts by Mail <hearts@example.org>",
        "to": "Ann <ann@example.org>",
        "date": "Mon, 2 Mar 2026 18:00:00 +0000",
        "text": f"Play here:\n{LINK}\n<b>",
        "source": "Message-ID: <x@example.org>\n\nQ=E2=99=A0 " + "x" * 200,
        "html_url": "about:blank",
    }
    answers = {"html": "/mailbox/letters/3/answer", "text": "/mailbox/letters/3/answer", "source": None}
    return {
        f"mailbox-letter-{part}": LetterPage(letter={**letter, "answer_url": url}, part=part)
        for part, url in answers.items()
    }


def _answers() -> dict[str, PageSample]:
    waits = AnswerPage(
        address="ann@example.org",
        heading="Your answer is on its way",
        outcome="A worker will read it in a moment.",
        letters=[],
        waits=True,
    )
    read = AnswerPage(
        address="ann@example.org",
        heading="Your answer was read",
        outcome="You played Q♠ in hand 2.",
        letters=[(4, "Your turn: trick 6, you lead", "18:00:07", "turn")],
        waits=False,
    )
    return {"mailbox-answer-waits": waits, "mailbox-answer": read}
