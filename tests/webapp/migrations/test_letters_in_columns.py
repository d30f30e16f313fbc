"""Migration 0009: what the text `about` said of a letter stands in columns, and comes back from them."""

import pytest
from alembic import command

from tests.webapp.migrations.rows import read_dump, read_rows, write_rows
from webapp.migrations import config_for

CHANGE, PLAYER = 1, 2  # in the dump
NEW = ("about", "reason", "again", "game_number", "change_id", "newcomer_id")
NOTHING = dict.fromkeys(NEW) | {"again": False}


def said(kind, about, /, **columns):
    return pytest.param(kind, about, NOTHING | columns, id=f"{kind}: {about}")


@pytest.mark.parametrize(
    ("of_kind", "about", "columns"),
    [
        said("invitation", None),
        said("invitation", "reminder", again=True),
        said("invitation", "again 12", game_number=12),
        said("invitation", "reminder again 2", again=True, game_number=2),
        said("invitation", "replace 2", about="replace 2"),
        said("invitation", "reminder replace", about="replace", again=True),
        said("ended", "game 3", game_number=3),
        said("offered", str(PLAYER), newcomer_id=PLAYER),
        said("offer_over", "withdrawn Ann Lee", reason="withdrawn", about="Ann Lee"),
        said("answer", "illegal QS 2C", reason="illegal", about="QS 2C"),
        said("answer", "unclear", reason="unclear"),
        said("new_address", str(CHANGE), change_id=CHANGE),
        said("address_asked", f"reminder {CHANGE}", change_id=CHANGE, again=True),
        said("declined", "reminder again 2", about="reminder again 2"),
        said("turn", "trick 5", about="trick 5"),
        said("answer", "what nobody wrote", about="what nobody wrote"),
    ],
)
def test_a_text_becomes_columns_and_comes_back(empty, of_kind, about, columns):
    config = config_for(empty.engine.url.render_as_string(hide_password=False))
    command.upgrade(config, "0008")
    rows = read_dump("0008")
    letter = {**rows["letter"][0], "kind": of_kind, "about": about}
    rows["letter"] = [letter]
    write_rows(empty.engine, rows)
    command.upgrade(config, "0009")
    (found,) = read_rows(empty.engine)["letter"]
    assert {name: found[name] for name in NEW} == columns
    command.downgrade(config, "0008")
    assert read_rows(empty.engine)["letter"] == [letter]


@pytest.mark.parametrize(("dedupe", "requested"), [("turn 1 0 2 1 trick 1 at her wish", True), ("turn 1 0 2 1", False)])
def test_a_mail_that_its_reader_asked_for_says_so(empty, dedupe, requested):
    config = config_for(empty.engine.url.render_as_string(hide_password=False))
    command.upgrade(config, "0008")
    rows = read_dump("0008")
    rows["letter"] = [{**rows["letter"][0], "dedupe": dedupe}]
    write_rows(empty.engine, rows)
    command.upgrade(config, "0009")
    (found,) = read_rows(empty.engine)["letter"]
    assert found["requested"] is requested
