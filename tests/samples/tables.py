"""Tables as their players and strangers see them, and the talk there."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from hearts.rules import Rules
from tests.samples.cast import CAST, NOW
from tests.samples.games import CLASSIC
from tests.samples.links import RULES_LINK
from webapp.presentation.clock_text import why_at_once
from webapp.presentation.happened import TalkLine
from webapp.presentation.phrasing import talk_timestamp
from webapp.presentation.summary import BY_LINK, SeatLine, table_summary
from webapp.results.result import LastGame
from webapp.tables.lobby import OpenTable
from webapp.tables.messenger import LinkedTable

WEEK = {"how_long": "The game takes about a week, two minutes a day.", "at_once": why_at_once(4)}
WORDS = "Like in the old days at the lake: four hands, no excuses, and the loser bakes. Will you come?"


def summary(rules: Rules, names: tuple[str, ...] = CAST, states: tuple[str, ...] = ()) -> Any:
    states = (*states, *("host", "accepted", "accepted", "robot")[len(states) :], *("accepted",) * len(names))
    seats = [SeatLine(name, state) for name, state in zip(names, states, strict=False)]
    return table_summary("Ann's table", rules, seats, timedelta(days=1), timedelta(hours=12), RULES_LINK)


def live_summary() -> Any:
    seats = [SeatLine(name, state) for name, state in zip(CAST, ("host", "invited", "accepted", "robot"), strict=True)]
    return table_summary("Ann's table", CLASSIC, seats, timedelta(minutes=1), timedelta(seconds=30), RULES_LINK)


def linked_table(names: tuple[str, ...] = CAST, words: str = "") -> LinkedTable:
    """A table with a free seat, as somebody sees it who has its host's link; the first of `names` is the host's."""
    seen = replace(summary(CLASSIC, names, ("host", "accepted", "robot", BY_LINK)), words=words, **WEEK)
    company = f"{names[0]}, {names[1]} and {names[2]} (robot) sit there. One seat is free."
    return LinkedTable(7, names[0], f"{names[0]}'s table", company, seen)


def open_table(names: tuple[str, ...], host_name: str) -> OpenTable:
    """A table with two open seats, as strangers see it; the first of `names` is the host's."""
    seen = summary(CLASSIC, (names[0], "Player 2", "Open seat", "Open seat"), ("host", "accepted", "open", "open"))
    diligence = f"{host_name} has played 12 games, and was late for 3 turns. Rating: 1540, settled."
    return OpenTable(7, "7F3K", host_name, seen, is_live=False, is_open=True, host_diligence=diligence)


def talk(*texts: str, names: tuple[str, ...] = CAST, now: datetime | None = NOW) -> tuple[TalkLine, ...]:
    """Lines of talk, a minute apart; the first is the reader's own, at `now` (None: an email)."""
    times = [NOW - timedelta(minutes=len(texts) - number) for number in range(len(texts))]
    return tuple(
        TalkLine(names[number % len(names)], text, talk_timestamp(at, "Europe/Berlin", now), number == 0)
        for number, (text, at) in enumerate(zip(texts, times, strict=True))
    )


def last_game(names: tuple[str, ...]) -> LastGame:
    """The game before another one, with a quote of the second player's."""
    totals = f"{names[1]} 54, {names[0]} 71, {names[2]} 80 and {names[3]} 102"
    (quote,) = talk("", "That queen will be talked about for years", names=names, now=None)[1:]
    return LastGame(
        f"{names[1]} wins with 54 points, after 9 hands.",
        totals,
        f"{names[0]} leads the table 4\u00a0:\u00a02\u00a0:\u00a01\u00a0:\u00a01.",
        quote,
    )
