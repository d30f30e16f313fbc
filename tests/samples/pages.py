"""Every page in every state worth looking at, as template and context."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from hearts.game import Game, Stage, new_game
from hearts.rules import PRESETS, Rules
from hearts.seats import Seat
from hearts.turns import Pass, Play
from tests.samples.evenings import evening_pages
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
    finished_game,
    first_game,
    following,
    last_hand,
    line,
    live_summary,
    moon_game,
    open_table,
    pass_sheets,
    relived,
    score_of,
    scores,
    sheet_of,
    sheets,
    stored_game,
    summary,
    talk,
)
from tests.samples.plans import plan_pages
from webapp import practice
from webapp.accounts.devices import DeviceLine, DeviceSheet, kind_of
from webapp.accounts.sign_ins import SignInLine
from webapp.forms.fields import BANK_CHOICES, BANKS, NO_LIVE_BANK, ROBOT_LEVELS, TALKS, VACATIONS, Form, pace_groups
from webapp.forms.holidays import holiday_sheet, read_holiday_form
from webapp.forms.opening import SEAT_PREFIXES
from webapp.forms.options import GROUPS
from webapp.forms.preferences import FREQUENCIES, HOURS, WEEK, Preferences, preferences_form
from webapp.games.clock import Quiet
from webapp.games.running import NextGame
from webapp.games.talk import LONGEST, PHRASES
from webapp.health.overview import Figure
from webapp.health.readiness import Check
from webapp.models import Frequency, OfferState, PlayerRow, SeatState
from webapp.outbox.delivery import TROUBLE, Delivery, Status
from webapp.pages.again import AgainText, again_text
from webapp.pages.games import GameLine, MyGames
from webapp.pages.host import DONE, HostSeatLine, host_seat_line
from webapp.pages.limits import ADDRESS, NETWORK, NETWORK_TABLES, STRANGER
from webapp.pages.offers import OfferNote
from webapp.pages.opening import TEMPOS
from webapp.pages.operator import FailedLine, OperatorSheet, RunningLine, SilencedLine, check_line
from webapp.pages.play import Follow, HandTab
from webapp.pages.preferences import AddressChangeLine, TableLine
from webapp.pages.problems import DATABASE_DOWN
from webapp.pages.seats import MailLines
from webapp.players.card_style import USUAL, CardStyle, CardStyleChoice
from webapp.players.forgetting import JUST_MOVED, NO_FRESH_SIGN_IN
from webapp.players.preferences import Stopped
from webapp.presentation.bank_text import bank_sentence
from webapp.presentation.chart import race
from webapp.presentation.house_rules import how_we_play, in_short
from webapp.presentation.lessons import outcome_text
from webapp.presentation.pause_text import pause_line
from webapp.presentation.present import SeatLine, score_sheet, timestamp
from webapp.presentation.result import result
from webapp.presentation.sheets import practice_sheet_of, score_sheet_of
from webapp.presentation.story import story
from webapp.presentation.talk import TalkSheet, Unsaid
from webapp.presentation.timestamps import Timestamp
from webapp.presentation.turn_text import as_laid
from webapp.presentation.vacation_text import VacationSheet, left_sentence
from webapp.presentation.waiting import NudgeLine, who_acts
from webapp.robots.suggestions import RobotHelp
from webapp.robots.thinking import by_rule
from webapp.tables.again import AnotherGame, AnotherGameState
from webapp.tables.offers import Offer


@cache
def pages() -> dict[str, Sample]:
    """By name of the picture: the template, and its context."""
    return {name: (template, {**FRAME, **context}) for name, (template, context) in _pages().items()}


LINKED = "A name can't look like a web address, an email address or a phone number. Leave a space after a dot."
FRAME: dict[str, Any] = {"mailbox": True, "player_name": None, "look": USUAL}
ZONES = ["UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))]
PACES = pace_groups(None)
PRIVACY = {"mails_for": "30 days", "replies_for": "14 days", "addresses_for": "30 days", "sign_ins_for": "90 days"}


def open_form(**errors: str) -> Line:
    values = {"host_name": "Ann", "host_address": "ann@example.org", "time_zone": "UTC", "preset": "classic"}
    values |= {
        "target": "100",
        "pass_time": "86400",
        "play_time": "43200",
        "tempo": "weeks",
        "guards": "yes",
        "asks_ahead": "yes",
    }
    for number, kind in enumerate(("player", "player", "robot", "none"), 1):
        values[f"seat_{number}_kind"] = kind
    return line(values=values if errors else {**values, "host_name": "", "host_address": ""}, errors=errors)


def _pages() -> dict[str, Sample]:
    presets = [(preset.value, text_of.label, text_of.line) for preset, text_of in PRESETS.items()]
    opening = {
        "presets": presets,
        "time_zones": ZONES,
        "paces": PACES,
        "chairs": SEAT_PREFIXES,
        "choices": "Classic · 1 day per turn",
        "option_groups": GROUPS,
        "tempos": TEMPOS,
    }
    opening["talks"] = [(talk.value, words) for talk, words in TALKS.items()]
    opening["vacations"], opening["banks"] = list(VACATIONS.items()), BANK_CHOICES
    opening["robot_levels"] = [(level.value, words) for level, words in ROBOT_LEVELS.items()]
    invited = summary(CLASSIC, states=("host", "invited", "declined", "robot"))
    asking = {"host_name": "Ann", "your_name": "Bo", "time_zones": ZONES, "time_zone": "UTC", "error": None}
    turn = {"table_link": TABLE_LINK, "error": None, "chosen": [], "way": "page"}
    signed_in = {"player_name": "Ann", "preferences_link": WISHES_LINK}
    made: dict[str, Sample] = {
        "open-table": ("open_table", {**opening, "form": open_form()}),
        "open-table-errors": (
            "open_table",
            {
                **opening,
                "form": open_form(
                    seat_1_name="Seat 2: Enter a name.",
                    seat_2_address="Seat 3: This is not an email address that we can write to.",
                    preset="Quick is for 4 players, host included.",
                    target="The game ends at a whole number of points from 10 to 500.",
                ),
            },
        ),
        "open-table-names": ("open_table", {**opening, "form": open_form(host_name=LINKED, seat_2_name=LINKED)}),
        "open-table-too-much-mail": (
            "open_table",
            {**opening, "form": open_form(), "refusal": f"{NETWORK_TABLES.sentence} Please try again in 42 minutes."},
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
        "confirm-too-much-mail": (
            "confirm",
            {
                **{"table": invited, "action": "/confirm/x"},
                "refusal": f"{STRANGER.sentence.format(name=NASTY[2])} Please try again in 9 hours.",
            },
        ),
        "confirmed": ("confirmed", {"table": invited, "table_link": TABLE_LINK, "action": "/confirm/x"}),
        "invitation": ("invitation", {**asking, "table": invited}),
        "invitation-nasty": (
            "invitation",
            {
                **asking,
                "table": summary(CLASSIC, NASTY),
                "host_name": NASTY[0],
                "error": "Enter a name.",
                "your_name": "",
            },
        ),
        "invitation-name": ("invitation", {**asking, "table": invited, "your_name": "bo.com", "name_error": LINKED}),
        "invitation-accepted": (
            "invitation_answered",
            {"answer": "accept", "table": invited, "table_link": TABLE_LINK},
        ),
        "invitation-declined": ("invitation_answered", {"answer": "decline", "table": invited, "table_link": None}),
        "games": ("games", {**signed_in, "games": my_games()}),
        "games-none": ("games", {**signed_in, "games": MyGames()}),
        **sign_in_pages(),
        "operator": ("operator", {"sheet": operator_sheet(is_in_order=True)}),
        "operator-trouble": ("operator", {"sheet": operator_sheet(is_in_order=False)}),
        "privacy": ("privacy", PRIVACY),
        "my-data": ("my_data", {"is_fresh": True, "is_asked": False, "error": None}),
        "my-data-asked": ("my_data", {"is_fresh": True, "is_asked": True, "error": None}),
        "my-data-stale": ("my_data", {"is_fresh": False, "is_asked": False, "error": NO_FRESH_SIGN_IN}),
        "forget": ("forget", {"name": "Ann", "action": LINK, "error": None}),
        "forget-nasty": ("forget", {"name": NASTY[0], "action": LINK, "error": JUST_MOVED}),
        "forgotten": ("forget", {"name": "", "action": None, "error": None}),
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
            _table(CLASSIC, new_game(CLASSIC), CAST)
            | {
                "table": invited,
                "sheet": None,
                "host": line(
                    action="/seat/x/chair",
                    chairs=[
                        line(seat=1, name="Bo", state="invited"),
                        line(seat=2, name="Cy", state="declined"),
                        line(seat=3, name="Open seat", state="open"),
                    ],
                    fill_action="/seat/x/robots",
                    fill_text="Fill the open seats with robots",
                ),
                "host_error": f"{STRANGER.sentence.format(name='Eve')} Please try again in 9 hours.",
                "host_typed": {"seat": "2", "kind": "player", "name": "Eve", "address": "eve@example.org"},
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
    elsewhere = "Your browser says that another site sent this, or does not say who did. Nothing was changed. "
    elsewhere += "Please open our page yourself and use its button."
    made["problem-elsewhere"] = (
        "problem",
        {"status": 403, "heading": "This did not come from our own page", "sentence": elsewhere, "may_be_cut": False},
    )
    for status in (400, 403, 404, 405, 409, 410, 413, 421, 429, 500):
        words = {
            "status": status,
            "heading": "This link is too old",
            "sentence": "It was good once, but not for this long.",
            "may_be_cut": True,
            "may_sign_in": True,
        }
        made[f"problem-{status}"] = ("problem", words)
    heading, sentence = DATABASE_DOWN
    stopped = {"status": 410, "heading": "This result is not shared any more", "may_be_cut": False}
    stopped |= {"sentence": "The player who shared this result has stopped sharing it.", "may_sign_in": False}
    made["problem-not-shared"] = ("problem", stopped)
    made["problem-503"] = ("problem", {"status": 503, "heading": heading, "sentence": sentence})
    for name, sheet in sheets().items():
        chosen = [sheet.legal_faces[-1].code] if name != "leading" else []
        error = "You can't play Q♠\ufe0e now. You can follow clubs." if name == "leading" else None
        made[f"turn-{name}"] = ("turn", {**turn, "sheet": sheet, "chosen": chosen, "error": error})
    over = {"heading": "You played 7♦", "sentences": ["You played 7♦.", "Waiting for Bo."]}
    made |= practice_pages()
    made["offline"] = ("offline", {"mailbox": False})
    made["turn-over"] = ("turn_over", {**over, "table_link": TABLE_LINK})
    made["turn-over-away"] = ("turn_over", {**over, "table_link": TABLE_LINK, "back_action": "/turn/x/back"})
    asked_again = {"sheet": sheets()["following"], "again_action": "/turn/x/again"}
    for name, is_mailed in (("again", False), ("mailed", True)):
        made[f"turn-{name}"] = ("turn", {**turn, **asked_again, "mailed": is_mailed})
    made |= preferences_pages()
    made |= lobby_pages()
    made |= host_pages()
    made |= offer_pages(turn) | stand_in_pages(asking)
    two, large = CardStyle(two_colours=True), CardStyle(two_colours=True, large_index=True)
    choosing = {"look": large, "choice": CardStyleChoice("/play/x/cards", large), "play_link": "/play/x"}
    made["look"] = ("look", {**choosing, "error": None})
    made["look-wrong"] = ("look", {**choosing, "error": "Choose one of these four looks."})
    made["turn-two-colours"] = ("turn", {**turn, "sheet": sheets()["following"], "look": two})
    elsewhere = NextGame("/turn/y", "Table Q2ZZ, trick 11", 3)
    asked_now = {**over, "sentences": ["You played 7♦.", "It's your turn again."]}
    made["turn-over-asked"] = ("turn_over", {**asked_now, "table_link": TABLE_LINK, "go_on_action": "/turn/x/back"})
    made["turn-over-next"] = ("turn_over", {**over, "table_link": TABLE_LINK, "next_game": elsewhere})
    made["play-next"] = ("play", {**play_pages(turn)["play-trick-over"][1], "next_game": elsewhere})
    made["turn-large"] = ("turn", {**turn, "sheet": sheets()["first"], "look": CardStyle(large_index=True)})
    made |= talk_pages(turn)
    made |= shared_pages()
    made |= play_pages(turn)
    made |= plan_pages(made["turn-live"][1], made["play-waiting"][1])
    made["turn-over-bare"] = ("turn_over", {**over, "table_link": None})
    for name, sheet in pass_sheets().items():
        chosen = [row.cards[-1].face.code for row in sheet.suits][:3] if name == "classic" else []
        error = "Choose one more card." if name == "nasty" else None
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
            | {"score": score, "chart": race(score), "again": AGAIN["open"], "record_link": "/seat/x/record.json"}
            | {"result": result(rules, score), "share_link": "/seat/x/share?game=1"},
        )
    for name, step, reviewed in (("deal", 1, False), ("pass", 2, True), ("card", 24, True), ("score", 55, False)):
        made[f"relive-{name}"] = ("relive", relived(CLASSIC, CAST, 1, step, reviewed=reviewed))
    may_ask = relived(CLASSIC, CAST, 1, 20, reviewed=False) | {"may_ask": True}
    made["relive-may-ask"] = ("relive", may_ask)
    made["relive-nasty"] = ("relive", relived(CLASSIC, NASTY, 2, 30))
    made["relive-three"] = ("relive", relived(KITTY, CAST[:3], 1, 7))
    made["relive-partners"] = ("relive", relived(PARTNERS, CAST, 4, 12))
    made["relive-eleven"] = ("relive", relived(ELEVEN, CROWD, 1, 33))
    made["relive-eleven-deal"] = ("relive", relived(ELEVEN, CROWD, 2, 1))
    for name, again in AGAIN.items():
        made[f"again-{name}"] = ("again", {"again": again, "table": invited, "table_link": TABLE_LINK})
    made["table-playing"] = ("table", _playing(CLASSIC, CAST))
    away = SeatLine("Cy", "accepted", is_away=True)
    made["table-away"] = ("table", _playing(CLASSIC, CAST) | {"back_action": "/seat/x/back"})
    made["table-away"][1]["table"] = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:3], away))
    notes = ["Ann is on vacation until Wed 4 March.", "Bo missed a deadline, and took a vacation day."]
    spent = SeatLine("Bo", "accepted", vacation="two vacation days left")
    agreed = replace(summary(CLASSIC), vacation="Each player has three vacation days a game.")
    agreed = replace(agreed, seats=(*agreed.seats[:1], spent, *agreed.seats[2:]))
    sheet = VacationSheet(left_sentence(3), None, [("1", "1 day, to Mon 2 March"), ("2", "2 days, to Tue 3 March")])
    going = {"vacation": sheet, "vacation_action": "/seat/x/vacation", "vacation_notes": notes}
    made["table-vacation"] = ("table", _playing(CLASSIC, CAST) | {"table": agreed, **going})
    back = {"vacation": replace(sheet, until="Wed 4 March", left=left_sentence(0), choices=[]), "vacation_notes": ()}
    made["table-on-vacation"] = ("table", _playing(CLASSIC, CAST) | {"table": agreed, **going, **back})
    refused = {"vacation": None, "vacation_error": "You do not have so many vacation days left in this game."}
    made["table-vacation-refused"] = ("table", _playing(CLASSIC, CAST) | refused)
    made["play-vacation"] = ("play", made["play-waiting"][1] | {"vacation_notes": notes})
    bank = replace(summary(CLASSIC), bank=bank_sentence(BANKS["usual"]))
    left = ["You have 3 days 12 hours in your time bank.", "Ann has 2 days 4 hours left."]
    waits = [left[0], "Di has 2 days 4 hours left."]
    made["table-bank"] = ("table", _playing(CLASSIC, CAST) | {"table": bank, "bank_notes": left})
    made["play-bank"] = ("play", made["play-waiting"][1] | {"bank_notes": waits})
    made["turn-bank"] = ("turn", made["turn-following"][1] | {"bank_notes": ["Your time bank is empty."]})
    made["no-vacation"] = ("no_vacation", {"action": "/wishes/x/no-vacation", "preferences_link": "/wishes/x"})
    may_be_mailed = {"turn_link": None, "play_link": None, "mail_action": "/seat/x/mail", "mail_error": None}
    made["table-asked"] = ("table", _playing(CLASSIC, CAST) | {**may_be_mailed, "mailed": False})
    made["table-asked-mailed"] = ("table", _playing(CLASSIC, CAST) | {**may_be_mailed, "mailed": True})
    made["play-old"] = ("play_old", {"action": "/play/x/mail", "sent": False})
    made["play-old-mailed"] = ("play_old", {"action": "/play/x/mail", "sent": True})
    made["table-playing-eleven"] = ("table", _playing(ELEVEN, CROWD))
    playing = _playing(CLASSIC, CAST)
    made |= evening_pages(made["play-waiting"][1], playing)
    made["table-mail"] = ("table", {**playing, "mail": mail_lines(Status.ACCEPTED)})
    refused = mail_lines(Status.REFUSED, "550 5.1.1 <di@example.org>: there is nobody of that name here", hers=True)
    made["table-mail-refused"] = ("table", {**playing, "mail": refused})
    made["table-mail-host"] = ("table", {**playing, "mail": mail_lines(Status.WAITING, hers=True, hosts=True)})
    return made


def host_pages() -> dict[str, Sample]:
    """Table settings before and during a game, and a table with a paused clock."""

    def seat_line(seat: int, name: str, state: SeatState, **more: Any) -> HostSeatLine:
        none = {"offered_to": None, "offered_name": None, "offer_state": None}
        row: Any = line(seat=seat, name=name, state=state, **{"away": False, **none, **more})
        typed = {"seat": "2", "kind": "player", "name": "Eve", "address": "eve"} if more.get("wrong") else {}
        return host_seat_line(row, typed)

    playing = [
        seat_line(1, "Bo", SeatState.ACCEPTED, offered_to=5, offered_name="Eve"),
        seat_line(2, "Cy", SeatState.ACCEPTED, away=True),
        seat_line(3, "Pip", SeatState.ROBOT),
    ]
    eve = {"offered_to": 5, "offered_name": "Eve", "offer_state": OfferState.ACCEPTED}
    joining = [seat_line(1, "Bo", SeatState.ACCEPTED, **eve), seat_line(3, "Pip", SeatState.ROBOT, **eve)]
    inviting = [
        seat_line(1, "Bo", SeatState.INVITED),
        seat_line(2, "Cy", SeatState.DECLINED, wrong=True),
        seat_line(3, "Open seat", SeatState.OPEN),
    ]
    values = {
        "pass_time": "86400",
        "play_time": "43200",
        "vacation_days": "3",
        "talk": "text",
        "robots": "strong",
        "suggestions": "yes",
    }
    lists: dict[str, Any] = {"paces": PACES, "talks": [(talk.value, words) for talk, words in TALKS.items()]}
    lists["vacations"], lists["banks"] = list(VACATIONS.items()), BANK_CHOICES
    lists["robot_levels"] = [(level.value, words) for level, words in ROBOT_LEVELS.items()]
    common = {**lists, "table": summary(CLASSIC), "form": Form(values), "action": "/host/x", "table_link": TABLE_LINK}
    common |= {"done": None, "error": None, "paused": None, "is_played": True, "may_be_side_by_side": True}
    since = replace(timestamp(NOW - timedelta(hours=2), NOW, "Europe/Berlin"), is_pause=True)
    wrong = "This is not an email address that we can write to."
    nasty = [seat_line(n, name, SeatState.ACCEPTED) for n, name in enumerate(NASTY[1:], 1)]
    sheet = replace(sheets()["following"], deadline=since)
    turn = {"table_link": TABLE_LINK, "host_link": "/host/x", "error": None, "chosen": [], "way": "page"}
    asked = {"name": "Table 7F3K", "action": "/host/x/end", "settings_link": "/host/x", "table_link": TABLE_LINK}
    paused = _playing(CLASSIC, CAST) | {"paused": since, "host_link": "/host/x"}
    paused["waiting"] = [line(name="Ann", what="to play", deadline=None)]
    early = score_sheet(CLASSIC, CAST, finished_game(CLASSIC).scores[:2], is_ended=True)
    ended = _table(CLASSIC, None, CAST) | {"score": early, "chart": race(early)}
    invited = {"host_name": "Ann", "your_name": "Eve", "time_zones": ZONES, "time_zone": "UTC", "error": None}
    return {
        "host": ("host", {**common, "chairs": playing, "done": "A robot has the seat now."}),
        "host-bank": (
            "host",
            {**common, "form": Form(values | {"bank": "usual"}), "chairs": [], "done": DONE["going"]},
        ),
        "host-bank-wrong": ("host", {**common, "form": Form(values, {"bank": NO_LIVE_BANK}), "chairs": []}),
        "host-joining": ("host", {**common, "chairs": joining}),
        "host-paused": ("host", {**common, "chairs": playing[1:], "paused": since}),
        "host-inviting": ("host", {**common, "chairs": inviting, "is_played": False, "error": wrong}),
        "host-nasty": ("host", {**common, "table": summary(CLASSIC, NASTY), "chairs": nasty}),
        "host-end": ("host_end", {**asked, "is_played": True}),
        "host-ended": ("host_end", {**asked, "is_played": False}),
        "turn-paused": ("turn", {**turn, "sheet": sheet}),
        "table-paused": ("table", paused),
        "table-ended": ("table", ended),
        "invitation-offer": (
            "invitation",
            {**invited, "is_played": True, "table": summary(CLASSIC)},
        ),
        "invitation-live": ("invitation", {**invited, "table": live_summary()}),
        "invitation-live-taken": (
            "invitation_answered",
            {"answer": "accept", "table": live_summary(), "table_link": TABLE_LINK, "enter_action": "/invitation/x"},
        ),
        "invitation-taken": (
            "invitation_answered",
            {"answer": "accept", "table": summary(CLASSIC), "table_link": TABLE_LINK, "play_link": "/play/x"},
        ),
    }


def offer_pages(turn: dict[str, Any]) -> dict[str, Sample]:
    """A seat that is offered to somebody else while its player plays on, for all concerned."""
    asked = Offer("Eve", "Ann", is_accepted=False, is_released=False)
    accepted, released = replace(asked, is_accepted=True), replace(asked, is_released=True)
    offers = {"asked": asked, "accepted": accepted, "released": released}
    frame = {"table_name": "Table 7F3K", "newcomer": "Eve", "table_link": TABLE_LINK, "error": None}
    gone = {**frame, "offer": None}
    wrong = {"step": "asked", "offer": asked, "error": "Please use the buttons on this page."}
    made: dict[str, Sample] = {
        "hand-over-over": ("hand_over", {**gone, "step": "over"}),
        "hand-over-done": ("hand_over", {**gone, "step": "done", "table_link": None}),
        "hand-over-wrong": ("hand_over", {**frame, **wrong}),
        "hand-over-nasty": (
            "hand_over",
            {**frame, "newcomer": NASTY[2], "step": "asked", "offer": replace(asked, newcomer=NASTY[2], host=NASTY[0])},
        ),
    }
    following_sheet = {**turn, "sheet": sheets()["following"], "play_link": "/play/x"}
    for step, offer in offers.items():
        made[f"hand-over-{step}"] = ("hand_over", {**frame, "step": step, "offer": offer})
        made[f"turn-offered-{step}"] = ("turn", {**following_sheet, "offer_note": OfferNote(offer, "/hand-over/x")})
    passing_on = SeatLine("Cy", "accepted", joins="Eve"), SeatLine("Di", "robot", joins="Emil")
    joined = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:2], *passing_on))
    note = OfferNote(accepted, "")
    made["table-joining"] = ("table", _playing(CLASSIC, CAST) | {"table": joined, "offer_note": note})
    joining = {"name": "Eve", "plays_on": None, "host_name": "Ann", "table": joined}
    made["invitation-joining"] = ("invitation_joining", joining)
    lost = "Ann, who hosts Table 7F3K, has given it to somebody else. The links in earlier mail no longer work."
    words = {"status": 403, "heading": "Somebody else has your seat now", "sentence": lost, "may_be_cut": False}
    made["problem-seat-lost"] = ("problem", words)
    passed_on = "From the next one on Eve has your seat, to whom Ann, who hosts the table, has given it."
    sentences = [f"The hand is over. {passed_on}", "Thank you for playing."]
    made["turn-over-handed-on"] = (
        "turn_over",
        {"heading": "You played 7♦", "sentences": sentences, "table_link": None},
    )
    return made


def stand_in_pages(asking: dict[str, Any]) -> dict[str, Sample]:
    """A friend who plays for a player who is away; `asking` is the invitation's page."""
    lent = SeatLine("Eve for Di", "accepted", owner="Di")
    table = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:3], lent))
    asked = {**asking, "table": table, "your_name": "Eve", "stand_in_for": "Di", "is_played": True}
    back = {"stand_in": "Eve", "table_name": "Table 7F3K", "back_action": "/seat/x/back"}
    answered = {"table": table, "table_link": TABLE_LINK, "play_link": "/play/x", "plays_for": "Di"}
    names = (*CAST[:3], "Eve for Di")
    playing = _playing(CLASSIC, names) | {"table": table}
    over = "The game is over, and the seat is Di's again, for whom you have played."
    done = {"heading": "You played 7♦", "sentences": [over, "Thank you for playing."], "table_link": None}
    return {
        "invitation-stand-in": ("invitation", asked),
        "invitation-stand-in-nasty": ("invitation", {**asked, "stand_in_for": NASTY[0], "your_name": NASTY[1]}),
        "invitation-stand-in-accepted": ("invitation_answered", {**answered, "answer": "accept"}),
        "invitation-stand-in-declined": ("invitation_answered", {"answer": "decline", "table": table, "asker": "Di"}),
        "stand-in": ("stand_in", back),
        "stand-in-nasty": ("stand_in", {**back, "stand_in": NASTY[0]}),
        "stand-in-over": ("stand_in_over", {"owner": "Di", "table_name": "Table 7F3K"}),
        "table-stand-in": ("table", {**playing, "plays_for": "Di", "give_back_action": "/seat/x/give-back"}),
        "table-stand-in-asked": ("table", {**playing, "back_action": "/seat/x/back", "stand_in_asked": "Eve"}),
        "turn-over-stand-in": ("turn_over", done),
    }


