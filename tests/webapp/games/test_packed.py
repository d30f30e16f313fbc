"""A month after its end a game's turn rows become one row, and nobody who reads the game sees a difference."""

import json
from datetime import UTC, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event
from sqlmodel import col, delete, func, select

from hearts.rules import preset_rules
from tests.cast import NAMES, load, play_hand, seat_link, start_game
from tests.races import at_once
from tests.submitting import words
from webapp.core.runtime import Runtime
from webapp.core.tokens import ReliveLink
from webapp.games import folded, packed, shares, store
from webapp.games.packed import AFTER, PackedTurn
from webapp.models import GameRow, PackedRow, TurnRow, TurnSource
from webapp.site import make_site

HOUR = timedelta(hours=1)


@pytest.fixture
def over(either_runtime):
    """A game that is over after one hand."""
    game_id = start_game(either_runtime, NAMES, rules=preset_rules("classic", target=10))
    play_hand(either_runtime, game_id)
    return game_id


def ended(runtime, game_id, ago):
    with runtime.database.writing() as session:
        session.get_one(GameRow, game_id).ended_at = runtime.now() - ago


def pack(runtime, game_id):
    ended(runtime, game_id, AFTER + HOUR)
    assert packed.pack_old(runtime, runtime.now()) == 1


def forget():
    """From now on it is as in a process that has seen no game."""
    folded._kept.clear()


def rows(runtime):
    """How many turn rows there are, and the ids of packed games."""
    with runtime.database.reading() as session:
        turns = session.exec(select(func.count()).select_from(TurnRow)).one()
        return turns, list(session.exec(select(PackedRow.game_id)))


def whole(runtime: Runtime, game_id: int):
    with runtime.database.reading() as session:
        found = store.load_whole(session, game_id)
        return found.records, found.cycle, found.record()


@pytest.mark.parametrize(("ago", "is_packed"), [(AFTER - HOUR, False), (AFTER + HOUR, True)])
def test_a_game_is_packed_a_month_after_its_end(either_runtime, over, ago, is_packed):
    running = start_game(either_runtime)
    ended(either_runtime, over, ago)
    of_running, of_over = (len(load(either_runtime, game_id).records) for game_id in (running, over))
    assert packed.pack_old(either_runtime, either_runtime.now()) == is_packed
    assert rows(either_runtime) == ((of_running, [over]) if is_packed else (of_running + of_over, []))
    assert packed.pack_old(either_runtime, either_runtime.now()) == 0, "once"


def test_a_packed_game_has_all_its_records_also_those_with_reasons(either_runtime, over):
    with either_runtime.database.writing() as session:
        for row in session.exec(select(TurnRow).where(col(TurnRow.number).in_((7, 9)))):
            row.source, row.choice = TurnSource.PLAN, {"by": "duck", "cost": 0.15, "seed": 2**32 - 1, "why": "♠"}
    forget()
    before = whole(either_runtime, over)
    times = moments(either_runtime, over)
    pack(either_runtime, over)
    forget()
    assert whole(either_runtime, over) == before
    with either_runtime.database.reading() as session:
        assert [one.at for one in packed.turns_of(session, over)] == times


def moments(runtime, game_id):
    with runtime.database.reading() as session:
        return list(session.exec(select(TurnRow.at).where(TurnRow.game_id == game_id).order_by(TurnRow.number)))


def test_part_of_a_packed_game_is_the_game_as_it_was_then(either_runtime, over):
    def after(turns):
        with either_runtime.database.reading() as session:
            return store.load(session, over, turns=turns).game

    before = [after(turns) for turns in (1, 20, 30)]
    pack(either_runtime, over)
    forget()
    assert [after(turns) for turns in (1, 20, 30)] == before


def test_the_pages_of_a_packed_game_are_what_they_were(either_runtime, over):
    link = seat_link(either_runtime, load(either_runtime, over).row.table_id, 0)
    shares.share(either_runtime, link, over, either_runtime.now(), names=True)
    with either_runtime.database.reading() as session:
        shared = shares.shared_link(shares.share_of(session, over, link.player_id))
    paths = [either_runtime.signer.local_url(one) for one in (link, ReliveLink(over, 1), shared)]

    def pages():
        client = make_site(either_runtime).test_client()
        return [(found.status_code, words(found)) for found in map(client.get, paths)]

    before = pages()
    assert [status for status, _ in before] == [200] * 3
    pack(either_runtime, over)
    forget()
    assert pages() == before


