"""One item that fails holds up no other: in each sweep, each mail of several games, and all that is done daily."""

from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from sqlalchemy import text

from tests.answers import player
from tests.cast import NAMES, first_letters, letters, seats, start_game
from tests.mailing import letters_to
from tests.table import Table
from webapp.models import LetterKind
from webapp.outbox.letters import claim
from webapp.play import due_games
from webapp.players import away, forgetting, own_data
from worker import attempts, postman, scheduler


def damage(table):
    """Leaves a game whose records nobody can read, as a fault of the disk or a newer version might."""
    with table.runtime.database.writing() as session:
        run = session.connection().execute
        run(text("""UPDATE turn SET turn = '{"turn": "nonsense"}' WHERE game_id = :id"""), {"id": table.game_id})
        run(
            text("UPDATE game SET started_at = '2026-01-01 00:00:00.000000' WHERE id = :id"), {"id": table.game_id}
        )  # folded


def robots_play(runtime, bad):
    other = start_game(runtime, NAMES[:1], robots=3)
    damage(Table(runtime, bad))
    with runtime.database.writing() as session:
        session.connection().execute(text("UPDATE game SET wake_at = due_at WHERE id = :id"), {"id": bad})
    runtime.now.pass_by(timedelta(days=3))
    before = other.stored.turns
    due_games.play_due(runtime)
    return other.stored.turns > before


def players_return(runtime, bad):
    other = start_game(runtime)
    tables, ann = {1, 2}, player(runtime, "Ann")
    away.go_away(runtime, ann.id, tables, runtime.now().date(), runtime.now())
    damage(Table(runtime, bad))
    runtime.now.pass_by(timedelta(days=2))
    away.end_due(runtime, runtime.now())
    assert seats(runtime, 1)[0].away_until > runtime.now(), "it is put off"
    return not seats(runtime, other.stored.row.table_id)[0].away


def nobody_waits_for_the_unreachable(runtime, bad):
    other = start_game(runtime)
    damage(Table(runtime, bad))
    away.stop_waiting_for(runtime, player(runtime, "Bo").id, runtime.now())
    return seats(runtime, other.stored.row.table_id)[1].away


def a_forgotten_player_leaves(runtime, bad):
    other = start_game(runtime)
    damage(Table(runtime, bad))
    bo = player(runtime, "Bo").id
    forgetting.forget(runtime, bo, runtime.now())
    return seats(runtime, other.stored.row.table_id)[1].player_id != bo


def a_question_goes(runtime, bad):
    other = start_game(runtime)
    damage(Table(runtime, bad))
    postman.deliver(runtime)
    (asked,) = [one for one in letters_to(runtime, "Bo", LetterKind.TURNS) if one.game_id == other.game_id]
    return asked.sent_at is not None


def a_players_file_has_games(runtime, bad):
    start_game(runtime)
    damage(Table(runtime, bad))
    with runtime.database.reading() as session:
        names = ZipFile(BytesIO(own_data.file_of(session, player(runtime, "Ann")))).namelist()
    return sorted(name.rpartition(".")[2] for name in names if name.startswith("games/")) == ["json", "txt"]


ITEMS = [
    robots_play,
    players_return,
    nobody_waits_for_the_unreachable,
    a_forgotten_player_leaves,
    a_question_goes,
    a_players_file_has_games,
]


@pytest.mark.parametrize("is_done", ITEMS)
def test_a_game_that_cannot_be_read_holds_up_no_other(runtime, caplog, is_done):
    bad = start_game(runtime)
    assert is_done(runtime, bad.game_id)
    assert "failed; the next is done" in caplog.text or "could not be composed" in caplog.text


@pytest.mark.parametrize("place", ["FORGET_OLD", "DAILY", "DONE_BY_ONE"])
def test_what_is_swept_goes_on_after_a_failure(runtime, monkeypatch, place):
    done, swept = [], getattr(scheduler, place)
    first, *others = swept

    def fail(*_):
        raise ZeroDivisionError

    for name in others:
        monkeypatch.setitem(swept, name, lambda *_, name=name: done.append(name))
    monkeypatch.setitem(swept, first, fail)
    (scheduler.sweep_others if place == "DONE_BY_ONE" else scheduler.delete_old)(runtime)
    assert done == others


def test_a_letter_whose_deadline_cannot_be_read_is_put_off(runtime):
    start_game(runtime)
    letter = first_letters(runtime)[-1]
    with runtime.database.writing() as session:
        claim(session, runtime.now(), 50, "a claim")
        session.connection().execute(text("UPDATE letter SET game_id = NULL WHERE id = :id"), {"id": letter.id})
    attempts.put_off_not_composed(runtime, letter.id, "a claim")
    (row,) = [one for one in letters(runtime) if one.id == letter.id]
    assert (row.claimed_by, row.tries) == (None, 1)
    assert row.next_at > runtime.now()