def my_games() -> MyGames:
    """The games of a busy player, in every state."""
    soon, later = (timestamp(NOW + timedelta(hours=hours), NOW, "Asia/Kolkata") for hours in (2, 20))
    company, nasty = "with Bo, Cy and Di", f"with {', '.join(NASTY[1:])}"
    first = GameLine("Table 7F3K", company, "It is your turn: trick 5, hand 2.", LINK, TABLE_LINK, soon)
    second = GameLine("Table Q2ZZ", nasty, "It is your turn: pass, hand 1.", LINK, TABLE_LINK, later)
    away = GameLine("Table A9BC", company, "You are away: a robot plays for you at once.", TABLE_LINK)
    lent = GameLine("Table L3NT", company, "Eve plays for you until you are back.", TABLE_LINK)
    return MyGames(
        waiting=[first, second],
        running=[GameLine("Table 5WXY", nasty, "Waiting for Bo and Cy.", TABLE_LINK), away, lent],
        joining=[GameLine("Table J01N", company, "You join once the hand being played is over.", LINK)],
        invitations=[GameLine("Table 88KM", "with Eve", "You are invited.", LINK, TABLE_LINK)],
        gathering=[GameLine("Table PPR4", "", "In the lobby, the table looks for three players.", TABLE_LINK)],
        over=[GameLine(f"Table T{n}X4", company, f"It ended {n} days ago.", TABLE_LINK) for n in range(2, 6)],
        has_older=True,
    )


