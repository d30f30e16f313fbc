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
from tests.samples.links import PREFERENCES_LINK, RELIVE_LINK
from tests.samples.pages.again import AGAIN
from tests.samples.pages.invitations import INVITED
from tests.samples.proposals import END, NASTY_ROBOT, PACE, ROBOT
from tests.samples.rendering import PageSample
from tests.samples.sheets import sheet_of
from tests.samples.shuffles import shuffle
from tests.samples.tables import summary
from webapp.core.say import say
from webapp.outbox.delivery import TROUBLE, Delivery, Status
from webapp.pages.at_table import Follow
from webapp.pages.guest_list import PlayNow
from webapp.pages.limits import STRANGER
from webapp.pages.table import Awaited, GameBefore, HostTools, MailLines, OpenSeat, TablePage
from webapp.presentation.chart import race
from webapp.presentation.phrasing import timestamp
from webapp.presentation.summary import SeatLine
from webapp.presentation.turn_text import awaited_text
from webapp.results.result import result
from webapp.tables.agreeing import GONE
from webapp.tables.run_out import NOBODY

AWAY = "A robot plays for you until you are back."


def pages() -> dict[str, PageSample]:
    return {"table-new": gathering(), **_playing(), **_mail(), **_over()}


def scored(rules: Rules, names: tuple[str, ...], score: Any) -> TablePage:
    """A table with that score sheet, where nobody is awaited."""
    return TablePage(
        kind="table",
        follow=Follow("/seat/x", "5f3a2c11", is_live=False, is_player=False),
        table=summary(rules, names),
        score=score,
        chart=race(score),
        shuffle=shuffle(names=names),
        fair_link="/seat/x/fair",
    )


def playing(rules: Rules, names: tuple[str, ...]) -> TablePage:
    """A table in mid-trick, for the player after the one who is awaited."""
    game = first_game(rules, lambda game: game.hand == 4 and following(game, trick=4, void=False))
    awaited = game.to_act[0]
    deadline = timestamp(NOW + timedelta(hours=5), NOW, "Europe/Berlin")
    return replace(
        scored(rules, names, score_of(game, names)),
        relive_links=[(hand, RELIVE_LINK) for hand in range(1, len(game.scores) + 1)],
        waiting=Awaited(awaited_text([names[awaited]], []), deadline),
        sheet=sheet_of(game, names, Seat((awaited + 1) % rules.players)),
    )


PLAY_NOW = PlayNow(
    "Robots take the free seats, and we deal at once. "
    "Bo can still say yes, and then gets the seat from its robot after a hand.",
    "/seat/x/robots",
)


def gathering() -> TablePage:
    """The host's view before the first game, after we refused to send one more invitation."""
    host = HostTools(
        action="/seat/x/fill",
        seats=[
            OpenSeat(1, "Bo", "invited"),
            OpenSeat(2, "Cy", "declined"),
            OpenSeat(3, "Open seat", "open"),
            OpenSeat(4, NOBODY, "ran_out"),
            OpenSeat(5, "Open seat", "link"),
        ],
        remind_action="/seat/x/remind",
        is_listed=True,
    )
    return replace(
        scored(CLASSIC, CAST, score_of(new_game(CLASSIC))),
        table=INVITED,
        host=host,
        play_now=PLAY_NOW,
        host_error=f"{say(STRANGER.sentence, name='Eve')} Please try again in 9 hours.",
        host_typed={"seat": "2", "kind": "player", "name": "Eve", "address": "eve@example.org"},
    )


def _playing() -> dict[str, PageSample]:
    table = playing(CLASSIC, CAST)
    away = SeatLine("Cy", "accepted", is_away=True)
    seated = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:3], away))
    asked = replace(table, mail_action="/seat/x/mail")
    return {
        "table-playing": table,
        "table-playing-eleven": playing(ELEVEN, CROWD),
        "table-away": replace(table, table=seated, absence=AWAY),
        "table-asked": asked,
        "table-proposed": replace(table, proposals=[PACE, END, ROBOT, NASTY_ROBOT], proposal_error=GONE),
        "table-asked-mailed": replace(asked, mailed=True),
        "table-no-words": replace(table, shuffle=shuffle(""), words_action="/play/x/words"),
        "table-second-game": replace(table, before=_before()),
    }


def _before() -> GameBefore:
    score = scores()["classic"][0]
    return GameBefore(1, score, [(hand.number, RELIVE_LINK) for hand in score.hands], "/seat/x/record.json?game=1")


def _mail() -> dict[str, PageSample]:
    table = playing(CLASSIC, CAST)
    reason = "550 5.1.1 <di@example.org>: there is nobody of that name here"
    refused = _mail_lines(Status.REFUSED, reason, hers=True)
    return {
        "table-mail": replace(table, mail=_mail_lines(Status.ACCEPTED)),
        "table-mail-refused": replace(table, mail=refused),
        "table-mail-host": replace(table, mail=_mail_lines(Status.WAITING, hers=True, hosts=True)),
    }


def _mail_lines(status: Status, reason: str | None = None, *, hers: bool = False, hosts: bool = False) -> MailLines:
    """The fate of the last email to Di, who is signed in if the link is `hers`; and of the others', if Di hosts."""
    delivery = Delivery(NOW - timedelta(hours=3), status)
    others = (
        [(name, Delivery(NOW, some).in_short, some in TROUBLE) for name, some in zip(CROWD, Status, strict=False)]
        if hosts
        else []
    )
    link = PREFERENCES_LINK if hers else None
    return MailLines(delivery.sentence(NOW, "Europe/Berlin"), reason, delivery.is_trouble, link, others)


def _over() -> dict[str, PageSample]:
    return {
        f"table-over-{name}": replace(
            scored(rules, names, score),
            share_link="/seat/x/share?game=1",
            record_link="/seat/x/record.json",
            again=AGAIN["open"],
            result=result(rules, score),
        )
        for name, (score, names, rules) in scores().items()
    }
