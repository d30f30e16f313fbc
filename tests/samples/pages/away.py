"""The page "Away" in its states, and the page that hands a seat to a robot for good."""

from dataclasses import replace

from tests.samples.cast import NASTY
from tests.samples.links import TABLE_LINK
from tests.samples.rendering import PageSample
from webapp.core.say import say
from webapp.forms.preferences import AwayForm, away_form
from webapp.pages.away import DONE, NO_TABLE, AwayLine, AwayPage
from webapp.presentation.summary import NOT_BEGUN

OFFERED = "The host has offered your seat to Eve, so no friend can play here."
ANNS = AwayLine(1, "Ann's table", TABLE_LINK, "", is_offered=True, note="")
BOS = AwayLine(2, "Bo's table", TABLE_LINK, "", is_offered=True, note=OFFERED)
CYS = AwayLine(3, "Cy's table", TABLE_LINK, "", is_offered=True, note=say(NOT_BEGUN))
DIS = AwayLine(4, "Di's table", TABLE_LINK, "Eve plays for you until you are back.", is_offered=False, note="")
AWAY = AwayPage(
    lines=[ANNS],
    chosen=["1", "2", "3"],
    form=away_form(),
    soonest="2026-03-02",
    latest="2027-03-02",
    action="/preferences/x/away",
    is_fresh=False,
)


def pages() -> dict[str, PageSample]:
    friend = AwayForm({"answer": "friend", "until": "2026-03-08", "name": "Eve", "address": "eve at home"})
    friend.errors["address"] = "This is not an email address that we can write to."
    nothing = AwayForm({"answer": "money", "until": "2026-02-30"})
    nothing.errors |= {"answer": "Choose a robot or a friend."}
    nothing.errors |= {"until": "Choose a day from the calendar.", "tables": say(NO_TABLE)}
    until = "until the end of"
    waits = replace(ANNS, absence=f"The table waits for you {until} Wed 4 March.")
    robot = replace(BOS, absence=f"A robot plays for you {until} Sun 8 March.")
    nasty = replace(ANNS, number=5, name=f"{NASTY[0]}'s table", absence=f"{NASTY[1]} plays for you until you are back.")
    asked = replace(AWAY, form=AwayForm({"answer": "friend"}), lines=[ANNS, BOS])
    return {
        "away": replace(AWAY, lines=[ANNS, BOS, CYS]),
        "away-one-table": AWAY,
        "away-none": replace(AWAY, lines=[]),
        "away-friend": asked,
        "away-friend-wrong": replace(asked, is_fresh=True, form=friend),
        "away-wrong": replace(asked, form=nothing, chosen=[]),
        "away-now": replace(AWAY, lines=[waits, robot, CYS, DIS], done=DONE["away"], is_fresh=True),
        "away-lent": replace(AWAY, lines=[DIS]),
        "away-nasty": replace(AWAY, lines=[nasty, ANNS]),
    }
