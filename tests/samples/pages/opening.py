"""Opening a table: the form, "How we play", and the host's confirmation."""

from dataclasses import replace

from hearts.rules import PRESETS
from tests.samples.cast import NASTY
from tests.samples.games import CLASSIC, ELEVEN, KITTY
from tests.samples.links import TABLE_LINK
from tests.samples.pages.invitations import INVITED, LINKED
from tests.samples.pages.messenger import GUESTS
from tests.samples.pages.table import PLAY_NOW
from tests.samples.rendering import PageSample
from tests.samples.shuffles import shuffle
from tests.samples.tables import summary
from webapp.core.say import say
from webapp.forms.fields import Form, live_paces, mail_paces
from webapp.forms.opening import blank_open_form
from webapp.pages.common import CheckInbox
from webapp.pages.home import HowWePlay
from webapp.pages.limits import NETWORK_TABLES, STRANGER
from webapp.pages.opening import Confirm, Confirmed, OpenTablePage, length_answers, when_answers
from webapp.presentation.faces import said
from webapp.presentation.house_rules import how_we_play, in_short
from webapp.presentation.summary import BY_LINK

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


def pages() -> dict[str, PageSample]:
    return {**_forms(), **_how_we_play(), **_confirmations()}


def _forms() -> dict[str, PageSample]:
    wrong = _form(
        seat_1_name="Seat 2: Enter a name.",
        seat_2_address="Seat 3: This is not an email address that we can write to.",
        preset="Quick is for 4 players, host included.",
        target="The game ends at a whole number of points from 10 to 500.",
    )
    blank = OpenTablePage(
        has_pages=True,
        form=blank_open_form(),
        paces=mail_paces(None),
        choices="",
        presets=[(preset.value, said(text_of.label), said(text_of.line)) for preset, text_of in PRESETS.items()],
        whens=when_answers(blank_open_form()),
        lengths=length_answers(blank_open_form()),
        live_paces=live_paces(),
    )
    return {
        "open-table": blank,
        "open-table-errors": replace(blank, form=wrong),
        "open-table-names": replace(blank, form=_form(host_name=LINKED, seat_2_name=LINKED)),
        "open-table-too-much-mail": replace(
            blank, refusal=f"{say(NETWORK_TABLES.sentence)} Please try again in 42 minutes."
        ),
    }


def _form(**errors: str) -> Form:
    """The form as it was typed, with its `errors`."""
    return Form(TYPED, errors)


def _how_we_play() -> dict[str, PageSample]:
    return {
        f"how-we-play-{rules.preset}": HowWePlay(in_short=in_short(rules), sections=how_we_play(rules))
        for rules in (CLASSIC, ELEVEN, KITTY)
    }


def _confirmations() -> dict[str, PageSample]:
    confirming = Confirm(table=INVITED, action="/confirm/x", shuffle=shuffle(""))
    refusal = f"{say(STRANGER.sentence, name=NASTY[2])} Please try again in 9 hours."
    confirmed = Confirmed(table=INVITED, action="/confirm/x", guests=None, play_now=PLAY_NOW, table_link=TABLE_LINK)
    robots = summary(CLASSIC, states=("host", "robot", "robot"))
    linked = summary(CLASSIC, ("Ann", "Bo", "Open seat", "Open seat"), ("host", "invited", BY_LINK, BY_LINK))
    looking = summary(CLASSIC, ("Ann", *["Open seat"] * 3), ("host", "open", "open", "open"))
    return {
        "opened": CheckInbox(about="table", address="ann@example.org"),
        "confirm": confirming,
        "confirm-robots": replace(confirming, table=robots, action=""),
        "confirm-open": replace(confirming, table=looking),
        "confirm-too-much-mail": replace(confirming, refusal=refusal),
        "confirm-link": replace(confirming, table=linked),
        "confirmed": confirmed,
        "confirmed-link": replace(confirmed, table=linked, guests=GUESTS),
    }
