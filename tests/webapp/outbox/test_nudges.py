"""Phrases that remind: a waiting player says one at the table, and nudges by mail the player whom it names."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime, timedelta

import pytest
from sqlalchemy.orm import object_session

from tests.cast import seats, start_game
from tests.mailing import letters_to
from tests.submitting import soup, words
from tests.webapp.games.talking import said
from webapp.core.say import Refused
from webapp.core.tokens import LinkExpired, PlayLink, SeatLost
from webapp.games.clock import clocks
from webapp.models import Frequency, GameRow, LetterKind, LetterState, Pause, PlayerRow, Stands, TableRow, Talk
from webapp.outbox import questions
from webapp.outbox.timing import Cause
from worker import postman

ANN, BO, CY, DI = range(4)
HOUR = timedelta(hours=1)
HOURS = 6 * HOUR  # a quarter of the pace
TO_DI = "Di, we wait for you"


@pytest.fixture
def table(runtime):
    return game_that_waits_for_di(runtime)


def game_that_waits_for_di(runtime):
    made = start_game(runtime)
    made.pass_all((ANN, BO, CY))
    return made


def reminders_to(runtime, name):
    return [letter for letter in letters_to(runtime, name, LetterKind.TURNS) if letter.reason == Cause.NUDGE]


def phrases(table, seat=BO):
    with table.runtime.database.reading() as session:
        return questions.phrases(session, table.stored, seat, table.runtime.now())


def say(table, seat=BO, text=TO_DI):
    questions.say_line(table.runtime, table.play_link(seat), text, table.runtime.now())


def test_the_player_for_whom_the_table_waits_is_reminded_once(runtime, table):
    runtime.now.pass_by(HOURS)
    assert phrases(table) == [TO_DI]
    say(table)
    assert phrases(table) == []
    say(table, CY)
    (letter,) = reminders_to(runtime, "Di")
    assert (letter.state, letter.next_at, letter.about) == (LetterState.QUEUED, runtime.now(), "pass")
    assert not any(reminders_to(runtime, name) for name in ("Ann", "Bo", "Cy"))
    assert said(runtime) == [TO_DI, TO_DI]


def test_a_reminder_goes_though_the_last_mail_is_unread(runtime, table):
    postman.deliver(runtime)
    runtime.now.pass_by(HOURS)
    say(table)
    postman.deliver(runtime)
    asked = letters_to(runtime, "Di", LetterKind.TURNS)
    assert [(one.reason, one.state) for one in asked] == [
        (Cause.NEXT, LetterState.KEPT),
        (Cause.NUDGE, LetterState.KEPT),
    ]
    assert "Di, we wait for you" in asked[-1].message.replace("=\n", "")


def test_reminding_wakes_a_worker_and_counts_its_sender_as_awake(runtime, table):
    rung = []
    object.__setattr__(runtime.bell, "deliver", lambda: rung.append(runtime.now()))
    runtime.now.pass_by(HOURS)
    say(table)
    assert rung == [runtime.now()]
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, table.seats[BO].player_id).seen_at == runtime.now()


def test_with_the_next_question_they_may_be_reminded_again(runtime, table):
    runtime.now.pass_by(HOURS)
    say(table)
    table.pass_lowest(DI)
    waits_for = table.game.to_act[0]
    runtime.now.pass_by(HOURS)
    (phrase,) = phrases(table, (waits_for + 1) % 4)
    say(table, (waits_for + 1) % 4, phrase)
    name = table.stored.names[waits_for]
    assert [letter.about for letter in reminders_to(runtime, name)][-1] == "trick 1"


def test_each_player_is_named_who_is_awaited_in_any_hand(runtime):
    table = start_game(runtime, at_once=4)
    table.pass_all((CY, DI))
    runtime.now.pass_by(HOURS)
    assert phrases(table, ANN) == ["Bo, we wait for you", "Cy, we wait for you", TO_DI]


@pytest.mark.parametrize(
    "time",
    [
        pytest.param(timedelta(0), id="at once"),
        pytest.param(HOURS - timedelta(seconds=1), id="a second too early"),
        pytest.param(18 * HOUR, id="when the last call comes by itself"),
        pytest.param(10 * HOUR, id="at night, when it would come with that"),
    ],
)
def test_nobody_is_reminded_too_early_or_too_late(runtime, table, time):
    if time == 10 * HOUR:  # Di's night ends when the last reminder has been sent
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, table.seats[DI].player_id).quiet_to = 10
    runtime.now.pass_by(time)
    assert phrases(table) == []
    say(table)
    assert (reminders_to(runtime, "Di"), said(runtime)) == ([], [TO_DI])


def remind_at_night(table):
    """Bo has Di reminded when it is night there, until five o'clock."""
    with table.runtime.database.writing() as session:
        session.get_one(PlayerRow, table.seats[DI].player_id).quiet_to = 5
    table.runtime.now.pass_by(11 * HOUR)
    say(table)


def test_a_reminder_at_night_waits_for_the_morning(runtime, table):
    remind_at_night(table)
    (letter,) = reminders_to(runtime, "Di")
    assert letter.next_at == datetime.fromisoformat("2026-03-03T05:00Z")


def test_a_turn_played_meanwhile_takes_the_reminder_back(runtime, table):
    remind_at_night(table)
    table.pass_lowest(DI)
    runtime.now.pass_by(8 * HOUR)
    postman.deliver(runtime)
    (letter,) = reminders_to(runtime, "Di")
    assert letter.state is LetterState.SUPERSEDED


