"""Digests and reminders as they are sent: their contents, once, and nothing that is over."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from hearts.game import Stage, legal
from hearts.seats import Seat
from tests.cast import NAMES, PACE, address, load, opened, start_game, turn_link
from tests.deals import change_deal, unseen_pairs
from tests.mailing import BUNDLED, DAILY, letters_to, set_preferences
from tests.playing import QUICK, pass_all, pass_lowest, play_first
from tests.reminding import wait_for_reminder
from tests.worker.delivered import deliver_later, text_of
from webapp.core.tokens import TurnLink
from webapp.models import LetterKind, LetterRow, LetterState
from webapp.play import due_games
from worker import postman
from worker.mail import compose


def digest_mails(smtp_server, name):
    return [mail for mail in smtp_server.to(address(name)) if "wait" in mail.subject or "News" in mail.subject]


def test_a_digest_lists_only_pending_questions_by_urgency(runtime, smtp_server):
    urgent = start_game(runtime)
    set_preferences(runtime, "Bo", frequency=BUNDLED)
    later, answered = start_game(runtime), start_game(runtime)
    pass_lowest(runtime, answered, Seat(1))
    deliver_later(runtime)
    (mail,) = digest_mails(smtp_server, "Bo")
    assert abs(mail.message["Date"].datetime - runtime.now()) < timedelta(hours=1)
    assert mail.subject == "Ann's table and 1 more: 2 choices wait for you"
    text = text_of(mail)
    asked = [opened(runtime, TurnLink, f"/turn/{token}").game_id for token in re.findall(r"/turn/([\w.-]+)", text)]
    assert list(dict.fromkeys(asked)) == [urgent, later], "and not about the game in which they have chosen"
    assert "/away" in text, "each mail about a table leads to the page"
    states = [letter.state for letter in letters_to(runtime, "Bo", LetterKind.PASS)]
    assert states == [LetterState.BUNDLED, LetterState.BUNDLED, LetterState.SUPERSEDED]
    assert {letter.digest_id for letter in letters_to(runtime, "Bo", LetterKind.PASS)} == {
        letters_to(runtime, "Bo", LetterKind.DIGEST)[-1].id,
        None,
    }


def test_an_empty_digest_is_not_sent(runtime, smtp_server):
    game_id = start_game(runtime)
    set_preferences(runtime, "Bo", frequency=BUNDLED)
    pass_lowest(runtime, game_id, Seat(1))
    deliver_later(runtime)
    assert digest_mails(smtp_server, "Bo") == []
    assert letters_to(runtime, "Bo", LetterKind.DIGEST)[-1].state is LetterState.SUPERSEDED


def test_two_workers_send_one_digest(runtime, smtp_server):
    for _ in range(3):
        start_game(runtime)
    set_preferences(runtime, "Bo", frequency=DAILY)
    runtime.now.pass_by(timedelta(days=1))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: postman.deliver(runtime), range(4)))
    assert len(digest_mails(smtp_server, "Bo")) == 1


def test_a_deferred_digest_is_the_same_the_next_time(runtime, smtp_server):
    start_game(runtime)
    set_preferences(runtime, "Bo", frequency=BUNDLED)
    smtp_server.refuse[address("Bo")] = "450 mailbox busy"
    deliver_later(runtime)
    (digest,) = letters_to(runtime, "Bo", LetterKind.DIGEST)
    assert (digest.state, digest.tries) == (LetterState.QUEUED, 1)
    assert [letter.state for letter in letters_to(runtime, "Bo", LetterKind.PASS)] == [LetterState.BUNDLED]
    del smtp_server.refuse[address("Bo")]
    deliver_later(runtime, timedelta(minutes=20))
    mail = smtp_server.to(address("Bo"))[-1]
    assert mail.subject == "Ann's table: your first hand"
    assert mail.message["Message-ID"] == digest.message_id


def test_score_sheets_and_cards_played_for_the_player_are_news(runtime, smtp_server):
    game_id = start_game(runtime, NAMES[:2], robots=2, rules=QUICK)
    set_preferences(runtime, "Bo", frequency=DAILY)
    while (stored := load(runtime, game_id)).game.hand == 1:
        if Seat(0) in stored.game.to_act and stored.game.stage is Stage.PLAY:  # else nobody plays, and the game rests
            play_first(runtime, game_id)
            continue
        runtime.now.pass_by(stored.row.due_at - runtime.now() if stored.row.due_at else PACE)
        due_games.play_for_absent(runtime, game_id)
    deliver_later(runtime, timedelta(days=1))
    text = text_of(digest_mails(smtp_server, "Bo")[-1])
    assert "Hand 1 is over." in text
    assert "The deadline was over. We p" in text
    assert not [letter for letter in letters_to(runtime, "Bo", *LetterKind) if letter.state is LetterState.HELD]


def test_the_first_question_has_a_link_for_each_choice(runtime, smtp_server):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    for name in NAMES:
        set_preferences(runtime, name, frequency=BUNDLED, quiet=None)
    for _ in range(3):
        seat = load(runtime, game_id).game.to_act[0]
        choices = len(legal(load(runtime, game_id).game, seat))
        deliver_later(runtime, timedelta(hours=1))
        mails = digest_mails(smtp_server, NAMES[seat])
        assert len(set(re.findall(r"\?card=(\w\w)", text_of(mails[-1])))) == choices
        play_first(runtime, game_id)


def test_deals_differing_in_unseen_cards_give_equal_digests(runtime):
    game_id = start_game(runtime)
    for name in NAMES:
        set_preferences(runtime, name, frequency=BUNDLED)
    pass_all(runtime, game_id)
    compared = 0
    while load(runtime, game_id).game.hand == 1:
        pair = next(unseen_pairs(load(runtime, game_id).game), None)
        if pair and load(runtime, game_id).game.to_act == (0,):
            before = digest_text(runtime, "Ann")
            change_deal(runtime, game_id, *pair)
            assert digest_text(runtime, "Ann") == before
            change_deal(runtime, game_id, *pair)
            compared += 1
        play_first(runtime, game_id)
    assert compared > 5


def digest_text(runtime, name):
    """The digest as it would be sent now, without its tokens."""
    with runtime.database.reading() as session:
        mail = compose(
            runtime, session, session.get_one(LetterRow, letters_to(runtime, name, LetterKind.DIGEST)[-1].id)
        )
        shown = [mail["Subject"], *(mail.get_body((kind,)).get_content() for kind in ("plain", "html"))]
    return re.sub(r"/(turn|seat|preferences|unsubscribe)/[\w.-]+", r"/\1/TOKEN", "\n".join(shown))


@pytest.mark.parametrize("answered", [True, False])
def test_a_reminder_comes_before_the_deadline_in_the_same_thread(runtime, smtp_server, answered):
    game_id = start_game(runtime)
    postman.deliver(runtime)
    (question,) = letters_to(runtime, "Bo", LetterKind.PASS)
    if answered:
        pass_lowest(runtime, game_id, Seat(1))
    for _ in range(2):
        wait_for_reminder(runtime, game_id)
    postman.deliver(runtime)
    mails = [mail for mail in smtp_server.to(address("Bo")) if mail.subject.startswith("Reminder: ")]
    assert bool(mails) is not answered
    for mail in mails:
        assert question.message_id in mail.message["References"]
        assert "After that, a robot plays for you." in text_of(mail)
        link = runtime.signer.url(turn_link(runtime, game_id, 1)).partition(".")[0]
        assert link in text_of(mail)
