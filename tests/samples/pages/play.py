"""The page that follows the game: while another player's turn is awaited, the reader's own, or nobody's."""

from dataclasses import replace
from functools import cache
from typing import Any

from hearts.cards import parse_code
from hearts.game import Game, Stage
from hearts.seats import Seat
from tests.samples.cast import CAST, NASTY
from tests.samples.finished import hand_end, own_lines, score_of
from tests.samples.games import CLASSIC, PARTNERS, finished_game, first_game, following, moon_game
from tests.samples.links import RELIVE_LINK, TABLE_LINK
from tests.samples.pages.again import AGAIN
from tests.samples.pages.table import PLAY_NOW
from tests.samples.pages.turns import ASKED as QUESTION
from tests.samples.pages.turns import NEXT_GAME, turn
from tests.samples.rendering import PageSample
from tests.samples.sheets import sheet_of
from tests.samples.tables import summary
from webapp.core.say import say
from webapp.games.talk import REMINDER
from webapp.models import Frequency
from webapp.pages.at_table import Follow, HandTab, RobotHand
from webapp.pages.play import PassPage, TurnPage, still_there
from webapp.pages.waiting import CHOSEN, MAY_CHOOSE, AheadForm, BetweenGames, HandEndPage, WaitingPage
from webapp.pages.ways_in import SENT
from webapp.presentation.clock_text import LiveLine, pause_line
from webapp.presentation.faces import face
from webapp.presentation.happened import Happened, phrases
from webapp.presentation.scoresheet import score_sheet
from webapp.presentation.turn_text import Onward, points_sentence, that_is_it, who_acts
from webapp.results.result import result

FOLLOW = Follow("/play/x", "5f3a2c11", is_live=True, tap_plays=True)
FOLLOWED: dict[str, Any] = {"follow": FOLLOW, "play_link": "/play/x", "table_link": TABLE_LINK}
_YOURS = "It's your turn."
TABS = [
    HandTab(1, "/play/x?hand=1", is_shown=False, waits=False, state="Waiting for Bo."),
    HandTab(2, "/play/x?hand=2", is_shown=True, waits=True, state=_YOURS),
    HandTab(3, "/play/x?hand=3", is_shown=False, waits=True, state=_YOURS),
    HandTab(4, "/play/x?hand=4", is_shown=False, waits=False, state="Hand 4 is over."),
]
ENDS = "Anybody at the table can let the game go on; else it does so on Mon 9 March, 09:00."
VOTED = f"Players asked for this pause. {ENDS}"


def pages() -> dict[str, PageSample]:
    return {**_waiting(), **_ahead(), **_asked(), **_hands_over(), **_side_by_side(), **_between(), **_live(), **_old()}


def waiting() -> WaitingPage:
    """The page while another player thinks."""
    return replace(_awaiting(_thinking()), done="You played 10♦.")


def asked() -> TurnPage:
    """The page of the reader's turn."""
    forced = "It was the only card that you could play. We played A♦ for you."
    sheet = _with_others_present(sheet_of(_thinking()))
    return replace(_followed(turn(sheet)), since=Happened((forced,), sheet.tricks[-2:], 2))


def _followed(page: Any) -> Any:
    """The question, on a page that follows the game."""
    return replace(page, **FOLLOWED, kind="1 2 trick 5", action="/turn/x")


def _slow(page: Any) -> Any:
    """The page of a table that does not play live."""
    return replace(page, follow=replace(FOLLOW, is_live=False))


@cache
def _thinking() -> Game:
    return first_game(CLASSIC, lambda game: following(game, trick=5, void=False))


@cache
def _passing() -> Game:
    return first_game(CLASSIC, lambda game: game.stage is Stage.PASS and game.hand == 2 and len(game.to_act) == 2)


def _leading() -> Game:
    return first_game(CLASSIC, lambda game: game.stage is Stage.PLAY and game.trick == 6 and not game.on_table)


