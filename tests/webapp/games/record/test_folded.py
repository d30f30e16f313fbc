"""A process keeps games as their committed records have them, also where another process has written those."""

from datetime import timedelta

import pytest
from sqlmodel import col, update

from hearts.cards import Cards
from hearts.cycle import replay_hands
from hearts.turns import Pass
from tests.cast import load, start_game
from tests.playing import in_play, play_first, play_hand
from tests.runtimes import Clock
from tests.statements import turns_read
from webapp.core.runtime import Runtime
from webapp.games.record import changing, folded, store
from webapp.games.record.records import Record
from webapp.models import GameRow


@pytest.fixture
def statements(runtime: Runtime) -> list[tuple]:
    return turns_read(runtime)


def another(runtime: Runtime) -> Runtime:
    """Another process on the same database."""
    return Runtime(runtime.settings, Clock())


def folded_anew(runtime: Runtime, game_id: int) -> object:
    stored = load(runtime, game_id)
    named = ((record.hand, record.turn) for record in stored.records)
    return replay_hands(stored.game.rules, stored.row.at_once, named)


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_game_played_elsewhere_is_the_same_in_every_process(runtime: Runtime, at_once: int) -> None:
    game_id = start_game(runtime, at_once=at_once)
    reader = another(runtime)
    for _ in range(30):
        play_first(runtime, game_id)
        kept = load(reader, game_id)
        assert (
            kept.cycle
            == in_play(reader, game_id).cycle
            == folded_anew(reader, game_id)
            == load(another(runtime), game_id).cycle
        )
        assert [record.hand for record in kept.records] == [one.hand for one in load(another(runtime), game_id).records]
    reader.database.engine.dispose()


def test_of_a_game_seen_before_only_new_records_are_read(runtime: Runtime, statements: list[tuple]) -> None:
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    turns = load(runtime, game_id).row.turns
    statements.clear()
    load_locked(runtime, game_id)
    in_play(runtime, game_id)
    assert statements == []
    play_first(another(runtime), game_id)
    load_locked(runtime, game_id)
    load_locked(runtime, game_id)
    assert statements == [(game_id, turns, turns + 1)] * 2, "what a turn has read may be rolled back"
    statements.clear()
    load(runtime, game_id)
    load(runtime, game_id)
    assert statements == [(game_id, turns, turns + 1)]


def load_locked(runtime: Runtime, game_id: int) -> None:
    with changing.game(runtime, game_id, runtime.now()):
        pass


def test_what_was_rolled_back_is_not_kept(runtime: Runtime) -> None:
    game_id = start_game(runtime)
    with pytest.raises(ZeroDivisionError):
        _pass_and_fail(runtime, game_id)
    other = another(runtime)
    after = play_first(other, game_id)  # passes other cards, as the same record
    assert load(runtime, game_id).records == after.records
    other.database.engine.dispose()


def test_a_game_reusing_a_number_after_a_restore_is_reread(runtime: Runtime, statements: list[tuple]) -> None:
    game_id = start_game(runtime)
    load(runtime, game_id)
    with runtime.database.writing() as session:
        later = runtime.now() + timedelta(days=1)
        session.exec(update(GameRow).where(col(GameRow.id) == game_id).values(started_at=later))
    statements.clear()
    load(runtime, game_id)
    assert statements[0][1] == 0, "all records are read anew"


def test_a_process_keeps_no_more_than_it_may(runtime: Runtime, monkeypatch, statements: list[tuple]) -> None:
    games = [start_game(runtime) for _ in range(3)]
    records = load(runtime, games[0]).row.turns
    monkeypatch.setattr(folded, "MOST", 2 * records)
    fresh = another(runtime)
    for game_id in games:
        load(fresh, game_id)
    kept = folded._kept[fresh.database.engine.pool]
    assert kept.currsize <= 2 * records
    assert set(kept) == set(games[1:])
    fresh.database.engine.dispose()


def _pass_and_fail(runtime: Runtime, game_id: int) -> None:
    with changing.game(runtime, game_id, runtime.now()) as game:
        turns = game.stored.turns
        game.append(Record(_last_pass(game.stored), store.TurnSource.PAGE))
        game.session.flush()
        assert store.load(game.session, game_id).turns == turns + 1
        raise ZeroDivisionError


def _last_pass(stored: store.TableGame) -> Pass:
    seat = stored.game.to_act[0]
    return Pass(seat, Cards.of(list(stored.game.held[seat])[-stored.game.rules.pass_count :]))
