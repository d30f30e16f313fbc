"""The robot's suggestions: given if the table allows them, from the player's view, and always the same."""

import re
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import Cards
from hearts.cycle import Cycle
from hearts.game import Stage, apply, legal, new_game
from hearts.rules import preset_rules
from tests.cast import dump, open_table, start_game, table_row
from tests.runtimes import make_runtime
from tests.samples.games import ELEVEN, KITTY, OMNIBUS, PARTNERS, first_game, games, moon_game
from tests.samples.rendering import line
from webapp.core.tokens import ConfirmLink
from webapp.forms.opening import blank_open_form, read_open_form, remembered_fields
from webapp.games.record.store import TableGame
from webapp.models import TableRow
from webapp.robots import thinking
from webapp.robots.thinking import MAX_PASSES_SHOWN, suggestion


@pytest.fixture(scope="module")
def runtime(tmp_path_factory):
    made = make_runtime(tmp_path_factory.mktemp("suggestions"))
    yield made
    made.database.engine.dispose()


@pytest.fixture
def table(runtime):
    """A game at a table that allows suggestions."""
    table = start_game(runtime)
    allow(runtime, table.table_id)
    return table


def allow(runtime, table_id):
    with runtime.database.writing() as session:
        session.get_one(TableRow, table_id).suggestions = True


def stored(game):
    """A game as loaded from the database, as far as a suggestion needs it."""
    row, cycle = line(id=7, names=None, earlier=None), Cycle(game.rules, 1, (game,))
    return TableGame(row, line(suggestions=True), [], (), cycle, game)


def asked_page(table, client, seat, query="?suggest=1"):
    return BeautifulSoup(client.get(table.runtime.signer.local_url(table.turn_link(seat)) + query).data, "lxml")


# contents


@pytest.mark.parametrize("rules", [preset_rules("classic"), KITTY, PARTNERS, OMNIBUS, ELEVEN], ids=lambda r: r.preset)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), nth=st.integers(0, 40))
def test_a_suggestion_is_legal_and_repeated_in_the_same_words(rules, seed, nth):
    asked = [game for game, _ in zip((one for one in games(rules, seed) if one.to_act), range(60), strict=False)]
    game = asked[min(nth, len(asked) - 1)]
    seat = game.to_act[0]
    said = suggestion(stored(game), seat)
    cards = Cards.parse(" ".join(face.code for face in said.best.faces))
    if game.stage is Stage.PASS:
        assert said.is_pass
        assert len(cards) == rules.pass_count
        assert not cards - game.held[seat]
        assert len(said.alternatives) <= MAX_PASSES_SHOWN
    else:
        assert not said.is_pass
        assert not cards - legal(game, seat)
        assert len(said.alternatives) in (0, len(legal(game, seat))), "all of them, or none to weigh"
    assert re.fullmatch(r"[A-Z0-9].*\.", said.reason)
    assert said.alternatives[:1] in ((), (said.best,))
    assert suggestion(stored(game), seat) == said


def test_a_suggestion_counts_the_better_moon_and_shows_both():
    game = moon_game()
    said = suggestion(stored(game), game.to_act[0])
    assert said.moon == "The robot would give the points to everybody else"
    assert [(one.text, one.points) for one in said.alternatives] == [
        ("The points to everybody else", "0.0"),
        ("The points off your own total", "-26.0"),
    ]


def test_a_suggestion_depends_only_on_what_the_seat_sees():
    """Two deals that differ only in the cards of others are the same question."""
    game = first_game(preset_rules("classic"), lambda one: one.stage is Stage.PASS)
    swapped = dict(zip(game.held[1], game.held[2], strict=True))
    swapped |= {other: one for one, other in swapped.items()}
    held = tuple(Cards.of(swapped.get(card, card) for card in cards) for cards in game.held)
    assert held[0] == game.held[0]
    other = apply(new_game(game.rules), replace(game.deal, held=held))
    assert suggestion(stored(other), 0) == suggestion(stored(game), 0)


# the pages


def test_the_pass_page_links_a_suggestion_with_reason_and_figures(runtime, client, table):
    page = asked_page(table, client, 0, "")
    (link,) = [a for a in page.find_all("a") if a.get_text() == "What would the robot pass?"]
    answer = asked_page(table, client, 0, link["href"].partition("#")[0])
    assert answer.select_one("#suggestion summary").get_text(" ", strip=True).startswith("The robot would pass")
    assert len(answer.select("#suggestion summary .mini")) == 3
    assert 1 < len(answer.select("#suggestion tbody tr")) <= MAX_PASSES_SHOWN
    assert answer.select_one("#suggestion p").get_text()
    assert "What would the robot" not in answer.get_text()


