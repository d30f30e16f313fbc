"""The question of a turn: a card, a pass, the moon; its reminder, and the news of a vacation day that it took."""

from dataclasses import replace
from typing import Any

from hearts.cards import parse_code
from hearts.rules import Rules
from tests.samples.games import moon_game
from tests.samples.links import LINK
from tests.samples.mails.frames import IN_GAME, frame_of
from tests.samples.rendering import MailSample
from tests.samples.sheets import pass_sheets, sheet_of, sheets
from webapp.presentation.house_rules import goal_text
from webapp.presentation.turn_text import points_sentence
from worker.mails.question import Asked, QuestionMail
from worker.mails.reminder import ReminderMail
from worker.mails.vacation import VacationMail

ON_VACATION = {"left": "You have two spare days left in this game."}


def mails() -> dict[str, MailSample]:
    return {**_turns(), **_dropped(), **_passes(), **_moon(), **_deadlines()}


def question(sheet: Any) -> Asked:
    """A question; all its links are the same."""
    deadline = sheet.deadline
    return Asked(sheet=sheet, link=LINK, card_links={}, deadline=deadline, why="")


def card_question(sheet: Any) -> Asked:
    """The same with a link for each card that may be played."""
    return {**question(sheet), "card_links": {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces}}


def turn(name: str) -> QuestionMail:
    """The mail about a turn, by the name of its sheet."""
    return QuestionMail(**frame_of(name), **card_question(sheets()[name]), goal="")


def passing(name: str) -> QuestionMail:
    return QuestionMail(**frame_of(name), **question(pass_sheets()[name]), goal="")


def moon() -> QuestionMail:
    return QuestionMail(**IN_GAME, **question(sheet_of(moon_game())), goal="")


def _reminder(name: str, asked: Asked, *, is_nudge: bool = False) -> MailSample:
    return "reminder", ReminderMail(**frame_of(name), **asked, is_nudge=is_nudge)


def _vacation(name: str, asked: Asked) -> MailSample:
    return "vacation", VacationMail(**frame_of(name), **asked, **ON_VACATION)


def _turns() -> dict[str, MailSample]:
    made: dict[str, MailSample] = {}
    for name, sheet in sheets().items():
        made[f"turn-{name}"] = ("turn", turn(name))
        made[f"reminder-{name}"] = _reminder(name, card_question(sheet))
        made[f"vacation-{name}"] = _vacation(name, card_question(sheet))
    return made


def _dropped() -> dict[str, MailSample]:
    """Questions to a player whose card ahead is dropped."""
    points = points_sentence(parse_code("9S"))
    barred = "You chose 9♠ before your turn, but you can't play it now."
    return {
        "turn-again": ("turn", replace(turn("following"), why=points)),
        "turn-again-forbidden": ("turn", replace(turn("void"), why=barred)),
    }


def _passes() -> dict[str, MailSample]:
    made: dict[str, MailSample] = {f"pass-{name}": ("pass", passing(name)) for name in pass_sheets()}
    more = "2 more choices wait; the page leads on to them."
    classic, seventeen = question(pass_sheets()["classic"]), question(pass_sheets()["seventeen"])
    return made | {
        "pass-first": ("pass", replace(passing("classic"), goal=goal_text(Rules()), more_waits=more)),
        "reminder-pass": _reminder("classic", classic, is_nudge=True),
        "reminder-pass-seventeen": _reminder("seventeen", seventeen),
        "vacation-pass": _vacation("classic", classic),
        "vacation-pass-seventeen": _vacation("seventeen", seventeen),
    }


def _moon() -> dict[str, MailSample]:
    asked = question(sheet_of(moon_game()))
    return {
        "moon": ("moon", moon()),
        "reminder-moon": _reminder("moon", asked),
        "vacation-moon": _vacation("moon", asked),
    }


def _deadlines() -> dict[str, MailSample]:
    """Returns samples of everything else that mails say about a deadline."""
    asked = card_question(sheets()["following"])
    deadline = asked["deadline"]
    assert deadline is not None
    spared = replace(deadline, is_spared=True)
    bank = replace(deadline, bank="As we write, you have 2 days 4 hours in your time bank.")
    return {
        "turn-spared": ("turn", replace(turn("following"), deadline=spared)),
        "reminder-spared": _reminder("following", {**asked, "deadline": spared}),
        "turn-bank": ("turn", replace(turn("following"), deadline=bank)),
    }
