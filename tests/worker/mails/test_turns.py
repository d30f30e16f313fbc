"""The mail about turns as it is sent: what happened, what waits, at one table or several; and answers to it."""

import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_string
from email.policy import default

import pytest

from hearts.cards import card_text, parse_card
from hearts.game import legal
from tests.answers import answer, answered, mail, typed_pass
from tests.cast import NAMES, PACE, opened, seats, start_game
from tests.deals import change_deal, unseen_pairs
from tests.mailing import letters_to, player_id
from tests.runtimes import make_runtime
from webapp.core.tokens import TurnLink, UnsubscribeLink
from webapp.games import talk
from webapp.models import GameRow, LetterKind, TableRow, TurnSource
from webapp.outbox import holding
from webapp.outbox.letters import new_letter
from webapp.presentation.clock_text import taken_sentence
from webapp.presentation.faces import face
from webapp.presentation.house_rules import goal_text
from webapp.presentation.phrasing import timestamp
from worker import postman
from worker.mail import compose

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SINCE = "SINCE YOU WERE HERE"


@pytest.fixture
def runtime(tmp_path):
    made = make_runtime(tmp_path / "var")
    made.now.at = made.now.at.replace(hour=9)
    yield made
    made.database.engine.dispose()


def sent_to(runtime, name="Ann", later=timedelta(minutes=31)):
    """The mails about turns that went to the player up to then, as letters and messages, the newest last."""
    runtime.now.pass_by(later)
    postman.deliver(runtime)
    rows = [one for one in letters_to(runtime, name, LetterKind.TURNS) if one.message]
    return [(one, message_from_string(one.message, policy=default)) for one in rows]


def newest(runtime, name="Ann", later=timedelta(minutes=31)):
    return sent_to(runtime, name, later)[-1]


def text_of(message):
    return message.get_body(("plain",)).get_content()


def links_in(runtime, text):
    """The questions to which the text has links, each once, in order."""
    found = [opened(runtime, TurnLink, f"/turn/{token}") for token in re.findall(r"/turn/([\w.-]+)", text)]
    return list(dict.fromkeys((one.game_id, one.hand, one.due) for one in found))


def test_the_first_mail_has_all_hands_and_the_goal(runtime):
    table = start_game(runtime, at_once=4)
    letter, message = newest(runtime)
    text = text_of(message)
    assert message["Subject"] == "Ann's table: your first hands"
    assert links_in(runtime, text) == [(table.game_id, hand, "pass") for hand in (1, 2, 3)]
    assert "You play four hands at once." in text
    assert goal_text(table.game.rules) in text
    assert SINCE not in text
    assert letter.asked == [[table.game_id, 0, hand, "pass"] for hand in (1, 2, 3)]


def test_a_first_mail_about_a_card_has_the_goal(runtime):
    stored = start_game(runtime, at_once=4).stored
    with runtime.database.writing() as session:  # as where it is night for others who pass
        row, clock = session.get_one(GameRow, stored.id), stored.at(4).clock
        row.clocks = {**stored.row.clocks, 4: replace(clock, due_at=clock.due_at - MINUTE)}
    text = text_of(newest(runtime, NAMES[stored.at(4).game.to_act[0]])[1])
    assert text.startswith("Trick 1")
    assert goal_text(stored.game.rules) in text


def test_the_first_question_stands_in_full_others_in_lines(runtime):
    first, second = start_game(runtime), start_game(runtime, pace=PACE * 2)
    first.pass_all()
    name = NAMES[seat := first.awaited]
    letter, message = newest(runtime, name)
    text, may_play = text_of(message), legal(first.stored.game, seat)
    assert message["Subject"].endswith("and 1 more choice")
    assert links_in(runtime, text) == [(first.game_id, 1, "trick 1"), (second.game_id, 1, "pass")]
    assert re.findall(r"\?card=(\w\w)", text) == [card_text(card) for card in may_play]
    assert all(card_text(card) in text.partition("ANN'S TABLE 2")[2] for card in second.stored.game.held[seat])
    assert (letter.game_id, letter.about, len(letter.asked)) == (first.game_id, "trick 1", 2)


def pass_until(table, seat, way=TurnSource.PAGE):
    """Everybody plays until that seat is asked again."""
    table.play_first(way)
    while table.awaited != seat:
        table.play_first()


def test_a_mail_begins_with_what_happened_since(runtime):
    table = start_game(runtime)
    table.pass_all()
    seat = table.awaited
    runtime.now.pass_by(HOUR)
    pass_until(table, seat)
    text = text_of(newest(runtime, NAMES[seat])[1])
    assert text.startswith(f"{SINCE}\n  Trick 1: ")
    assert " won it with " in text.splitlines()[1]


def test_a_mail_quotes_what_others_have_said_since(runtime):
    table = start_game(runtime)
    runtime.now.pass_by(MINUTE)
    talk.add_line(runtime, table.play_link(1), "Ouch", runtime.now())
    text = text_of(newest(runtime)[1])
    assert re.search(rf"{SINCE}\n  Bo: Ouch \(", text)
    assert "Ouch" not in text_of(newest(runtime, "Bo")[1])


def test_after_a_reply_a_mail_tells_it_and_all_before(runtime):
    table = start_game(runtime, at_once=4)
    letter, _ = newest(runtime, "Bo")
    runtime.now.pass_by(HOUR)
    talk.add_line(runtime, table.play_link(0), "Ouch", runtime.now())
    runtime.now.pass_by(HOUR)
    answer(runtime, letter, mail("Bo", passed := typed_pass(table, 1)))
    text = text_of(newest(runtime, "Bo")[1])
    assert text.startswith(f"{SINCE}\n  Hand 1: You passed ")
    assert all(face(parse_card(card)).text in text.splitlines()[1] for card in passed.split())
    assert "  Ann: Ouch (" in text


