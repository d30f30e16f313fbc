"""The mails of the versions before, of many kinds, become the one mail about turns."""

import pytest

from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, read_rows, write_rows
from webapp.migrations import upgrade

PLAYED = {"table_id": 2, "seat": 0, "game_id": 2, "hand": 1, "about": "trick 2", "turns": 9}
KEY = [2, 0, 1, "trick 2"]
CASES = {
    "a question that was sent": ({"kind": "turn", "state": "sent"}, ("turns", "next", "sent", [KEY])),
    "one that was not": ({"kind": "pass", "state": "owed"}, ("turns", "next", "superseded", [KEY])),
    "one that waited for a digest": ({"kind": "moon", "state": "held"}, ("turns", "next", "superseded", [KEY])),
    "one that a digest asked": ({"kind": "turn", "state": "bundled"}, ("turns", "next", "superseded", [KEY])),
    "a reminder": ({"kind": "reminder", "state": "sent"}, ("turns", "call", "sent", [KEY])),
    "one that somebody wanted": (
        {"kind": "reminder", "state": "sent", "reason": "nudge"},
        ("turns", "nudge", "sent", [KEY]),
    ),
    "what was played": ({"kind": "played_for_you", "state": "sent"}, ("turns", "missed", "sent", [KEY])),
    "a spare day": ({"kind": "vacation", "state": "sent"}, ("turns", "missed", "sent", [KEY])),
    "a sheet for a digest": ({"kind": "score_sheet", "state": "held"}, ("score_sheet", None, "queued", None)),
}


@pytest.fixture
def url(empty):
    return empty.engine.url.render_as_string(hide_password=False)


def brought_over(empty, url, *letters):
    """The letters of a database that had these, and its other rows."""
    rows = read_dump(LAST_STATE)
    (one,) = [row for row in rows["letter"] if row["id"] == 1]
    made = [
        {**one, **PLAYED, "id": number, "dedupe": f"{number}", "message_id": f"{number}", **letter}
        for number, letter in enumerate(letters, 1)
    ]
    for name in ("talk", "operator_act"):
        rows[name] = [{**row, **({"letter_id": None} if "letter_id" in row else {})} for row in rows[name]]
    rows["letter"] = made
    rows["player"] = [{**row, "frequency": wish} for row, wish in zip(rows["player"], WISHES, strict=True)]
    make_first_tables(url)
    write_rows(empty.engine, rows)
    upgrade(url)
    return read_rows(empty.engine)


WISHES = ("twice", "every", "bundled", "daily", "every", "every", "every")


def test_each_kind_of_mail_about_turns_becomes_the_one(empty, url):
    rows = brought_over(empty, url, *(letter for letter, _ in CASES.values()))
    found = [(row["kind"], row["reason"], row["state"], row["asked"]) for row in rows["letter"]]
    assert dict(zip(CASES, found, strict=True)) == {name: then for name, (_, then) in CASES.items()}
    assert {row["next_at"] is None for row in rows["letter"] if row["state"] == "superseded"} == {True}
    assert [row["frequency"] for row in rows["player"]][:4] == ["every", "every", "every", "daily"]
    playing = {row["table_id"] for row in rows["game"] if row["state"] == "playing"}
    theirs = {row["player_id"] for row in rows["seat"] if row["table_id"] in playing and row["player_id"]}
    assert {row["id"] for row in rows["player"] if row["turns_at"]} == theirs


def test_a_digest_asks_what_it_named_first_before_all_else(empty, url):
    nothing = dict.fromkeys(PLAYED)
    digest = {**nothing, "kind": "digest", "state": "sent", "about": "3"}
    parts = [{"kind": "turn", "state": "bundled", "told_by": 1, "hand": hand} for hand in (1, 2)]
    (first, *_) = brought_over(empty, url, digest, *parts)["letter"]
    assert (first["kind"], first["game_id"], first["hand"], first["about"]) == ("turns", 2, 2, "trick 2")
    assert first["asked"] == [[2, 0, 2, "trick 2"], KEY]