def _again(stand: AnotherGameState, agreed: str = "Ann wants") -> AgainText:
    return again_text(AnotherGame(stand, 2, agreed, "Ann"), summary(CLASSIC, states=("host", "invited")), AGAIN_LINK)


AGAIN = {
    "open": _again(AnotherGameState.OPEN),
    "asked": _again(AnotherGameState.ASKED, "Ann and Cy want to play again"),
    "agreed": _again(AnotherGameState.AGREED),
    "declined": _again(AnotherGameState.DECLINED),
    "closed": _again(AnotherGameState.CLOSED),
    "begun": _again(AnotherGameState.BEGUN),
}


FOLLOW = Follow("/play/x", "5f3a2c11", is_live=True, tap_plays=True)
FOLLOW_TABLE = Follow("/seat/x", "5f3a2c11", is_live=False, is_player=False)


def play_pages(turn: dict[str, Any]) -> dict[str, Sample]:
    """The live page: while another player is awaited, the reader, and nobody."""
    followed = {"follow": FOLLOW, "play_link": "/play/x", "table_link": TABLE_LINK, "next_game": None, "talk": None}
    frame = {**followed, "kind": "waiting", "error": None, "back_action": None, "done": None}
    asking = {**turn, **followed, "kind": "1 2 trick 5", "action": "/turn/x"}
    thinking = first_game(CLASSIC, lambda game: following(game, trick=5, void=False))
    leading = first_game(CLASSIC, lambda game: game.stage is Stage.PLAY and game.trick == 6 and not game.on_table)
    passing = first_game(CLASSIC, lambda game: game.stage is Stage.PASS and game.hand == 2 and len(game.to_act) == 2)

    def waits(game: Game, names: tuple[str, ...] = CAST, **more: Any) -> Sample:
        reader = next(seat for seat in (2, 0, 1, 3) if seat not in game.to_act)
        sheet = with_others_present(sheet_of(game, names, Seat(reader)))
        return "play", {**frame, "sheet": sheet, "heading": who_acts(sheet), **more}

    asked = with_others_present(sheet_of(thinking))
    forced = "It was the only card that you could play. We played 7♦ for you."
    over = score_of(finished_game(CLASSIC))
    between = {**followed, "kind": "between games", "table": summary(CLASSIC), "error": None, "again": None}
    between |= {"result": result(CLASSIC, over), "share_link": "/seat/x/share?game=1"}
    waiting = "Waiting for Bo."
    tabs = [
        HandTab(1, "/play/x?hand=1", is_shown=False, waits=False, state=waiting),
        HandTab(2, "/play/x?hand=2", is_shown=True, waits=True, state="It's your turn again."),
        HandTab(3, "/play/x?hand=3", is_shown=False, waits=True, state="It's your turn again."),
        HandTab(4, "/play/x?hand=4", is_shown=False, waits=False, state="Hand 4 is over."),
    ]
    return {
        "turn-beside": ("turn", {**asking, "sheet": asked, "tabs": tabs}),
        "pass-beside": ("pass", {**asking, "sheet": sheet_of(passing), "tabs": tabs}),
        "play-beside": waits(thinking, tabs=tabs, done="You played 7♦."),
        "play-waiting": waits(thinking, done="You played 7♦."),
        "play-laid": (
            "play",
            {**frame, "sheet": as_laid(asked), "is_laid": True}
            | {"heading": "7♦ lies face down.", "done": "You played 7♦."},
        ),
        "play-trick-over": waits(leading, done="You played K♠."),
        "play-passing": waits(passing, done="You passed A♠ K♠ Q♠."),
        "play-moon": waits(moon_game()),
        "play-hand-over": waits(passing, last_hand=last_hand(CLASSIC, CAST), share_link="/seat/x/share?game=1"),
        "play-hand-over-partners": waits(passing, last_hand=last_hand(PARTNERS, CAST)),
        "pass-hand-over": ("pass", {**asking, "sheet": sheet_of(passing), "last_hand": last_hand(CLASSIC, NASTY)}),
        "play-nasty": waits(thinking, NASTY, nudge=NudgeLine(NASTY[3], NASTY[2])),
        "play-may-nudge": waits(thinking, nudge=NudgeLine(open="Di")),
        "play-asks-pause": waits(thinking, pause=pause_line(["Bo"], is_asking=False, is_paused=False)),
        "turn-asks-pause": (
            "turn",
            {**asking, "sheet": asked, "pause": pause_line((), is_asking=True, is_paused=True)},
        ),
        "play-nudged": waits(thinking, nudge=NudgeLine(done="Di")),
        "play-away": waits(thinking, back_action="/play/x/back", done="You were away. We played 7♦ for you."),
        "play-over": ("play_between", {**between, "score": over, "heading": over.headline, "again": AGAIN["open"]}),
        "play-not-begun": (
            "play_between",
            {**between, "score": score_sheet(CLASSIC, CAST, ()), "heading": "Table 7F3K"}
            | {"table": summary(CLASSIC, states=("host", "invited", "accepted"))},
        ),
        "turn-live": ("turn", {**asking, "sheet": asked, "done": forced}),
        "pass-live": ("pass", {**asking, "sheet": with_others_present(sheet_of(passing)), "kind": "1 2 pass"}),
    }


