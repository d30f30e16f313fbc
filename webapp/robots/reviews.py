"""The robot's opinions on finished hands: computed once for each, outside of any transaction, and then stored.

Only the player of a turn is told what it cost, and only where the table allows advice: `reviews_for` selects it.

The rows are a cache: budget and seed are fixed, so that the same opinions can be computed again from the turns; on a
busy machine, fewer of them.
"""

from functools import partial
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from hearts.review import Opinion
from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.record import store
from webapp.games.record.finished import finished_hand
from webapp.games.record.store import CHOSEN, TableGame
from webapp.models import LetterKind, LetterRow, ReviewRow, TableRow
from webapp.models.mail import KINDS
from webapp.robots.engine import NoAnswer, engine
from webapp.robots.searching import review_within

SEED: Final = 1
MAX_SECONDS: Final = 2.0  # seconds for one hand; turns that are not reached by then get no opinion


def stored_review(session: Session, game_id: int, hand: int) -> tuple[Opinion, ...] | None:
    """The stored opinions on a hand; None if there are none yet."""
    row = session.get(ReviewRow, (game_id, hand))
    return None if row is None else row.opinions


def may_read(stored: TableGame, seat: Seat, player_id: int) -> bool:
    """Whether the player may read the robot's opinions on the turns of `seat`: it is theirs, and the table agrees."""
    return stored.table.suggestions and stored.seats[seat].player_id == player_id


def reviews_for(session: Session, stored: TableGame, seat: Seat, player_id: int) -> dict[int, tuple[Opinion, ...]]:
    """By hand, the stored opinions that the player may read: those on the turns that they chose themselves.

    A hand is missing until it is reviewed; all are, if the player may read none.
    """
    if not may_read(stored, seat, player_id):
        return {}
    read = {}
    for hand, opinions in stored_reviews(session, stored.id).items():
        if hand <= len(stored.game.scores) and stored.has_played(seat, hand):
            records = stored.of_hand(hand)
            own = [(one, records[one.turn - 1]) for one in opinions if one.seat == seat]
            read[hand] = tuple(
                one for one, record in own if record.source in CHOSEN and stored.has_chosen(seat, record.number)
            )
    return read


def stored_reviews(session: Session, game_id: int) -> dict[int, tuple[Opinion, ...]]:
    """By hand, the stored opinions on a game."""
    found = session.exec(select(ReviewRow).where(ReviewRow.game_id == game_id))
    return {row.hand: opinions for row in found if (opinions := row.opinions) is not None}


def review_of(runtime: Runtime, game_id: int, hand: int) -> tuple[Opinion, ...]:
    """The opinions on a finished hand, computed and stored if necessary.

    This may take MAX_SECONDS, so the caller must hold no transaction. If the robot has no answer now, there are none,
    and none are stored. Raises HandNotScored if the hand is not finished,
    and LookupError if there is no such game or hand.
    """
    with runtime.database.reading() as session:
        kept = stored_review(session, game_id, hand)
        if kept is not None:
            return kept
        finished = finished_hand(store.load(session, game_id), hand)
    turns = [record.turn for record in finished.records]
    try:
        opinions = engine.ask(partial(review_within, MAX_SECONDS, finished.before, turns, SEED))
    except NoAnswer:
        return ()
    return _keep(runtime, game_id, hand, opinions)


def prepare(runtime: Runtime, letter_id: int, kind: LetterKind) -> None:
    """Computes the opinions that a score sheet may tell, before it is composed; does nothing for other letters.

    The last sheet tells of the whole game, so that it needs those on each of its hands.
    """
    if not KINDS[kind].tells_story:
        return
    with runtime.database.reading() as session:
        letter = session.get_one(LetterRow, letter_id)
        allows_advice = letter.table_id is not None and session.get_one(TableRow, letter.table_id).suggestions
        if not allows_advice or letter.message is not None or letter.game_id is None or letter.hand is None:
            return
        if kind is LetterKind.FINAL_SHEET:
            hands = [score.number for score in store.load(session, letter.game_id).game.scores]
        else:
            hands = [letter.hand]
    for hand in hands:
        review_of(runtime, letter.game_id, hand)


def _keep(runtime: Runtime, game_id: int, hand: int, opinions: tuple[Opinion, ...]) -> tuple[Opinion, ...]:
    """Stores the opinions and returns them; if another process was faster, returns the ones that it stored."""
    row = ReviewRow(game_id=game_id, hand=hand, opinions=opinions)
    try:
        with runtime.database.writing() as session:
            kept = stored_review(session, game_id, hand)
            if kept is None:
                session.merge(row)
            return opinions if kept is None else kept
    except IntegrityError:
        with runtime.database.reading() as session:
            return stored_review(session, game_id, hand) or opinions
