"""The sweeps: what is due is found by index, rung for, and rung for again when the ring was lost."""

from datetime import timedelta

import pytest
from sqlalchemy import event, text

from tests.answers import inbound, mail, question, send
from tests.cast import NAMES, PACE, make_parts, open_table, start_game
from webapp.core.bell import DELIVER, MIND, SORT
from webapp.core.runtime import Parts
from webapp.inbox import arriving
from webapp.inbox.acting import sort_mail
from webapp.models import WAITING_QUESTION
from worker import scheduler


def rings(parts: Parts) -> list[str]:
    """The tasks that wait at the broker, which keeps them as files; and empties it."""
    found = []
    for file in sorted((parts.settings.data_dir / "broker" / "queue").glob("*")):
        content = file.read_text()
        found += [task for task in (DELIVER, MIND, SORT) if task in content]
        file.unlink()
    return found


def test_a_turn_rings_for_its_mails_and_a_robots_turn_for_its_card(parts):
    open_table(parts)
    assert DELIVER in rings(parts)
    start_game(parts, NAMES[:1], robots=3)
    assert MIND in rings(parts)


def test_what_a_lost_ring_was_for_is_found_by_the_sweep(parts):
    start_game(parts, NAMES[:1], robots=3)
    rings(parts)
    scheduler.sweep_games(parts)
    scheduler.sweep_letters(parts)
    assert sorted(rings(parts)) == [DELIVER, MIND]


def test_a_mail_that_came_in_is_rung_for_until_it_is_read(parts):
    start_game(parts)
    inbound_id = send(parts, question(parts, "Ann"), mail("Ann", "help"))
    assert SORT in rings(parts)
    scheduler.sweep_mail(parts)
    assert rings(parts) == [SORT]
    sort_mail(parts)
    rings(parts)
    scheduler.sweep_mail(parts)
    assert rings(parts) == []
    parts.now.pass_by(arriving.KEPT_FOR + timedelta(seconds=1))
    scheduler.forget_old_letters(parts)
    assert inbound(parts, inbound_id).raw is None


def test_a_deadline_rings_when_it_is_over_and_not_before(parts):
    start_game(parts)
    rings(parts)
    parts.now.pass_by(PACE - timedelta(seconds=1))
    assert scheduler.sweep_games(parts) == 0
    parts.now.pass_by(timedelta(seconds=1))
    assert scheduler.sweep_games(parts) == 1
    assert rings(parts) == [MIND]


def test_an_empty_sweep_rings_for_nothing(parts):
    scheduler.sweep_games(parts)
    scheduler.sweep_letters(parts)
    scheduler.sweep_mail(parts)
    assert rings(parts) == []


def test_an_empty_sweep_only_reads(parts):
    start_game(parts)
    parts.now.pass_by(-timedelta(days=1))  # something will be due, but not yet
    said = []
    event.listen(parts.database.engine, "before_cursor_execute", lambda *about: said.append(about[2]))
    for sweep in (scheduler.sweep_games, scheduler.sweep_letters, scheduler.sweep_mail):
        sweep(parts)
    assert said
    assert {statement.split()[0] for statement in said} == {"BEGIN", "SELECT"}
    assert "BEGIN IMMEDIATE" not in said, "it would wait for whoever writes"


def test_a_broker_that_is_down_loses_nothing_and_stops_nobody(tmp_path):
    down = make_parts(tmp_path / "var", broker_url="redis://127.0.0.1:1/0")
    game_id = start_game(down, NAMES[:1], robots=3)
    assert scheduler.sweep_games(down) == 1
    assert game_id
    down.database.engine.dispose()


def test_the_sweeps_read_the_index_and_not_the_table(parts):
    with parts.database.reading() as rows:
        for table, moment, state in (("game", "wake_at", "playing"), ("letter", "next_at", "owed")):
            query = f"SELECT id FROM {table} WHERE state = '{state}' AND {moment} <= '2026-01-01' ORDER BY {moment}"
            plan = rows.connection().execute(text(f"EXPLAIN QUERY PLAN {query}")).fetchall()
            assert f"USING INDEX ix_{table}_{moment}" in str(plan) or f"COVERING INDEX ix_{table}_{moment}" in str(plan)


@pytest.mark.parametrize(
    ("query", "index"),
    [
        pytest.param(
            f"SELECT count(*) FROM letter WHERE {WAITING_QUESTION} AND created_at <= '2026-01-01'",
            "ix_letter_waiting",
            id="questions that wait unsent",
        ),
        pytest.param(
            "SELECT count(*) FROM letter WHERE moved_at IS NOT NULL AND moved_at > '2026-01-01'",
            "ix_letter_moved_at",
            id="deadlines that have moved",
        ),
        pytest.param(
            "SELECT id FROM letter WHERE game_id = 1 AND hand = 1 AND seat = 0 AND player_id = 1 AND about = 'pass'",
            "ix_letter_thread",
            id="what asks one seat",
        ),
    ],
)
def test_late_questions_are_found_by_an_index(tmp_path, query, index):
    parts = make_parts(tmp_path / "var")
    with parts.database.reading() as rows:
        assert index in str(rows.connection().execute(text(f"EXPLAIN QUERY PLAN {query}")).fetchall())
    parts.database.engine.dispose()


def test_among_thousands_of_letters_late_questions_are_found_by_an_index_of_postgresql(tmp_path, postgres_url):
    parts = make_parts(tmp_path / "var", postgres_url)
    start_game(parts)
    with parts.database.writing() as rows:
        for kind, state in (("reminder", "owed"), ("turn", "sent")):
            many = f"""INSERT INTO letter
                (kind, state, dedupe, message_id, player_id, tries, notified, next_at, created_at)
                SELECT '{kind}', '{state}', '{kind} ' || n, '{kind} ' || n, 1, 0, false, now(), now()
                FROM generate_series(1, 5000) n"""
            rows.connection().execute(text(many))
        rows.connection().execute(text("ANALYZE letter"))
        late = f"EXPLAIN SELECT count(*) FROM letter WHERE {WAITING_QUESTION} AND created_at <= now()"
        plan = str(rows.connection().execute(text(late)).fetchall())
    assert "ix_letter_waiting" in plan
    parts.database.engine.dispose()
