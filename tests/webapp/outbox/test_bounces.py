"""Mails that came back: what counts against an address, from when on it is silent, and how it is heard again."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select

from tests.cast import NAMES, address, letters, load, open_table, seats, start_game
from webapp.accounts import signing_in
from webapp.core.tokens import SignInLink
from webapp.models import GameRow, LetterKind, LetterRow, LetterState, PlayerRow, Way
from webapp.outbox import bounces
from webapp.players import away
from webapp.replies.bounces import Bounce
from webapp.service import play_for_absent
from worker import postman

DAY = timedelta(days=1)
FULL, GONE, SPAM = "5.2.2", "5.1.1", "5.7.1"


def bo(parts):
    with parts.database.reading() as rows:
        return rows.exec(select(PlayerRow).where(PlayerRow.name == "Bo")).one()


def sent(parts, kind=LetterKind.INVITATION):
    """A letter to Bo that the relay has taken just now."""
    postman.deliver(parts)
    with parts.database.writing() as rows:
        letter = next(rows.merge(letter) for letter in letters(parts, kind) if letter.player_id == bo(parts).id)
        letter.state, letter.sent_at = LetterState.SENT, parts.now()
    return letter.id


def came_back(parts, letter_id, status=GONE, recipient=None, action="failed"):
    counted = bounces.take(parts, letter_id, Bounce(recipient or address("Bo"), status, action), parts.now())
    if counted.silenced is not None:
        away.wait_no_longer(parts, counted.silenced, parts.now())
    return counted.sentence


def letter(parts, letter_id):
    with parts.database.reading() as rows:
        return rows.get_one(LetterRow, letter_id)


def another_sent(parts):
    """One more mail to Bo that has gone out."""
    parts.now.pass_by(timedelta(minutes=20))
    signing_in.ask_sign_in(parts, address("Bo"), parts.now())
    postman.deliver(parts)
    with parts.database.writing() as rows:
        row = rows.merge(letters(parts, LetterKind.SIGN_IN)[-1])
        row.state, row.sent_at = LetterState.SENT, parts.now()
    return row.id


def test_an_address_that_does_not_exist_is_silent_at_once(parts):
    open_table(parts, NAMES[:2], robots=2)
    invitation = sent(parts)
    assert came_back(parts, invitation) == "Nothing more is sent to this address (5.1.1)."
    assert bo(parts).unreachable_at == parts.now()
    assert (letter(parts, invitation).state, letter(parts, invitation).problem) == (
        LetterState.BOUNCED,
        "it came back (5.1.1)",
    )


def test_a_hard_bounce_silences_also_on_the_day_of_a_soft_one(parts):
    open_table(parts, NAMES[:2], robots=2)
    came_back(parts, sent(parts), FULL)
    assert bo(parts).unreachable_at is None
    came_back(parts, another_sent(parts), GONE)
    assert bo(parts).unreachable_at == parts.now()


@pytest.mark.parametrize(
    ("status", "action", "score"),
    [
        pytest.param(FULL, "failed", 1, id="a full mailbox: soft"),
        pytest.param("4.4.7", "failed", 1, id="given up after days: soft"),
        pytest.param("5.0.0", "failed", 1, id="no reason given: soft"),
        pytest.param("5.2.1", "failed", 3, id="closed: hard"),
        pytest.param("5.1.8", "failed", 1, id="the sender's address: soft"),
        pytest.param(SPAM, "failed", 0, id="taken for spam: the operator's news"),
        pytest.param("5.6.1", "failed", 0, id="its content: the operator's news"),
        pytest.param("4.4.1", "delayed", 0, id="delayed: no failure"),
        pytest.param("2.0.0", "delivered", 0, id="delivered: no failure"),
    ],
)
def test_what_counts_against_an_address(parts, status, action, score):
    open_table(parts, NAMES[:2], robots=2)
    invitation = sent(parts)
    came_back(parts, invitation, status, action=action)
    assert bo(parts).bounce_score == score
    is_back = action == "failed"
    assert letter(parts, invitation).state is (LetterState.BOUNCED if is_back else LetterState.SENT)


def test_what_is_the_operators_news_is_in_the_log_without_the_address(parts, caplog):
    open_table(parts, NAMES[:2], robots=2)
    invitation = sent(parts)
    came_back(parts, invitation, SPAM)
    assert f"letter {invitation} was refused for what it is or where it comes from (5.7.1)" in caplog.text
    assert address("Bo") not in caplog.text


def test_three_soft_bounces_on_three_days_silence_an_address_and_three_on_one_day_do_not(parts):
    open_table(parts, NAMES[:2], robots=2)
    sent(parts)
    for _ in range(3):
        came_back(parts, another_sent(parts), FULL)
    assert (bo(parts).bounce_score, bo(parts).unreachable_at) == (1, None)
    for _ in range(2):
        parts.now.pass_by(DAY)
        came_back(parts, another_sent(parts), FULL)
    assert bo(parts).unreachable_at == parts.now()


def test_a_mail_that_arrived_in_between_begins_the_count_again(parts):
    open_table(parts, NAMES[:2], robots=2)
    sent(parts)
    came_back(parts, another_sent(parts), FULL)
    for _ in range(4):
        parts.now.pass_by(DAY)
        another_sent(parts)
        parts.now.pass_by(DAY)
        came_back(parts, another_sent(parts), FULL)
        assert (bo(parts).bounce_score, bo(parts).unreachable_at) == (1, None)


def test_the_same_report_twice_is_once(parts):
    open_table(parts, NAMES[:2], robots=2)
    invitation = sent(parts)
    came_back(parts, invitation, FULL)
    parts.now.pass_by(DAY)
    assert came_back(parts, invitation, FULL) == "It is about no mail that is out."
    assert bo(parts).bounce_score == 1


@pytest.mark.parametrize("recipient", ["eve@example.org", "", "ann@example.org"])
def test_a_report_about_another_address_does_nothing(parts, recipient):
    open_table(parts, NAMES[:2], robots=2)
    invitation = sent(parts)
    report = Bounce(recipient, GONE, "failed")
    assert "an address that we did not write to" in bounces.take(parts, invitation, report, parts.now()).sentence
    assert (bo(parts).bounce_score, letter(parts, invitation).state) == (0, LetterState.SENT)


def test_a_report_is_believed_for_two_weeks(parts):
    open_table(parts, NAMES[:2], robots=2)
    invitation = sent(parts)
    parts.now.pass_by(14 * DAY + timedelta(seconds=1))
    assert came_back(parts, invitation) == "It is too old to be believed."
    assert bo(parts).bounce_score == 0


def test_a_report_about_no_letter_does_nothing(parts):
    assert came_back(parts, 77) == "It is about no mail of ours."


def test_a_report_about_the_old_address_does_not_count_against_the_new_one(parts):
    open_table(parts, NAMES[:2], robots=2)
    invitation = sent(parts)
    with parts.database.writing() as rows:
        rows.get_one(PlayerRow, bo(parts).id).address = "bo@elsewhere.example"
    came_back(parts, invitation)
    assert letter(parts, invitation).state is LetterState.BOUNCED
    assert (bo(parts).bounce_score, bo(parts).unreachable_at) == (0, None)


def test_one_report_that_two_workers_see_to_counts_once(either_parts):
    open_table(either_parts, NAMES[:2], robots=2)
    invitation = sent(either_parts)
    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(lambda _: came_back(either_parts, invitation, FULL), range(4)))
    assert Counter(said) == {"It counts against the address (5.2.2).": 1, "It is about no mail that is out.": 3}
    assert bo(either_parts).bounce_score == 1


def test_a_report_that_had_to_wait_sees_what_the_one_before_it_did(either_parts):
    open_table(either_parts, NAMES[:2], robots=2)
    invitation = sent(either_parts)
    with ThreadPoolExecutor(1) as pool:
        with either_parts.database.writing() as rows:
            row = rows.get_one(LetterRow, invitation)
            bounces.lock_player(rows, row)
            other = pool.submit(came_back, either_parts, invitation, FULL)
            time.sleep(0.5)  # long enough to look at the letter, and to wait for its player
            row.state = LetterState.BOUNCED
        assert other.result() == "It is about no mail that is out."


def test_nobody_waits_for_a_player_who_cannot_be_reached(either_parts):
    parts = either_parts
    game_id = start_game(parts, NAMES[:2], robots=2)
    question = sent(parts, LetterKind.PASS)
    came_back(parts, question)
    (seat,) = [seat for seat in seats(parts, load(parts, game_id).table.id) if seat.name == "Bo"]
    assert seat.away
    with parts.database.reading() as rows:
        assert rows.get_one(GameRow, game_id).wake_at <= parts.now()
    play_for_absent(parts, game_id)
    assert [record.way for record in load(parts, game_id).records if getattr(record.turn, "seat", None) == 1] == [
        Way.ORDER
    ]


def test_whoever_signs_in_by_a_fresh_link_is_heard_again_and_gets_what_is_still_asked(parts):
    start_game(parts, NAMES[:2], robots=2)
    came_back(parts, sent(parts, LetterKind.PASS))
    with parts.database.writing() as rows:
        withheld = rows.merge(letters(parts, LetterKind.PASS)[0])
        withheld.player_id, withheld.state, withheld.next_at = bo(parts).id, LetterState.WITHHELD, None
    signing_in.sign_in(parts, SignInLink(bo(parts).id, 0), "Firefox")
    assert (bo(parts).bounce_score, bo(parts).bounced_on, bo(parts).unreachable_at) == (0, None, None)
    again = letter(parts, withheld.id)
    assert (again.state, again.next_at) == (LetterState.OWED, parts.now())
