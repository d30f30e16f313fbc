"""The limit of mails a day to an address: what waits and for how long, and that nothing is lost or late by it."""

from datetime import timedelta

import pytest
from sqlmodel import select

from tests.cast import NAMES, PACE, address, leave, letters, start_game
from tests.mailing import letters_to, player_id, set_preferences
from tests.races import at_once
from tests.runtimes import make_runtime
from tests.worker.scripted import ScriptedRelay, with_relay
from webapp.models import LetterKind, LetterRow, LetterState, MailedRow, PlayerRow
from webapp.outbox import allowance
from webapp.outbox.about_accounts import queue_sign_in
from worker import postman

LIMIT = 6  # so that news wait after 4 mails, turns after 5, and all but personal mails after 6
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


@pytest.fixture
def runtime(tmp_path, smtp_server):
    made = make_runtime(tmp_path / "var", smtp_url=smtp_server.url, mails_a_day=LIMIT)
    yield made
    made.database.engine.dispose()


def deliver_after(runtime, time):
    runtime.now.pass_by(time)
    postman.deliver(runtime)


def sign_in(runtime):
    runtime.now.pass_by(timedelta(seconds=1))
    with runtime.database.writing() as session:
        queue_sign_in(session, runtime, session.get_one(PlayerRow, player_id(runtime, "Bo")), runtime.now())


def subjects(smtp_server):
    return [mail.subject for mail in smtp_server.to(address("Bo"))]


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        pytest.param(LetterKind.DECLINED, 4, id="news"),
        pytest.param(LetterKind.TURNS, 5, id="turns"),
        pytest.param(LetterKind.SCORE_SHEET, 6, id="score sheets"),
    ],
)
def test_each_kind_begins_to_wait_at_its_own_number(runtime, kind, most):
    assert fill(runtime, kind) == most
    assert fill(runtime, LetterKind.SIGN_IN) == min(LIMIT, LIMIT + LIMIT // 3 - most), "they have a third more"
    assert fill(runtime, LetterKind.SIGN_IN, "Eve") == LIMIT, "each address has its own limit"


def fill(runtime, kind, name="Bo"):
    """Counts mails of the kind until one has to wait. Returns how many may go."""
    with runtime.database.writing() as session:
        for number in range(2 * LIMIT):
            letter = LetterRow(id=10_000 * len(kind) + number, kind=kind, state=LetterState.QUEUED)
            if allowance.take(session, runtime, letter, address(name), runtime.now()):
                return number
    raise AssertionError("there is no limit")


def test_a_mail_over_the_limit_moves_its_deadline(runtime, smtp_server):
    fill(runtime, LetterKind.TURNS)
    table, asked_at = start_game(runtime), runtime.now()
    set_preferences(runtime, "Bo", quiet=None)
    due_at = table.due_at
    leave(runtime)
    deliver_after(runtime, MINUTE)
    assert subjects(smtp_server) == []
    for seat in (0, 2, 3):
        table.pass_lowest(seat)
    runtime.now.at = due_at
    assert table.play_for_absent() == 0, "Bo has not been asked"
    runtime.now.at = max(asked_at + DAY, runtime.now())
    postman.deliver(runtime)
    assert len(subjects(smtp_server)) == 1
    assert due_at < table.due_at <= due_at + PACE


def test_a_refused_mail_is_not_counted_and_a_copy_once(runtime):
    start_game(runtime)
    bo = letters_to(runtime, "Bo", LetterKind.TURNS)[0]
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
    asked = [(letters_to(either_runtime, name, LetterKind.TURNS)[0], address(name)) for name in NAMES]
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