def with_others_present(sheet: Any) -> Any:
    """The sheet, with Cy and Di present as well."""
    return replace(sheet, people=tuple(replace(one, is_present=one.name in CAST[2:]) for one in sheet.people))


SHARED_LINK = "https://hearts.example/shared/WzEsMSwxXQ.aZxY81.s8Hj7gF6dD5sS4aA3q"
SHARED = {
    "url": SHARED_LINK,
    "picture": f"{SHARED_LINK}/picture.png?v=0123456789abcdef",
    "picture_size": (1200, 630),
    "stop_action": None,
}


def shared_pages() -> dict[str, Sample]:
    """A result that is shared, as its player and as everybody sees it."""
    hidden = ("North", "East", "Ann", "Pip")
    made: dict[str, Sample] = {}
    for name, (score, names, rules) in scores().items():
        shown = score_sheet_of(stored_game(rules, hidden if name == "classic" else names))
        hands = [(line.number, f"/shared/x/hand/{line.number}") for line in score.hands]
        made[f"shared-{name}"] = (
            "shared",
            {**SHARED, "result": result(rules, shown), "score": shown, "hand_links": hands},
        )
    ended = score_sheet(CLASSIC, CAST, finished_game(CLASSIC).scores[:1], is_ended=True)
    over = {**SHARED, "result": result(CLASSIC, ended), "score": ended, "hand_links": [(1, "/shared/x/hand/1")]}
    made["shared-ended"] = ("shared", over)
    made["shared-mine"] = ("shared", {**made["shared-classic"][1], "stop_action": "/shared/x/stop"})
    hand_links = made["shared-classic"][1]["hand_links"]
    relived_by_all = relived(CLASSIC, hidden, 1, 24, reviewed=False) | {"table_name": "A shared game"}
    made["shared-hand"] = ("relive", {**relived_by_all, "result_link": "/shared/x", "hand_links": hand_links})
    frame = {"result": made["shared-classic"][1]["result"], "link": None, "names": False, "action": "?game=1"}
    frame |= {"others": "West, North and East", "table_name": "Table 7F3K", "table_link": TABLE_LINK}
    frame["is_playing"] = False
    made["share"] = ("share", frame)
    made["share-robots"] = ("share", {**frame, "others": ""})
    made["share-playing"] = ("share", {**frame, "is_playing": True})
    made["share-done"] = ("share", {**frame, "link": SHARED_LINK, "names": True})
    made["share-done-robots"] = ("share", {**frame, "others": "", "link": SHARED_LINK})
    made["share-nasty"] = ("share", {**frame, "link": SHARED_LINK, "result": made["shared-nasty"][1]["result"]})
    return made