@pytest.mark.parametrize("lacking", [3, None], ids=["one", "all"])
def test_a_game_that_lacks_records_is_left_as_it_is(either_runtime, over, lacking, caplog):
    with either_runtime.database.writing() as session:
        gone = delete(TurnRow).where(col(TurnRow.game_id) == over)
        session.exec(gone.where(col(TurnRow.number) == lacking) if lacking else gone)
    left, _ = rows(either_runtime)
    ended(either_runtime, over, AFTER + HOUR)
    assert packed.pack_old(either_runtime, either_runtime.now()) == 0
    assert rows(either_runtime) == (left, [])
    assert (f"game {over} is not packed" in caplog.text) is bool(lacking)


def test_a_game_whose_packed_turns_are_not_its_turns_is_left_and_holds_up_no_other(either_runtime, over, monkeypatch):
    other = start_game(either_runtime, rules=preset_rules("classic", target=10))
    play_hand(either_runtime, other)
    for game_id in (over, other):
        ended(either_runtime, game_id, AFTER + HOUR)
    before = whole(either_runtime, over)
    unpacked, read = packed.unpacked, []
    monkeypatch.setattr(packed, "unpacked", lambda data: read.append(1) or unpacked(data)[len(read) == 1 :])
    assert packed.pack_old(either_runtime, either_runtime.now()) == 1
    monkeypatch.undo()
    assert rows(either_runtime)[1] == [other]
    forget()
    assert whole(either_runtime, over) == before


def test_readers_and_two_schedulers_at_once_see_every_record(either_runtime, over):
    before = whole(either_runtime, over)
    ended(either_runtime, over, AFTER + HOUR)
    now = either_runtime.now()
    packing = [lambda: packed.pack_old(either_runtime, now)] * 2

    def read():
        found = []
        for _ in range(20):
            forget()
            found.append(whole(either_runtime, over))
        return found

    done = at_once(*packing, read, read)
    assert sorted(done[:2]) == [0, 1]
    assert all(found == before for some in done[2:] for found in some)


def test_what_fails_midway_leaves_the_turn_rows(either_runtime, over, monkeypatch):
    before = rows(either_runtime)
    ended(either_runtime, over, AFTER + HOUR)

    @event.listens_for(either_runtime.database.engine, "before_cursor_execute")
    def fail(_connection, _cursor, statement, *_):
        if statement.startswith("DELETE FROM turn"):
            raise RuntimeError("the machine stops")

    with pytest.raises(RuntimeError):
        packed.pack_old(either_runtime, either_runtime.now())
    assert rows(either_runtime) == before


def test_a_few_games_at_a_time_are_packed_in_one_transaction(runtime, monkeypatch):
    monkeypatch.setattr(packed, "AT_ONCE", 2)
    games = [start_game(runtime, rules=preset_rules("classic", target=10)) for _ in range(3)]
    for game_id in games:
        play_hand(runtime, game_id)
        ended(runtime, game_id, AFTER + HOUR)
    commits = []
    event.listen(runtime.database.engine, "commit", lambda _: commits.append(1))
    assert packed.pack_old(runtime, runtime.now()) == 3
    assert len(commits) == 2


def test_a_packed_game_takes_less_than_a_sixth_of_its_rows(runtime):
    game_id = start_game(runtime, rules=preset_rules("classic", target=10))
    play_hand(runtime, game_id)
    with runtime.database.reading() as session:
        turns = session.exec(select(TurnRow).where(TurnRow.game_id == game_id)).all()
        size = sum(len(json.dumps([one.turn, one.source, one.choice, one.at.isoformat()])) for one in turns)
    pack(runtime, game_id)
    with runtime.database.reading() as session:
        assert len(session.get_one(PackedRow, game_id).turns) < size / 6


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
MAPPING = st.dictionaries(st.text(), JSON, max_size=3)
TURNS = st.builds(
    PackedTurn,
    MAPPING,
    st.sampled_from(TurnSource),
    st.none() | MAPPING,
    st.none() | st.integers(1, 99),
    st.datetimes(timezones=st.just(UTC)),  # as the database gives them
)


@given(st.lists(TURNS, max_size=5))
def test_unpacked_turns_are_those_that_were_packed(turns):
    assert packed.unpacked(packed.packed(turns)) == turns


def test_turns_that_another_version_has_packed_are_not_guessed_at(monkeypatch):
    monkeypatch.setattr(packed, "FORMAT", 2)
    data = packed.packed([])
    monkeypatch.undo()
    with pytest.raises(ValueError, match="format 2"):
        packed.unpacked(data)
