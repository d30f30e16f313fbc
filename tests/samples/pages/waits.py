"""How long we wait where it hardly matters, on its own page and on those of a game."""

from dataclasses import replace

from tests.samples.pages.play import asked, waiting
from tests.samples.played import PLAYED
from tests.samples.rendering import PageSample
from webapp.forms.waits import WaitForm, read_wait_form
from webapp.models import Wait
from webapp.pages.waits import Owner, WaitLine, WaitPage
from webapp.presentation.wait_text import wait_options, wait_sentence

LINE = WaitLine(wait_sentence(Wait.SHORT), wait_options(Wait.SHORT), "/play/x/wait")


def pages() -> dict[str, PageSample]:
    return {**_waits(), **_shown()}


def _waits() -> dict[str, PageSample]:
    wrong = read_wait_form({"wait": "cat"}, may_hand_over=True)
    return {
        "wait": _wait(Wait.SHORT, played=PLAYED, hands=1),
        "wait-everywhere": _wait(Wait.FULL, name=""),
        "wait-side-by-side": _wait(Wait.SHORT, hands=4),
        "wait-wrong": _wait(Wait.SHORT, form=wrong),
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