def lobby_pages() -> dict[str, Sample]:
    """Tables with open seats, and the way to one of them."""
    stranger = {"form": Form({}), "is_known": False, "time_zones": ZONES}
    wrong = Form({"name": "", "address": "eve"}, {"name": "Enter a name.", "address": "This is not an address."})
    known = {"is_known": True, "form": Form({"name": NASTY[2]})}
    ann, nasty = open_table(CAST, "Ann"), open_table(NASTY, NASTY[2].split()[0])
    sent = {"address": "eve@example.org", "table_name": "Table 7F3K", "mailbox": False}
    looking = summary(CLASSIC, ("Ann", *["Open seat"] * 3), ("host", "open", "open", "open"))
    return {
        "lobby": ("lobby", {"tables": [replace(ann, is_live=True), nasty, ann]}),
        "lobby-none": ("lobby", {"tables": []}),
        "join": ("join", {**stranger, "table": ann}),
        "join-live": ("join", {**stranger, "table": replace(ann, is_live=True)}),
        "join-wrong": ("join", {**stranger, "table": nasty, "form": wrong}),
        "join-too-much-mail": (
            "join",
            {
                **{**stranger, "table": ann, "form": Form({"name": "Eve", "address": "eve@example.org"})},
                "refusal": f"{ADDRESS.sentence} Please try again in 42 minutes.",
            },
        ),
        "join-known": ("join", {**stranger, **known, "table": ann}),
        "join-sent": ("join_sent", sent),
        "join-gone": ("join_gone", {}),
        "confirm-open": ("confirm", {"table": looking, "action": "/confirm/x"}),
    }