def _awaiting(game: Game, names: tuple[str, ...] = CAST) -> WaitingPage:
    """The page of somebody whose turn it is not: Cy, if possible."""
    reader = next(seat for seat in (2, 0, 1, 3) if seat not in game.to_act)
    sheet = _with_others_present(sheet_of(game, names, Seat(reader)))
    heading = that_is_it([names[seat] for seat in game.to_act], Frequency.EVERY)
    return WaitingPage(
        **FOLLOWED,
        kind="waiting",
        heading=heading,
        says=heading,
        who=who_acts(sheet),
        sheet=sheet,
        standings=score_of(game, names),
    )


def _with_others_present(sheet: Any) -> Any:
    """The sheet, with Cy and Di present as well."""
    return replace(sheet, people=tuple(replace(one, is_present=one.name in CAST[2:]) for one in sheet.people))


def _waiting() -> dict[str, PageSample]:
    trick_over = replace(_awaiting(_leading()), done="You played K♠.")
    thinking, away = _awaiting(_thinking()), "You were away. We played 10♦ for you."
    return {
        "play-waiting": waiting(),
        "play-trick-over": trick_over,
        "play-next": replace(trick_over, next_game=NEXT_GAME),
        "play-passing": replace(_awaiting(_passing()), done="You passed A♠ K♠ Q♠."),
        "play-moon": _awaiting(moon_game()),
        "play-nasty": replace(_awaiting(_thinking(), NASTY), reminders=phrases([REMINDER.format(name=NASTY[3])])),
        "play-may-remind": replace(thinking, reminders=phrases([REMINDER.format(name="Di")])),
        "play-asks-pause": replace(thinking, pause=pause_line(["Bo"], is_asking=False, is_paused=False)),
        "play-away": replace(thinking, back_action="/play/x/back", done=away),
        "play-robot-hand": replace(_slow(thinking), robot_hand=RobotHand("/play/x/robot", hands=1, is_robots=True)),
        "play-robot-hands": replace(_slow(thinking), robot_hand=RobotHand("/play/x/robot", hands=4, is_robots=True)),
    }


def _ahead() -> dict[str, PageSample]:
    """A player who plays later to the trick, and may choose a card for it."""
    page = replace(_awaiting(_thinking()), follow=replace(FOLLOW, is_live=False, tap_plays=False))
    codes = [held.face.code for row in page.sheet.suits for held in row.cards]
    form = AheadForm("/play/x/ahead", "trick 5", 1, frozenset(codes[:5]), "", say(MAY_CHOOSE))
    nine = parse_code("9S")
    kept = replace(form, chosen=codes[3], line=say(CHOSEN, card=face(parse_code(codes[3])).text))
    return {
        "play-ahead-offered": replace(page, ahead=form),
        "play-ahead-chosen": replace(page, ahead=kept),
        "play-ahead-dropped": replace(page, ahead=replace(form, line=f"{points_sentence(nine)} {say(MAY_CHOOSE)}")),
    }


def _asked() -> dict[str, PageSample]:
    pause = pause_line((), is_asking=False, is_paused=True, anybodys=VOTED)
    return {
        "turn-live": asked(),
        "turn-asks-pause": replace(asked(), since=Happened(), pause=pause),
        "turn-may-let-a-robot": replace(
            _slow(asked()), pause=pause, robot_hand=RobotHand("/play/x/robot", hands=4, is_robots=False)
        ),
        "pass-live": _passed_on(_with_others_present(sheet_of(_passing()))),
    }


def _passed_on(sheet: Any) -> PassPage:
    return replace(_followed(PassPage(sheet=sheet, **QUESTION)), kind="1 2 pass")


def _hands_over() -> dict[str, PageSample]:
    """How a hand ended, before the next one."""
    classic, slow = hand_end(CLASSIC, CAST), replace(FOLLOW, is_live=False)
    uncounted = tuple(replace(line, total=None) for line in classic.lines)
    early = replace(classic, lines=uncounted, running=(1, 2), chart=None)
    return {
        "hand-end": replace(_ended(classic), share_link="/seat/x/share?game=1"),
        "hand-end-partners": replace(_ended(hand_end(PARTNERS, CAST)), follow=slow),
        "hand-end-nasty": replace(_ended(hand_end(CLASSIC, NASTY)), error="The table has moved on: look again."),
        "hand-end-early": replace(_ended(early), tabs=TABS),
        "hand-end-moon": _ended(_with_moon(classic)),
    }


