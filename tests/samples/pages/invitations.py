"""Invitations to a table, to a game that is being played, and to live play; and what we say to the answers."""

from dataclasses import replace

from tests.samples.cast import NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import TABLE_LINK
from tests.samples.rendering import PageSample
from tests.samples.shuffles import NASTY_SHUFFLE, shuffle
from tests.samples.tables import WEEK, WORDS, live_summary, summary
from webapp.pages.invitations import InvitationAnswered, InvitationPage

INVITED = summary(CLASSIC, states=("host", "invited", "declined", "robot"))  # a table that waits for answers
COUPLE = replace(INVITED, shares="Ann and Bo share a mailbox.")
FRIENDS = replace(INVITED, words=WORDS, **WEEK)
ASKING = InvitationPage(
    table=INVITED,
    host_name="Ann",
    your_name="Bo",
    invited_as="Bo",
    company="You play with Ann, Cy and Pip (robot).",
    time_zone="UTC",
    shuffle=shuffle(),
)
LINKED = "A name can't look like a web address, an email address or a phone number. Leave a space after a dot."


def pages() -> dict[str, PageSample]:
    return {**_invitations(), **_answers()}


def _invitations() -> dict[str, PageSample]:
    crowd = replace(summary(CLASSIC, NASTY), words=NASTY[2])
    nasty = replace(
        ASKING,
        table=crowd,
        host_name=NASTY[0],
        invited_as=NASTY[1],
        company=crowd.company_of(1),
        error="Enter a name.",
        your_name="",
        shuffle=NASTY_SHUFFLE,
    )
    return {
        "invitation": replace(ASKING, table=FRIENDS),
        "invitation-without-words": ASKING,
        "invitation-one-mailbox": replace(ASKING, table=COUPLE, company=COUPLE.company_of(3)),
        "invitation-nasty": nasty,
        "invitation-name": replace(ASKING, your_name="bo.com", name_error=LINKED),
        "invitation-offer": replace(ASKING, table=summary(CLASSIC), your_name="Eve", is_played=True),
        "invitation-live": replace(ASKING, your_name="Eve", table=live_summary()),
    }


def _answers() -> dict[str, PageSample]:
    accepted = InvitationAnswered(answer="accept", table=INVITED, table_link=TABLE_LINK, shuffle=shuffle())
    return {
        "invitation-accepted": accepted,
        "invitation-declined": InvitationAnswered(answer="decline", table=INVITED),
        "invitation-taken": replace(accepted, table=summary(CLASSIC), play_link="/play/x"),
        "invitation-live-taken": replace(accepted, table=live_summary(), enter_action="/invitation/x"),
    }