def talk_pages(turn: dict[str, Any]) -> dict[str, Sample]:
    """The talk at a table of free text, of phrases, or of none."""
    said = talk(*PHRASES[:7], "QS", "Back in an hour, or perhaps two; " * 8, "x" * LONGEST, "Thank you, Bo")
    nasty = talk(*NASTY, "x" * LONGEST, "<script>alert(7)</script> &amp;", names=NASTY)
    asked = {**turn, "sheet": sheets()["following"], "play_link": "/play/x"}
    typing = TalkSheet(said, said[-1], "/play/x/talk", PHRASES, may_type=True, longest=LONGEST)
    silent = replace(typing, lines=(), heard=None)
    nastily = replace(typing, lines=nasty, heard=nasty[-2])
    refused = Unsaid(NASTY[0], "That was a lot within a minute. Please wait a moment before you say more.")
    return {
        "turn-talk": ("turn", {**asked, "talk": typing}),
        "turn-talk-nasty": ("turn", {**asked, "talk": nastily, "unsaid": refused}),
        "turn-talk-phrases": ("turn", {**asked, "talk": replace(typing, may_type=False), "unsaid": refused}),
        "pass-talk": ("pass", {**asked, "sheet": pass_sheets()["classic"], "talk": silent}),
        "table-talk": ("table", _playing(CLASSIC, CAST) | {"talk": TalkSheet(said)}),
    }


