"""The limit of mails a day to an address: what waits and for how long, and that nothing is lost or late by it."""

from datetime import timedelta

import pytest
from sqlmodel import select

from hearts.seats import Seat
from tests.cast import NAMES, PACE, address, letters, load, start_game, turn_link
from tests.mailing import letters_to, player_id, set_preferences
from tests.playing import pass_lowest, play_hand
from tests.races import at_once
from tests.reminding import wait_for_reminder
from tests.runtimes import make_runtime
from tests.worker.scripted import ScriptedRelay, with_relay
from webapp.kinds import QUESTIONS
from webapp.models import LetterKind, LetterState, MailedRow, PlayerRow
from webapp.outbox import allowance
from webapp.outbox.about_accounts import queue_sign_in, queue_trial
from webapp.play import due_games
from worker import postman

LIMIT = 6  # so that reminders wait after 4 mails, questions after 5, and all but personal mails after 6
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


@pytest.fixture
def runtime(tmp_path, smtp_server):
    made = make_runtime(tmp_path / "var", smtp_url=smtp_server.url, mails_a_day=LIMIT)
    yield made
    made.database.engine.dispose()


@pytest.fixture
def games(runtime):
    """Five games, of each of which Bo has got an email, at any hour."""
    made = [start_game(runtime)]
    set_preferences(runtime, "Bo", quiet=None)
    postman.deliver(runtime)
    return [*made, *(one_more(runtime) for _ in range(4))]


def one_more(runtime):
    game_id = start_game(runtime)
    postman.deliver(runtime)
    return game_id


def deliver_after(runtime, time):
    runtime.now.pass_by(time)
    postman.deliver(runtime)


def sign_in(runtime):
    runtime.now.pass_by(timedelta(seconds=1))
    with runtime.database.writing() as session:
        queue_sign_in(session, runtime, session.get_one(PlayerRow, player_id(runtime, "Bo")), runtime.now())


def subjects(smtp_server):
    return [mail.subject for mail in smtp_server.to(address("Bo"))]


def asks_for(runtime, text, game_id):
    """Whether the mail asks Bo for their turn in that game."""
    return runtime.signer.url(turn_link(runtime, game_id, 1)).rpartition("/")[2].partition(".")[0] in text


def test_questions_over_the_limit_wait_but_personal_mails_go(runtime, smtp_server, games):
    games.append(one_more(runtime))
    assert len(subjects(smtp_server)) == 5
    assert letters_to(runtime, "Bo", *QUESTIONS)[-1].state is LetterState.HELD
    pass_lowest(runtime, games[0], Seat(1))
    deliver_after(runtime, MINUTE)
    assert subjects(smtp_server)[5].endswith("5 choices wait for you")
    text = smtp_server.to(address("Bo"))[-1].text
    assert "You have had a lot of mail from us today" in text
    assert all(asks_for(runtime, text, game_id) for game_id in games[1:])
    one_more(runtime)
    deliver_after(runtime, timedelta(hours=2))
    assert len(subjects(smtp_server)) == LIMIT, "not even a digest goes"
    for _ in range(LIMIT):
        sign_in(runtime)
    postman.deliver(runtime)
    assert subjects(smtp_server)[LIMIT:] == ["Your link to sign in"] * 2, "they have a third more"
    with runtime.database.writing() as session:
        bo = session.get_one(PlayerRow, player_id(runtime, "Bo"))
        queue_trial(session, runtime, bo, address("Eve"), runtime.now())
    postman.deliver(runtime)
    assert len(smtp_server.to(address("Eve"))) == 1, "each address has its own limit"


def test_mails_over_the_limit_go_a_day_later(runtime, smtp_server, games):
    first_at = letters_to(runtime, "Bo", *QUESTIONS)[0].sent_at
    one_more(runtime)
    deliver_after(runtime, MINUTE)
    late = one_more(runtime)
    asked_at, due_at = runtime.now(), load(runtime, late).row.due_at
    for game_id in games:  # nothing is asked of Bo there by then
        pass_lowest(runtime, game_id, Seat(1))
    deliver_after(runtime, first_at + DAY - MINUTE - runtime.now())
    assert len(subjects(smtp_server)) == LIMIT
    deliver_after(runtime, MINUTE)
    assert len(subjects(smtp_server)) == LIMIT + 1
    assert asks_for(runtime, smtp_server.to(address("Bo"))[-1].text, late)
    assert load(runtime, late).row.due_at == due_at + (runtime.now() - asked_at)