def miss(table):
    """The deadline of the game passes, its players having been asked."""
    sent_to(table.runtime)
    while (due := table.due_at) and table.runtime.now() < due:
        sent_to(table.runtime, later=min(HOUR, due - table.runtime.now()))
    table.play_for_absent()


def test_a_player_who_was_late_reads_what_was_played(runtime):
    table = start_game(runtime)
    table.pass_all((1, 2, 3))
    miss(table)
    _, message = newest(runtime, later=HOUR)
    assert "The deadline was over. We passed " in text_of(message)


def test_whoever_a_robot_plays_for_reads_how_to_return(runtime):
    table = start_game(runtime)
    table.pass_all((1, 2, 3))
    miss(table)
    while not table.seats[0].away:
        if table.awaited == 0:
            miss(table)
        else:
            table.play_first()
    letter, message = newest(runtime)
    text = text_of(message)
    assert message["Subject"] == "We played for you at Ann's table"
    assert "A robot plays for you from now on" in text
    assert "/turn/" in text
    answer(runtime, letter, mail("Ann", "back"))
    assert not table.seats[0].away


def test_a_spare_day_is_told_with_what_is_left(runtime):
    table = start_game(runtime)
    with runtime.database.writing() as session:
        session.get_one(TableRow, 1).vacation_days = 3
    table.pass_all((1, 2, 3))
    miss(table)
    _, message = newest(runtime)
    assert message["Subject"].startswith("A spare day for you: ")
    assert taken_sentence(2) in text_of(message)


@pytest.mark.parametrize(("at_once", "what"), [(1, "Pass three cards to Bo"), (4, "your first hands")])
def test_a_last_call_names_its_deadline_first(runtime, at_once, what):
    table = start_game(runtime, at_once=at_once)
    sent_to(runtime)
    due = table.due_at
    letter, message = newest(runtime, later=due - runtime.now() - 2 * HOUR)
    text = text_of(message)
    assert letter.reason == "call"
    assert message["Subject"] == f"Last call: Ann's table: {what}"
    assert text.index("Choose by") < text.index("YOUR CARDS")


def test_a_late_mail_names_the_deadline_that_it_moves(runtime):
    table = start_game(runtime)
    with runtime.database.writing() as session:
        holding.hold(session, "op", runtime.now())
    before = table.due_at
    sent_to(runtime, later=6 * HOUR)
    with runtime.database.writing() as session:
        holding.resume(session, "op", runtime.now())
    text, after = text_of(newest(runtime, later=MINUTE)[1]), table.due_at
    assert after > before
    assert timestamp(after, runtime.now(), "Europe/Berlin").text in text


def test_the_mails_of_a_game_are_one_thread(runtime):
    table = start_game(runtime, at_once=4)
    first, _ = newest(runtime)
    answer(runtime, first, mail("Ann", typed_pass(table)))
    second, message = newest(runtime, later=MINUTE)
    assert first.thread_id is None
    assert second.hand != first.hand
    assert message["In-Reply-To"] == message["References"] == first.message_id


def test_two_tables_are_stopped_together(runtime):
    start_game(runtime)
    start_game(runtime)
    letter, message = newest(runtime)
    text = text_of(message)
    assert "Mute all tables:" in text
    link = opened(runtime, UnsubscribeLink, re.search(r"/unsubscribe/\S+", text)[0])
    assert (link.table_id, link.seat) == (0, 0)
    answer(runtime, letter, mail("Ann", "stop"))
    assert [seats(runtime, table)[0].mails for table in (1, 2)] == [False, False]


def test_deals_differing_in_unseen_cards_give_equal_mails(runtime):
    table = start_game(runtime)
    table.pass_all()
    compared = 0
    while table.game.hand == 1:
        pair = next(unseen_pairs(table.game), None)
        if pair and table.game.to_act == (0,):
            before = composed(runtime)
            change_deal(table, *pair)
            assert composed(runtime) == before
            change_deal(table, *pair)
            compared += 1
        table.play_first()
    assert compared > 5


def composed(runtime):
    """The mail to Ann as it would be sent now, without its tokens."""
    row = new_letter(LetterKind.TURNS, player_id(runtime), runtime.now(), reason="next", id=99)
    with runtime.database.reading() as session:
        made = compose(runtime, session, row)
        shown = [made["Subject"], *(made.get_body((kind,)).get_content() for kind in ("plain", "html"))]
    return re.sub(r"/(turn|seat|preferences|unsubscribe)/[\w.-]+", r"/\1/TOKEN", "\n".join(shown))


def test_a_reply_answers_the_first_and_others_by_their_hands(runtime):
    table = start_game(runtime, at_once=4)
    letter, _ = newest(runtime)
    typed = [f"hand {hand} {typed_for(table, hand)}" for hand in (3, 2)]
    answer(runtime, letter, mail("Ann", "\n".join([typed_for(table, 1), *typed])))
    played = [one.hand for one in table.records if one.source is TurnSource.REPLY]
    assert played == [1, 3, 2]
    assert answered(runtime) == []


def typed_for(table, hand):
    return " ".join(card_text(card) for card in list(table.stored.at(hand).game.held[0])[:3])


def test_a_late_reply_to_the_first_reads_what_was_played(runtime):
    table = start_game(runtime, at_once=4)
    letter, _ = newest(runtime)
    typed = typed_pass(table)
    other = " ".join(card_text(card) for card in list(table.stored.at(1).game.held[0])[3:6])
    table.play_first()
    answer(runtime, letter, mail("Ann", other))
    assert answered(runtime) == ["over pass"]
    assert typed