def preferences_pages() -> dict[str, Sample]:
    """The preferences page in all states."""
    preferences = Preferences("Europe/Berlin", Frequency.EVERY, 8, Quiet(22, 7), reminders=True, invitations=True)
    player = PlayerRow(address="di@example.org", name="Di", time_zone="Europe/Berlin", created_at=NOW)
    holidays = holiday_sheet(player, NOW)
    player.holidays = [["2026-03-04", "2026-03-04"], ["2026-12-24", "2027-01-06"]]
    refused = read_holiday_form({"holiday_first": "2026-04-01", "holiday_last": "2026-03-30"})
    refused.errors["holiday_first"] = "The last day off comes before the first one."
    frame = {
        "name": "Di",
        "frequencies": FREQUENCIES,
        "hours": HOURS,
        "week": WEEK,
        "time_zones": ZONES,
        "action": "/wishes/x",
    }
    frame |= {"done": None, "error": None, "current_address": "di@example.org", "address": "", "address_error": None}
    frame |= {"devices": DeviceSheet("BKey", (), push_only=False)}
    frame |= {
        "is_unreachable": False,
        "form": preferences_form(preferences),
        "holidays": holidays,
        "look_choice": CardStyleChoice("/wishes/x/cards", USUAL),
    }
    frame |= {"plan_label": None}
    going = VacationSheet(left_sentence(1), "Wed 4 March", [("1", "1 day, to Thu 5 March")])
    days = [("1", "1 day, to Mon 2 March"), ("2", "2 days, to Tue 3 March"), ("3", "3 days, to Wed 4 March")]
    staying = VacationSheet(left_sentence(3), None, days)
    tables = [
        TableLine(1, "Table 7F3K", TABLE_LINK, is_away=False, mails=True, vacation=going),
        TableLine(2, "Table Q2ZZ", TABLE_LINK, is_away=True, mails=False),
        TableLine(3, "Table M4RX", TABLE_LINK, is_away=False, mails=True, vacation=staying),
    ]
    stood_in = [
        TableLine(3, "Table A9BC", TABLE_LINK, is_away=False, mails=True, may_ask=True, vacation=staying),
        TableLine(4, "Table L3NT", TABLE_LINK, is_away=False, mails=True, stand_in="Eve"),
        TableLine(5, "Table 5WXY", TABLE_LINK, is_away=True, mails=True, asked="Eve", may_ask=True),
        TableLine(6, "Table PPR4", TABLE_LINK, is_away=False, mails=True, owner="Cy"),
    ]
    lines = tuple(
        DeviceLine(number, kind_of(f"https://{host}/x"), "Mon 2 March", str(number))
        for number, host in enumerate(("fcm.googleapis.com", "web.push.apple.com", "x.push.services.mozilla.com"), 1)
    )
    wrong = preferences_form(preferences)
    wrong.errors["quiet_to"] = "Quiet hours are from 1 to 16 hours long."
    less = {"action": "/unsubscribe/x", "table_name": "Table 7F3K", "wants": preferences}
    frame |= {"move": None, "is_fresh": False, "silent_for": "7 days"}
    until = timestamp(NOW + timedelta(days=6), NOW, "Europe/Berlin")
    move = AddressChangeLine("di@example.com", is_proved=False, is_agreed=False, until=until)
    made: dict[str, Sample] = {
        "wishes-holidays": ("wishes", {**frame, "tables": [], "holidays": holiday_sheet(player, NOW)}),
        "wishes-holidays-wrong": ("wishes", {**frame, "tables": [], "holidays": holiday_sheet(player, NOW, refused)}),
        "wishes": ("wishes", {**frame, "tables": tables, "done": "Saved.", "plan_label": "Ask me when it matters"}),
        "wishes-stand-in": ("wishes", {**frame, "tables": stood_in, "done": "Saved."}),
        "wishes-stand-in-wrong": (
            "wishes",
            {**frame, "tables": stood_in, "typed": {"table": "3", "name": "Eve", "address": "eve at home"}}
            | {"error": "This is not an email address that we can write to."},
        ),
        "wishes-none": ("wishes", {**frame, "tables": [], "devices": None}),
        "wishes-device": ("wishes", {**frame, "tables": [], "devices": DeviceSheet("BKey", lines[:1], push_only=True)}),
        "wishes-devices": ("wishes", {**frame, "tables": [], "devices": DeviceSheet("BKey", lines, push_only=False)}),
        "wishes-wrong": (
            "wishes",
            {**frame, "tables": tables[:1], "form": wrong, "error": "You do not sit at that table any more."}
            | {"address": "di", "address_error": "This is not an email address that we can write to."},
        ),
        "wishes-unreachable": ("wishes", {**frame, "tables": tables, "is_unreachable": True}),
        "wishes-moving": ("wishes", {**frame, "tables": [], "devices": None, "move": move}),
        "wishes-moving-proved": (
            "wishes",
            {**frame, "tables": [], "devices": None, "move": replace(move, is_proved=True), "is_fresh": True},
        ),
        **address_pages(until),
    }
    for stops in Stopped:
        for step in ("ask", "stopped", "back", "daily", "quiet"):
            made[f"unsubscribe-{stops}-{step}"] = ("unsubscribe", {**less, "stops": stops.value, "step": step})
    return made


def address_pages(until: Timestamp) -> dict[str, Sample]:
    """A move to another address, as the owners of both addresses see it."""
    new = {"name": "Di", "address": "di@example.com", "until": until, "is_agreed": False}
    old = {**new, "address": "di@example.org", "masked": "d***@example.com", "error": None, "says_no": False}
    old["take_back_link"] = "/take-back/x"
    nasty = {**old, "name": NASTY[0], "masked": f"x***@{'long.' * 30}example.com"}
    made: dict[str, Sample] = {
        f"new-address-{step}": ("new_address", {**new, "step": step}) for step in ("asks", "waits", "done", "stopped")
    }
    made["new-address-agreed"] = ("new_address", {**new, "step": "asks", "is_agreed": True})
    made |= {
        f"old-address-{step}": ("old_address", {**old, "step": step})
        for step in ("asks", "agreed", "refused", "done", "stopped")
    }
    made["old-address-no"] = ("old_address", {**nasty, "step": "asks", "says_no": True})
    made["old-address-wrong"] = ("old_address", {**old, "step": "asks", "error": "Please answer with yes or no."})
    made |= {f"take-back-{step}": ("take_back", {**old, "step": step}) for step in ("asks", "done", "stopped")}
    made["take-back-first-version"] = ("take_back", {**old, "step": "asks", "masked": None})
    made["address-taken"] = ("address_taken", {"address": "di@example.com"})
    return made


