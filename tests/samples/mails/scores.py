"""The score sheet of a hand, and that of a finished game."""

from dataclasses import replace
from functools import cache
from typing import Any

from hearts.rules import Rules, preset_rules
from tests.samples.cast import CROWD, READER
from tests.samples.finished import first_score, own_lines, score_with_stories, scores
from tests.samples.links import AGAIN_LINK, RELIVE_LINK, TABLE_LINK
from tests.samples.mails.frames import IN_GAME, LINKS
from tests.samples.rendering import MailSample
from tests.samples.shuffles import SEAL, SEALING
from tests.samples.tables import WORDS, summary
from webapp.core.say import say
from webapp.games.fair import OPENED
from webapp.presentation.chart import race
from webapp.presentation.phrasing import listed
from webapp.results.pictures import png
from worker.attachments import Picture
from worker.mails.sheets import STORIES_AT_MOST, FinalSheetMail, ScoreSheetMail, latest

LONG_RULES = preset_rules("cancellation", players=11, target=500)


def mails() -> dict[str, MailSample]:
    return {**_hands(), **_games()}


def hand_sheet(name: str) -> ScoreSheetMail:
    """The score sheet of a hand, by the name of its game in `scores`."""
    score, names, rules = scores()[name]
    return ScoreSheetMail(**_frame(rules, names), score=score, **_hand_words(score))


def long_final_sheet() -> FinalSheetMail:
    """The final sheet of a game of many hands."""
    words = _final_words(_long_score(), CROWD, LONG_RULES)
    return FinalSheetMail(**_frame(LONG_RULES, CROWD), score=latest(_long_score()), **words)


def _hands() -> dict[str, MailSample]:
    made: dict[str, MailSample] = {f"score-sheet-{name}": ("score_sheet", hand_sheet(name)) for name in scores()}
    first, long = first_score(), {**_frame(LONG_RULES, CROWD), "score": latest(_long_score())}
    return made | {
        "score-sheet-first": ("score_sheet", ScoreSheetMail(**IN_GAME, score=first, **_hand_words(first))),
        "score-sheet-left": ("score_sheet", replace(hand_sheet("classic"), table_link=None)),
        "score-sheet-long": ("score_sheet", ScoreSheetMail(**long, **_hand_words(_long_score()))),
        "score-sheet-cycle": ("score_sheet", ScoreSheetMail(**long, **_hand_words(_long_score(), hands=4))),
    }


def _games() -> dict[str, MailSample]:
    made: dict[str, MailSample] = {"final-sheet-long": ("final_sheet", long_final_sheet())}
    for name, (score, names, rules) in scores().items():
        words = {"score": score, **_final_words(score, names, rules)}
        made[f"final-sheet-{name}"] = ("final_sheet", FinalSheetMail(**_frame(rules, names), **words, **SEALING))
    sheet = made["final-sheet-classic"][1]
    assert isinstance(sheet, FinalSheetMail)
    assert sheet.table is not None
    return made | {
        "final-sheet-words": ("final_sheet", replace(sheet, own=(), table=replace(sheet.table, words=WORDS)))
    }


def _frame(rules: Rules, names: tuple[str, ...]) -> dict[str, Any]:
    return {"you": names[READER], "table": summary(rules, names), **LINKS, "in_game": True}


@cache
def _long_score() -> Any:
    return score_with_stories(LONG_RULES, CROWD)


def _hand_words(score: Any, hands: int = 1) -> dict[str, Any]:
    claimed = "From trick 9 on every trick had to go to Bo, so the rest played itself."
    claim_text = claimed if len(score.hands) > 9 else None
    shown = score.hands[-hands:]
    return {
        "hands": shown,
        "claimed": {hand.number: claim_text for hand in shown},
        "relive_links": [(hand.number, f"{RELIVE_LINK}{hand.number}") for hand in shown],
        "picture": _picture(score),
        "opened": [say(OPENED, hand=hand.number, leaf=hand.number - 1, secret=SEAL) for hand in shown],
    }


def _final_words(score: Any, names: tuple[str, ...], rules: Rules) -> dict[str, Any]:
    return {
        "own": own_lines(rules, names),
        "stories": score.hands if len(score.hands) <= STORIES_AT_MOST else (),
        "lead": f"{listed(names[:2])} lead the table 2\u00a0:\u00a02\u00a0:\u00a01\u00a0:\u00a00.",
        "book_link": f"{TABLE_LINK}/book",
        "again_link": AGAIN_LINK,
        "relive_links": [(line.number, f"{RELIVE_LINK}{line.number}") for line in latest(score).hands],
        "share_link": f"{TABLE_LINK}/share?game=1",
        "record_link": f"{TABLE_LINK}/record.json?game=1",
        "picture": _picture(score),
    }


def _picture(score: Any) -> Picture:
    chart = race(score)
    assert chart is not None
    return Picture("race@hearts.example", chart.alt, png(chart))
