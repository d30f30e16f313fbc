"""How long a player has: vacation, and a clock that the host has paused."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.samples.cast import CAST, NOW
from tests.samples.games import CLASSIC
from tests.samples.pages.play import asked, waiting
from tests.samples.pages.table import playing
from tests.samples.pages.turns import turn
from tests.samples.rendering import PageSample
from tests.samples.sheets import sheets
from tests.samples.tables import summary
from webapp.core.say import say
from webapp.pages.at_table import PausedPage
from webapp.pages.table import Awaited
from webapp.presentation.clock_text import GO_ON, PauseLine, had_bank_sentence
from webapp.presentation.happened import Happened
from webapp.presentation.phrasing import timestamp
from webapp.presentation.summary import SeatLine
from webapp.presentation.turn_text import awaited_text

ENDS = "Sat 2 May, 18:00 (Berlin time)"
REST = (
    "Nobody is playing, so the game rests: no clock runs, and no robot plays. "
    f"Anybody at the table can let it go on. Otherwise it is over on {ENDS}."
)
PAUSED = replace(timestamp(NOW - timedelta(hours=2), NOW, "Europe/Berlin"), is_pause=True)  # since when
AWAITED = Awaited(awaited_text(["Ann"], []), None)


def pages() -> dict[str, PageSample]:
    return {**_vacation(), **_paused(), **_resting()}


def _vacation() -> dict[str, PageSample]:
    table = replace(playing(CLASSIC, CAST), table=_table_with_vacation(), away_link="/seat/x/away")
    notes = [
        "Ann is away: the table waits until the end of Wed 4 March.",
        "Bo missed a deadline: one of their spare days is used.",
    ]
    return {
        "table-vacation": replace(table, clock_notes=notes),
        "table-had-bank": replace(table, clock_notes=[had_bank_sentence(5)]),
        "table-on-vacation": replace(table, absence="The table waits for you until the end of Wed 4 March."),
        "play-vacation": replace(waiting(), clock_notes=notes),
    }


def _table_with_vacation() -> Any:
    table = summary(CLASSIC)
    spent = SeatLine("Bo", "accepted", vacation="two spare days left")
    seats = (*table.seats[:1], spent, *table.seats[2:])
    return replace(table, seats=seats)


def _paused() -> dict[str, PageSample]:
    table = replace(playing(CLASSIC, CAST), paused=PAUSED, host_link="/host/x", waiting=AWAITED)
    sheet = replace(sheets()["following"], deadline=PAUSED)
    return {"table-paused": table, "turn-paused": replace(turn(sheet), host_link="/host/x")}


def _resting() -> dict[str, PageSample]:
    here = PausedPage(note=REST, action="/seat/x/rest", table_link="/seat/x", table=summary(CLASSIC))
    table = replace(playing(CLASSIC, CAST), paused=PAUSED, waiting=AWAITED, pause=REST)
    pause, awaited = PauseLine(REST, say(GO_ON), wanted=True), replace(waiting().sheet, deadline=PAUSED)
    return {
        "resting": here,
        "resting-old-link": replace(here, done="You played the queen of clubs."),
        "table-resting": table,
        "turn-resting": replace(
            asked(), sheet=replace(sheets()["following"], deadline=PAUSED), pause=pause, since=Happened()
        ),
        "play-resting": replace(waiting(), sheet=awaited, pause=pause),
    }
