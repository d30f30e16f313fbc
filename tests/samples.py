"""Every page and mail in every state worth looking at, as template and context: for the gallery and for tests.

The hands are played by chance under the real rules, until one turns up that shows what is wanted.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hearts.cards import Cards, in_suit, suit
from hearts.deal import deal
from hearts.game import Game, Stage, apply, legal
from hearts.rules import PRESETS, Rules, preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn
from hearts.view import view
from webapp.forms import CHAIRS, ROBOT_LEVELS
from webapp.house_rules import how_we_play, in_short
from webapp.options import GROUPS
from webapp.present import SeatLine, moment, score_sheet, table_summary, turn_sheet

ROOT = Path(__file__).parent.parent
NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
CAST = ("Ann", "Bo", "Cy", "Di")
CROWD = ("Ann", "Bo", "Cy", "Di", "Emil", "Fatima", "Gus", "Henrike", "Ida", "Joost", "Kai")
NASTY = ('<b>"Ann"</b>', "Bo & Sons' \\", "Wilhelmina-Alexandra von Hohenstein-Bargo", "{{ 7 * 7 }}")
LINK = "https://hearts.example/turn/eyJnYW1lIjo3LCJzZWF0IjoyfQ.aZxY81.k3Jd0sPq7mN2vB5cX9zL4wT6rH8"
TABLE_LINK = "https://hearts.example/seat/eyJ0YWJsZSI6N30.aZxY81.p0Oi9uY7tR5eW3qA1sD"
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
        "classic": (score_of(finished_game(CLASSIC)), CAST, CLASSIC),
        "eleven": (score_of(finished_game(ELEVEN), CROWD), CROWD, ELEVEN),
        "partners": (score_of(finished_game(PARTNERS)), CAST, PARTNERS),
        "omnibus": (score_of(finished_game(OMNIBUS)), CAST, OMNIBUS),
        "nasty": (score_of(finished_game(CLASSIC), NASTY), NASTY, CLASSIC),
    }


# pages


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
    made["turn-over"] = ("turn_over", {**told, "table_link": TABLE_LINK})
    made["turn-over-bare"] = ("turn_over", {**told, "table_link": None})
    for name, sheet in pass_sheets().items():
        chosen = [row.cards[-1].face.code for row in sheet.suits][:3] if name == "classic" else []
        error = "Please choose exactly three cards, not two." if name == "nasty" else None
        made[f"pass-{name}"] = ("pass", {**turn, "sheet": sheet, "chosen": chosen, "error": error})
    made["moon"] = ("moon", {**turn, "sheet": sheet_of(moon_game()), "chosen": ["add"]})
    for name, (score, names, rules) in scores().items():
        made[f"table-over-{name}"] = (
            "table",
            _table(rules, None, names) | {"score": score, "record_link": "/seat/x/record.json"},
        )
    made["table-playing"] = ("table", _playing(CLASSIC, CAST))
    made["table-playing-eleven"] = ("table", _playing(ELEVEN, CROWD))
    return made


def _table(rules: Rules, game: Game | None, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "table": summary(rules, names),
        "score": score_of(game, names) if game else None,
        "waiting": [],
        "sheet": None,
        "record_link": None,
        "turn_link": None,
        "host": None,
        "host_error": None,
    }


def _playing(rules: Rules, names: tuple[str, ...]) -> dict[str, Any]:
    game = first_game(rules, lambda game: game.hand == 4 and following(game, trick=4, void=False))
    seat = Seat((game.to_act[0] + 1) % rules.players)
    awaited = line(
        name=names[game.to_act[0]], what="to play", deadline=moment(NOW + timedelta(hours=5), NOW, "Europe/Berlin")
    )
    return _table(rules, game, names) | {"waiting": [awaited], "sheet": sheet_of(game, names, seat), "turn_link": LINK}


# mails


def mails() -> dict[str, Sample]:
    """By name of the picture: the kind, and its context."""
    links = {"table_link": TABLE_LINK, "rules_link": RULES_LINK}
    frame = {"you": "Di", "table": summary(CLASSIC), **links}
    nasty = {"you": NASTY[0], "table": summary(CLASSIC, NASTY), **links}
    invited = {**frame, "table": summary(CLASSIC, states=("host", "invited", "invited", "robot"))}
    what = "The deadline was over, so we played Q♠ for you."
    made: dict[str, Sample] = {
        "confirm": ("confirm", {**invited, "link": LINK}),
        "invitation": ("invitation", {**invited, "host_name": "Ann", "link": LINK}),
        "invitation-nasty": ("invitation", {**nasty, "host_name": NASTY[0], "link": LINK}),
        "declined": ("declined", {**invited, "who": "Bo"}),
        "sign-in": ("sign_in", {"you": "Di", "link": LINK}),
        "played-for-you-bare": ("played_for_you", {**frame, "what": what, "sheet": None}),
    }
    for name, sheet in sheets().items():
        people = nasty if name == "nasty" else frame
        cards = {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces}
        asked = {**people, "sheet": sheet, "link": LINK, "card_links": cards, "deadline": sheet.deadline}
        made[f"turn-{name}"] = ("turn", asked)
        made[f"played-for-you-{name}"] = ("played_for_you", {**people, "what": what, "sheet": sheet})
    for name, sheet in pass_sheets().items():
        people = nasty if name == "nasty" else frame
        made[f"pass-{name}"] = (
            "pass",
            {**people, "sheet": sheet, "link": LINK, "card_links": {}, "deadline": sheet.deadline},
        )
    moon = sheet_of(moon_game())
    made["moon"] = ("moon", {**frame, "sheet": moon, "link": LINK, "card_links": {}, "deadline": moon.deadline})
    for name, (score, names, rules) in scores().items():
        seated = {"you": names[0], "table": summary(rules, names), **links, "score": score}
        made[f"score-sheet-{name}"] = ("score_sheet", {**seated, "hand": score.hands[-1]})
        made[f"final-sheet-{name}"] = ("final_sheet", {**seated, "record_link": f"{TABLE_LINK}/record.json"})
    return made
