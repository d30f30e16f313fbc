"""The robot's opinion of finished hands: worked out once, kept, the same for whoever asks, and there for the mails."""

import threading

import pytest
from sqlmodel import select

from hearts.review import parse_opinion, turning_points
from hearts.robot import warm_up
from tests.cast import letters, load, play_first, play_hand, start_game
from webapp.games.finished import StillPlayed
from webapp.models import LetterKind, ReviewRow
from webapp.robots import reviews
from webapp.robots.reviews import kept_review, kept_reviews, review_of
from worker import postman


@pytest.fixture(scope="module", autouse=True)
def _engine():
    warm_up()


def rows_of(parts):
    with parts.database.reading() as rows:
        return rows.exec(select(ReviewRow)).all()


def played(parts):
    game_id = start_game(parts)
    play_hand(parts, game_id)
    return game_id


def test_a_review_is_worked_out_once_and_then_kept(parts):
    game_id = played(parts)
    opinions = review_of(parts, game_id, 1)
    assert opinions
    assert all(opinion.reason for opinion in opinions)
    (row,) = rows_of(parts)
    assert tuple(map(parse_opinion, row.opinions)) == opinions
    with parts.database.writing() as rows:
        rows.get_one(ReviewRow, (game_id, 1)).opinions = row.opinions[:1]
    assert review_of(parts, game_id, 1) == opinions[:1], "what is kept is told, not found again"


def test_the_same_is_found_again_from_the_turns(parts):
    game_id = played(parts)
    first = review_of(parts, game_id, 1)
    with parts.database.writing() as rows:
        rows.delete(rows.get_one(ReviewRow, (game_id, 1)))
    assert review_of(parts, game_id, 1) == first


def test_playing_the_first_card_that_comes_costs_something_and_is_said_so(parts):
    opinions = review_of(parts, played(parts), 1)
    points = turning_points(opinions)
    assert points
    assert all(point.played != point.better for point in points)


def test_a_hand_that_is_still_played_has_no_review(parts):
    game_id = start_game(parts)
    for _ in range(20):
        play_first(parts, game_id)
    for hand in (1, 2):
        with pytest.raises(StillPlayed):
            review_of(parts, game_id, hand)
    assert rows_of(parts) == []


def test_no_game_and_no_hand_has_no_review(parts):
    game_id = played(parts)
    for game, hand in ((999, 1), (game_id, 0)):
        with pytest.raises(LookupError):
            review_of(parts, game, hand)


def test_two_who_ask_at_once_get_the_same_and_leave_one_row(either_parts):
    game_id = played(either_parts)
    both, got = threading.Barrier(2), []

    def ask():
        both.wait()
        got.append(review_of(either_parts, game_id, 1))

    askers = [threading.Thread(target=ask) for _ in range(2)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert len(got) == 2
    assert got[0] == got[1]
    assert len(rows_of(either_parts)) == 1


def test_whoever_comes_second_tells_what_the_first_has_kept(parts):
    game_id = played(parts)
    opinions = review_of(parts, game_id, 1)
    assert reviews._keep(parts, game_id, 1, opinions[:2]) == opinions
    with parts.database.reading() as rows:
        assert kept_review(rows, game_id, 1) == opinions


def test_what_another_version_kept_and_this_one_cannot_read_is_made_again(parts):
    game_id = played(parts)
    opinions = review_of(parts, game_id, 1)
    with parts.database.writing() as rows:
        rows.get_one(ReviewRow, (game_id, 1)).opinions = [{"card": "QS"}]
    with parts.database.reading() as rows:
        assert kept_review(rows, game_id, 1) is None
        assert kept_reviews(rows, game_id) == {}
    assert review_of(parts, game_id, 1) == opinions
    with parts.database.reading() as rows:
        assert kept_reviews(rows, game_id) == {1: opinions}


def test_the_review_is_there_before_the_first_score_sheet_is_written(parts):
    game_id = played(parts)
    assert load(parts, game_id).game.hand == 2
    assert rows_of(parts) == []
    assert postman.deliver(parts) > 0
    (row,) = rows_of(parts)
    assert (row.game_id, row.hand) == (game_id, 1)


def test_no_other_mail_makes_the_robot_think(parts):
    game_id = played(parts)
    for letter in letters(parts):
        if letter.kind is not LetterKind.SCORE_SHEET:
            reviews.prepare(parts, letter.id)
    assert rows_of(parts) == []
    assert game_id
