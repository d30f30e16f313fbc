"""Phrases that remind: a waiting player says one at the table, and nudges by mail the player whom it names."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime, timedelta

import pytest
from sqlalchemy.orm import object_session

from tests.cast import load, play_link, seats, start_game
from tests.mailing import letters_to
from tests.playing import pass_all, pass_lowest, play_first
from tests.submitting import soup, words
from tests.webapp.games.talking import said
from webapp.core.say import Refused
from webapp.core.tokens import LinkExpired, PlayLink, SeatLost
from webapp.games.clock import clocks
from webapp.games.record import changing
from webapp.models import Frequency, GameRow, LetterKind, LetterState, Pause, PlayerRow, Stands, TableRow, Talk
from webapp.outbox import questions
from webapp.outbox.timing import Cause
from worker import postman

ANN, BO, CY, DI = range(4)
HOUR = timedelta(hours=1)
HOURS = 6 * HOUR  # a quarter of the pace
TO_DI = "Di, we wait for you"


@pytest.fixture
def game_id(runtime):
    return game_that_waits_for_di(runtime)


def game_that_waits_for_di(runtime):
    made = start_game(runtime)
    pass_all(runtime, made, (ANN, BO, CY))
    return made


def reminders_to(runtime, name):
    return [letter for letter in letters_to(runtime, name, LetterKind.TURNS) if letter.reason == Cause.NUDGE]


def phrases(runtime, game_id, seat=BO):
    with runtime.database.reading() as session:
        return questions.phrases(session, load(runtime, game_id), seat, runtime.now())


def say(runtime, game_id, seat=BO, text=TO_DI):
    questions.say_line(runtime, play_link(runtime, game_id, seat), text, runtime.now())


def test_the_player_for_whom_the_table_waits_is_reminded_once(runtime, game_id):
    runtime.now.pass_by(HOURS)
    assert phrases(runtime, game_id) == [TO_DI]
    say(runtime, game_id)
    assert phrases(runtime, game_id) == []
    say(runtime, game_id, CY)
    (letter,) = reminders_to(runtime, "Di")
    assert (letter.state, letter.next_at, letter.about) == (LetterState.QUEUED, runtime.now(), "pass")
    assert not any(reminders_to(runtime, name) for name in ("Ann", "Bo", "Cy"))
    assert said(runtime) == [TO_DI, TO_DI]


def test_a_reminder_goes_though_the_last_mail_is_unread(runtime, game_id):
    postman.deliver(runtime)
    runtime.now.pass_by(HOURS)
    say(runtime, game_id)
    postman.deliver(runtime)
    asked = letters_to(runtime, "Di", LetterKind.TURNS)
    assert [(one.reason, one.state) for one in asked] == [
        (Cause.NEXT, LetterState.KEPT),
        (Cause.NUDGE, LetterState.KEPT),
    ]
    assert "Di, we wait for you" in asked[-1].message.replace("=\n", "")


def test_reminding_wakes_a_worker_and_counts_its_sender_as_awake(runtime, game_id):
    rung = []
    object.__setattr__(runtime.bell, "deliver", lambda: rung.append(runtime.now()))
    runtime.now.pass_by(HOURS)
    say(runtime, game_id)
    assert rung == [runtime.now()]
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, load(runtime, game_id).seats[BO].player_id).seen_at == runtime.now()


def test_with_the_next_question_they_may_be_reminded_again(runtime, game_id):
    runtime.now.pass_by(HOURS)
    say(runtime, game_id)
    pass_lowest(runtime, game_id, DI)
    waits_for = load(runtime, game_id).game.to_act[0]
    runtime.now.pass_by(HOURS)
    (phrase,) = phrases(runtime, game_id, (waits_for + 1) % 4)
    say(runtime, game_id, (waits_for + 1) % 4, phrase)
    name = load(runtime, game_id).names[waits_for]
    assert [letter.about for letter in reminders_to(runtime, name)][-1] == "trick 1"


def test_each_player_is_named_who_is_awaited_in_any_hand(runtime):
    game_id = start_game(runtime, at_once=4)
    pass_all(runtime, game_id, (CY, DI))
    runtime.now.pass_by(HOURS)
    assert phrases(runtime, game_id, ANN) == ["Bo, we wait for you", "Cy, we wait for you", TO_DI]


@pytest.mark.parametrize(
    "time",
    [
        pytest.param(timedelta(0), id="at once"),
        pytest.param(HOURS - timedelta(seconds=1), id="a second too early"),
        pytest.param(18 * HOUR, id="when the last call comes by itself"),
        pytest.param(10 * HOUR, id="at night, when it would come with that"),
    ],
)
def test_nobody_is_reminded_too_early_or_too_late(runtime, game_id, time):
    if time == 10 * HOUR:  # Di's night ends when the last reminder has been sent
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, load(runtime, game_id).seats[DI].player_id).quiet_to = 10
    runtime.now.pass_by(time)
    assert phrases(runtime, game_id) == []
    say(runtime, game_id)
    assert (reminders_to(runtime, "Di"), said(runtime)) == ([], [TO_DI])


def remind_at_night(runtime, game_id):
    """Bo has Di reminded when it is night there, until five o'clock."""
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, load(runtime, game_id).seats[DI].player_id).quiet_to = 5
    runtime.now.pass_by(11 * HOUR)
    say(runtime, game_id)


