"""Each plan of the versions before becomes the wait that is nearest to it."""

import pytest

from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, read_rows, write_rows
from webapp.migrations import upgrade

CHOSEN_IN = ("player", "card_table", "seat")
ORDERS = ("catch", "take", "duck", "win", "queen", "spades", "hearts", "short", "lead")


def plan(asking, limit=0.25, orders=ORDERS, wakes=(), after_trick=0):
    return {"asking": asking, "limit": limit, "orders": [*orders], "wakes": [*wakes], "after_trick": after_trick}


CASES = {
    "no plan": (None, None),
    "asked for every card": (plan("ask"), "full"),
    "asked for every choice": (plan("same"), "full"),
    "a short time": (plan("short"), "short"),
    "a short time for more": (plan("short", limit=2.0), "short"),
    "asked when it matters": (plan("matters"), "none"),
    "orders": (plan("matters", limit=2.0, orders=("duck",)), "none"),
    "no orders": (plan("matters", orders=()), "full"),
    "a wake-up": (plan("matters", wakes=("moon",)), "full"),
    "asked after a trick": (plan("short", after_trick=9), "full"),
}
PLANS = [chosen for chosen, _ in CASES.values()]


@pytest.fixture
def url(empty):
    return empty.engine.url.render_as_string(hide_password=False)


def brought_over(empty, url, plans, *, guards=True):
    """The rows of a database in which players, tables and seats, and the owner of a lent one, had these plans."""
    rows = read_dump(LAST_STATE)
    for name in CHOSEN_IN:
        rows[name] = [{**row, "plan": plans[number % len(plans)]} for number, row in enumerate(rows[name])]
    rows["card_table"] = [{**row, "guards": guards} for row in rows["card_table"]]
    rows["seat"] = [{**row, "lent": row["lent"] and {**row["lent"], "plan": plans[-1]}} for row in rows["seat"]]
    make_first_tables(url)
    write_rows(empty.engine, rows)
    upgrade(url)
    return read_rows(empty.engine)


def test_a_plan_becomes_the_nearest_wait(empty, url):
    rows = brought_over(empty, url, PLANS)
    assert dict(zip(CASES, (row["wait"] for row in rows["seat"]), strict=False)) == {
        name: wait for name, (_, wait) in CASES.items()
    }
    for name in CHOSEN_IN:
        assert [row["wait"] for row in rows[name]][:4] == [None, "full", "full", "short"]
    assert {row["lent"]["wait"] for row in rows["seat"] if row["lent"]} == {"full"}


def test_a_short_time_without_a_robot_becomes_the_full(empty, url):
    rows = brought_over(empty, url, [plan("short"), plan("matters")], guards=False)
    for name in ("seat", "card_table"):
        assert [row["wait"] for row in rows[name]][:2] == ["full", "none"]
    assert [row["wait"] for row in rows["player"]][:2] == ["short", "none"]
