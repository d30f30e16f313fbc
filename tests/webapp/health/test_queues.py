"""The queues: which games, letters, questions and incoming mails wait, and for how long."""

from datetime import timedelta

from sqlmodel import update

from tests.cast import address, leave, letters, start_game
from tests.playing import ask_all, pass_all
from tests.runtimes import make_runtime
from webapp.health.queues import Queue, late_questions, overdue_games, queued_letters, unread_mail
from webapp.models import GameRow, InboundRow, LetterRow, LetterState, PlayerRow
from webapp.play.due_games import claim_due
from worker import postman

MINUTE = timedelta(minutes=1)


def test_a_deadline_without_action_is_overdue_even_while_claimed(either_runtime):
    runtime, game_id = either_runtime, start_game(either_runtime)
    ask_all(runtime)
    with runtime.database.reading() as session:
        due_at = session.get_one(GameRow, game_id).due_at
        assert overdue_games(session, due_at - MINUTE) == Queue("games", 0, 0)
        assert overdue_games(session, due_at + MINUTE) == Queue("games", 1, 60)
    claim_due(runtime, due_at + MINUTE)
    with runtime.database.reading() as session:
        assert overdue_games(session, due_at + MINUTE) == Queue("games", 1, 60)


def test_a_letter_is_owed_once_due_and_while_tried(either_runtime):
    runtime, now = either_runtime, either_runtime.now
    start_game(runtime)
    begun = now()
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).values(state=LetterState.SENT, next_at=None))
        letter = session.get_one(LetterRow, letters(runtime)[-1].id)
        letter.state, letter.next_at, letter.created_at = LetterState.QUEUED, begun, begun - 30 * MINUTE
        session.flush()
        assert queued_letters(session, begun + MINUTE) == Queue("letters", 1, 60)
        letter.tries, letter.next_at = 1, begun + 10 * MINUTE
        session.flush()
        assert queued_letters(session, begun + MINUTE) == Queue("letters", 1, 31 * 60)
        letter.tries = 0
        session.flush()
        assert queued_letters(session, begun + MINUTE) == Queue("letters", 0, 0)


def test_a_player_nobody_looks_at_is_late_after_five_minutes(runtime):
    game_id = start_game(runtime)
    ask_all(runtime)
    pass_all(runtime, game_id)
    leave(runtime)
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).where(PlayerRow.name != "Bo").values(turns_at=None))
    with runtime.database.reading() as session:
        assert late_questions(session, runtime.now() + 4 * MINUTE).waiting == 0
        late = late_questions(session, runtime.now() + 6 * MINUTE)
    assert (late.waiting, late.oldest) == (1, 360)


def test_a_mail_is_late_while_the_relay_refuses_it(tmp_path, smtp_server):
    runtime = make_runtime(tmp_path / "var", smtp_url=smtp_server.url)
    start_game(runtime)
    smtp_server.refuse[address("Bo")] = "452 4.2.2 mailbox full"
    postman.deliver(runtime)
    assert not smtp_server.to(address("Bo"))
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).values(turns_at=None))
        assert late_questions(session, runtime.now() + 4 * MINUTE).waiting == 0
        late = late_questions(session, runtime.now() + 6 * MINUTE)
    assert (late.waiting, late.oldest) == (1, 360)
    runtime.database.engine.dispose()


def test_a_mail_that_no_worker_reads_is_counted(runtime):
    with runtime.database.writing() as session:
        for identity, handled_at in (("one", None), ("two", runtime.now())):
            row = InboundRow(sender="", recipient="x", identity=identity, received_at=runtime.now(), next_at=None)
            row.handled_at = handled_at
            session.add(row)
        session.flush()
        assert unread_mail(session, runtime.now() + MINUTE) == Queue("inbound", 1, 60)
