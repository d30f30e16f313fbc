"""The robot's review of finished hands: computed once, stored, the same for everybody, and ready for the mails."""

import pytest
from sqlalchemy import text
from sqlmodel import select

from hearts.game import Stage
from hearts.review import turning_points
from hearts.rules import preset_rules
from tests.cast import letters, start_game
from tests.copying import copied
from tests.races import none_fails
from webapp.games.record.finished import HandNotScored
from webapp.models import LetterKind, ReviewRow
from webapp.robots import reviews
from webapp.robots.reviews import review_of, stored_review, stored_reviews
from worker import postman


def rows_of(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(ReviewRow)).all()


@copied
def played(runtime):
    table = start_game(runtime)
    table.play_hand()
    return table


def test_a_review_is_computed_once_and_then_stored(runtime):
    table = played(runtime)
    opinions = review_of(runtime, table.game_id, 1)
    assert opinions
    assert all(opinion.reason for opinion in opinions)
    (row,) = rows_of(runtime)
    assert row.opinions == opinions
    with runtime.database.writing() as session:
        session.get_one(ReviewRow, (table.game_id, 1)).opinions = row.opinions[:1]
    assert review_of(runtime, table.game_id, 1) == opinions[:1], "the stored review is returned, not computed again"


@pytest.fixture
def has_time(monkeypatch):
    """A review that no other process can cut short: two are to be equal."""
    monkeypatch.setattr(reviews, "MAX_SECONDS", 600)


def test_the_review_can_be_recomputed_from_the_turns(runtime, has_time):
    table = played(runtime)
    first = review_of(runtime, table.game_id, 1)
    with runtime.database.writing() as session:
        session.delete(session.get_one(ReviewRow, (table.game_id, 1)))
    assert review_of(runtime, table.game_id, 1) == first


def test_a_review_says_that_the_first_legal_card_costs_points(runtime):
    opinions = review_of(runtime, played(runtime).game_id, 1)
    points = turning_points(opinions)
    assert points
    assert all(point.played != point.better for point in points)


def test_an_unfinished_hand_has_no_review(runtime):
    table = start_game(runtime)
    for _ in range(20):
        table.play_first()
    for hand in (1, 2):
        with pytest.raises(HandNotScored):
            review_of(runtime, table.game_id, hand)
    assert rows_of(runtime) == []


def test_an_unknown_game_or_hand_has_no_review(runtime):
    table = played(runtime)
    for game, hand in ((999, 1), (table.game_id, 0)):
        with pytest.raises(LookupError):
            review_of(runtime, game, hand)


def test_simultaneous_requests_get_the_same_review_in_one_row(either_runtime):
    table = played(either_runtime)
    one, other = none_fails(*[lambda: review_of(either_runtime, table.game_id, 1)] * 2)
    assert one == other
    assert len(rows_of(either_runtime)) == 1


def test_the_second_of_two_reviews_returns_the_stored_one(runtime):
    table = played(runtime)
    opinions = review_of(runtime, table.game_id, 1)
    assert reviews._keep(runtime, table.game_id, 1, opinions[:2]) == opinions
    with runtime.database.reading() as session:
        assert stored_review(session, table.game_id, 1) == opinions


def test_an_unreadable_review_of_another_version_is_computed_again(runtime, has_time):
    table = played(runtime)
    opinions = review_of(runtime, table.game_id, 1)
    with runtime.database.writing() as session:
        session.connection().execute(text('UPDATE review SET opinions = \'[{"card": "QS"}]\''))
    with runtime.database.reading() as session:
        assert stored_review(session, table.game_id, 1) is None
        assert stored_reviews(session, table.game_id) == {}
    assert review_of(runtime, table.game_id, 1) == opinions
    with runtime.database.reading() as session:
        assert stored_reviews(session, table.game_id) == {1: opinions}


def test_the_review_is_stored_before_the_first_sheet_is_written(runtime):
    table = played(runtime)
    table.allow_advice()
    assert table.game.hand == 2
    assert rows_of(runtime) == []
    assert postman.deliver(runtime) > 0
    (row,) = rows_of(runtime)
    assert (row.game_id, row.hand) == (table.game_id, 1)


def test_a_table_without_advice_gets_no_computed_review(runtime):
    played(runtime)
    assert postman.deliver(runtime) > 0
    assert rows_of(runtime) == []


def test_no_other_mail_makes_the_robot_think(runtime):
    table = played(runtime)
    table.allow_advice()
    for letter in letters(runtime):
        if letter.kind is not LetterKind.SCORE_SHEET:
            reviews.prepare(runtime, letter.id, letter.kind)
    assert rows_of(runtime) == []
    assert table.game_id


def test_the_last_sheet_is_written_after_all_hands_are_reviewed(runtime):
    table = start_game(runtime, rules=preset_rules("classic", hands=2))
    table.allow_advice()
    while table.game.stage is not Stage.OVER:
        table.play_hand()
    (letter, *_) = letters(runtime, LetterKind.FINAL_SHEET)
    reviews.prepare(runtime, letter.id, letter.kind)
    assert [row.hand for row in rows_of(runtime)] == [1, 2]
