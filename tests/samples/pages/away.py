"""The page "Away" in its states, and the page that hands a seat to a robot for good."""

from typing import Any

from tests.samples.cast import NASTY
from tests.samples.links import TABLE_LINK
from tests.samples.rendering import Sample
from webapp.forms.away import AwayForm, away_form
from webapp.pages.away import DONE, NO_TABLE, AwayLine
from webapp.presentation.away_text import NO_SPARE_DAYS, NOT_BEGUN

SPARE = "You have five spare days here: the table can wait until the end of Sat 7 March."
ANNS = AwayLine(1, "Ann's table", TABLE_LINK, "", SPARE)
BOS = AwayLine(2, "Bo's table", TABLE_LINK, "", NO_SPARE_DAYS)
CYS = AwayLine(3, "Cy's table", TABLE_LINK, "", NOT_BEGUN)
DIS = AwayLine(4, "Di's table", TABLE_LINK, "Eve plays for you until you are back.", "")
FRAME: dict[str, Any] = {
    "lines": [ANNS],
    "chosen": ["1", "2", "3"],
    "form": away_form(),
    "soonest": "2026-03-02",
    "latest": "2027-03-02",
    "holidays": [],
    "action": "/preferences/x/away",
    "is_fresh": False,
    "done": None,
    "error": None,
}


def pages() -> dict[str, Sample]:
    friend = AwayForm({"answer": "friend", "until": "2026-03-08", "name": "Eve", "address": "eve at home"})
    friend.errors["address"] = "This is not an email address that we can write to."
    nothing = AwayForm({"answer": "money", "until": "2026-02-30"})
    nothing.errors |= {"answer": "Choose a robot, a friend, or that the table waits."}
    nothing.errors |= {"until": "Choose a day from the calendar.", "tables": NO_TABLE}
    waits = AwayLine(1, "Ann's table", TABLE_LINK, "The table waits for you until the end of Wed 4 March.", SPARE)
    robot = AwayLine(2, "Bo's table", TABLE_LINK, "A robot plays for you until the end of Sun 8 March.", NO_SPARE_DAYS)
    nasty = AwayLine(5, f"{NASTY[0]}'s table", TABLE_LINK, f"{NASTY[1]} plays for you until you are back.", SPARE)
    asked = {"form": AwayForm({"answer": "friend"}), "lines": [ANNS, BOS]}
    away = {"lines": [waits, robot, CYS, DIS], "done": DONE["away"]}
    return {
        "away": ("away", {**FRAME, "lines": [ANNS, BOS, CYS]}),
        "away-one-table": ("away", FRAME),
        "away-none": ("away", {**FRAME, "lines": []}),
        "away-friend": ("away", {**FRAME, **asked}),
        "away-friend-wrong": ("away", {**FRAME, **asked, "is_fresh": True, "form": friend}),
        "away-wrong": ("away", {**FRAME, "lines": [ANNS, BOS], "form": nothing, "chosen": []}),
        "away-now": ("away", {**FRAME, **away, "is_fresh": True}),
        "away-lent": ("away", {**FRAME, "lines": [DIS]}),
        "away-holidays": ("away", {**FRAME, "holidays": [("2026-12-24", "Thu 24 December to Wed 6 January 2027")]}),
        "away-nasty": ("away", {**FRAME, "lines": [nasty, ANNS]}),
        **{f"leave-{name}": ("leave", {"table_name": "Ann's table", **state}) for name, state in LEAVING.items()},
    }


LEAVING = {
    "ask": {"is_theirs": True, "may_leave": True},
    "nothing": {"is_theirs": True, "may_leave": False},
    "left": {"is_theirs": False, "may_leave": False},
}
