"""The page of a table: while seats are open, while a game is played, and when it is over."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hearts.game import new_game
from hearts.rules import Rules
from hearts.seats import Seat
from tests.samples.cast import CAST, CROWD, NOW
from tests.samples.finished import score_of, scores
from tests.samples.games import CLASSIC, ELEVEN, first_game, following
from tests.samples.links import LINK, PREFERENCES_LINK, RELIVE_LINK
from tests.samples.pages.again import AGAIN
from tests.samples.pages.invitations import INVITED
from tests.samples.rendering import Sample, line
from tests.samples.sheets import sheet_of
from tests.samples.tables import summary
from webapp.outbox.delivery import TROUBLE, Delivery, Status
from webapp.pages.limits import STRANGER
from webapp.pages.play import Follow
from webapp.pages.seats import MailLines, WaitLine
from webapp.presentation.chart import race
from webapp.presentation.present import SeatLine
from webapp.presentation.result import result
from webapp.presentation.timestamps import timestamp
from webapp.presentation.waiting import awaited_text
from webapp.tables.run_out import NOBODY

FRAME: dict[str, Any] = {
    "result": None,
    "share_link": None,
    "again": None,
    "waiting": None,
    "sheet": None,
    "record_link": None,
    "turn_link": None,
    "play_link": None,
    "follow": Follow("/seat/x", "5f3a2c11", is_live=False, is_player=False),
    "kind": "table",
    "host": None,
    "host_error": None,
    "mail": None,
}


def pages() -> dict[str, Sample]:
    return {"table-new": ("table", gathering()), **_playing(), **_mail(), **_over()}


def scored(rules: Rules, names: tuple[str, ...], score: Any) -> dict[str, Any]:
    """The context of a table with that score sheet, where nobody is awaited."""
    return {**FRAME, "table": summary(rules, names), "score": score, "chart": race(score), "relive_links": []}


def playing(rules: Rules, names: tuple[str, ...]) -> dict[str, Any]:
    """The context of a table in mid-trick, for the player after the one who is awaited."""
    game = first_game(rules, lambda game: game.hand == 4 and following(game, trick=4, void=False))
    awaited = game.to_act[0]
    deadline = timestamp(NOW + timedelta(hours=5), NOW, "Europe/Berlin")
    return {
        **scored(rules, names, score_of(game, names)),
        "relive_links": [(hand, RELIVE_LINK) for hand in range(1, len(game.scores) + 1)],
        "waiting": WaitLine(awaited_text([names[awaited]], []), deadline),
        "sheet": sheet_of(game, names, Seat((awaited + 1) % rules.players)),
        "turn_link": LINK,
    }


def gathering() -> dict[str, Any]:
    """The host's view before the first game, after we refused to send one more invitation."""
    host = line(
        action="/seat/x/fill",
        seats=[
            line(seat=1, name="Bo", state="invited"),
            line(seat=2, name="Cy", state="declined"),
            line(seat=3, name="Open seat", state="open"),
            line(seat=4, name=NOBODY, state="ran_out"),
            line(seat=5, name="Open seat", state="link"),
        ],
        remind_action="/seat/x/remind",
        fill_action="/seat/x/robots",
        fill_text="Fill the open seats with robots",
    )
    return {
        **scored(CLASSIC, CAST, score_of(new_game(CLASSIC))),
        "table": INVITED,
        "host": host,
        "host_error": f"{STRANGER.sentence.format(name='Eve')} Please try again in 9 hours.",
        "host_typed": {"seat": "2", "kind": "player", "name": "Eve", "address": "eve@example.org"},
    }


AWAY = {"absence": "A robot plays for you until you are back.", "back_action": "/seat/x/back"}


def _playing() -> dict[str, Sample]:
    table = playing(CLASSIC, CAST)
    away = SeatLine("Cy", "accepted", is_away=True)
    seated = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:3], away))
    may_be_mailed = {"turn_link": None, "play_link": None, "mail_action": "/seat/x/mail", "mail_error": None}
    return {
        "table-playing": ("table", table),
        "table-playing-eleven": ("table", playing(ELEVEN, CROWD)),
        "table-away": ("table", {**table, "table": seated, **AWAY}),
        "table-asked": ("table", {**table, **may_be_mailed, "mailed": False}),
        "table-asked-mailed": ("table", {**table, **may_be_mailed, "mailed": True}),
    }


def _mail() -> dict[str, Sample]:
    table = playing(CLASSIC, CAST)
    reason = "550 5.1.1 <di@example.org>: there is nobody of that name here"
    refused = _mail_lines(Status.REFUSED, reason, hers=True)
    return {
        "table-mail": ("table", {**table, "mail": _mail_lines(Status.ACCEPTED)}),
        "table-mail-refused": ("table", {**table, "mail": refused}),
        "table-mail-host": ("table", {**table, "mail": _mail_lines(Status.WAITING, hers=True, hosts=True)}),
    }


def _mail_lines(status: Status, reason: str | None = None, *, hers: bool = False, hosts: bool = False) -> MailLines:
    """The fate of the last email to Di, who is signed in if the link is `hers`; and of the others', if Di hosts."""
    delivery = Delivery(NOW - timedelta(hours=3), status)
    others = [(name, some.value, some in TROUBLE) for name, some in zip(CROWD, Status, strict=False)] if hosts else []
    link = PREFERENCES_LINK if hers else None
    return MailLines(delivery.sentence(NOW, "Europe/Berlin"), reason, delivery.is_trouble, link, others)


def _over() -> dict[str, Sample]:
    shared = {"share_link": "/seat/x/share?game=1", "record_link": "/seat/x/record.json", "again": AGAIN["open"]}
    return {
        f"table-over-{name}": ("table", {**scored(rules, names, score), **shared, "result": result(rules, score)})
        for name, (score, names, rules) in scores().items()
    }
