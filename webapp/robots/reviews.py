"""What the robot thinks of finished hands: worked out once for each, outside of any transaction, and then kept.

The rows are a cache: budget and seed are fixed, so that the same opinions can be had again from the turns.
"""

import time
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from hearts.review import NotAnOpinion, Opinion, opinion_mapping, parse_opinion, review
from webapp.core.runtime import Runtime
from webapp.games import store
from webapp.games.finished import finished_hand
from webapp.kinds import KINDS
from webapp.models import LetterRow, ReviewRow

SEED: Final = 1
LONGEST: Final = 2.0  # seconds of thought about one hand; what was not reached then has no opinion


def kept_review(session: Session, game_id: int, hand: int) -> tuple[Opinion, ...] | None:
    """The opinions on a hand as they were kept; None where nobody has asked for them yet."""
    row = session.get(ReviewRow, (game_id, hand))
    return None if row is None else _read(row)


def kept_reviews(session: Session, game_id: int) -> dict[int, tuple[Opinion, ...]]:
    """By hand, the opinions that were kept of a game."""
    found = session.exec(select(ReviewRow).where(ReviewRow.game_id == game_id))
    return {row.hand: opinions for row in found if (opinions := _read(row)) is not None}


def review_of(runtime: Runtime, game_id: int, hand: int) -> tuple[Opinion, ...]:
    """The opinions on a finished hand, from now on kept. The caller holds no transaction: this may take LONGEST.

    Raises HandNotScored where the hand is not finished, and LookupError where there is no such game or hand.
    """
    with runtime.database.reading() as session:
        kept = kept_review(session, game_id, hand)
        if kept is not None:
            return kept
        finished = finished_hand(store.load(session, game_id), hand)
    ends = time.monotonic() + LONGEST
    turns = [record.turn for record in finished.records]
    opinions = review(finished.before, turns, seed=SEED, stop=lambda: time.monotonic() > ends)
    return _keep(runtime, game_id, hand, opinions)


def prepare(runtime: Runtime, letter_id: int) -> None:
    """Sees to it that a score sheet that is about to be composed finds what the robot thinks of its hand."""
    with runtime.database.reading() as session:
        letter = session.get_one(LetterRow, letter_id)
    if (
        KINDS[letter.kind].tells_story
        and letter.message is None
        and letter.game_id is not None
        and letter.hand is not None
    ):
        review_of(runtime, letter.game_id, letter.hand)


def _keep(runtime: Runtime, game_id: int, hand: int, opinions: tuple[Opinion, ...]) -> tuple[Opinion, ...]:
    """Keeps them, unless somebody was faster; then what that one found holds for everybody."""
    row = ReviewRow(game_id=game_id, hand=hand, opinions=list(map(opinion_mapping, opinions)))
    try:
        with runtime.database.writing() as session:
            kept = kept_review(session, game_id, hand)
            if kept is None:
                session.merge(row)
            return opinions if kept is None else kept
    except IntegrityError:
        with runtime.database.reading() as session:
            return kept_review(session, game_id, hand) or opinions


def _read(row: ReviewRow) -> tuple[Opinion, ...] | None:
    """None where another version of the robot has kept what this one cannot read: then it is made again."""
    try:
        return tuple(map(parse_opinion, row.opinions))
    except NotAnOpinion:
        return None
