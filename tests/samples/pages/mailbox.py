"""The mailbox, in which letters are kept where none are sent: its addresses, their letters, and an answer to one."""

from typing import Any

from tests.samples.links import LINK
from tests.samples.rendering import Sample, line

LONG_ADDRESS = "a.very.long.address.of.somebody+hearts@mail.department.example.org"


def pages() -> dict[str, Sample]:
    return {**_addresses(), **_letters(), **_answers()}


def _addresses() -> dict[str, Sample]:
    ann = line(address="ann@example.org", count=12, newest="02 March, 18:00 UTC")
    long = line(address=LONG_ADDRESS, count=1, newest="01 March, 09:12 UTC")
    letters = [
        (3, "Your turn: trick 5, spades led", "2 minutes ago", "turn"),
        (1, "Hand 1 is over: Bo leads with 2", "2 minutes ago", "score_sheet"),
    ]
    return {
        "mailbox": ("mailbox", {"addresses": [ann, long]}),
        "mailbox-empty": ("mailbox", {"addresses": []}),
        "mailbox-address": ("mailbox_address", {"address": "ann@example.org", "letters": letters}),
        "mailbox-address-empty": ("mailbox_address", {"address": "ann@example.org", "letters": []}),
    }


def _letters() -> dict[str, Sample]:
    letter: dict[str, Any] = {
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
        f"mailbox-letter-{part}": ("mailbox_letter", {"letter": {**letter, "answer_url": url}, "part": part})
        for part, url in answers.items()
    }


def _answers() -> dict[str, Sample]:
    waits = {
        "heading": "Your answer is on its way",
        "outcome": "A worker will read it in a moment.",
        "letters": [],
        "waits": True,
    }
    read = {
        "heading": "Your answer was read",
        "outcome": "You played Q♠ in hand 2.",
        "letters": [(4, "Your turn: trick 6, you lead", "18:00:07", "turn")],
        "waits": False,
    }
    return {
        "mailbox-answer-waits": ("mailbox_answer", {"address": "ann@example.org", **waits}),
        "mailbox-answer": ("mailbox_answer", {"address": "ann@example.org", **read}),
    }
