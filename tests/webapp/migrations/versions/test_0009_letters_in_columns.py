"""Migration 0009: the text `about` of a letter is split into columns, and restored from them."""

import pytest
from alembic import command

from tests.webapp.migrations.rows import read_dump, read_rows, write_rows
from webapp.migrations import config_for

CHANGE, PLAYER = 1, 2  # in the dump
NEW = ("about", "reason", "again", "game_number", "change_id", "newcomer_id")
NOTHING = dict.fromkeys(NEW) | {"again": False}


# What kind of letter, its `about` until now, and what its columns say from now on.
SAID = [
    ("invitation", None, {}),
    ("invitation", "reminder", {"again": True}),
    ("invitation", "again 12", {"game_number": 12}),
    ("invitation", "reminder again 2", {"again": True, "game_number": 2}),
    ("invitation", "replace 2", {"about": "replace 2"}),
    ("invitation", "reminder replace", {"about": "replace", "again": True}),
    ("ended", "game 3", {"game_number": 3}),
    ("offered", str(PLAYER), {"newcomer_id": PLAYER}),
    ("offer_over", "withdrawn Ann Lee", {"reason": "withdrawn", "about": "Ann Lee"}),
    ("answer", "illegal QS 2C", {"reason": "illegal", "about": "QS 2C"}),
    ("answer", "unclear", {"reason": "unclear"}),
    ("new_address", str(CHANGE), {"change_id": CHANGE}),
    ("address_asked", f"reminder {CHANGE}", {"change_id": CHANGE, "again": True}),
    ("declined", "reminder again 2", {"about": "reminder again 2"}),
    ("turn", "trick 5", {"about": "trick 5"}),
    ("answer", "what nobody wrote", {"about": "what nobody wrote"}),
]


@pytest.fixture
def letters(empty):
    """Puts letters like these into a database of version 0008; returns their rows and the way to other versions."""
    config = config_for(empty.engine.url.render_as_string(hide_password=False))

    def put(changes):
        command.upgrade(config, "0008")
        rows = read_dump("0008")
        like = rows["letter"][0]
        unique = [{"id": n, "dedupe": f"letter {n}", "message_id": f"<{n}@hearts>"} for n in range(1, len(changes) + 1)]
        rows["letter"] = [{**like, **own, **change} for own, change in zip(unique, changes, strict=True)]
        write_rows(empty.engine, rows)
        return rows["letter"], config

    return put


def test_a_text_becomes_columns_and_comes_back(empty, letters):
    before, config = letters([{"kind": kind, "about": about} for kind, about, _ in SAID])
    command.upgrade(config, "0009")
    found = [{name: letter[name] for name in NEW} for letter in read_rows(empty.engine)["letter"]]
    assert found == [NOTHING | columns for _, _, columns in SAID]
    command.downgrade(config, "0008")
    assert read_rows(empty.engine)["letter"] == before


def test_a_mail_that_its_reader_asked_for_says_so(empty, letters):
    _, config = letters([{"dedupe": "turn 1 0 2 1 trick 1 at her wish"}, {"dedupe": "turn 1 0 2 1 trick 1"}])
    command.upgrade(config, "0009")
    assert [letter["requested"] for letter in read_rows(empty.engine)["letter"]] == [True, False]
