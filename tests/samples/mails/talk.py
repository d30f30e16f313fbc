"""Score sheets that quote the talk; some of it looks like an answer."""

from dataclasses import replace

from tests.samples.mails.scores import hand_sheet, long_final_sheet
from tests.samples.rendering import MailSample
from tests.samples.tables import talk


def mails() -> dict[str, MailSample]:
    long = "Well played, Di. Back in an hour " + "or so " * 20
    said = talk("", "QS", long, "stop", "Play the queen of spades, please", now=None)[1:]
    return {
        "score-sheet-classic-talk": ("score_sheet", replace(hand_sheet("classic"), said=said)),
        "final-sheet-long-talk": ("final_sheet", replace(long_final_sheet(), said=said)),
    }
