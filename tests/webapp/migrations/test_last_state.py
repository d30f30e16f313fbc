"""A database of the last state before 1.0 is brought over with its rows, and its games are played on.

`dumps/0027.json` holds rows of every kind as that program wrote them: games in the middle of a hand, packed games, and
cards face down. For the next migration, add a test like these that begins with rows of the version before.
"""

from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel import select

from tests.runtimes import make_runtime
from tests.table import Table
from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import broken_references, read_dump, read_rows, schema, write_rows
from webapp.migrations import upgrade
from webapp.models import GameRow

RENAMED = {
    ("game", "rings"): "claims",
    ("turn", "way"): "source",
    ("letter", "told_at"): "notified_at",
}
GIVEN_UP = {
    *(("card_table", "hides_speed"), ("game", "checkpoint"), ("game", "face_down"), ("card_table", "guards")),
    *(("player", "plan"), ("card_table", "plan"), ("seat", "plan")),
    *(("card_table", "asks_ahead"), ("game", "asked_ahead"), ("hand_clock", "asked_ahead")),
    *(("game", "guard_asked"), ("hand_clock", "guard_asked"), ("letter", "told_by"), ("player", "reminders")),
    *(("card_table", "bank"), ("seat", "bank"), ("player", "auto_vacation"), ("card_table", "paused_at")),
    *(("game", "asked_at"), ("game", "moved_by")),
    *(("game", "remind_at"), ("game", "reminders"), ("hand_clock", "reminders")),
    *(("letter", "evening_id"), ("card_table", "evening_changes")),
}
ABOUT_TURNS = ("pass", "turn", "moon", "reminder", "vacation", "played_for_you", "digest")
LYING = {
    "1": {
        "trick": 1,
        "turn": {"turn": "play", "seat": 0, "card": "2C"},
        "way": "page",
        "choice": None,
        "player": 1,
        "until": "2026-03-01T09:35:00+00:00",
    }
}


def url_of(database):
    return database.engine.url.render_as_string(hide_password=False)


@pytest.fixture
def rows():
    """The rows of the last state; all games show their cards."""
    found = read_dump(LAST_STATE)
    for game in found["game"]:
        game["face_down"] = None
    return found


@pytest.fixture
def last_state(empty):
    """Fills the database with rows of the last state."""
    make_first_tables(url_of(empty))

    def fill(rows):
        write_rows(empty.engine, rows)
        return empty

    return fill


def test_a_new_database_has_the_tables_of_a_migrated_one(last_state, rows, kind, newest_schemas):
    database = last_state(rows)
    upgrade(url_of(database))
    assert schema(database.engine) == newest_schemas[kind]


def test_every_row_is_brought_over(last_state, rows):
    database = last_state(rows)
    upgrade(url_of(database))
    found = read_rows(database.engine)
    assert broken_references(database.engine) == []
    packed = {row["game_id"] for row in rows.pop("packed_game")}
    assert packed
    del rows["connection"], rows["evening"]  # `test_play_on_live` has what becomes of that
    for game_id in packed:
        turns = [row for row in found["turn"] if row["game_id"] == game_id]
        assert [row["number"] for row in turns] == list(range(1, len(turns) + 1))
        assert turns[0]["turn"]["turn"] == "deal"
    found["turn"] = [row for row in found["turn"] if row["game_id"] not in packed]
    assert [found.pop(name) for name in ("restoration", "mailbox", "way_in", "seal", "dealt", "book")] == [[]] * 6
    said = {line["table_id"]: line["id"] for line in rows["talk"]}
    for seat in found["seat"]:
        assert seat.pop("talk_read") == said.get(seat["table_id"]), "what was said before counts as read"
    assert said
    del rows["hand_clock"]  # `test_clocks` has this
    for game in found["game"]:
        game.pop("clocks")
    for player in found["player"]:
        player.pop("turns_at")  # `test_one_mail` has this, and what becomes of the mails about turns
    old = {row["id"] for row in rows["letter"] if row["kind"] in ABOUT_TURNS or row["state"] in ("held", "bundled")}
    for letters in (found, rows):
        letters["letter"] = [row for row in letters["letter"] if row["id"] not in old]
    assert found == {name: [in_plain_words(name, row) for row in old] for name, old in rows.items()}