def test_the_limit_delays_a_deadline_but_not_for_ever(runtime, games):
    deliver_after(runtime, MINUTE)
    one_more(runtime)
    deliver_after(runtime, MINUTE)
    late = one_more(runtime)
    for seat in (0, 2, 3):
        pass_lowest(runtime, late, seat)
    first = load(runtime, late).row.due_at
    postman_is_slow = first - runtime.now() + MINUTE
    runtime.now.pass_by(postman_is_slow)
    assert due_games.play_for_absent(runtime, late) == 0, "Bo has not been asked"
    moved = load(runtime, late).row.due_at
    assert first < moved <= first + PACE
    runtime.now.at = moved
    assert due_games.play_for_absent(runtime, late) > 0


def test_reminders_wait_first_and_score_sheets_last(runtime, smtp_server):
    """Bo has four mails: reminders wait, and a sheet goes even after the fifth."""
    made = [start_game(runtime)]
    set_preferences(runtime, "Bo", quiet=None)
    postman.deliver(runtime)
    made += [one_more(runtime) for _ in range(3)]
    wait_for_reminder(runtime, made[0], 1)
    postman.deliver(runtime)
    assert len(subjects(smtp_server)) == 4
    assert letters_to(runtime, "Bo", LetterKind.REMINDER)[0].state is LetterState.HELD
    play_hand(runtime, made[0])
    deliver_after(runtime, MINUTE)
    kinds = [one.kind for one in letters_to(runtime, "Bo", *LetterKind) if one.state is LetterState.SENT]
    assert kinds.count(LetterKind.SCORE_SHEET) == 1
    assert len(subjects(smtp_server)) == LIMIT


def test_a_refused_mail_is_not_counted_and_a_copy_once(runtime):
    start_game(runtime)
    bo = letters_to(runtime, "Bo", LetterKind.PASS)[0]
    with ScriptedRelay({f"RCPT {address('Bo')}": ["450 busy"]}) as refusing:
        postman.deliver(with_relay(runtime, refusing.url))
    assert counts_with(runtime, bo) == []
    with ScriptedRelay({"dot": ["cut"] * 2}) as losing:
        for _ in range(2):
            deliver_after(with_relay(runtime, losing.url), timedelta(hours=1))
    assert counts_with(runtime, bo) == [{str(bo.id): int(runtime.now().timestamp())}]


def counts_with(runtime, letter):
    """The counts of mails about tables in which the letter is."""
    with runtime.database.reading() as session:
        return [row.about_tables for row in session.exec(select(MailedRow)) if str(letter.id) in row.about_tables]


@pytest.fixture(params=["sqlite", "postgresql"])
def either_runtime(request, tmp_path):
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""
    made = make_runtime(tmp_path / "var", url, smtp_url="smtp://127.0.0.1:1", mails_a_day=LIMIT)
    yield made
    made.database.engine.dispose()


def test_each_address_counts_until_a_day_after_its_last_mail(either_runtime):
    start_game(either_runtime)
    asked = [(letters_to(either_runtime, name, LetterKind.PASS)[0], address(name)) for name in NAMES]
    for going in (asked[:2], asked):
        either_runtime.now.pass_by(MINUTE)
        with either_runtime.database.writing() as session:
            for letter, to in going:
                assert allowance.take(session, either_runtime, letter, to, either_runtime.now()) is None
    with either_runtime.database.reading() as session:
        rows = session.exec(select(MailedRow)).all()
    assert sorted([*row.about_tables] for row in rows) == sorted([str(letter.id)] for letter, _ in asked)
    assert {row.ends_at for row in rows} == {either_runtime.now() + DAY}


def test_workers_at_the_same_moment_send_no_mail_too_many(either_runtime, monkeypatch):
    monkeypatch.setattr(postman, "BATCH", 1)
    start_game(either_runtime)
    for _ in range(3 * LIMIT):
        sign_in(either_runtime)
    with ScriptedRelay() as relay:
        there = with_relay(either_runtime, relay.url)
        at_once(*[lambda: postman.deliver(there)] * 4)
        postman.deliver(there)
    sent = [one for one in letters(either_runtime, LetterKind.SIGN_IN) if one.state is LetterState.SENT]
    assert len(sent) == LIMIT
    assert sum(b"To: Bo" in mail for mail in relay.kept) == LIMIT + 1
