"""Several turns in one email, and the news since the last."""

from dataclasses import replace
from typing import Any

from tests.samples.cast import NASTY
from tests.samples.games import moon_game
from tests.samples.links import FOOT, GAMES_LINK, RULES_LINK, TABLE_LINK
from tests.samples.mails.questions import card_question, question
from tests.samples.rendering import MailSample
from tests.samples.sheets import pass_sheets, sheet_of, sheets
from webapp.outbox.digests import Why
from worker.mails.digest import DigestMail, DigestNews
from worker.mails.question import Asked, NamedQuestion

FRAME: dict[str, Any] = {
    "you": "Di",
    "in_game": True,
    "games_link": GAMES_LINK,
    "more": 0,
    "first_hands": "",
    "why": None,
    **FOOT,
    "unsubscribe_text": "Mute all tables",
}
SUBJECT = "Ann's table and 2 more: 3 choices wait for you"
REPLY = "r-aaaaaabkvw2zj4b7lhqf6d3p@in.hearts.example"


def mails() -> dict[str, MailSample]:
    three, items = _three(), _news()
    nasty = [_asking("Ann's table", card_question(sheets()["nasty"]))]
    many = [_asking("Ann's table", question(sheets()["eleven"]))] * 12
    hands = [_asking(f"Hand {hand}", question(pass_sheets()["classic"])) for hand in range(1, 5)]
    others = "You play four hands at once."
    return {
        "digest-three": _digest(SUBJECT, three, items),
        "digest-limit": _digest(SUBJECT, three, items, why=Why.LIMIT),
        "digest-together": _digest(SUBJECT, three, [], why=Why.TOGETHER, reply_to=REPLY),
        "digest-first-hands": _digest(
            "Ann's table: your first hands",
            hands,
            [],
            why=Why.TOGETHER,
            reply_to=REPLY,
            first_hands=others,
            rules_link=RULES_LINK,
        ),
        "digest-nasty": _digest("Ann's table: 1 choice waits for you", nasty, [_item("Ann's table", NASTY[0])]),
        "digest-many": _digest(SUBJECT, many, items * 6, more=3),
        "digest-news": _digest("News from your tables", [], items),
    }


def _digest(subject: str, asked: list[NamedQuestion], news: list[DigestNews], **more: Any) -> MailSample:
    return "digest", replace(DigestMail(**FRAME, subject=subject, asked=asked, news=news), **more)


def _three() -> list[NamedQuestion]:
    return [
        _asking("Ann's table", card_question(sheets()["following"])),
        _asking("Bo's table", question(pass_sheets()["classic"])),
        _asking("Cy's table", question(sheet_of(moon_game()))),
    ]


def _asking(place: str, asked: Asked) -> NamedQuestion:
    hand = int(place.removeprefix("Hand ")) if place.startswith("Hand ") else 1
    address = REPLY if hand == 1 else None
    return {**asked, "goal": "", "place": place, "hand": hand, "is_beside": hand > 1, "answer_address": address}


def _news() -> list[DigestNews]:
    return [
        _item("Ann's table", "Hand 3 is over. Bo leads with 22 points; the lowest total wins."),
        _item("Bo's table", "The deadline was over. We played Q♠ for you."),
        _item("Cy's table", "Hand 2 is over. Cy leads with 7 points; the lowest total wins.", "Relive hand 2"),
    ]


def _item(table: str, text: str, more: str = "Score sheet") -> DigestNews:
    return DigestNews(table, text, TABLE_LINK, more)
