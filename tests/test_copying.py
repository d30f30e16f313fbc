"""Copying a set-up: it leaves what making it leaves, where that happens first."""

from tests.cast import dump, start_game, table_row
from tests.runtimes import make_runtime
from webapp.models import TableRow

KEY = "of-both-runtimes-" * 3


def test_a_copied_game_has_the_rows_of_a_started_one(tmp_path):
    copied, begun = (make_runtime(tmp_path / name, secret_keys=KEY) for name in ("copied", "begun"))
    assert start_game(copied).game_id == start_game.__wrapped__(begun).game_id
    with begun.database.writing() as session:
        session.get_one(TableRow, 1).code = table_row(copied, 1).code  # by the system's chance
    assert dump(copied) == dump(begun)
    assert (copied.now(), copied.chance.getstate()) == (begun.now(), begun.chance.getstate())
    for runtime in (copied, begun):
        runtime.database.engine.dispose()


def test_only_the_first_game_of_a_runtime_is_copied(tmp_path):
    runtime = make_runtime(tmp_path / "var")
    first, second = start_game(runtime), start_game(runtime)
    assert (first.game_id, second.game_id) == (1, 2)
    assert first.stored.game.deal != second.stored.game.deal
    runtime.database.engine.dispose()
