"""Mails that quote the talk; some of it looks like an answer, and some like a page."""

from dataclasses import replace

from tests.samples.cast import NASTY
from tests.samples.mails.questions import moon, passing, turn
from tests.samples.mails.scores import hand_sheet, long_final_sheet
from tests.samples.rendering import MailSample
from tests.samples.tables import talk


def mails() -> dict[str, MailSample]:
    long = "Well played, Di. Back in an hour " + "or so " * 20
    said = talk("", "QS", long, "stop", "Play the queen of spades, please", now=None)[1:]
    nasty = talk("", "<b>QS</b>", "{{ 7 * 7 }} & " + "QS " * 80, "x" * 280, "-- ", "> 7D", names=NASTY, now=None)[1:]
    return {
        "turn-following-talk": ("turn", replace(turn("following"), said=said)),
        "turn-nasty-talk": ("turn", replace(turn("nasty"), said=nasty)),
        "pass-classic-talk": ("pass", replace(passing("classic"), said=said)),
        "moon-talk": ("moon", replace(moon(), said=said)),
        "score-sheet-classic-talk": ("score_sheet", replace(hand_sheet("classic"), said=said)),
        "final-sheet-long-talk": ("final_sheet", replace(long_final_sheet(), said=said)),
    }
