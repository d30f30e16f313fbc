"""A seat that is offered to somebody else while its player plays on, for all concerned."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import TABLE_LINK
from tests.samples.pages.table import playing
from tests.samples.pages.turns import PLAYED, following_turn
from tests.samples.rendering import Sample
from tests.samples.tables import summary
from webapp.pages.offers import OfferNote
from webapp.presentation.present import SeatLine
from webapp.tables.offers import Offer

ASKED = Offer("Eve", "Ann", is_accepted=False, is_released=False)
OFFERS = {"asked": ASKED, "accepted": replace(ASKED, is_accepted=True), "released": replace(ASKED, is_released=True)}


def pages() -> dict[str, Sample]:
    return {**_handing_over(), **_joining(), **_handed_on()}


def _handing_over() -> dict[str, Sample]:
    """The player of the seat is asked to hand it over."""
    frame = {"table_name": "Ann's table", "newcomer": "Eve", "table_link": TABLE_LINK, "error": None}
    gone = {**frame, "offer": None}
    wrong = {"step": "asked", "offer": ASKED, "error": "Please use the buttons on this page."}
    nasty = {"newcomer": NASTY[2], "step": "asked", "offer": replace(ASKED, newcomer=NASTY[2], host=NASTY[0])}
    turn = {**following_turn(), "play_link": "/play/x"}
    made: dict[str, Sample] = {
        "hand-over-over": ("hand_over", {**gone, "step": "over"}),
        "hand-over-done": ("hand_over", {**gone, "step": "done", "table_link": None}),
        "hand-over-wrong": ("hand_over", {**frame, **wrong}),
        "hand-over-nasty": ("hand_over", {**frame, **nasty}),
    }
    for step, offer in OFFERS.items():
        made[f"hand-over-{step}"] = ("hand_over", {**frame, "step": step, "offer": offer})
        made[f"turn-offered-{step}"] = ("turn", {**turn, "offer_note": OfferNote(offer, "/hand-over/x")})
    return made


def _joining() -> dict[str, Sample]:
    """The newcomer waits for the next hand."""
    passing_on = SeatLine("Cy", "accepted", joins="Eve"), SeatLine("Di", "robot", joins="Emil")
    joined = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:2], *passing_on))
    note = OfferNote(OFFERS["accepted"], "")
    joining = {"name": "Eve", "plays_on": None, "host_name": "Ann", "table": joined}
    return {
        "table-joining": ("table", {**playing(CLASSIC, CAST), "table": joined, "offer_note": note}),
        "invitation-joining": ("invitation_joining", joining),
    }


def _handed_on() -> dict[str, Sample]:
    """The pages of a former player, whose seat somebody else has."""
    lost = "Ann, who hosts the table, has given it to somebody else. The links in earlier emails no longer work."
    words = {"status": 403, "heading": "Somebody else has your seat now", "sentence": lost, "may_be_cut": False}
    passed_on = "Ann, who hosts the table, has given your seat to Eve from the next one on."
    sentences = [f"The hand is over. {passed_on}", "Thank you for playing."]
    return {
        "problem-seat-lost": ("problem", words),
        "turn-over-handed-on": ("play_old", {**PLAYED, "sentences": sentences, "table_link": None}),
    }
