"""How long we wait where it hardly matters, on its own page and on those of a game; and cards chosen before a turn."""

from dataclasses import replace

from tests.samples.pages.play import asked, waiting
from tests.samples.played import PLAYED
from tests.samples.rendering import Sample
from webapp.forms.waits import WaitForm, read_wait_form
from webapp.models import Wait
from webapp.pages.play import Follow, WaitLine
from webapp.presentation.ahead_text import ASKED, WE_MAY_PLAY, AheadSheet
from webapp.presentation.wait_text import wait_options, wait_sentence

LINE = WaitLine(wait_sentence(Wait.SHORT), wait_options(Wait.SHORT), "/play/x/wait")


def pages() -> dict[str, Sample]:
    return {**_waits(), **_ahead(), **_shown()}


def _waits() -> dict[str, Sample]:
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


def _ahead() -> dict[str, Sample]:
    """A player who may answer before their turn."""
    slow = {**waiting(), "follow": Follow("/play/x", "5f3a2c11", is_live=False)}
    kept = _ahead_sheet("8C", "Your card is 8♣. Nobody else sees it.")
    by_mail = replace(_ahead_sheet("8C", ""), asked=(f"Cy plays before you. {ASKED}", WE_MAY_PLAY))
    return {
        "play-ahead-offered": ("play", {**slow, "ahead": _ahead_sheet("", "")}),
        "play-ahead-kept": ("play", {**slow, "ahead": kept}),
        "play-ahead-terms": ("play", {**slow, "ahead": _ahead_sheet("8C", " ".join(TERMS))}),
        "play-ahead-asked": ("play", {**slow, "wait": LINE, "ahead": by_mail}),
    }


def _shown() -> dict[str, Sample]:
    """A choice that hardly matters, and a robot to whom the player has handed over."""
    robot, robots = (replace(LINE, is_robot=True, hands=hands) for hands in (1, 4))
    context = asked()
    deadline = replace(context["sheet"].deadline, plays="5♣", at_hour="tomorrow at 08:30")
    short = {**context, "sheet": replace(context["sheet"], deadline=deadline), "wait": replace(LINE, plays="5♣")}
    return {
        "turn-short-wait": ("turn", short),
        "turn-played-for-you": (
            "turn",
            {**asked(), "wait": LINE, "done": "We played K♥ for you: it hardly mattered which."},
        ),
        "play-handed-over": ("play", {**waiting(), "wait": robot}),
        "play-handed-over-side-by-side": ("play", {**waiting(), "wait": robots}),
    }


def _ahead_sheet(chosen: str, kept: str) -> AheadSheet:
    return AheadSheet(frozenset({"8C", "4D", "QD"}), chosen, kept, not kept, "trick 5", 1)


def _wait(
    wait: Wait, *, form: WaitForm | None = None, name: str = "Ann's table", hands: int = 0, played: tuple[str, ...] = ()
) -> Sample:
    return "wait", {
        "owner": {"table_name": name, "played": played, "back": "/play/x", "hands": hands, "is_robot": False},
        "form": form or WaitForm({}),
        "options": wait_options(wait),
        "action": "/play/x/wait",
    }
