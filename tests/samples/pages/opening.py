"""Opening a table: the form, "How we play", and the host's confirmation."""

from typing import Any

from hearts.rules import PRESETS
from tests.samples.cast import NASTY
from tests.samples.games import CLASSIC, ELEVEN, KITTY
from tests.samples.links import TABLE_LINK
from tests.samples.pages.choices import OF_A_HOST, ZONES
from tests.samples.pages.invitations import INVITED, LINKED
from tests.samples.pages.messenger import GUESTS
from tests.samples.rendering import Line, Sample, line
from tests.samples.tables import summary
from webapp.forms.opening import SEAT_PREFIXES, blank_open_form
from webapp.forms.options import GROUPS
from webapp.forms.terms import live_paces, mail_paces
from webapp.pages.limits import NETWORK_TABLES, STRANGER
from webapp.pages.opening import BYS, length_answers, when_answers
from webapp.presentation.house_rules import how_we_play, in_short
from webapp.presentation.summary import BY_LINK

FORM_FRAME: dict[str, Any] = {
    **OF_A_HOST,
    "presets": [(preset.value, text_of.label, text_of.line) for preset, text_of in PRESETS.items()],
    "time_zones": ZONES,
    "seats": SEAT_PREFIXES,
    "choices": "Classic",
    "option_groups": GROUPS,
    "bys": BYS,
    "whens": when_answers(blank_open_form()),
    "lengths": length_answers(blank_open_form()),
    "paces": mail_paces(None),
    "live_paces": live_paces(),
}
TYPED = {
    "host_name": "Ann",
    "host_address": "ann@example.org",
    "time_zone": "UTC",
    "preset": "classic",
    "by": "names",
    "when": "mail",
    "length": "round",
    "pass_time": "86400",
    "play_time": "43200",
    "live_time": "30",
    "seat_1_kind": "player",
    "seat_2_kind": "player",
    "seat_3_kind": "robot",
    "seat_4_kind": "none",
}


def pages() -> dict[str, Sample]:
    return {**_forms(), **_how_we_play(), **_confirmations()}


def _forms() -> dict[str, Sample]:
    wrong = _form(
        seat_1_name="Seat 2: Enter a name.",
        seat_2_address="Seat 3: This is not an email address that we can write to.",
        preset="Quick is for 4 players, host included.",
        target="The game ends at a whole number of points from 10 to 500.",
    )
    refused = {"refusal": f"{NETWORK_TABLES.sentence} Please try again in 42 minutes."}
    return {
        "open-table": ("open_table", {**FORM_FRAME, "form": _form()}),
        "open-table-errors": ("open_table", {**FORM_FRAME, "form": wrong}),
        "open-table-names": ("open_table", {**FORM_FRAME, "form": _form(host_name=LINKED, seat_2_name=LINKED)}),
        "open-table-too-much-mail": ("open_table", {**FORM_FRAME, "form": _form(), **refused}),
    }


def _form(**errors: str) -> Line:
    """The form as it was typed, with its `errors`; without any it is a new one, in which the host is not named yet."""
    return line(values=TYPED if errors else {**TYPED, "host_name": "", "host_address": ""}, errors=errors)


def _how_we_play() -> dict[str, Sample]:
    return {
        f"how-we-play-{rules.preset}": (
            "how_we_play",
            {"in_short": in_short(rules), "sections": how_we_play(rules)},
        )
        for rules in (CLASSIC, ELEVEN, KITTY)
    }


def _confirmations() -> dict[str, Sample]:
    confirming = {"table": INVITED, "action": "/confirm/x", "goes_on": False}
    refused = {"refusal": f"{STRANGER.sentence.format(name=NASTY[2])} Please try again in 9 hours."}
    robots = summary(CLASSIC, states=("host", "robot", "robot"))
    linked = summary(CLASSIC, ("Ann", "Bo", "Open seat", "Open seat"), ("host", "invited", BY_LINK, BY_LINK))
    looking = summary(CLASSIC, ("Ann", *["Open seat"] * 3), ("host", "open", "open", "open"))
    return {
        "opened": ("opened", {"address": "ann@example.org"}),
        "confirm": ("confirm", confirming),
        "confirm-robots": ("confirm", {**confirming, "table": robots, "action": ""}),
        "confirm-open": ("confirm", {**confirming, "table": looking}),
        "confirm-too-much-mail": ("confirm", {**confirming, **refused}),
        "confirm-link": ("confirm", {**confirming, "table": linked}),
        "confirmed": ("confirmed", {**confirming, "table_link": TABLE_LINK}),
        "confirmed-link": ("confirmed", {**confirming, "table": linked, "guests": GUESTS, "table_link": TABLE_LINK}),
    }
