"""A seat that is offered to somebody else while its player plays on, for all concerned."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import TABLE_LINK
from tests.samples.pages.table import playing
from tests.samples.pages.turns import turn
from tests.samples.rendering import PageSample
from tests.samples.tables import summary
from webapp.pages.invitations import InvitationJoining
from webapp.pages.offers import HandOver, OfferNote
from webapp.pages.problems import Problem
from webapp.pages.ways_in import OldLinkPage
from webapp.presentation.summary import SeatLine
from webapp.tables.offers import Offer

ASKED = Offer("Eve", "Ann", is_accepted=False, is_released=False)
OFFERS = {"asked": ASKED, "accepted": replace(ASKED, is_accepted=True), "released": replace(ASKED, is_released=True)}


def pages() -> dict[str, PageSample]:
    return {**_handing_over(), **_joining(), **_handed_on()}


def _handing_over() -> dict[str, PageSample]:
    """The player of the seat is asked to hand it over."""
    asked = HandOver(step="asked", table_name="Ann's table", newcomer="Eve", offer=ASKED, table_link=TABLE_LINK)
    made: dict[str, PageSample] = {
        "hand-over-over": replace(asked, offer=None, step="over"),
        "hand-over-done": replace(asked, offer=None, step="done", table_link=None),
        "hand-over-wrong": replace(asked, error="Please use the buttons on this page."),
        "hand-over-nasty": replace(asked, newcomer=NASTY[2], offer=replace(ASKED, newcomer=NASTY[2], host=NASTY[0])),
    }
    for step, offer in OFFERS.items():
        note = OfferNote(offer, "/hand-over/x")
        made[f"hand-over-{step}"] = replace(asked, step=step, offer=offer)
        made[f"turn-offered-{step}"] = replace(turn(), play_link="/play/x", offer_note=note)
    return made


def _joining() -> dict[str, PageSample]:
    """The newcomer waits for the next hand."""
    passing_on = SeatLine("Cy", "accepted", joins="Eve"), SeatLine("Di", "robot", joins="Emil")
    joined = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:2], *passing_on))
    note = OfferNote(OFFERS["accepted"], "")
    return {
        "table-joining": replace(playing(CLASSIC, CAST), table=joined, offer_note=note),
        "invitation-joining": InvitationJoining(name="Eve", plays_on=None, host_name="Ann", table=joined),
    }


def _handed_on() -> dict[str, PageSample]:
    """The pages of a former player, whose seat somebody else has."""
    lost = "Ann, who hosts the table, has given it to somebody else. The links in earlier emails no longer work."
    passed_on = "Ann, who hosts the table, has given your seat to Eve from the next one on."
    sentences = [f"The hand is over. {passed_on}", "Thank you for playing."]
    return {
        "problem-seat-lost": Problem(
            status=403, heading="Somebody else has your seat now", sentence=lost, may_be_cut=False
        ),
        "turn-over-handed-on": OldLinkPage(heading="You played 7♦", sentences=sentences),
    }