def test_the_turn_page_keeps_the_card_of_the_link_chosen(runtime, client, table):
    while table.game.stage is Stage.PASS:
        table.play_first()
    (seat,) = table.game.to_act
    card = str(Cards.of([next(iter(legal(table.game, seat)))]))
    page = asked_page(table, client, seat, f"?card={card}")
    (link,) = [a for a in page.find_all("a") if a.get_text() == "What would the robot play?"]
    answer = asked_page(table, client, seat, link["href"].partition("#")[0])
    assert [box["value"] for box in answer.select("input[checked]")] == [card]
    assert answer.select_one("#suggestion") is not None


def test_asking_for_a_suggestion_changes_no_row(runtime, client, table):
    before = dump(runtime)
    asked_page(table, client, 0)
    assert dump(runtime) == before


@pytest.mark.parametrize("query", ["?suggest=0", "?suggest=", "?suggest=yes", "?suggest"])
def test_only_the_pending_question_gets_a_suggestion(runtime, client, table, query):
    assert asked_page(table, client, 0, query).select_one("#suggestion") is None


def test_a_table_without_suggestions_offers_and_gives_none(runtime, client):
    table = start_game(runtime)
    for query in ("", "?suggest=1", "?suggest=1&card=QS"):
        page = asked_page(table, client, 0, query)
        assert page.select_one("#suggestion") is None
        assert "robot would" not in page.get_text()
        assert "would the robot" not in page.get_text()


def test_the_page_of_the_suggestion_also_rejects_an_illegal_turn(runtime, client, table):
    url = runtime.signer.local_url(table.turn_link(0)) + "?suggest=1"
    answer = client.post(url, data={"card": ["2C"], "way": "page"})
    assert answer.status_code == 400
    assert BeautifulSoup(answer.data, "lxml").select_one("#suggestion") is not None


def test_the_robots_process_starts_once_a_page_offers_a_suggestion(runtime, client, monkeypatch):
    started = []
    monkeypatch.setattr(thinking.engine, "start", lambda: started.append(True))
    for allowed in (False, True):
        table = start_game(runtime)
        if allowed:
            allow(runtime, table.table_id)
        asked_page(table, client, 0, "")
        assert bool(started) is allowed


# opening a table


FIELDS = {
    **{"host_name": "Ann", "host_address": "ann@example.org", "time_zone": "UTC", "preset": "classic", "when": "mail"},
    **{"pass_time": "86400", "play_time": "86400", **{f"seat_{n}_kind": "robot" for n in (1, 2, 3)}},
}


@pytest.mark.parametrize(
    ("ticked", "allowed"), [({}, False), ({"suggestions": "yes"}, True), ({"suggestions": "x"}, False)]
)
def test_suggestions_are_off_unless_the_host_ticks_the_box(ticked, allowed):
    form = read_open_form(FIELDS | ticked, None)
    assert form.table is not None
    assert form.table.suggestions is allowed


def test_the_form_remembers_the_box():
    ticked = read_open_form(FIELDS | {"suggestions": "yes"}, None)
    assert blank_open_form(remembered_fields(ticked)).values["suggestions"] == "yes"
    assert "suggestions" not in blank_open_form(remembered_fields(read_open_form(FIELDS, None))).values


def test_the_confirmation_and_rules_pages_say_that_suggestions_are_on(runtime, client):
    client.post("/tables/new", data=FIELDS | {"host_address": "fay@example.org", "suggestions": "yes"})
    with runtime.database.reading() as session:
        newest = session.get_one(TableRow, max(row.id for row in session.exec(TableRow.__table__.select())))
    assert newest.suggestions
    confirming = runtime.signer.local_url(ConfirmLink(newest.id))
    for url in (confirming, f"/how-we-play/{newest.code}"):
        assert "Players may ask the robot what it would play." in client.get(url).get_data(as_text=True)
    without = table_row(runtime, open_table(runtime))
    assert "ask the robot" not in client.get(f"/how-we-play/{without.code}").get_data(as_text=True)
