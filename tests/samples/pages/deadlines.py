"""How long a player has: vacation, a bank of time, and a clock that the host has paused."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.samples.cast import CAST, NOW
from tests.samples.games import CLASSIC
from tests.samples.pages.play import ASKED, waiting
from tests.samples.pages.table import playing
from tests.samples.pages.turns import following_turn, with_last_card_chosen
from tests.samples.rendering import Sample
from tests.samples.sheets import sheets
from tests.samples.tables import summary
from webapp.forms.fields import BANKS
from webapp.pages.seats import WaitLine
from webapp.presentation.bank_text import bank_sentence
from webapp.presentation.pause_text import GO_ON, PauseLine
from webapp.presentation.present import SeatLine
from webapp.presentation.timestamps import timestamp
from webapp.presentation.waiting import awaited_text

ENDS = "Sat 2 May, 18:00 (Europe/Berlin)"
REST = (
    "Nobody is playing, so the game rests: no clock runs, and no robot plays. "
    f"Anybody at the table can let it go on. Otherwise it is over on {ENDS}."
)
PAUSED = replace(timestamp(NOW - timedelta(hours=2), NOW, "Europe/Berlin"), is_pause=True)  # since when


def pages() -> dict[str, Sample]:
    return {**_vacation(), **_bank(), **_paused(), **_resting()}


def _vacation() -> dict[str, Sample]:
    table = {**playing(CLASSIC, CAST), "table": _table_with_vacation()}
    notes = [
        "Ann is away: the table waits until the end of Wed 4 March.",
        "Bo missed a deadline: one of their spare days is used.",
    ]
    waits = {"absence": "The table waits for you until the end of Wed 4 March.", "back_action": "/seat/x/back"}
    asked = {"action": "/preferences/x/no-vacation", "preferences_link": "/preferences/x"}
    return {
        "table-vacation": ("table", {**table, "away_link": "/seat/x/away", "vacation_notes": notes}),
        "table-on-vacation": ("table", {**table, "away_link": "/seat/x/away", **waits, "vacation_notes": ()}),
        "play-vacation": ("play", {**waiting(), "vacation_notes": notes}),
        "no-vacation": ("no_spare_days", asked),
    }


def _table_with_vacation() -> Any:
    table = summary(CLASSIC)
    spent = SeatLine("Bo", "accepted", vacation="two spare days left")
    seats = (*table.seats[:1], spent, *table.seats[2:])
    return replace(table, vacation="Each player has three spare days a game.", seats=seats)


def _bank() -> dict[str, Sample]:
    table = replace(summary(CLASSIC), bank=bank_sentence(BANKS["usual"]))
    yours = "You have 3 days 12 hours in your time bank."
    left, waits = [yours, "Ann has 2 days 4 hours left."], [yours, "Di has 2 days 4 hours left."]
    turn = with_last_card_chosen(sheets()["following"])
    return {
        "table-bank": ("table", {**playing(CLASSIC, CAST), "table": table, "bank_notes": left}),
        "play-bank": ("play", {**waiting(), "bank_notes": waits}),
        "turn-bank": ("turn", {**turn, "bank_notes": ["Your time bank is empty."]}),
    }


def _paused() -> dict[str, Sample]:
    awaited = WaitLine(awaited_text(["Ann"], []), None)
    table = {**playing(CLASSIC, CAST), "paused": PAUSED, "host_link": "/host/x", "waiting": awaited}
    turn = {**following_turn(), "sheet": replace(sheets()["following"], deadline=PAUSED), "host_link": "/host/x"}
    return {"table-paused": ("table", table), "turn-paused": ("turn", turn)}


def _resting() -> dict[str, Sample]:
    awaited, rests = WaitLine(awaited_text(["Ann"], []), None), replace(PAUSED, is_rest=True)
    here = {"note": REST, "go_on": GO_ON, "action": "/seat/x/rest", "table_link": "/seat/x", "table": summary(CLASSIC)}
    table = {"paused": rests, "waiting": awaited, "rest": REST, "rest_action": "/seat/x/rest", "go_on": GO_ON}
    asked = {"sheet": replace(sheets()["following"], deadline=rests), "pause": PauseLine(REST, GO_ON, wanted=True)}
    return {
        "resting": ("resting", {**here, "done": None}),
        "resting-old-link": ("resting", {**here, "done": "You played the queen of clubs."}),
        "table-resting": ("table", {**playing(CLASSIC, CAST), **table}),
        "turn-resting": ("turn", {**ASKED, **asked}),
        "play-resting": ("play", {**waiting(), **asked, "sheet": replace(waiting()["sheet"], deadline=rests)}),
    }
