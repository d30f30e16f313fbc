"""A seat that is offered to somebody else while its player plays on, for all concerned."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.pages.table import playing
from tests.samples.pages.turns import turn
from tests.samples.rendering import PageSample
from tests.samples.tables import summary
from webapp.pages.invitations import InvitationJoining
from webapp.pages.requests import Problem
from webapp.pages.ways_in import OldLinkPage
from webapp.presentation.summary import SeatLine
from webapp.tables.offers import Offer

ASKED = Offer("Eve", "Ann", is_accepted=False)
NASTY_OFFER = Offer(NASTY[2], NASTY[0], is_accepted=False)
OFFERS = {"asked": ASKED, "accepted": replace(ASKED, is_accepted=True), "nasty": NASTY_OFFER}


def pages() -> dict[str, PageSample]:
    return {**_offered(), **_joining(), **_handed_on()}


def _offered() -> dict[str, PageSample]:
    """The seat's player plays on."""
    return {f"turn-offered-{step}": replace(turn(), play_link="/play/x", offer=offer) for step, offer in OFFERS.items()}


def _joining() -> dict[str, PageSample]:
    """The newcomer waits for the next hand."""
    passing_on = SeatLine("Cy", "accepted", joins="Eve"), SeatLine("Di", "robot", joins="Emil")
    joined = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:2], *passing_on))
    return {
        "table-joining": replace(playing(CLASSIC, CAST), table=joined, offer=OFFERS["accepted"]),
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
