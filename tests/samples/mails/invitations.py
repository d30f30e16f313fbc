"""Opening a table: the host's confirmation, invitations and their answers, and a stranger who asks for an open seat."""

from dataclasses import replace
from typing import Any

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import FOOT, LINK, RULES_LINK
from tests.samples.mails.frames import TO_DI, TO_NASTY
from tests.samples.rendering import MailSample
from tests.samples.shuffles import SEALING
from tests.samples.tables import WEEK, WORDS, last_game, open_table, summary
from webapp.core.say import LANGUAGES, tongue
from worker.mails.accounts import ConfirmMail, JoinMail
from worker.mails.seats import DeclinedMail, InvitationMail

INVITED = {**TO_DI, **SEALING, "table": summary(CLASSIC, states=("host", "invited", "invited", "robot"))}
INVITING: dict[str, Any] = {
    "host_name": "Ann",
    "link": LINK,
    "is_reminder": False,
    "is_played": False,
    "company": "You play with Ann, Cy and Pip (robot).",
}
# A seat in a game that is played.
OFFERED = replace(InvitationMail(**TO_DI, **INVITING), is_played=True, you="Cy", table_link=None)


def mails() -> dict[str, MailSample]:
    return {**_confirmations(), **_invitations(), **_declined(), **_joining()}


def _confirmations() -> dict[str, MailSample]:
    confirm = ConfirmMail(**INVITED, link=LINK)
    return {
        "confirm": ("confirm", confirm),
        "confirm-open": ("confirm", replace(confirm, table=open_table(CAST, "Ann").summary)),
    }


OTHERS = [(tongue(one), f"{LINK}?language={one}") for one in LANGUAGES[1:]]
COUPLE = "Bo and Cy share a mailbox."


def _invitations() -> dict[str, MailSample]:
    inviting = InvitationMail(**INVITED, **INVITING)
    friends = replace(INVITED["table"], words=WORDS, **WEEK)
    crowd = replace(TO_NASTY["table"], words=NASTY[2])
    nasty = replace(InvitationMail(**TO_NASTY, **INVITING, **SEALING), table=crowd, host_name=NASTY[0])
    again = replace(inviting, who_again="Ann and Cy want to play again", last=last_game(CAST))
    return {
        "invitation": ("invitation", replace(inviting, table=friends)),
        "invitation-in-many-languages": ("invitation", replace(inviting, languages=OTHERS)),
        "invitation-without-words": ("invitation", inviting),
        "invitation-one-mailbox": ("invitation", replace(inviting, company=f"{inviting.company} {COUPLE}")),
        "invitation-reminder": ("invitation", replace(inviting, is_reminder=True)),
        "invitation-again": ("invitation", replace(again, table=friends)),
        "invitation-again-nasty": ("invitation", replace(nasty, who_again=NASTY[0], last=last_game(NASTY))),
        "invitation-nasty": ("invitation", nasty),
        "invitation-offer": ("invitation", OFFERED),
        "invitation-offer-reminder": ("invitation", replace(OFFERED, is_reminder=True)),
    }


def _declined() -> dict[str, MailSample]:
    told = {name: value for name, value in INVITED.items() if name not in SEALING}
    by_bo = DeclinedMail(**told, who="Bo", may_fill_seat=True, is_played=False, is_stand_in=False)
    return {
        "declined": ("declined", by_bo),
        "declined-offer": ("declined", replace(by_bo, is_played=True)),
        "declined-by-host": ("declined", replace(by_bo, who="Ann", may_fill_seat=False)),
    }


def _joining() -> dict[str, MailSample]:
    return {
        "join": ("join", _join("Ann")),
        "join-link": ("join", replace(_join("Ann"), is_by_link=True)),
        "join-nasty": ("join", replace(_join(NASTY[0]), you=NASTY[0])),
    }


def _join(host_name: str) -> JoinMail:
    """To somebody who asked for an open seat. We know only what they typed."""
    return JoinMail(
        **{**FOOT, "unsubscribe_link": None},
        you="Eve",
        host_name=host_name,
        table=open_table((host_name, *CAST[1:]), host_name).summary,
        rules_link=RULES_LINK,
        link=LINK,
        is_by_link=False,
        **SEALING,
    )