def _with_moon(end: Any) -> Any:
    """The same hand, had Bo shot the moon."""
    lines = {line.name: line for line in end.lines}
    shot = replace(lines.pop("Bo"), took="Q♠\ufe0e and 13 hearts", points="0")
    others = (replace(line, took="", points="+26") for line in lines.values())
    story = ("Bo shot the moon: 26 points for everybody else.",)
    return replace(end, lines=(shot, *others), story=story, moon="Bo shot the moon")


def _ended(end: Any) -> HandEndPage:
    """The page of the result of a hand."""
    return HandEndPage(
        **FOLLOWED,
        kind="1 3 over",
        heading=f"Hand {end.number} is over",
        says=end.sentence,
        end=end,
        sheet=end.sheet,
        since=end.since,
        go_on=Onward("/play/x?shown=165", "Play hand 4"),
        relive_link=RELIVE_LINK,
    )


def _side_by_side() -> dict[str, PageSample]:
    """Several hands at once, each with a tab."""
    passed, beside = _awaiting(_passing()), replace(waiting(), tabs=TABS)
    heading = passed.sheet.gave
    go_on, next_hand = Onward("/play/x?waits=no", "Play hand 3"), Onward("/play/x?shown=9", "Play hand 3")
    return {
        "turn-beside": replace(asked(), tabs=TABS),
        "pass-beside": replace(_passed_on(sheet_of(_passing())), tabs=TABS),
        "play-beside": beside,
        "play-passed": replace(passed, tabs=TABS, kind="passed", go_on=next_hand, heading=heading, says=heading),
        "play-goes-on": replace(
            beside, heading=beside.who, says=beside.who, go_on=go_on, follow=replace(FOLLOW, goes_on=True)
        ),
    }


def _between() -> dict[str, PageSample]:
    """Before the first game, and after the last."""
    score, none = score_of(finished_game(CLASSIC)), score_sheet(CLASSIC, CAST, ())
    inviting = summary(CLASSIC, states=("host", "invited", "accepted"))
    over = BetweenGames(
        **FOLLOWED,
        kind="between games",
        heading=score.headline,
        says=score.headline,
        table=summary(CLASSIC),
        score=score,
        result=result(CLASSIC, score),
        own=own_lines(CLASSIC, CAST),
        relive_links=[(hand.number, RELIVE_LINK) for hand in score.hands],
        share_link="/seat/x/share?game=1",
        again=AGAIN["open"],
    )
    name = "Ann's table"
    return {
        "play-over": over,
        "play-not-begun": replace(
            over, again=None, score=none, heading=name, says=name, table=inviting, play_now=PLAY_NOW, hosts=True
        ),
    }


def _live() -> dict[str, PageSample]:
    """All players of a slow game are there."""
    asks = LiveLine("Everybody is here. Live, each card has 1 minute.", "Play on live", "yes")
    others = LiveLine(f"Bo and {NASTY[1]} want to play on live. Then each card has 1 minute.", "Play on live", "yes")
    wants = LiveLine("You want to play on live. We wait for Cy.", "Not now", "no")
    live = LiveLine("You play live: 1 minute for each card, until somebody leaves.", "Back to the usual pace", "end")
    return {
        "play-live-asks": replace(waiting(), live=asks),
        "turn-live-asks": replace(asked(), live=others),
        "play-live-wants": replace(waiting(), live=wants),
        "play-live": replace(waiting(), live=live),
    }


def _old() -> dict[str, PageSample]:
    """A link that is too old to play with, and how to get a new one."""
    return {"play-old": still_there("/play/x/mail"), "play-old-mailed": SENT}