def no_mail(stored, row, player, now):
    row.mails = False


def unreachable(stored, row, player, now):
    player.unreachable_at = now


def paused(stored, row, player, now):
    stored.table.pause = Pause(Stands.HOST, now)
    clocks.settle(object_session(row), stored, now)


def once_a_day(stored, row, player, now):
    player.frequency = Frequency.DAILY


def before_a_deadline(stored, row, player, now):
    player.frequency = Frequency.LAST


def day_off(stored, row, player, now):
    player.days_off = 1 << now.weekday()


@pytest.mark.parametrize("change", [no_mail, unreachable, paused, once_a_day, before_a_deadline, day_off])
def test_only_a_player_who_wants_mail_now_is_reminded(runtime, table, change):
    runtime.now.pass_by(HOURS)
    with table.changing() as game:
        row = game.seats[DI]
        change(game.stored, row, game.session.get_one(PlayerRow, row.player_id), runtime.now())
    assert phrases(table) == []
    say(table)
    assert reminders_to(runtime, "Di") == []


def test_at_a_live_table_nobody_is_reminded_by_mail(runtime):
    table = start_game(runtime, pace=timedelta(minutes=5))
    table.pass_all((ANN, BO, CY))
    runtime.now.pass_by(timedelta(minutes=2))
    assert phrases(table) == []


def test_whom_the_table_does_not_wait_for_is_not_reminded(runtime, table):
    runtime.now.pass_by(HOURS)
    with pytest.raises(Refused, match="The table does not wait for Cy now"):
        say(table, BO, "Cy, we wait for you")
    assert said(runtime) == []


@pytest.mark.parametrize("text", ["Eve, we wait for you", "Well, Di, we wait for you"])
def test_words_of_ones_own_remind_nobody(runtime, table, text):
    runtime.now.pass_by(HOURS)
    say(table, BO, text)
    assert (said(runtime), reminders_to(runtime, "Di")) == ([text], [])


def test_after_the_game_a_phrase_is_a_line_like_others(runtime, table):
    link = table.play_link(BO)
    with runtime.database.writing() as session:
        session.get_one(GameRow, table.game_id).state = "over"
    questions.say_line(runtime, link, TO_DI, runtime.now())
    assert (said(runtime), reminders_to(runtime, "Di")) == ([TO_DI], [])


@pytest.mark.parametrize(("allowed", "offered"), [(Talk.TEXT, True), (Talk.PHRASES, True), (Talk.NONE, False)])
def test_the_page_offers_the_phrase_where_there_is_talk(runtime, client, table, allowed, offered):
    runtime.now.pass_by(HOURS)
    with runtime.database.writing() as session:
        session.get_one(TableRow, table.table_id).talk = allowed
    page = runtime.signer.local_url(table.play_link(BO))
    buttons = soup(client.get(page)).select("#remind button")
    assert [one.get_text() for one in buttons] == [TO_DI] * offered
    sent = {"phrase": TO_DI}
    for _ in range(2):  # a double click
        done = client.post(buttons[0].find_parent("form")["action"] if offered else f"{page}/talk", data=sent)
        assert done.status_code == (303 if offered else 400)
    assert len(reminders_to(runtime, "Di")) == len(said(runtime)) == offered
    assert soup(client.get(page)).select("#remind button") == []


def test_a_tap_too_late_is_answered_with_a_sentence(runtime, client, table):
    page = runtime.signer.local_url(table.play_link(BO))
    table.pass_lowest(DI)
    waits_for = table.game.to_act
    name = next(one for seat, one in enumerate(table.stored.names) if seat not in (BO, *waits_for))
    answer = client.post(f"{page}/talk", data={"phrase": f"{name}, we wait for you"})
    assert answer.status_code == 400
    assert f"The table does not wait for {name} now." in words(answer)


def test_somebody_elses_link_or_an_ended_one_reminds_nobody(runtime, table):
    runtime.now.pass_by(HOURS)
    table_id = table.table_id
    with pytest.raises(SeatLost):
        questions.say_line(
            runtime, PlayLink(table_id, BO, seats(runtime, table_id)[CY].player_id), TO_DI, runtime.now()
        )
    with pytest.raises(LinkExpired):
        questions.say_line(
            runtime, PlayLink(table_id, BO, seats(runtime, table_id)[BO].player_id, 7), TO_DI, runtime.now()
        )
    assert reminders_to(runtime, "Di") == []


def test_two_who_ask_at_the_same_moment_cause_one_reminder(either_runtime):
    runtime = either_runtime
    table = game_that_waits_for_di(runtime)
    runtime.now.pass_by(HOURS)
    links = [table.play_link(seat) for seat in (ANN, BO, CY)]
    with ThreadPoolExecutor(3) as pool:
        for outcome in [pool.submit(questions.say_line, runtime, link, TO_DI, runtime.now()) for link in links]:
            outcome.result()
    assert len(reminders_to(runtime, "Di")) == 1
    table.play_first()
    assert table.row.turns > 4


def test_a_reminder_waits_for_a_turn_that_is_being_taken(either_runtime):
    table = game_that_waits_for_di(either_runtime)
    either_runtime.now.pass_by(HOURS)
    link = table.play_link(BO)
    with ThreadPoolExecutor(1) as pool:
        with table.changing():
            asked = pool.submit(questions.say_line, either_runtime, link, TO_DI, either_runtime.now())
            assert wait([asked], timeout=0.5).not_done
        asked.result()
