"""Serves what needs no link: the home page, practice hands, a table's rules, and what browsers and crawlers ask for."""

import hashlib
import json
import mimetypes
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from hearts.game import IllegalTurn, Stage
from hearts.turns import Pass, Play
from webapp.core.say import Refused, later, say, spoken, tongue
from webapp.core.tokens import PracticeLink
from webapp.forms.turns import read_turn
from webapp.games.asked.due import due_of
from webapp.games.clock.pace import plays_live
from webapp.games.record.rows import table_rules
from webapp.models import TurnSource
from webapp.operators.probes import sentences
from webapp.pages.common import PageContext, drawn, page, reading, runtime, signed_in
from webapp.pages.play import PassPage, TurnPage
from webapp.practice import NAMES, RULES, YOU, PracticeHand, after, from_the_start, hand_of, new_hand
from webapp.presentation.clock_text import round_takes, why_at_once
from webapp.presentation.house_rules import Section, how_we_play, in_short, outcome_text
from webapp.presentation.present import TurnSheet
from webapp.presentation.scoresheet import ScoreSheet, score_sheet
from webapp.presentation.sheets import PracticeSheet, practice_sheet_of
from webapp.presentation.story import story
from webapp.presentation.summary import MAY_ASK
from webapp.presentation.turn_text import refusal_sentence
from webapp.robots.thinking import ASKED, RobotHelp, advise, suggestion_of
from webapp.tables import seating

blueprint = Blueprint("home", __name__)


# Serves practice hands against three robots, on the turn and pass pages, without an address, a cookie or a row.
# Every state of a hand has a URL of its own. GET shows it, so that the browser's Back works; POST leads to the next
# one.


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeTurn(TurnPage):
    practice: PracticeSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticePass(PassPage):
    practice: PracticeSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeOver(PageContext):
    practice: PracticeSheet
    score: ScoreSheet
    outcome_text: str
    story: Sequence[str]
    again_link: str
    round_takes: str = field(default_factory=round_takes)


@blueprint.get("/practice")
def begin() -> AnyResponse:
    return redirect(runtime().signer.local_url(new_hand(runtime().keys)))


@blueprint.get("/practice/<token>")
def show_practice(token: str) -> str:
    hand = _hand(token)
    score = hand.score
    if score is None:
        return _question_page(hand)
    return page(
        PracticeOver(
            practice=practice_sheet(hand),
            score=score_sheet(RULES, NAMES, [score]),
            outcome_text=outcome_text(score, YOU),
            story=story(RULES, NAMES, score),
            again_link=runtime().signer.local_url(from_the_start(hand.link)),
        )
    )


@blueprint.post("/practice/<token>")
def play(token: str) -> AnyResponse | tuple[str, int]:
    hand = _hand(token)
    due = due_of(hand.game, YOU)
    if due is None:  # the hand is over
        return redirect(request.path, 303)
    try:
        turn = read_turn(YOU, due.what, request.form.getlist("card"), request.form.get("moon", ""))
        assert isinstance(turn, Pass | Play)
        following = after(hand, turn)
    except Refused as error:
        return _question_page(hand, request.form.getlist("card"), str(error)), 400
    except IllegalTurn:
        sentence = refusal_sentence(hand.game, turn)
        return _question_page(hand, request.form.getlist("card"), sentence), 400
    return redirect(runtime().signer.local_url(following), 303)


def _hand(token: str) -> PracticeHand:
    return hand_of(runtime().keys, runtime().signer.read(PracticeLink, token))


def practice_sheet(hand: PracticeHand) -> PracticeSheet:
    return practice_sheet_of(hand.game, hand.asked, hand.forced, YOU, NAMES)


def _question_page(hand: PracticeHand, chosen: Sequence[str] = (), error: str | None = None) -> str:
    shown = practice_sheet(hand)
    asked = PracticePass if hand.game.stage is Stage.PASS else PracticeTurn
    seed = zlib.crc32(f"{hand.link.deal}{hand.link.chosen}".encode())
    # The engine is loaded only for advice that was asked for.
    advice = suggestion_of(advise(hand.game, YOU, seed)) if ASKED in request.args else None
    return page(
        asked(
            practice=shown,
            sheet=shown.sheet,
            chosen=chosen,
            way=TurnSource.PAGE,
            error=error,
            robot=RobotHelp(f"?{ASKED}=1", advice),
        )
    )


# Serves the home page and `robots.txt`.


