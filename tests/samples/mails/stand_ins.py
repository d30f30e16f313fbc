"""A friend who plays for a player who is away, from the invitation until the seat returns."""

from dataclasses import replace

from tests.samples.cast import NASTY
from tests.samples.links import NEW_TABLE_LINK
from tests.samples.mails.frames import TO_DI, TO_NASTY
from tests.samples.mails.invitations import OFFERED
from tests.samples.rendering import MailSample
from worker.mails.seats import DeclinedMail, ReplacedMail


def mails() -> dict[str, MailSample]:
    asked = replace(OFFERED, you="Eve", stand_in_for="Di")
    declined = {"may_fill_seat": False, "is_played": True, "is_stand_in": True}
    words = {"new_occupant": "Eve (Di)", "new_table_link": NEW_TABLE_LINK, "host_name": "Ann", "why": "lent"}
    lent = ReplacedMail(**TO_DI, **words, who="Eve")
    ended = replace(lent, you="Eve", who="Di", table_link=None)
    return {
        "invitation-stand-in": ("invitation", asked),
        "invitation-stand-in-reminder": ("invitation", replace(asked, is_reminder=True)),
        "invitation-stand-in-nasty": ("invitation", replace(asked, you=NASTY[1], stand_in_for=NASTY[0])),
        "declined-stand-in": ("declined", DeclinedMail(**TO_DI, **declined, who="Eve")),
        "declined-stand-in-nasty": ("declined", DeclinedMail(**TO_NASTY, **declined, who=NASTY[1])),
        "replaced-lent": ("replaced", lent),
        "replaced-lent-nasty": ("replaced", ReplacedMail(**TO_NASTY, **words, who=NASTY[1])),
        **{f"replaced-{why}": ("replaced", replace(ended, why=why)) for why in ("owner_back", "missed", "over")},
    }
