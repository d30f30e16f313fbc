"""Every page in every state worth looking at, as template and context."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from hearts.game import Game, Stage
from hearts.rules import PRESETS, Rules
from hearts.seats import Seat
from hearts.turns import Pass, Play
from tests.samples.hands import (
    AGAIN_LINK,
    CAST,
    CLASSIC,
    CROWD,
    ELEVEN,
    KITTY,
    LINK,
    NASTY,
    NOW,
    PARTNERS,
    RELIVE_LINK,
    TABLE_LINK,
    WISHES_LINK,
    Line,
    Sample,
    advised,
    first_game,
    following,
    line,
    moon_game,
    pass_sheets,
    relived,
    score_of,
    scores,
    sheet_of,
    sheets,
    summary,
)
from webapp import practice
from webapp.again import Stand, Standing
from webapp.forms import CHAIRS, ROBOT_LEVELS
from webapp.models import Frequency
from webapp.options import GROUPS
from webapp.pages.again import AgainTold, told
from webapp.pages.seats import MailLines
from webapp.post.clock import Quiet
from webapp.post.delivery import TROUBLE, MailNews, News
from webapp.post.wishes import Stopped, Wishes
from webapp.sheets import practice_sheet_of
from webapp.suggestions import RobotHelp
from webapp.telling.chart import race
from webapp.telling.house_rules import how_we_play, in_short
from webapp.telling.lessons import how_it_went
from webapp.telling.present import SeatLine, moment, score_sheet
from webapp.telling.story import story
from webapp.thinking import by_rule
from webapp.wish_form import FREQUENCIES, HOURS, wish_form


@cache
def pages() -> dict[str, Sample]:
    """By name of the picture: the template, and its context."""
    return {name: (template, {**FRAME, **context}) for name, (template, context) in _pages().items()}


FRAME: dict[str, Any] = {"mailbox": True, "player_name": None}
ZONES = ["UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))]
PACES = [("3600", "1 hour"), ("43200", "12 hours"), ("86400", "1 day"), ("172800", "2 days")]


def open_form(**errors: str) -> Line:
    values = {"host_name": "Ann", "host_address": "ann@example.org", "time_zone": "UTC", "preset": "classic"}
    values |= {"target": "100", "pass_time": "86400", "play_time": "43200"}
    for number, kind in enumerate(("player", "player", "robot", "none"), 1):
        values[f"seat_{number}_kind"] = kind
    return line(values=values if errors else {**values, "host_name": "", "host_address": ""}, errors=errors)


def _pages() -> dict[str, Sample]:
    presets = [(preset.value, told.label, told.line) for preset, told in PRESETS.items()]
    opening = {"presets": presets, "time_zones": ZONES, "paces": PACES, "chairs": CHAIRS, "option_groups": GROUPS}
    opening["robot_levels"] = [(level.value, words) for level, words in ROBOT_LEVELS.items()]
    invited = summary(CLASSIC, states=("host", "invited", "declined", "robot"))
    asking = {"host_name": "Ann", "your_name": "Bo", "time_zones": ZONES, "time_zone": "UTC", "error": None}
    turn = {"table_link": TABLE_LINK, "error": None, "chosen": [], "way": "page"}
    made: dict[str, Sample] = {
        "home": ("home", {}),
        "home-signed-in": ("home", {"mailbox": False, "player_name": NASTY[0]}),
        "open-table": ("open_table", {**opening, "form": open_form()}),
        "open-table-errors": (
            "open_table",
            {
                **opening,
                "form": open_form(
                    seat_1_name="Please give a name.",
                    seat_2_address="This is not a mail address that we can write to.",
                    preset="Quick is for 4 players, host included.",
                    target="The game ends at a whole number of points from 10 to 500.",
                ),
            },
        ),
        **{
            f"how-we-play-{rules.preset}": (
                "how_we_play",
                {"table_name": "Table 7F3K", "in_short": in_short(rules), "sections": how_we_play(rules)},
            )
            for rules in (CLASSIC, ELEVEN, KITTY)
        },
        "opened": ("opened", {"address": "ann@example.org"}),
        "sign-in-sent": ("sign_in_sent", {"address": "ann@example.org", "mailbox": False}),
        "confirm": ("confirm", {"table": invited, "action": "/confirm/x"}),
        "confirm-robots": ("confirm", {"table": summary(CLASSIC, states=("host", "robot", "robot")), "action": ""}),
        "confirmed": ("confirmed", {"table": invited, "table_link": TABLE_LINK}),
        "invitation": ("invitation", {**asking, "table": invited}),
        "invitation-nasty": (
            "invitation",
            {
                **asking,
                "table": summary(CLASSIC, NASTY),
                "host_name": NASTY[0],
                "error": "Please give a name.",
                "your_name": "",
            },
        ),
        "invitation-accepted": (
            "invitation_answered",
            {"answer": "accept", "table": invited, "table_link": TABLE_LINK},
        ),
        "invitation-declined": ("invitation_answered", {"answer": "decline", "table": invited, "table_link": None}),
        "games": (
            "games",
            {
                "player_name": "Ann",
                "games": [
                    line(
                        table_name="Table 7F3K",
                        state="It is your turn: trick 5, hand 2.",
                        turn_link=LINK,
                        table_link=TABLE_LINK,
                        deadline=moment(NOW + timedelta(hours=2), NOW, "Asia/Kolkata"),
                    ),
                    line(
                        table_name="Table Q2ZZ",
                        state="The table waits for Bo and Cy.",
                        turn_link=None,
                        table_link=TABLE_LINK,
                        deadline=None,
                    ),
                ],
            },
        ),
        "games-none": ("games", {"player_name": "Ann", "games": []}),
        "sign-in": ("sign_in", {"error": None, "address": ""}),
        "sign-in-error": ("sign_in", {"error": "This is not a mail address that we can write to.", "address": "ann"}),
        "sign-in-confirm": ("sign_in_confirm", {"name": "Ann"}),
        "mailbox": (
            "mailbox",
            {
                "addresses": [
                    line(address="ann@example.org", count=12, newest="02 March, 18:00 UTC"),
                    line(
                        address="a.very.long.address.of.somebody+hearts@mail.department.example.org",
                        count=1,
                        newest="01 March, 09:12 UTC",
                    ),
                ]
            },
        ),
        "mailbox-empty": ("mailbox", {"addresses": []}),
        "mailbox-address": (
            "mailbox_address",
            {
                "address": "ann@example.org",
                "letters": [
                    (3, "Your turn: trick 5, spades led", "2 minutes ago", "turn"),
                    (1, "Hand 1 is over: Bo leads with 2", "2 minutes ago", "score_sheet"),
                ],
            },
        ),
        "mailbox-answer-waits": (
            "mailbox_answer",
            {
                "address": "ann@example.org",
                "heading": "Your answer is on its way",
                "outcome": "A worker will read it in a moment.",
                **{"taken_for": None, "letters": [], "waits": True},
            },
        ),
        "mailbox-answer": (
            "mailbox_answer",
            {
                "address": "ann@example.org",
                "heading": "Your answer was read",
                "outcome": "It was played.",
                **{"taken_for": "move", "waits": False},
                "letters": [(4, "Your turn: trick 6, you lead", "18:00:07", "turn")],
            },
        ),
        "mailbox-address-empty": ("mailbox_address", {"address": "ann@example.org", "letters": []}),
        "table-new": (
            "table",
            _table(CLASSIC, Game(CLASSIC), CAST)
            | {
                "table": invited,
                "sheet": None,
                "host": line(
                    action="/seat/x/chair",
                    chairs=[line(seat=1, name="Bo", state="invited"), line(seat=2, name="Cy", state="declined")],
                ),
                "host_error": "Please give a name.",
            },
        ),
    }
    for part in ("html", "text", "source"):
        letter = {
            **{"subject": "Your turn: trick 5, spades led", "from": "Hearts by Mail <hearts@example.org>"},
            **{
                "to": "Ann <ann@example.org>",
                "date": "Mon, 2 Mar 2026 18:00:00 +0000",
                "text": f"Play here:\n{LINK}\n<b>",
            },
            **{"source": "Message-ID: <x@example.org>\n\nQ=E2=99=A0 " + "x" * 200, "html_url": "about:blank"},
            "answer_url": None if part == "source" else "/mailbox/letters/3/answer",
        }
        made[f"mailbox-letter-{part}"] = ("mailbox_letter", {"letter": letter, "part": part})
    for status in (400, 403, 404, 405, 409, 410, 413, 429, 500):
        words = {
            "status": status,
            "heading": "This link is too old",
            "sentence": "It was good once, but not for this long.",
        }
        made[f"problem-{status}"] = ("problem", words)
    for name, sheet in sheets().items():
        chosen = [sheet.legal_faces[-1].code] if name != "leading" else []
        error = "You may not play that: you can follow clubs." if name == "leading" else None
        made[f"turn-{name}"] = ("turn", {**turn, "sheet": sheet, "chosen": chosen, "error": error})
    told = {"heading": "You played 7♦", "sentences": ["You played 7♦.", "The table waits for Bo."]}
    made |= practice_pages()
    made["offline"] = ("offline", {"mailbox": False})
    made["turn-over"] = ("turn_over", {**told, "table_link": TABLE_LINK})
    made["turn-over-away"] = ("turn_over", {**told, "table_link": TABLE_LINK, "back_action": "/turn/x/back"})
    asked_again = {"sheet": sheets()["following"], "again_action": "/turn/x/again"}
    for name, is_mailed in (("again", False), ("mailed", True)):
        made[f"turn-{name}"] = ("turn", {**turn, **asked_again, "mailed": is_mailed})
    made |= wishes_pages()
    made["turn-over-bare"] = ("turn_over", {**told, "table_link": None})
    for name, sheet in pass_sheets().items():
        chosen = [row.cards[-1].face.code for row in sheet.suits][:3] if name == "classic" else []
        error = "Please choose exactly three cards, not two." if name == "nasty" else None
        made[f"pass-{name}"] = ("pass", {**turn, "sheet": sheet, "chosen": chosen, "error": error})
    made["moon"] = ("moon", {**turn, "sheet": sheet_of(moon_game()), "chosen": ["add"]})
    thinking = first_game(CLASSIC, lambda game: following(game, trick=6, void=True))
    for name, game in (("turn", thinking), ("pass", first_game(CLASSIC, lambda game: game.stage is Stage.PASS))):
        made[f"{name}-suggested"] = (name, {**turn, "sheet": sheet_of(game), "robot": advised(game)})
        made[f"{name}-may-ask"] = (name, {**turn, "sheet": sheet_of(game), "robot": RobotHelp("?suggest=1", None)})
    moon = moon_game()
    made["moon-suggested"] = ("moon", {**turn, "sheet": sheet_of(moon), "robot": advised(moon)})
    for name, (score, names, rules) in scores().items():
        made[f"table-over-{name}"] = (
            "table",
            _table(rules, None, names)
            | {"score": score, "chart": race(score), "again": AGAIN["open"], "record_link": "/seat/x/record.json"},
        )
    for name, step, reviewed in (("deal", 1, False), ("pass", 2, True), ("card", 24, True), ("score", 55, False)):
        made[f"relive-{name}"] = ("relive", relived(CLASSIC, CAST, 1, step, reviewed=reviewed))
    made["relive-nasty"] = ("relive", relived(CLASSIC, NASTY, 2, 30))
    made["relive-three"] = ("relive", relived(KITTY, CAST[:3], 1, 7))
    made["relive-partners"] = ("relive", relived(PARTNERS, CAST, 4, 12))
    made["relive-eleven"] = ("relive", relived(ELEVEN, CROWD, 1, 33))
    made["relive-eleven-deal"] = ("relive", relived(ELEVEN, CROWD, 2, 1))
    for name, told in AGAIN.items():
        made[f"again-{name}"] = ("again", {"again": told, "table": invited, "table_link": TABLE_LINK})
    made["table-playing"] = ("table", _playing(CLASSIC, CAST))
    away = SeatLine("Cy", "accepted", is_away=True)
    made["table-away"] = ("table", _playing(CLASSIC, CAST) | {"back_action": "/seat/x/back"})
    made["table-away"][1]["table"] = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:3], away))
    made["table-playing-eleven"] = ("table", _playing(ELEVEN, CROWD))
    playing = _playing(CLASSIC, CAST)
    made["table-mail"] = ("table", {**playing, "mail": mail_lines(News.ACCEPTED)})
    refused = mail_lines(News.REFUSED, "550 5.1.1 <di@example.org>: there is nobody of that name here", hers=True)
    made["table-mail-refused"] = ("table", {**playing, "mail": refused})
    made["table-mail-host"] = ("table", {**playing, "mail": mail_lines(News.WAITING, hers=True, hosts=True)})
    return made


def _again(stand: Stand, agreed: str = "Ann wants") -> AgainTold:
    return told(Standing(stand, 2, agreed, "Ann"), summary(CLASSIC, states=("host", "invited")), AGAIN_LINK)


AGAIN = {
    "open": _again(Stand.OPEN),
    "asked": _again(Stand.ASKED, "Ann and Cy want"),
    "agreed": _again(Stand.AGREED),
    "declined": _again(Stand.DECLINED),
    "closed": _again(Stand.CLOSED),
    "begun": _again(Stand.BEGUN),
}


def wishes_pages() -> dict[str, Sample]:
    """How somebody gets her mails, in all states."""
    wishes = Wishes("Europe/Berlin", Frequency.EVERY, 8, Quiet(22, 7), reminders=True, invitations=True)
    frame = {"name": "Di", "frequencies": FREQUENCIES, "hours": HOURS, "time_zones": ZONES, "action": "/wishes/x"}
    frame |= {"done": None, "error": None, "current_address": "di@example.org", "address": "", "address_error": None}
    frame |= {"is_unreachable": False, "form": wish_form(wishes)}
    tables = [
        line(number=1, name="Table 7F3K", link=TABLE_LINK, is_away=False, mails=True),
        line(number=2, name="Table Q2ZZ", link=TABLE_LINK, is_away=True, mails=False),
    ]
    wrong = wish_form(wishes)
    wrong.errors["quiet_to"] = "Quiet hours are from 1 to 16 hours long."
    less = {"action": "/unsubscribe/x", "table_name": "Table 7F3K", "wants": wishes}
    asking = {"name": "Di", "address": "di@example.com", "is_hers": False, "is_taken": False}
    made: dict[str, Sample] = {
        "wishes": ("wishes", {**frame, "tables": tables, "done": "That is how we do it from now on."}),
        "wishes-none": ("wishes", {**frame, "tables": []}),
        "wishes-wrong": (
            "wishes",
            {**frame, "tables": tables[:1], "form": wrong, "error": "You do not sit at that table any more."}
            | {"address": "di", "address_error": "This is not a mail address that we can write to."},
        ),
        "wishes-unreachable": ("wishes", {**frame, "tables": tables, "is_unreachable": True}),
        "new-address": ("new_address", asking),
        "new-address-set": ("new_address", {**asking, "is_hers": True}),
        "new-address-taken": ("new_address", {**asking, "is_taken": True}),
    }
    for stops in Stopped:
        for step in ("ask", "stopped", "back", "daily", "quiet"):
            made[f"unsubscribe-{stops}-{step}"] = ("unsubscribe", {**less, "stops": stops.value, "step": step})
    return made


def _table(rules: Rules, game: Game | None, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "table": summary(rules, names),
        "score": score_of(game, names) if game else None,
        "chart": race(score_of(game, names)) if game else None,
        "again": None,
        "waiting": [],
        "sheet": None,
        "record_link": None,
        "relive_links": [(hand, RELIVE_LINK) for hand in range(1, len(game.scores) + 1)] if game else [],
        "turn_link": None,
        "host": None,
        "host_error": None,
        "mail": None,
    }


def mail_lines(news: News, reason: str | None = None, *, hers: bool = False, hosts: bool = False) -> MailLines:
    """What became of the last mail to Di, who has signed in if the link is `hers`; and to the others, if she hosts."""
    told = MailNews(NOW - timedelta(hours=3), news)
    others = [(name, some.value, some in TROUBLE) for name, some in zip(CROWD, News, strict=False)] if hosts else []
    link = WISHES_LINK if hers else None
    return MailLines(told.sentence(NOW, "Europe/Berlin"), reason, told.is_trouble, link, others)


def _playing(rules: Rules, names: tuple[str, ...]) -> dict[str, Any]:
    game = first_game(rules, lambda game: game.hand == 4 and following(game, trick=4, void=False))
    seat = Seat((game.to_act[0] + 1) % rules.players)
    awaited = line(
        name=names[game.to_act[0]], what="to play", deadline=moment(NOW + timedelta(hours=5), NOW, "Europe/Berlin")
    )
    return _table(rules, game, names) | {"waiting": [awaited], "sheet": sheet_of(game, names, seat), "turn_link": LINK}


def practice_pages() -> dict[str, Sample]:
    """A practice hand as a newcomer meets it: the pass, some cards, a mistake, the end."""
    keys = ["a" * 32]
    hands = list(_practised(keys, practice.new_hand(keys, random.Random(0).randbytes)))
    asked = {"chosen": [], "error": None, "way": "page", "table_link": None, "robot": RobotHelp("?suggest=1", None)}
    made: dict[str, Sample] = {}
    for name, hand in {"pass": hands[0], "first": hands[1], "card": hands[4], "late": hands[-2]}.items():
        template = "practice_pass" if hand.game.stage is Stage.PASS else "practice_turn"
        shown = practice_sheet_of(hand)
        made[f"practice-{name}"] = (template, {**asked, "practice": shown, "sheet": shown.sheet})
    template, context = made["practice-card"]
    made["practice-error"] = (template, {**context, "error": "Please choose one card to play."})
    score = hands[-1].game.scores[-1]
    over = {"practice": practice_sheet_of(hands[-1]), "again_link": "/practice/x"}
    over["score"] = score_sheet(practice.RULES, practice.NAMES, [score])
    over["story"] = story(practice.RULES, practice.NAMES, score)
    made["practice-over"] = ("practice_over", {**over, "how_it_went": how_it_went(score, practice.YOU)})
    return made


def _practised(keys: list[str], link: practice.PracticeLink) -> Iterator[practice.PracticeHand]:
    """A practice hand at each of the newcomer's choices, and at its end; she plays as a robot would."""
    while (hand := practice.hand_of(keys, link)).score is None:
        yield hand
        turn = by_rule(hand.game, practice.YOU)
        assert isinstance(turn, Pass | Play)
        link = practice.after(hand, turn)
    yield hand