@dataclass(frozen=True, slots=True, kw_only=True)
class Home(PageContext):
    sheet: TurnSheet
    action: str
    round_takes: str = field(default_factory=round_takes)
    down: Sequence[str] = ()


@blueprint.get("/")
def home() -> AnyResponse | str:
    """The home page, with a new practice hand to try at once; for a player who is signed in, their games."""
    if signed_in() is not None:
        return redirect("/games")
    link = new_hand(runtime().keys)
    hand = hand_of(runtime().keys, link)
    action, down = runtime().signer.local_url(link), sentences(runtime(), None)
    return page(Home(sheet=practice_sheet(hand).sheet, action=action, down=down))


@blueprint.get("/robots.txt")
def crawlers() -> tuple[str, dict[str, str]]:
    return "User-agent: *\nAllow: /$\nAllow: /privacy$\nAllow: /static/\nDisallow: /\n", {"Content-Type": "text/plain"}


# Shows the rules of a table in plain words to anybody who has the link. The page names no player.

KNOWS = later("It knows what their own page shows them, and nobody else learns what it says.")
IN_EACH = later(
    "There is one for each direction of the pass. "
    "You hold cards in each and play wherever it is your turn, and their points count in order."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HowWePlay(PageContext):
    in_short: str
    sections: Sequence[Section]


@blueprint.get("/how-we-play/<code>")
def show_rules(code: str) -> str:
    with reading() as session:
        table = seating.table_of_code(session, code.upper())
    if table is None:
        abort(404)
    rules = table_rules(table)
    is_at_once = table.at_once > 1 and not plays_live(table)
    sections = list(how_we_play(rules))
    if is_at_once:
        sections.append(Section(say("Several hands at once"), (why_at_once(table.at_once), say(IN_EACH))))
    if table.suggestions:
        sections.append(Section(say("Asking the robot"), (say(MAY_ASK), say(KNOWS))))
    return page(HowWePlay(in_short=in_short(rules), sections=sections))


# Makes the site installable: serves the page for browsers without a connection, and the service worker that shows it.
# The service worker shows notifications, too; `devices` decides who receives any.

mimetypes.add_type("font/woff2", ".woff2")  # not every system knows it
OFFLINE = "/offline"
ASSETS = ("style.css", "logo.svg", "install.js")  # files that the page loads
INSTALLED_ICONS = (
    ("icon-192.png", "image/png", {"sizes": "192x192"}),
    ("icon-512.png", "image/png", {"sizes": "512x512"}),
    ("icon-maskable-512.png", "image/png", {"sizes": "512x512", "purpose": "maskable"}),
    ("logo.svg", "image/svg+xml", {"sizes": "any"}),
)
# A service worker obeys the policy of its own file: it may fetch and show what this site serves, and nothing else.
POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'"


@blueprint.get(OFFLINE)
def offline() -> str:
    """The page without a connection. Browsers cache it, so it is the same for all readers of a language, and names no
    player.
    """
    return drawn("pages/offline.html", mailbox=False, player_name=None)


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """The name of the site where it is installed, and how it opens. Source: the W3C's Web Application Manifest."""
    speech = tongue()
    said = {
        "id": "/",
        "name": "Hearts by Mail",
        "short_name": "Hearts",
        "description": say("Hearts with your friends, by email"),
        "lang": speech.tag,
        "dir": speech.direction,
        "start_url": "/games",
        "scope": "/",
        "display": "standalone",
        "theme_color": "#faf5ec",
        "background_color": "#faf5ec",
        "icons": [{"src": _static(name), "type": kind, **more} for name, kind, more in INSTALLED_ICONS],
        "shortcuts": [
            {"name": say("Try a hand now"), "url": "/practice"},
            {"name": say("Open a table"), "url": "/tables/new"},
        ],
    }
    return Response(json.dumps(said), mimetype="application/manifest+json")


@blueprint.get("/service-worker.js")
def service_worker() -> Response:
    """The service worker's script; it changes with every file that it caches, and with the reader's language, so that
    browsers fetch the new ones.
    """
    cached = [f"{OFFLINE}?language={spoken()}", *map(_static, ASSETS)]
    version = hashlib.sha256("\n".join([offline(), *cached]).encode()).hexdigest()[:10]
    icons = {"icon": _static("icon-192.png"), "badge": _static("badge-96.png")}
    script = render_template("service-worker.js", kept=cached, version=version, **icons)
    return Response(script, mimetype="text/javascript", headers={"Content-Security-Policy": POLICY})


def _static(name: str) -> str:
    return cast(Callable[[str], str], current_app.jinja_env.globals["static"])(name)
