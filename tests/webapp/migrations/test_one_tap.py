"""One tap, without terms: a card ahead stays if its terms were the rule; the players of all others are asked."""

import pytest

from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, read_rows, write_rows
from webapp.migrations import upgrade

CARD = {"hand": 1, "trick": 2, "card": "9S", "seen": 1}
AT = {"at": "2026-03-01T09:00:00+00:00"}


def with_terms(*unless, **more):
    return {**CARD, "unless": [*unless], "lead": None, **more}


CASES = {
    "the usual terms": ({"1": with_terms("points", "queen", instead=None, **AT)}, {"1": {**CARD, **AT}}),
    "points alone": ({"1": with_terms("points")}, {"1": CARD}),
    "without its hand": (with_terms("queen", "points"), {"1": CARD}),
    "no terms": ({"1": with_terms()}, None),
    "the queen alone": ({"1": with_terms("queen")}, None),
    "unless it wins": ({"1": with_terms("queen", "points", "win")}, None),
    "a second card": ({"1": with_terms("queen", "points", instead="4S")}, None),
    "a lead": ({"1": with_terms("queen", "points", lead="4D")}, None),
    "one of two hands": ({"1": with_terms(), "2": with_terms("points", hand=2)}, {"2": {**CARD, "hand": 2}}),
    "none": (None, None),
}


@pytest.fixture
def url(empty):
    return empty.engine.url.render_as_string(hide_password=False)


@pytest.fixture
def rows():
    return read_dump(LAST_STATE)


def brought_over(empty, url, rows):
    make_first_tables(url)
    write_rows(empty.engine, rows)
    upgrade(url)
    return read_rows(empty.engine)


def test_cards_with_the_usual_terms_stay_and_others_go(empty, url, rows):
    chosen = [before for before, _ in CASES.values()]
    assert len(rows["seat"]) >= len(chosen)
    for seat, before in zip(rows["seat"], chosen, strict=False):
        seat["ahead"] = before
    found = brought_over(empty, url, rows)["seat"]
    after = dict(zip(CASES, (seat["ahead"] for seat in found), strict=False))
    assert after == {name: kept for name, (_, kept) in CASES.items()}


def test_players_asked_ahead_are_asked_anew_at_their_turn(empty, url, rows):
    turns = [letter for letter in rows["letter"] if letter["kind"] == "turn"]
    for letter in turns:
        letter |= {"reason": "ahead", "state": "sent", "next_at": None}
    states = {row["id"]: row["state"] for row in brought_over(empty, url, rows)["letter"]}
    assert {states[letter["id"]] for letter in turns} == {"superseded"}