def test_an_answer_that_nobody_sends_any_more_goes_no_more(last_state, rows):
    waiting, sent = rows["letter"][:2]
    waiting |= {"kind": "answer", "reason": "other_sender", "state": "owed"}
    sent |= {"kind": "answer", "reason": "other_sender", "state": "sent", "next_at": None}
    database = last_state(rows)
    upgrade(url_of(database))
    states = {row["id"]: (row["state"], row["next_at"]) for row in read_rows(database.engine)["letter"]}
    assert (states[waiting["id"]], states[sent["id"]]) == (("superseded", None), ("sent", None))


NEW = {
    "game": {"unattended": None},
    "card_table": {
        **{"has_strangers": False, "pause": None},
        **{"proposals": None},
        **{"words": None, "link_number": 1, "refused": None},
    },
    "seat": {
        **{"by_link": False, "away_until": None, "table_number": 1, "wants_live": False},
        **{"offered_words": None, "shuffle_words": None, "shuffle_part": None},
    },
    "talk": {"game_number": None, "hand": None, "trick": None},
    "letter": {"held_at": None, "asked": None},
    "pause": {"since": None},
    "device": {"is_confirmed": True},
    "player": {
        "language": "en",
        "browser_at": None,
        "year_mail": True,
        "closed": None,
        "rating_mean": None,
        "rating_doubt": None,
    },
    "inbound": {"player_id": None, "copies": 0},
}


def in_plain_words(table, row):
    kept = {RENAMED.get((table, name), name): value for name, value in row.items() if (table, name) not in GIVEN_UP}
    if table == "letter" and kept["state"] == "owed":
        kept["state"] = "queued"
    if table == "letter" and kept["kind"].startswith("evening"):
        kept["kind"] = "proposed"
    if table == "card_table" and row["paused_at"]:
        kept["pause"] = {"why": "host", "since": row["paused_at"]}
    if table == "card_table" and row["bank"]:
        kept["vacation_days"] = 5
    if table == "player" and kept["frequency"] in ("twice", "bundled"):
        kept["frequency"] = "every"
    if kept.get("offer_state") == "released":
        kept["offer_state"] = None
    if kept.get("ahead"):
        chosen = kept["ahead"]
        kept["ahead"] = {str(chosen["hand"]): {name: chosen[name] for name in ("hand", "trick", "card", "seen")}}
    if kept.get("lent"):
        del kept["lent"]["plan"]
    return NEW.get(table, {}) | kept


def test_the_games_of_the_last_state_are_played_on(last_state, rows, tmp_path):
    database = last_state(rows)
    upgrade(url_of(database))
    runtime = make_runtime(tmp_path / "var", url_of(database))
    runtime.now.pass_by(timedelta(days=40))
    with runtime.database.reading() as session:
        games = session.exec(select(GameRow.id)).all()
    awaited = [game_id for game_id in games if Table(runtime, game_id).game.to_act]
    assert awaited, "no game of the dump is in the middle of a hand"
    for game_id in awaited:
        Table(runtime, game_id).play_hand()
    runtime.database.engine.dispose()


def test_a_card_that_lay_face_down_is_the_next_turn(last_state, rows, tmp_path):
    game = next(one for one in rows["game"] if one["state"] == "playing" and one["at_once"] == 1 and one["turns"] > 9)
    turns = [row for row in rows["turn"] if row["game_id"] == game["id"]]
    last = max(turns, key=lambda row: row["number"])
    game["face_down"] = {"1": {**LYING["1"], "turn": last["turn"], "way": last["way"], "choice": last["choice"]}}
    game["turns"] -= 1
    game["due_at"] = game["wake_at"] = "2030-01-01T00:00:00+00:00"
    rows["turn"].remove(last)
    database = last_state(rows)
    upgrade(url_of(database))
    runtime = make_runtime(tmp_path / "var", url_of(database))
    assert Table(runtime, game["id"]).row.turns == game["turns"] + 1
    runtime.now.pass_by(timedelta(days=365))
    Table(runtime, game["id"]).play_for_absent()
    after = Table(runtime, game["id"]).stored
    assert after.row.due_at or after.row.wake_at is None or after.row.turns > game["turns"] + 1
    runtime.database.engine.dispose()


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("0019", "The database is of version 0019. Bring it to version 0027 with release 0.1 of the program first."),
        ("9999", "A newer program has made this database, of version 9999; run that one."),
    ],
)
def test_a_database_of_another_version_is_refused_with_a_sentence(empty, tmp_path, version, sentence):
    from webapp.site import make_site

    upgrade(url_of(empty))
    with empty.engine.begin() as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))
    runtime = make_runtime(tmp_path / "var", url_of(empty))
    done = make_site(runtime).test_cli_runner().invoke(args=["migrate"])
    runtime.database.engine.dispose()
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"{sentence}\n"