def test_a_reminder_at_night_waits_for_the_morning(runtime, game_id):
    remind_at_night(runtime, game_id)
    (letter,) = reminders_to(runtime, "Di")
    assert letter.next_at == datetime.fromisoformat("2026-03-03T05:00Z")


def test_a_turn_played_meanwhile_takes_the_reminder_back(runtime, game_id):
    remind_at_night(runtime, game_id)
    pass_lowest(runtime, game_id, DI)
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
def test_only_a_player_who_wants_mail_now_is_reminded(runtime, game_id, change):
    runtime.now.pass_by(HOURS)
    with changing.game(runtime, game_id, runtime.now()) as game:
        row = game.seats[DI]
        change(game.stored, row, game.session.get_one(PlayerRow, row.player_id), runtime.now())
    assert phrases(runtime, game_id) == []
    say(runtime, game_id)
    assert reminders_to(runtime, "Di") == []


def test_at_a_live_table_nobody_is_reminded_by_mail(runtime):
    game_id = start_game(runtime, pace=timedelta(minutes=5))
    pass_all(runtime, game_id, (ANN, BO, CY))
    runtime.now.pass_by(timedelta(minutes=2))
    assert phrases(runtime, game_id) == []


def test_whom_the_table_does_not_wait_for_is_not_reminded(runtime, game_id):
    runtime.now.pass_by(HOURS)
    with pytest.raises(Refused, match="The table does not wait for Cy now"):
        say(runtime, game_id, BO, "Cy, we wait for you")
    assert said(runtime) == []


@pytest.mark.parametrize("text", ["Eve, we wait for you", "Well, Di, we wait for you"])
def test_words_of_ones_own_remind_nobody(runtime, game_id, text):
    runtime.now.pass_by(HOURS)
    say(runtime, game_id, BO, text)
    assert (said(runtime), reminders_to(runtime, "Di")) == ([text], [])


def test_after_the_game_a_phrase_is_a_line_like_others(runtime, game_id):
    link = play_link(runtime, game_id, BO)
    with runtime.database.writing() as session:
        session.get_one(GameRow, game_id).state = "over"
    questions.say_line(runtime, link, TO_DI, runtime.now())
    assert (said(runtime), reminders_to(runtime, "Di")) == ([TO_DI], [])


@pytest.mark.parametrize(("allowed", "offered"), [(Talk.TEXT, True), (Talk.PHRASES, True), (Talk.NONE, False)])
def test_the_page_offers_the_phrase_where_there_is_talk(runtime, client, game_id, allowed, offered):
    runtime.now.pass_by(HOURS)
    with runtime.database.writing() as session:
        session.get_one(TableRow, load(runtime, game_id).table.id).talk = allowed
    page = runtime.signer.local_url(play_link(runtime, game_id, BO))
    buttons = soup(client.get(page)).select("#remind button")
    assert [one.get_text() for one in buttons] == [TO_DI] * offered
    sent = {"phrase": TO_DI}
    for _ in range(2):  # a double click
        done = client.post(buttons[0].find_parent("form")["action"] if offered else f"{page}/talk", data=sent)
        assert done.status_code == (303 if offered else 400)
    assert len(reminders_to(runtime, "Di")) == len(said(runtime)) == offered
    assert soup(client.get(page)).select("#remind button") == []


def test_a_tap_too_late_is_answered_with_a_sentence(runtime, client, game_id):
    page = runtime.signer.local_url(play_link(runtime, game_id, BO))
    pass_lowest(runtime, game_id, DI)
    waits_for = load(runtime, game_id).game.to_act
    name = next(one for seat, one in enumerate(load(runtime, game_id).names) if seat not in (BO, *waits_for))
    answer = client.post(f"{page}/talk", data={"phrase": f"{name}, we wait for you"})
    assert answer.status_code == 400
    assert f"The table does not wait for {name} now." in words(answer)


def test_somebody_elses_link_or_an_ended_one_reminds_nobody(runtime, game_id):
    runtime.now.pass_by(HOURS)
    table_id = load(runtime, game_id).row.table_id
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
    game_id = game_that_waits_for_di(runtime)
    runtime.now.pass_by(HOURS)
    links = [play_link(runtime, game_id, seat) for seat in (ANN, BO, CY)]
    with ThreadPoolExecutor(3) as pool:
        for outcome in [pool.submit(questions.say_line, runtime, link, TO_DI, runtime.now()) for link in links]:
            outcome.result()
    assert len(reminders_to(runtime, "Di")) == 1
    play_first(runtime, game_id)
    assert load(runtime, game_id).row.turns > 4


def test_a_reminder_waits_for_a_turn_that_is_being_taken(either_runtime):
    game_id = game_that_waits_for_di(either_runtime)
    either_runtime.now.pass_by(HOURS)
    link = play_link(either_runtime, game_id, BO)
    with ThreadPoolExecutor(1) as pool:
        with changing.game(either_runtime, game_id, either_runtime.now()):
            asked = pool.submit(questions.say_line, either_runtime, link, TO_DI, either_runtime.now())
            assert wait([asked], timeout=0.5).not_done
        asked.result()
