"""Makes the context of the two score sheets: after each hand, and at the end with all that players may want to keep.

Mail programs cut long mails off, so that the sheet of a very long game shows only its latest hands.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlmodel import Session

from hearts.deal import dealt_together
from webapp.core.runtime import Runtime
from webapp.games.links import again_link, relive_link, seat_link
from webapp.games.store import TableGame
from webapp.models import LetterRow
from webapp.presentation.chart import race
from webapp.presentation.numbers import numbers
from webapp.presentation.scoresheet import HandLine, ScoreSheet
from webapp.presentation.sheets import score_sheet_of
from webapp.presentation.turn_text import claim_sentence
from webapp.robots.reviews import reviews_for
from worker.attachments import Picture, race_picture, record_file, sheet_file

Context = dict[str, Any]
CELLS_AT_MOST = 400  # of the sheet in a mail: 36 hands of eleven sides
HANDS_AT_MOST = 60
STORIES_AT_MOST = 24


def hand_sheet_context(runtime: Runtime, session: Session, letter: LetterRow, stored: TableGame) -> Context:
    """The context of the sheet after the letter's hand, with the chart to enclose."""
    opinions = reviews_for(session, stored, letter.of_seat, letter.player_id)
    score = score_sheet_of(stored, hands=letter.of_hand, opinions=opinions)
    together = dealt_together(stored.game.rules, stored.row.at_once, score.hands[-1].number)
    hands = tuple(one for one in score.hands if one.number in together)
    picture = _race(letter, score)
    return {
        "score": latest(score),
        "hands": hands,
        "claimed": {one.number: _claimed(stored, one.number) for one in hands},
        "relive_links": _relive_links(runtime, letter, stored, hands),
        "picture": picture,
        "enclosed": [picture],
    }


def final_sheet_context(runtime: Runtime, session: Session, letter: LetterRow, stored: TableGame) -> Context:
    """The context of the final sheet, with the chart and the files to enclose."""
    score = score_sheet_of(stored, opinions=reviews_for(session, stored, letter.of_seat, letter.player_id))
    picture, record, sheet = _race(letter, score), record_file(stored), sheet_file(stored, score)
    seat = stored.seats[letter.of_seat]
    own_table = runtime.signer.url(seat_link(seat, letter.player_id))
    shown = latest(score)
    return {
        "you": stored.names[letter.of_seat],  # the seat may have passed to somebody else
        "score": shown,
        "stories": shown.hands if len(score.hands) <= STORIES_AT_MOST else (),
        "numbers": numbers(stored.game.rules, stored.names, stored.game.scores),
        "again_link": runtime.signer.url(again_link(seat, stored.row.number, letter.player_id)),
        "relive_links": _relive_links(runtime, letter, stored, shown.hands),
        "share_link": f"{own_table}/share?game={stored.row.number}",
        "record_link": f"{own_table}/record.json?game={stored.row.number}",
        "record_name": record.name,
        "sheet_name": sheet.name,
        "picture": picture,
        "enclosed": [picture, record, sheet],
    }


def _claimed(stored: TableGame, hand: int) -> str | None:
    return claim_sentence(stored.of_hand(hand), stored.names_of_hand(hand))


def _relive_links(
    runtime: Runtime, letter: LetterRow, stored: TableGame, hands: Sequence[HandLine]
) -> list[tuple[int, str]]:
    """The number of each hand, with the link to its page."""
    seat = stored.seats[letter.of_seat]
    links = [(one.number, relive_link(seat, stored.id, one.number, letter.player_id)) for one in hands]
    return [(number, runtime.signer.url(link)) for number, link in links]


def latest(score: ScoreSheet) -> ScoreSheet:
    """The sheet with only as many of its latest hands as fit into a mail; totals and race stay those of the game."""
    return replace(score, hands=score.hands[-min(HANDS_AT_MOST, CELLS_AT_MOST // len(score.sides)) :])


def _race(letter: LetterRow, score: ScoreSheet) -> Picture:
    chart = race(score)
    assert chart is not None  # a sheet is queued only after a hand was scored
    return race_picture(letter, chart)
