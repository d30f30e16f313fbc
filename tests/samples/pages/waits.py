"""How long we wait where it hardly matters, on its own page and on those of a game; and cards chosen before a turn."""

from dataclasses import replace

from tests.samples.pages.play import asked, waiting
from tests.samples.played import PLAYED
from tests.samples.rendering import PageSample
from webapp.forms.waits import WaitForm, read_wait_form
from webapp.models import Wait
from webapp.pages.following import Follow
from webapp.pages.waits import Owner, WaitLine, WaitPage
from webapp.presentation.ahead_text import ASKED, WE_MAY_PLAY, AheadSheet
from webapp.presentation.wait_text import wait_options, wait_sentence

LINE = WaitLine(wait_sentence(Wait.SHORT), wait_options(Wait.SHORT), "/play/x/wait")


def pages() -> dict[str, PageSample]:
    return {**_waits(), **_ahead(), **_shown()}


def _waits() -> dict[str, PageSample]:
    wrong = read_wait_form({"wait": "cat"}, may_hand_over=True)
    return {
        "wait": _wait(Wait.SHORT, played=PLAYED, hands=1),
        "wait-everywhere": _wait(Wait.FULL, name=""),
        "wait-side-by-side": _wait(Wait.SHORT, hands=4),
        "wait-wrong": _wait(Wait.SHORT, form=wrong),
    }


TERMS = (
    "Your card is 8♣. Nobody else sees it.",
    "If the queen of spades falls, you play 4♦ instead.",
    "If other points fall, you play 4♦ instead.",
    "If you win the trick, you lead 4♦.",
)


def _ahead() -> dict[str, PageSample]:
    """A player who may answer before their turn."""
    slow = replace(waiting(), follow=Follow("/play/x", "5f3a2c11", is_live=False), ahead_action="/play/x/ahead")
    kept = _ahead_sheet("8C", "Your card is 8♣. Nobody else sees it.")
    by_mail = replace(_ahead_sheet("8C", ""), asked=(f"Cy plays before you. {ASKED}", WE_MAY_PLAY))
    return {
        "play-ahead-offered": replace(slow, ahead=_ahead_sheet("", "")),
        "play-ahead-kept": replace(slow, ahead=kept),
        "play-ahead-terms": replace(slow, ahead=_ahead_sheet("8C", " ".join(TERMS))),
        "play-ahead-new-browser": replace(
            waiting(), follow=None, play_link=None, ahead=by_mail, sign_in_action="/turn/x/sign-in", ahead_action="/x"
        ),
        "play-ahead-asked": replace(slow, wait=LINE, ahead=by_mail),
    }


def _shown() -> dict[str, PageSample]:
    """A choice that hardly matters, and a robot to whom the player has handed over."""
    robot, robots = (replace(LINE, is_robot=True, hands=hands) for hands in (1, 4))
    sheet = asked().sheet
    assert sheet.deadline is not None
    deadline = replace(sheet.deadline, plays="5♣", at_hour="tomorrow at 08:30")
    return {
        "turn-short-wait": replace(asked(), sheet=replace(sheet, deadline=deadline), wait=replace(LINE, plays="5♣")),
        "turn-played-for-you": replace(asked(), wait=LINE, done="We played K♥ for you: it hardly mattered which."),
        "play-handed-over": replace(waiting(), wait=robot),
        "play-handed-over-side-by-side": replace(waiting(), wait=robots),
    }


def _ahead_sheet(chosen: str, kept: str) -> AheadSheet:
    return AheadSheet(frozenset({"8C", "4D", "QD"}), chosen, kept, not kept, "trick 5", 1)


def _wait(
    wait: Wait, *, form: WaitForm | None = None, name: str = "Ann's table", hands: int = 0, played: tuple[str, ...] = ()
) -> WaitPage:
    back = "/play/x"
    return WaitPage(
        owner=Owner(1, wait, back, table_name=name, hands=hands, played=played),
        form=form or WaitForm({}),
        options=wait_options(wait),
        action=f"{back}/wait",
    )
