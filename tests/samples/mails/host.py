"""Mails about a host's changes: a seat that somebody else gets, and a game that ends early."""

from dataclasses import replace
from typing import Any

from tests.samples.cast import CAST, CROWD, NASTY
from tests.samples.games import CLASSIC, ELEVEN, finished_game
from tests.samples.links import LINK, NEW_TABLE_LINK
from tests.samples.mails.frames import TO_DI, TO_NASTY
from tests.samples.rendering import Sample
from tests.samples.tables import summary
from webapp.outbox import about_tables
from webapp.outbox.about_tables import OfferOver
from webapp.outbox.seat_news import SeatNews
from webapp.presentation.phrasing import listed
from webapp.presentation.scoresheet import score_sheet
from webapp.tables.offers import Offer

LOST: dict[str, Any] = {"table_link": None, "host_name": "Ann", "new_table_link": NEW_TABLE_LINK, "why": None}


def mails() -> dict[str, Sample]:
    return {**_replaced(), **_offered(), **_ended(), **_seats(), **_resting()}


def _replaced() -> dict[str, Sample]:
    lost = {**TO_DI, **LOST}
    nasty = {**TO_NASTY, **LOST, "host_name": NASTY[1]}
    return {
        "replaced": ("replaced", {**lost, "new_occupant": "Eve"}),
        "replaced-robot": ("replaced", {**lost, "new_occupant": "a robot, Pip"}),
        "replaced-refused": ("replaced", {**lost, "new_occupant": "Open seat", "why": "refused"}),
        "replaced-nasty": ("replaced", {**nasty, "new_occupant": NASTY[2]}),
        **{f"offer-over-{why}": ("offer_over", {**lost, "you": "Eve", "why": why.value}) for why in OfferOver},
        "offer-over-nasty": ("offer_over", {**nasty, "why": "withdrawn"}),
    }


def _offered() -> dict[str, Sample]:
    asked = Offer("Eve", "Ann", is_accepted=False, is_released=False)
    nasty = replace(asked, newcomer=NASTY[2], host=NASTY[1])
    return {
        "offered": ("offered", {**TO_DI, "link": LINK, "offer": asked}),
        "offered-accepted": ("offered", {**TO_DI, "link": LINK, "offer": replace(asked, is_accepted=True)}),
        "offered-nasty": ("offered", {**TO_NASTY, "link": LINK, "offer": nasty}),
    }


def _ended() -> dict[str, Sample]:
    early = score_sheet(CLASSIC, CAST, finished_game(CLASSIC).scores[:2], is_ended=True)
    crowd = score_sheet(ELEVEN, CROWD, finished_game(ELEVEN).scores[:3], is_ended=True)
    none = score_sheet(CLASSIC, NASTY, (), is_ended=True)
    ended = {**TO_DI, "host_name": "Ann", "score": early, "why": None}
    return {
        "ended": ("ended", ended),
        "ended-by-operator": ("ended", {**ended, "why": about_tables.BY_OPERATOR}),
        "ended-rested": ("ended", {**ended, "why": about_tables.RESTED}),
        "ended-nasty": ("ended", {**ended, **TO_NASTY, "host_name": NASTY[1], "score": none}),
        "ended-eleven": ("ended", {**ended, "table": summary(ELEVEN, CROWD), "score": crowd}),
    }


def _seats() -> dict[str, Sample]:
    to_ann = {**TO_DI, "you": "Ann"}
    return {
        "seats-returned": ("seats", {**to_ann, **_news(SeatNews.RETURNED, "Bo")}),
        "seats-returned-played": ("seats", {**to_ann, **_news(SeatNews.RETURNED, "Eve"), "is_played": True}),
        "seats-unanswered": ("seats", {**to_ann, **_news(SeatNews.UNANSWERED, "Bo", "Cy")}),
        "seats-unanswered-one": ("seats", {**to_ann, **_news(SeatNews.UNANSWERED, "Bo")}),
        "seats-all-here": ("seats", {**to_ann, **_news(SeatNews.ALL_HERE, "Bo", "Cy")}),
        "seats-nasty": ("seats", {**TO_NASTY, **_news(SeatNews.UNANSWERED, *NASTY[1:])}),
    }


def _news(why: SeatNews, *who: str) -> dict[str, Any]:
    return {"why": why.value, "who": list(who), "listed": listed(who), "is_played": False}


def _resting() -> dict[str, Sample]:
    resting = {"link": f"{LINK}/rest", "ends": "Sat 2 May, 18:00 (Europe/Berlin)"}
    return {"resting": ("resting", {**TO_DI, **resting}), "resting-nasty": ("resting", {**TO_NASTY, **resting})}
