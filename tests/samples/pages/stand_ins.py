"""A friend who plays for a player who is away, from the invitation until the seat returns."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import TABLE_LINK
from tests.samples.pages.invitations import ASKING
from tests.samples.pages.table import playing
from tests.samples.rendering import PageSample
from tests.samples.tables import summary
from webapp.pages.away import StandInOver, StandInPage
from webapp.pages.invitations import InvitationAnswered
from webapp.pages.ways_in import OldLinkPage
from webapp.presentation.summary import SeatLine

LENT = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:3], SeatLine("Eve (Di)", "accepted", owner="Di")))


ASKED = "A robot plays for you until Eve says yes: you have asked them to play for you."


def pages() -> dict[str, PageSample]:
    return {**_invitations(), **_lent(), **_returned()}


def _invitations() -> dict[str, PageSample]:
    asked = replace(ASKING, table=LENT, your_name="Eve", stand_in_for="Di", is_played=True)
    accepted = InvitationAnswered(
        answer="accept", table=LENT, table_link=TABLE_LINK, play_link="/play/x", plays_for="Di"
    )
    return {
        "invitation-stand-in": asked,
        "invitation-stand-in-nasty": replace(asked, stand_in_for=NASTY[0], your_name=NASTY[1]),
        "invitation-stand-in-accepted": accepted,
        "invitation-stand-in-declined": InvitationAnswered(answer="decline", table=LENT, asker="Di"),
    }


def _lent() -> dict[str, PageSample]:
    table = replace(playing(CLASSIC, (*CAST[:3], "Eve (Di)")), table=LENT)
    back = StandInPage(stand_in="Eve", table_name="Ann's table", back_action="/seat/x/back")
    return {
        "table-stand-in": replace(table, plays_for="Di"),
        "table-stand-in-asked": replace(table, absence=ASKED),
        "stand-in": back,
        "stand-in-nasty": replace(back, stand_in=NASTY[0]),
    }


def _returned() -> dict[str, PageSample]:
    sentences = ["The game is over, and the seat is Di's again.", "Thank you for playing."]
    return {
        "stand-in-over": StandInOver(owner="Di", table_name="Ann's table"),
        "turn-over-stand-in": OldLinkPage(heading="You played 7♦", sentences=sentences),
    }
