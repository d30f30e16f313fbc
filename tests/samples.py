"""Every page and mail in every state worth looking at, as template and context: for the gallery and for tests.

The hands are played by chance under the real rules, until one turns up that shows what is wanted.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hearts.cards import Cards, card_text, in_suit, suit
from hearts.deal import deal
from hearts.game import Game, Stage, apply, legal
from hearts.review import Opinion
from hearts.rules import PRESETS, Rules, preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn
from hearts.view import view
from webapp import practice, suggestions
from webapp.again import Stand, Standing
from webapp.finished import FinishedHand, finished_hand
from webapp.forms import CHAIRS, ROBOT_LEVELS
from webapp.models import Frequency, Way
from webapp.options import GROUPS
from webapp.pages.again import AgainTold, told
from webapp.pages.seats import MailLines
from webapp.post.clock import Quiet
from webapp.post.delivery import TROUBLE, MailNews, News
from webapp.post.wishes import Stopped, Wishes
from webapp.sheets import practice_sheet_of, score_sheet_of
from webapp.store import Record, Stored
from webapp.suggestions import RobotHelp
from webapp.telling.chart import race
from webapp.telling.house_rules import how_we_play, in_short
from webapp.telling.lessons import how_it_went
from webapp.telling.numbers import numbers
from webapp.telling.present import SeatLine, moment, score_sheet, table_summary, turn_sheet
from webapp.telling.relive import scene
from webapp.telling.story import story
from webapp.thinking import advise, by_rule
from webapp.wish_form import FREQUENCIES, HOURS, wish_form
from worker.attachments import Picture
from worker.picture import png
from worker.scores import STORIES_AT_MOST, latest

ROOT = Path(__file__).parent.parent
NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
CAST = ("Ann", "Bo", "Cy", "Di")
CROWD = ("Ann", "Bo", "Cy", "Di", "Emil", "Fatima", "Gus", "Henrike", "Ida", "Joost", "Kai")
NASTY = ('<b>"Ann"</b>', "Bo & Sons' \\", "Wilhelmina-Alexandra von Hohenstein-Bargo", "{{ 7 * 7 }}")
LINK = "https://hearts.example/turn/eyJnYW1lIjo3LCJzZWF0IjoyfQ.aZxY81.k3Jd0sPq7mN2vB5cX9zL4wT6rH8"
TABLE_LINK = "https://hearts.example/seat/eyJ0YWJsZSI6N30.aZxY81.p0Oi9uY7tR5eW3qA1sD"
RELIVE_LINK = "https://hearts.example/relive/WzEsNywxXQ.aZxY81.m4Lk7jH2gF9dS5aP0o"
AGAIN_LINK = "https://hearts.example/again/WzEsNywyLDUsMV0.aZxY81.q8We3rT6yU1iO4pA7s"
ADDRESS_LINK = "https://hearts.example/address/WzEsMywiZGkiXQ.aZxY81.n5Bv4cX3zA2sD1fG0h"
GAMES_LINK = "https://hearts.example/games"
WISHES_LINK = "https://hearts.example/wishes/WzEsM10.aZxY81.t6Yh5gT4rF3eD2wS1q"
FOOT = {
    "wishes_link": WISHES_LINK,
    "unsubscribe_link": "https://hearts.example/unsubscribe/WzEsNywyLDNd.aZxY81.u7Jm6nH5bG4vF3cD2x",
    "unsubscribe_words": "No more mails of this table",
}
RULES_LINK = "https://hearts.example/how-we-play/7F3K"
Sample = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Line:
    """Any object with attributes that a template asks for."""

    said: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.said[name]
        except KeyError:
            raise AttributeError(name) from None


def line(**said: Any) -> Line:
    return Line(said)


def environment(*, trim: bool = True) -> Environment:
    """As the web (which does not trim) and the worker (which does) set theirs up, but strict about names."""
    made = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=StrictUndefined,
        trim_blocks=trim,
        lstrip_blocks=trim,
    )
    made.globals["static"] = lambda name: f"/static/{name}"
    return made


# games


def games(rules: Rules, seed: int) -> Iterator[Game]:
    """Every state of a game that chance plays."""
    rng = random.Random(seed)
    game = Game(rules)
    while game.stage is not Stage.OVER:
        game = apply(game, _chance(game, rng))
        yield game


def _chance(game: Game, rng: random.Random) -> Turn:
    match game.stage:
        case Stage.DEAL:
            return deal(game.rules, Seat(game.hand % game.rules.players), rng)
        case Stage.PASS:
            seat = game.to_act[0]
            return Pass(seat, Cards.of(rng.sample(list(game.held[seat]), game.rules.pass_count)))
        case Stage.MOON:
            return Moon(game.to_act[0], MoonChoice.ADD)
        case _:
            seat = game.to_act[0]
            return Play(seat, rng.choice(list(legal(game, seat))))


def first_game(rules: Rules, wanted: Callable[[Game], bool]) -> Game:
    """The first state that shows what is wanted, whichever seed it takes."""
    return next(game for seed in range(500) for game in games(rules, seed) if wanted(game))


def finished_game(rules: Rules, seed: int = 3) -> Game:
    return list(games(rules, seed))[-1]


def following(game: Game, *, trick: int, void: bool) -> bool:
    """Whether somebody must think: in the middle of a trick, with or without the suit led, some of her cards barred."""
    if game.stage is not Stage.PLAY or game.trick < trick or not 2 <= len(game.on_table) < game.rules.players:
        return False
    seat = game.to_act[0]
    has = bool(game.held[seat] & in_suit(suit(game.on_table[0])))
    return has is not void and len(legal(game, seat)) > 1


def holds_twins(game: Game, seat: Seat) -> bool:
    return len(game.held[seat]) > len(game.held[seat].faces())


def moon_game() -> Game:
    """A shooter who must say how the moon counts: every high card was hers."""
    rules = preset_rules("classic", moon="choice", passing="none", target=60)
    high = Cards.parse("AC KC QC JC AD KD QD AS KS QS AH KH QH")
    before = first_game(rules, lambda game: game.stage is Stage.DEAL and game.hand == 4)
    rest = list(Cards.of(card for held in deal(rules, Seat(0), random.Random(1)).held for card in held) - high)
    held = (high, *(Cards.of(rest[start::3]) for start in range(3)))
    game = apply(before, Deal(Seat((before.deal.dealer + 1) % 4 if before.deal else 0), held, Cards()))
    while game.stage is Stage.PLAY:
        seat = game.to_act[0]
        game = apply(game, Play(seat, max(legal(game, seat), key=lambda card: (card % 13, card))))
    return game


def sheet_of(game: Game, names: tuple[str, ...] = CAST, seat: Seat | None = None, *, soon: bool = False) -> Any:
    """The turn sheet of whoever is awaited, or of `seat`."""
    seat = game.to_act[0] if seat is None else seat
    at = NOW + (timedelta(minutes=50) if soon else timedelta(hours=23))
    return turn_sheet(view(game, seat), names, {Seat(1)} - {seat}, moment(at, NOW, "Europe/Berlin"))


def score_of(game: Game, names: tuple[str, ...] = CAST) -> Any:
    return score_sheet(game.rules, names, game.scores, game.winners)


def summary(rules: Rules, names: tuple[str, ...] = CAST, states: tuple[str, ...] = ()) -> Any:
    states = (*states, *("host", "accepted", "accepted", "robot")[len(states) :], *("accepted",) * len(names))
    seats = [SeatLine(name, state) for name, state in zip(names, states, strict=False)]
    return table_summary("Table 7F3K", rules, seats, timedelta(days=1), timedelta(hours=12), RULES_LINK)


CLASSIC = preset_rules("classic")
ELEVEN = preset_rules("cancellation", players=11)
SEVEN = preset_rules("classic", players=7)
KITTY = preset_rules("kitty", players=3, passing="left-right")
PARTNERS = preset_rules("partners")
OMNIBUS = preset_rules("omnibus", fifty_bonus=True, no_tricks_bonus=-5, jack_points=-10)


def sheets() -> dict[str, Any]:
    """Turn sheets at stage play, by what they show."""
    follow = first_game(CLASSIC, lambda game: following(game, trick=5, void=False))
    aside = first_game(
        ELEVEN,
        lambda game: game.stage is Stage.PLAY and bool(game.won) and game.won[-1] is None and len(game.on_table) > 5,
    )
    return {
        "following": sheet_of(follow),
        "void": sheet_of(first_game(CLASSIC, lambda game: following(game, trick=1, void=True))),
        "nasty": sheet_of(follow, NASTY, soon=True),
        "leading": sheet_of(
            first_game(CLASSIC, lambda g: g.stage is Stage.PLAY and g.trick == 3 and not g.on_table and not g.broken)
        ),
        "eleven": sheet_of(aside, CROWD),
        "three": sheet_of(first_game(KITTY, lambda game: following(game, trick=2, void=False)), CAST[:3]),
        "partners": sheet_of(first_game(PARTNERS, lambda game: following(game, trick=7, void=False))),
        "first": sheet_of(first_game(CLASSIC, lambda game: following(game, trick=1, void=False))),
        "seventeen": sheet_of(first_game(KITTY, lambda game: following(game, trick=1, void=False)), CAST[:3]),
        "seven": sheet_of(first_game(SEVEN, lambda game: following(game, trick=2, void=False)), CROWD[:7]),
    }


def pass_sheets() -> dict[str, Any]:
    return {
        "classic": sheet_of(first_game(CLASSIC, lambda game: game.stage is Stage.PASS)),
        "nasty": sheet_of(first_game(CLASSIC, lambda game: game.stage is Stage.PASS), NASTY),
        "seventeen": sheet_of(first_game(KITTY, lambda game: game.stage is Stage.PASS), CAST[:3]),
        "eleven": sheet_of(
            first_game(ELEVEN, lambda game: game.stage is Stage.PASS and holds_twins(game, game.to_act[0])), CROWD
        ),
    }


def scores() -> dict[str, tuple[Any, tuple[str, ...], Rules]]:
    """Finished games: the sheet, the names, the rules."""
    return {
        "classic": (told_score(CLASSIC, CAST), CAST, CLASSIC),
        "eleven": (told_score(ELEVEN, CROWD), CROWD, ELEVEN),
        "partners": (told_score(PARTNERS, CAST), CAST, PARTNERS),
        "omnibus": (told_score(OMNIBUS, CAST), CAST, OMNIBUS),
        "nasty": (told_score(CLASSIC, NASTY), NASTY, CLASSIC),
    }


def told_score(rules: Rules, names: tuple[str, ...]) -> Any:
    """The sheet of a finished game with its stories, some with what the robot thinks."""
    stored = stored_game(rules, names)
    return score_sheet_of(stored, opinions={2: opinions_on(finished_hand(stored, 2))})


# finished hands


def stored_game(rules: Rules, names: tuple[str, ...], seed: int = 3) -> Stored:
    """A whole game of chance as it would come out of the database; half of its turns were played by a robot."""
    game, turns = finished_game_and_turns(rules, seed)
    records = tuple(Record(turn, (Way.PAGE, Way.TIMEOUT)[number % 2]) for number, turn in enumerate(turns))
    seats: Any = [line(name=name, seat=seat, state="accepted") for seat, name in enumerate(names)]
    row: Any = line(names=None)
    return Stored(row, row, seats, records, game)


def finished_game_and_turns(rules: Rules, seed: int) -> tuple[Game, list[Turn]]:
    rng = random.Random(seed)
    game, turns = Game(rules), []
    while game.stage is not Stage.OVER:
        turns.append(_chance(game, rng))
        game = apply(game, turns[-1])
    return game, turns


def opinions_on(hand: FinishedHand) -> tuple[Opinion, ...]:
    """Made up: one that a card cost much, and one that a pass did."""
    made = []
    for number, record in enumerate(hand.records, 1):
        if isinstance(record.turn, Pass) and not made:
            given, kept = record.turn.cards, hand.games[0].held[record.turn.seat] - record.turn.cards
            better = str(Cards.of(list(kept)[:3]))
            why = "You have three low spades to guard the queen: keep it, and pass what would win tricks."
            made.append(Opinion(number, 0, record.turn.seat, str(given), better, 6.4, 5.1, 1.3, why))
        if isinstance(record.turn, Play) and number in (27, 34):
            seat, held = record.turn.seat, hand.games[number - 2].held[record.turn.seat] - Cards.of([record.turn.card])
            why = "The queen is still out and you hold a card above it: get rid of it while clubs are led."
            played, better = card_text(record.turn.card), card_text(next(iter(held)))
            made.append(Opinion(number, hand.games[number - 2].trick, seat, played, better, 5.3, 1.2, 4.1, why))
    return tuple(made)


def relived(rules: Rules, names: tuple[str, ...], hand: int, step: int, *, reviewed: bool = True) -> dict[str, Any]:
    """The page of a finished hand at a step."""
    stored = stored_game(rules, names)
    finished = finished_hand(stored, hand)
    return {
        "scene": scene(finished, step, opinions_on(finished) if reviewed else ()),
        "score": score_sheet(
            rules, names, stored.game.scores[:hand], (), [story(rules, names, one) for one in stored.game.scores[:hand]]
        ),
        "table_name": "Table 7F3K",
        "may_ask": not reviewed,
    }


def first_score() -> Any:
    """After the first hand, as everybody sees it for the first time."""
    return score_of(first_game(CLASSIC, lambda game: game.stage is Stage.DEAL and game.hand == 1))


def advised(game: Game) -> RobotHelp:
    """What the robot says to whoever is awaited; in earnest."""
    return RobotHelp("?suggest=1", suggestions.told(advise(game, game.to_act[0], seed=1)))


# pages


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


# mails


@cache
def mails() -> dict[str, Sample]:
    """By name of the picture: the kind, and its context."""
    links = {"table_link": TABLE_LINK, "rules_link": RULES_LINK, "is_answered": True, **FOOT}
    frame = {"you": "Di", "table": summary(CLASSIC), **links}
    nasty = {"you": NASTY[0], "table": summary(CLASSIC, NASTY), **links}
    invited = {**frame, "table": summary(CLASSIC, states=("host", "invited", "invited", "robot"))}
    inviting = {"host_name": "Ann", "link": LINK, "is_reminder": False, "who_again": None}
    what = "The deadline was over, so we played Q♠ for you."
    made: dict[str, Sample] = {
        "confirm": ("confirm", {**invited, "link": LINK}),
        "invitation": ("invitation", {**invited, **inviting}),
        "invitation-reminder": ("invitation", {**invited, **inviting, "is_reminder": True}),
        "invitation-again": ("invitation", {**invited, **inviting, "who_again": "Ann and Cy want"}),
        "invitation-nasty": ("invitation", {**nasty, **inviting, "host_name": NASTY[0]}),
        "trial": ("trial", {"address": "https://hearts.example", "sender": "play@hearts.example"}),
        "declined": ("declined", {**invited, "who": "Bo", "is_hers_to_fill": True}),
        "declined-by-host": ("declined", {**invited, "who": "Ann", "is_hers_to_fill": False}),
        "sign-in": ("sign_in", {"you": "Di", "link": LINK}),
        "played-for-you-bare": ("played_for_you", {**frame, "what": what, "is_away": False, "sheet": None}),
        "played-for-you-away": ("played_for_you", {**frame, "what": what, "is_away": True, "sheet": None}),
        "new-address": ("new_address", {"you": "Di", "link": ADDRESS_LINK, "new_address": "di@example.com"}),
        "address-changed": ("address_changed", {"you": "Di", "link": ADDRESS_LINK, "new_address": "di@example.org"}),
    }
    for name, sheet in sheets().items():
        people = nasty if name == "nasty" else frame
        cards = {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces}
        asked = {**people, "sheet": sheet, "link": LINK, "card_links": cards, "deadline": sheet.deadline}
        made[f"turn-{name}"] = ("turn", asked)
        made[f"reminder-{name}"] = ("reminder", asked)
        made[f"played-for-you-{name}"] = ("played_for_you", {**people, "what": what, "is_away": False, "sheet": sheet})
    for name, sheet in pass_sheets().items():
        people = nasty if name == "nasty" else frame
        made[f"pass-{name}"] = (
            "pass",
            {**people, "sheet": sheet, "link": LINK, "card_links": {}, "deadline": sheet.deadline},
        )
    moon = sheet_of(moon_game())
    made["moon"] = ("moon", {**frame, "sheet": moon, "link": LINK, "card_links": {}, "deadline": moon.deadline})
    passes = pass_sheets()
    for name, asked in (("pass", passes["classic"]), ("pass-seventeen", passes["seventeen"]), ("moon", moon)):
        words = {"sheet": asked, "link": LINK, "card_links": {}, "deadline": asked.deadline}
        made[f"reminder-{name}"] = ("reminder", {**frame, **words})
    for name, words in _digests(moon).items():
        frame_of_all = {"you": "Di", "games_link": GAMES_LINK, "more": 0, **FOOT}
        frame_of_all["unsubscribe_words"] = "No more mails of any table"
        made[f"digest-{name}"] = ("digest", {**frame_of_all, **words})
    for name, said in _answers(moon).items():
        people = nasty if name == "nasty" else frame
        made[f"answer-{name}"] = ("answer", {**people, **said})
    for name, (score, names, rules) in scores().items():
        seated = {"you": names[0], "table": summary(rules, names), **links, "score": score}
        made[f"score-sheet-{name}"] = ("score_sheet", {**seated, **hand_sheet_words(score)})
        made[f"final-sheet-{name}"] = ("final_sheet", {**seated, **final_sheet_words(score, names, rules)})
    long_rules = preset_rules("cancellation", players=11, target=500)
    long = told_score(long_rules, CROWD)
    seated = {"you": "Ann", "table": summary(long_rules, CROWD), **links, "score": latest(long)}
    made["score-sheet-long"] = ("score_sheet", {**seated, **hand_sheet_words(long)})
    made["final-sheet-long"] = ("final_sheet", {**seated, **final_sheet_words(long, CROWD, long_rules)})
    first = first_score()
    made["score-sheet-first"] = ("score_sheet", {**frame, "score": first, **hand_sheet_words(first)})
    return made


def _digests(moon: Any) -> dict[str, dict[str, Any]]:
    """Several turns in one mail, and what happened since the last."""

    def asking(table: str, sheet: Any, *, few: bool = False) -> dict[str, Any]:
        cards = {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces} if few else {}
        return {"table_name": table, "sheet": sheet, "link": LINK, "card_links": cards, "deadline": sheet.deadline}

    def news(table: str, told: str) -> dict[str, Any]:
        return {"table_name": table, "told": told, "link": TABLE_LINK}

    playing = sheets()
    three = [
        asking("Table 7F3K", playing["following"], few=True),
        asking("Table Q2ZZ", pass_sheets()["classic"]),
        asking("Table M4RX", moon),
    ]
    told = [
        news("Table 7F3K", "Hand 3 is over. Bo leads with 22 points; the lowest total wins."),
        news("Table Q2ZZ", "The deadline was over, so we played Q♠ for you."),
    ]
    subject = "3 turns wait for you, the first until Tue 3 March, 18:00 (Europe/Berlin)"
    nasty = [asking("Table 7F3K", playing["nasty"], few=True)]
    many = [asking("Table 7F3K", playing["eleven"])] * 12
    return {
        "three": {"subject": subject, "asked": three, "news": told},
        "nasty": {"subject": "1 turn waits for you", "asked": nasty, "news": [news("Table 7F3K", NASTY[0])]},
        "many": {"subject": subject, "asked": many, "news": told * 6, "more": 3},
        "news": {"subject": "News from your tables", "asked": [], "news": told},
    }


def picture_of(score: Any) -> Picture:
    chart = race(score)
    assert chart is not None
    return Picture("race@hearts.example", chart.alt, png(chart))


def hand_sheet_words(score: Any) -> dict[str, Any]:
    claimed = "From trick 9 on every trick had to go to Bo, so the rest played itself."
    told = claimed if len(score.hands) > 9 else None
    return {"hand": score.hands[-1], "claimed": told, "relive_link": RELIVE_LINK, "picture": picture_of(score)}


def final_sheet_words(score: Any, names: tuple[str, ...], rules: Rules) -> dict[str, Any]:
    return {
        "stories": score.hands if len(score.hands) <= STORIES_AT_MOST else (),
        "numbers": numbers(rules, names, finished_game(rules).scores),
        "again_link": AGAIN_LINK,
        "relive_links": [(line.number, f"{RELIVE_LINK}{line.number}") for line in latest(score).hands],
        "record_link": f"{TABLE_LINK}/record.json?game=1",
        "record_name": "hearts-7F3K-1.json",
        "sheet_name": "hearts-7F3K-1.csv",
        "picture": picture_of(score),
    }


def _answers(moon: Any) -> dict[str, dict[str, Any]]:
    """What we say to somebody who has answered a mail, by why."""

    def asking(sheet: Any, heading: str, *sentences: str) -> dict[str, Any]:
        cards = {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces}
        asked = {"sheet": sheet, "link": LINK, "card_links": cards, "deadline": sheet.deadline}
        return {"heading": heading, "sentences": sentences, "awaited": "It is your turn.", **asked}

    def telling(heading: str, *sentences: str) -> dict[str, Any]:
        return {"heading": heading, "sentences": sentences, "awaited": "The table waits for Bo.", "sheet": None}

    playing = sheets()
    could_not, none = "We could not follow your answer", "Nothing was played."
    over = "Your answer came when that turn was over, so nothing was changed."
    return {
        "unclear": asking(
            playing["following"],
            could_not,
            none,
            "The first line that you write must be one card, and nothing else.",
        ),
        "illegal": asking(
            playing["void"],
            "Q♠\ufe0e may not be played now",
            "Q♠\ufe0e may not be played: you can follow clubs.",
            none,
        ),
        "nasty": asking(playing["nasty"], could_not, none),
        "eleven": asking(playing["eleven"], could_not, none),
        "pass": asking(pass_sheets()["classic"], could_not, none),
        "moon": asking(moon, could_not, none),
        "over": telling("That turn was over", over, "You played 7♦\ufe0e."),
        "away": telling(
            "You are away from Table 7F3K",
            "From now on a robot plays for you at once, so that nobody has to wait.",
            'Whenever you want to play again, answer "back" to any of our mails.',
        ),
    }
