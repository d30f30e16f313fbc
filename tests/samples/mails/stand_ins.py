"""A friend who plays for a player who is away, from the invitation until the seat returns."""

from tests.samples.cast import NASTY
from tests.samples.links import NEW_TABLE_LINK
from tests.samples.mails.frames import TO_DI, TO_NASTY
from tests.samples.mails.invitations import OFFERED
from tests.samples.rendering import Sample


def mails() -> dict[str, Sample]:
    asked = {**OFFERED, "you": "Eve", "stand_in_for": "Di"}
    declined = {"who": "Eve", "may_fill_seat": False, "is_played": True, "is_stand_in": True}
    words = {"new_occupant": "Eve for Di", "new_table_link": NEW_TABLE_LINK, "host_name": "Ann"}
    ended = {**TO_DI, **words, "you": "Eve", "who": "Di", "table_link": None}
    return {
        "invitation-stand-in": ("invitation", asked),
        "invitation-stand-in-reminder": ("invitation", {**asked, "is_reminder": True}),
        "invitation-stand-in-nasty": ("invitation", {**asked, "you": NASTY[1], "stand_in_for": NASTY[0]}),
        "declined-stand-in": ("declined", {**TO_DI, **declined}),
        "declined-stand-in-nasty": ("declined", {**TO_NASTY, **declined, "who": NASTY[1]}),
        "replaced-lent": ("replaced", {**TO_DI, **words, "why": "lent", "who": "Eve"}),
        "replaced-lent-nasty": ("replaced", {**TO_NASTY, **words, "why": "lent", "who": NASTY[1]}),
        **{f"replaced-{why}": ("replaced", {**ended, "why": why}) for why in ("owner_back", "missed", "over")},
    }
