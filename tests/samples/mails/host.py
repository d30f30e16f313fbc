"""Mails about a host's changes: a seat that somebody else gets, and a game that ends early."""

from dataclasses import replace
from typing import Any

from tests.samples.cast import CAST, CROWD, NASTY
from tests.samples.games import CLASSIC, ELEVEN, finished_game
from tests.samples.links import LINK, NEW_TABLE_LINK
from tests.samples.mails.frames import TO_DI, TO_NASTY, frame_of
from tests.samples.proposals import END, LIVE, NASTY_ROBOT, PACE, ROBOT
from tests.samples.rendering import MailSample
from tests.samples.tables import summary
from webapp.outbox import about_tables
from webapp.outbox.about_tables import OfferOver, SeatNews
from webapp.presentation.phrasing import listed
from webapp.presentation.scoresheet import score_sheet
from webapp.tables.offers import Offer
from worker.mails.seats import OfferedMail, OfferOverMail, ReplacedMail, SeatsMail
from worker.mails.sheets import EndedMail, ProposedMail, RestingMail


def mails() -> dict[str, MailSample]:
    return {**_replaced(), **_offered(), **_ended(), **_seats(), **_resting(), **_proposed()}


def _replaced() -> dict[str, MailSample]:
    lost = ReplacedMail(
        **TO_DI, host_name="Ann", new_table_link=NEW_TABLE_LINK, why=None, who="Ann", new_occupant="Eve"
    )
    lost = replace(lost, table_link=None)
    over = OfferOverMail(**TO_DI, host_name="Ann", new_table_link=NEW_TABLE_LINK, why=None)
    over = replace(over, you="Eve", table_link=None)
    nasty = {"you": NASTY[0], "table": TO_NASTY["table"], "host_name": NASTY[1]}
    return {
        "replaced": ("replaced", lost),
        "replaced-robot": ("replaced", replace(lost, new_occupant="a robot, Pip")),
        "replaced-refused": ("replaced", replace(lost, new_occupant="Open seat", why="refused")),
        "replaced-nasty": ("replaced", replace(lost, new_occupant=NASTY[2], **nasty)),
        **{f"offer-over-{why}": ("offer_over", replace(over, why=why.value)) for why in OfferOver},
        "offer-over-nasty": ("offer_over", replace(over, why="withdrawn", **nasty)),
    }


def _offered() -> dict[str, MailSample]:
    asked = Offer("Eve", "Ann", is_accepted=False)
    nasty = replace(asked, newcomer=NASTY[2], host=NASTY[1])
    return {
        "offered": ("offered", OfferedMail(**TO_DI, offer=asked)),
        "offered-accepted": ("offered", OfferedMail(**TO_DI, offer=replace(asked, is_accepted=True))),
        "offered-nasty": ("offered", OfferedMail(**TO_NASTY, offer=nasty)),
    }


def _ended() -> dict[str, MailSample]:
    early = score_sheet(CLASSIC, CAST, finished_game(CLASSIC).scores[:2], is_ended=True)
    crowd = score_sheet(ELEVEN, CROWD, finished_game(ELEVEN).scores[:3], is_ended=True)
    none = score_sheet(CLASSIC, NASTY, (), is_ended=True)
    ended = EndedMail(**TO_DI, host_name="Ann", score=early, why=None)
    nasty = EndedMail(**frame_of("nasty"), host_name=NASTY[1], score=none, why=None)
    return {
        "ended": ("ended", ended),
        "ended-by-operator": ("ended", replace(ended, why=about_tables.BY_OPERATOR)),
        "ended-proposed": ("ended", replace(ended, why=about_tables.PROPOSED)),
        "ended-rested": ("ended", replace(ended, why=about_tables.RESTED)),
        "ended-nasty": ("ended", nasty),
        "ended-eleven": ("ended", replace(ended, table=summary(ELEVEN, CROWD), score=crowd)),
    }


def _seats() -> dict[str, MailSample]:
    to_ann = {**TO_DI, "you": "Ann"}
    returned = SeatsMail(**to_ann, **_news(SeatNews.RETURNED, "Eve"))
    return {
        "seats-returned": ("seats", SeatsMail(**to_ann, **_news(SeatNews.RETURNED, "Bo"))),
        "seats-returned-played": ("seats", replace(returned, is_played=True)),
        "seats-unanswered": ("seats", SeatsMail(**to_ann, **_news(SeatNews.UNANSWERED, "Bo", "Cy"))),
        "seats-unanswered-one": ("seats", SeatsMail(**to_ann, **_news(SeatNews.UNANSWERED, "Bo"))),
        "seats-all-here": ("seats", SeatsMail(**to_ann, **_news(SeatNews.ALL_HERE, "Bo", "Cy"))),
        "seats-nasty": ("seats", SeatsMail(**TO_NASTY, **_news(SeatNews.UNANSWERED, *NASTY[1:]))),
    }


def _news(why: SeatNews, *who: str) -> dict[str, Any]:
    deal = "https://hearts.example/confirm/WzEsNywxXQ.aZxY81.x9Wc8vB7nM6qL5kJ4h"
    return {"why": why.value, "who": list(who), "listed": listed(who), "is_played": False, "deal_link": deal}


def _resting() -> dict[str, MailSample]:
    resting = {"link": f"{LINK}/rest", "ends": "Sat 2 May, 18:00 (Berlin time)"}
    return {
        "resting": ("resting", RestingMail(**TO_DI, **resting)),
        "resting-nasty": ("resting", RestingMail(**TO_NASTY, **resting)),
    }


def _proposed() -> dict[str, MailSample]:
    lines = {"pace": PACE, "live": LIVE, "end": END, "robot": ROBOT}
    mails = {name: ProposedMail(**TO_DI, line=line, link=f"{LINK}#proposed") for name, line in lines.items()}
    nasty = ProposedMail(**TO_NASTY, line=NASTY_ROBOT, link=f"{LINK}#proposed")
    return {f"proposed-{name}": ("proposed", mail) for name, mail in {**mails, "nasty": nasty}.items()}
