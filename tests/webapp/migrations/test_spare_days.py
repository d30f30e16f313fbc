"""No banks: tables that had one have longer turns and spare days, and deadlines that run stay as they are."""

import json

import pytest
from alembic import command
from sqlalchemy import text

from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, read_rows, write_rows
from webapp.migrations import config_for, upgrade

HOUR, DAY = 60 * 60, 24 * 60 * 60
PACE = ("pass_seconds", "play_seconds", "vacation_days")
SHORT = {"start": 2 * DAY, "increment": 6 * HOUR, "cap": 3 * DAY}
LONG = {"start": 7 * DAY, "increment": DAY, "cap": 10 * DAY}
ODD = {"start": HOUR, "increment": 60, "cap": DAY + 1}
CASES = {
    "short": ((HOUR, 6 * HOUR, 0, SHORT), (12 * HOUR, 12 * HOUR, 3)),
    "long": ((HOUR, 3 * DAY, 14, LONG), (2 * DAY, 3 * DAY, 14)),
    "of another list": ((HOUR, HOUR, 0, ODD), (12 * HOUR, 12 * HOUR, 2)),
    "none": ((HOUR, 6 * HOUR, 1, None), (HOUR, 6 * HOUR, 1)),
}


@pytest.fixture
def brought_over(empty):
    """Returns a function that gives all tables this pace and bank, and then brings the database over."""

    def bring(pace, bank):
        url = empty.engine.url.render_as_string(hide_password=False)
        make_first_tables(url)
        rows = read_dump(LAST_STATE)
        for table in rows["card_table"]:
            table |= dict(zip(PACE, pace, strict=True)) | {"bank": bank}
        for seat in rows["seat"]:
            seat["bank"] = bank and {"left": 7, "since": None}
        write_rows(empty.engine, rows)
        upgrade(url)
        return rows, read_rows(empty.engine)

    return bring


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_a_bank_becomes_longer_turns_and_spare_days(brought_over, before, after):
    *pace, bank = before
    rows, found = brought_over(pace, bank)
    assert {tuple(table[name] for name in PACE) for table in found["card_table"]} == {after}
    assert [row["due_at"] for row in found["game"]] == [row["due_at"] for row in rows["game"]]


def test_the_seats_of_running_games_say_that_it_is_gone(brought_over):
    rows, found = brought_over((HOUR, HOUR, 0), SHORT)
    playing = {table["id"] for table in rows["card_table"] if table["state"] == "playing"}
    told = [seat for seat in found["seat"] if (seat["vacation"] or {}).get("had_bank")]
    assert {seat["table_id"] for seat in told} == playing
    assert len(told) == sum(seat["table_id"] in playing for seat in found["seat"])


def test_a_proposed_bank_becomes_the_same(empty):
    url = empty.engine.url.render_as_string(hide_password=False)
    make_first_tables(url)
    write_rows(empty.engine, read_dump(LAST_STATE))
    command.upgrade(config_for(url), "0052")
    made = {"what": "pace", "at": "2026-03-01T09:00:00Z", "ends_at": None, "seat": None, "agreed": [1]}
    others = {**made, "what": "end", "pace": None}
    proposed = {**made, "pace": {**dict(zip(PACE, (HOUR, HOUR, 0), strict=True)), "bank": SHORT}}
    with empty.engine.begin() as connection:
        values = {"proposals": json.dumps([others, proposed])}
        connection.execute(text("UPDATE card_table SET proposals = :proposals"), values)
    upgrade(url)
    pace = dict(zip(PACE, (12 * HOUR, 12 * HOUR, 3), strict=True))
    tables = read_rows(empty.engine)["card_table"]
    assert {json.dumps(table["proposals"]) for table in tables} == {json.dumps([others, {**made, "pace": pace}])}
