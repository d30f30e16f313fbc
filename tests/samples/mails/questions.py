"""The question of a turn: a card, a pass, the moon; its reminder, and the news of a vacation day that it took."""

from dataclasses import replace
from typing import Any

from hearts.rules import Rules
from tests.samples.games import moon_game
from tests.samples.links import LINK
from tests.samples.mails.frames import TO_DI, frame_of
from tests.samples.rendering import Sample
from tests.samples.sheets import pass_sheets, sheet_of, sheets
from webapp.presentation.house_rules import goal_text

ON_VACATION = {"left": "You have two spare days left in this game.", "no_vacation_link": f"{LINK}/no-vacation"}


def mails() -> dict[str, Sample]:
    return {**_turns(), **_passes(), **_moon(), **_deadlines()}


def question(sheet: Any) -> dict[str, Any]:
    """Returns the context of a question without the frame; all its links are the same."""
    return {"sheet": sheet, "link": LINK, "card_links": {}, "deadline": sheet.deadline, "goal": "", "more_waits": ""}


def card_question(sheet: Any) -> dict[str, Any]:
    """The same with a link for each card that may be played."""
    return {**question(sheet), "card_links": {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces}}


def turn(name: str) -> dict[str, Any]:
    """The context of the mail about a turn, by the name of its sheet."""
    return {**frame_of(name), **card_question(sheets()[name]), "wait": None}


def passing(name: str) -> dict[str, Any]:
    return {**frame_of(name), **question(pass_sheets()[name]), "wait": None}


def moon() -> dict[str, Any]:
    return {**TO_DI, **question(sheet_of(moon_game()))}


def _turns() -> dict[str, Sample]:
    made: dict[str, Sample] = {}
    for name in sheets():
        made[f"turn-{name}"] = ("turn", turn(name))
        made[f"reminder-{name}"] = ("reminder", {**turn(name), "is_nudge": False})
        made[f"vacation-{name}"] = ("vacation", {**turn(name), **ON_VACATION})
    return made


def _passes() -> dict[str, Sample]:
    made: dict[str, Sample] = {f"pass-{name}": ("pass", passing(name)) for name in pass_sheets()}
    more = "2 more choices wait; the page leads on to them."
    first = {**passing("classic"), "goal": goal_text(Rules()), "more_waits": more}
    return made | {
        "pass-first": ("pass", first),
        "reminder-pass": ("reminder", {**passing("classic"), "is_nudge": True}),
        "reminder-pass-seventeen": ("reminder", {**passing("seventeen"), "is_nudge": False}),
        "vacation-pass": ("vacation", {**passing("classic"), **ON_VACATION}),
        "vacation-pass-seventeen": ("vacation", {**passing("seventeen"), **ON_VACATION}),
    }


def _moon() -> dict[str, Sample]:
    return {
        "moon": ("moon", moon()),
        "reminder-moon": ("reminder", {**moon(), "is_nudge": False}),
        "vacation-moon": ("vacation", {**moon(), **ON_VACATION}),
    }


def _deadlines() -> dict[str, Sample]:
    """Returns samples of everything else that mails say about a deadline."""
    deadline = sheets()["following"].deadline
    spared = {**turn("following"), "deadline": replace(deadline, is_spared=True)}
    bank = "As we write, you have 2 days 4 hours in your time bank."
    return {
        "turn-spared": ("turn", spared),
        "reminder-spared": ("reminder", {**spared, "is_nudge": False}),
        "turn-bank": ("turn", {**turn("following"), "deadline": replace(deadline, bank=bank)}),
    }