def operator_sheet(*, is_in_order: bool) -> OperatorSheet:
    """The operators' page, when all is well or much is not."""
    late = 0 if is_in_order else 4000
    checks = [
        Check("disk", True, {"free_bytes": 25_000_000_000}),
        Check("broker", is_in_order),
        Check("games", is_in_order, {"waiting": late // 100, "oldest_seconds": late}),
        Check("scheduler", is_in_order, {"seen_seconds_ago": 7 + late}),
        Check("worker", True, {"seen_seconds_ago": 9}),
        Check("database", True, {"milliseconds": 1.2}),
        Check("migrations", True, {"version": "0017", "newest": "0017"}),
    ]
    figures = [Figure("players", 1234), Figure("turns within a day", 98765)]
    due = timestamp(NOW, NOW, "Europe/Berlin")
    games = [RunningLine("7F3KM", 1, 57, due, not is_in_order), RunningLine("WWWWW", 12, 9, None, False)]
    failed = [FailedLine(123456, "turn", f"550 5.1.1 <(an address)>: {'unknown ' * 12}")]
    silenced = [SilencedLine(12, True, due), SilencedLine(1234567, False, due)]
    troubles = ([], []) if is_in_order else (silenced, failed)
    return OperatorSheet([check_line(check) for check in checks], figures, games, *troubles, is_held=not is_in_order)


def sign_in_pages() -> dict[str, Sample]:
    """Signing in, and the list of sign-ins."""
    blank = {"error": None, "address": "", "has_ended": False, "is_of_first": False}
    wrong = {"error": "This is not an email address that we can write to.", "address": "ann"}
    lines = [
        SignInLine(1, "Firefox on Android", "Mon 2 March", "Mon 2 March", is_this=True),
        SignInLine(2, "Samsung Internet on Android", "Tue 3 February", "Sun 1 March", is_this=False),
        SignInLine(3, "A browser", "Tue 3 February", "Tue 3 February", is_this=False),
    ]
    device_lines = (DeviceLine(1, kind_of("https://fcm.googleapis.com/x"), "Mon 2 March", "1"),)
    listed = {"player_name": "Ann", "preferences_link": WISHES_LINK, "done": None, "error": None, "devices": ()}
    return {
        "sign-in": ("sign_in", blank),
        "sign-in-error": ("sign_in", {**blank, **wrong}),
        "sign-in-too-much-mail": (
            "sign_in",
            {
                **blank,
                "address": "ann@example.org",
                "refusal": f"{NETWORK[0].sentence} Please try again in 1 hour.",
            },
        ),
        "sign-in-ended": ("sign_in", {**blank, "has_ended": True}),
        "sign-in-once-more": ("sign_in", {**blank, "is_of_first": True}),
        "signed-in": ("signed_in", {**listed, "lines": lines[:1]}),
        "signed-in-many": (
            "signed_in",
            {**listed, "lines": lines, "devices": device_lines, "done": "That browser is signed out."},
        ),
        "signed-in-wrong": ("signed_in", {**listed, "lines": lines, "error": "Please use the buttons on this page."}),
        "signed-out": ("signed_out", {}),
    }


def _table(rules: Rules, game: Game | None, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "table": summary(rules, names),
        "score": score_of(game, names) if game else None,
        "chart": race(score_of(game, names)) if game else None,
        "result": None,
        "share_link": None,
        "again": None,
        "waiting": [],
        "sheet": None,
        "record_link": None,
        "relive_links": [(hand, RELIVE_LINK) for hand in range(1, len(game.scores) + 1)] if game else [],
        "turn_link": None,
        "play_link": None,
        "follow": FOLLOW_TABLE,
        "kind": "table",
        "host": None,
        "host_error": None,
        "mail": None,
    }


def mail_lines(status: Status, reason: str | None = None, *, hers: bool = False, hosts: bool = False) -> MailLines:
    """The fate of the last mail to Di, who is signed in if the link is `hers`; and of the others', if Di hosts."""
    delivery = Delivery(NOW - timedelta(hours=3), status)
    others = [(name, some.value, some in TROUBLE) for name, some in zip(CROWD, Status, strict=False)] if hosts else []
    link = WISHES_LINK if hers else None
    return MailLines(delivery.sentence(NOW, "Europe/Berlin"), reason, delivery.is_trouble, link, others)


def _playing(rules: Rules, names: tuple[str, ...]) -> dict[str, Any]:
    game = first_game(rules, lambda game: game.hand == 4 and following(game, trick=4, void=False))
    seat = Seat((game.to_act[0] + 1) % rules.players)
    awaited = line(
        name=names[game.to_act[0]], what="to play", deadline=timestamp(NOW + timedelta(hours=5), NOW, "Europe/Berlin")
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
        shown = practice_sheet_of(hand.game, hand.asked, hand.forced, practice.YOU, practice.NAMES)
        made[f"practice-{name}"] = (template, {**asked, "practice": shown, "sheet": shown.sheet})
    made["home"] = ("home", {"sheet": made["practice-pass"][1]["sheet"], "action": "/practice/x"})
    template, context = made["practice-card"]
    made["practice-error"] = (template, {**context, "error": "Choose a card to play."})
    score = hands[-1].game.scores[-1]
    last = hands[-1]
    over = {
        "practice": practice_sheet_of(last.game, last.asked, last.forced, practice.YOU, practice.NAMES),
        "again_link": "/practice/x",
    }
    over["score"] = score_sheet(practice.RULES, practice.NAMES, [score])
    over["story"] = story(practice.RULES, practice.NAMES, score)
    made["practice-over"] = ("practice_over", {**over, "outcome_text": outcome_text(score, practice.YOU)})
    return made


def _practised(keys: list[str], link: practice.PracticeLink) -> Iterator[practice.PracticeHand]:
    """A practice hand at each of the newcomer's choices, and at its end; the newcomer plays as a robot would."""
    while (hand := practice.hand_of(keys, link)).score is None:
        yield hand
        turn = by_rule(hand.game, practice.YOU)
        assert isinstance(turn, Pass | Play)
        link = practice.after(hand, turn)
    yield hand
