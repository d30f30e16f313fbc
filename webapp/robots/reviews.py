"""What the robot thinks of finished hands: worked out once for each, outside of any transaction, and then kept.

The rows are a cache: budget and seed are fixed, so that the same opinions can be had again from the turns.
"""

import time
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from hearts.review import NotAnOpinion, Opinion, opinion_mapping, parse_opinion, review
from webapp.core.runtime import Parts
from webapp.games import store
from webapp.games.finished import finished_hand
from webapp.models import LetterKind, LetterRow, ReviewRow

SEED: Final = 1
LONGEST: Final = 2.0  # seconds of thought about one hand; what was not reached then has no opinion
TELLING: Final = (LetterKind.SCORE_SHEET, LetterKind.FINAL_SHEET)  # the mails whose story a review is for


def kept_review(rows: Session, game_id: int, hand: int) -> tuple[Opinion, ...] | None:
    """The opinions on a hand as they were kept; None where nobody has asked for them yet."""
    row = rows.get(ReviewRow, (game_id, hand))
    return None if row is None else _read(row)


def kept_reviews(rows: Session, game_id: int) -> dict[int, tuple[Opinion, ...]]:
    """By hand, the opinions that were kept of a game."""
    found = rows.exec(select(ReviewRow).where(ReviewRow.game_id == game_id))
    return {row.hand: opinions for row in found if (opinions := _read(row)) is not None}


def review_of(parts: Parts, game_id: int, hand: int) -> tuple[Opinion, ...]:
    """The opinions on a finished hand, from now on kept. The caller holds no transaction: this may take LONGEST.

    Raises StillPlayed where the hand is not finished, and LookupError where there is no such game or hand.
    """
    with parts.database.reading() as rows:
        kept = kept_review(rows, game_id, hand)
        if kept is not None:
            return kept
        finished = finished_hand(store.load(rows, game_id), hand)
    ends = time.monotonic() + LONGEST
    turns = [record.turn for record in finished.records]
    opinions = review(finished.before, turns, seed=SEED, stop=lambda: time.monotonic() > ends)
    return _keep(parts, game_id, hand, opinions)


def prepare(parts: Parts, letter_id: int) -> None:
    """Sees to it that a score sheet that is about to be composed finds what the robot thinks of its hand."""
    with parts.database.reading() as rows:
        letter = rows.get_one(LetterRow, letter_id)
    if letter.kind in TELLING and letter.message is None and letter.game_id is not None and letter.hand is not None:
        review_of(parts, letter.game_id, letter.hand)


def _keep(parts: Parts, game_id: int, hand: int, opinions: tuple[Opinion, ...]) -> tuple[Opinion, ...]:
    """Keeps them, unless somebody was faster; then what that one found holds for everybody."""
    row = ReviewRow(game_id=game_id, hand=hand, opinions=list(map(opinion_mapping, opinions)))
    try:
        with parts.database.writing() as rows:
            kept = kept_review(rows, game_id, hand)
            if kept is None:
                rows.merge(row)
            return opinions if kept is None else kept
    except IntegrityError:
        with parts.database.reading() as rows:
            return kept_review(rows, game_id, hand) or opinions


def _read(row: ReviewRow) -> tuple[Opinion, ...] | None:
    """None where another version of the robot has kept what this one cannot read: then it is made again."""
    try:
        return tuple(map(parse_opinion, row.opinions))
    except NotAnOpinion:
        return None
