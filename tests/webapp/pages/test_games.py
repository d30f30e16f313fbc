"""All of a player's games: what waits for them first, where they may go on, and nothing of it for others."""

import random
import re
from datetime import UTC, datetime, timedelta

import pytest

from hearts.ahead import choices_ahead
from hearts.cards import Cards, card_text
from hearts.robot import Level
from hearts.seats import Seat
from hearts.turns import Pass
from hearts.view import view
from tests.cast import NAMES, dump, open_table, opened, start_game
from tests.due_games import make_due_games
from tests.mailing import player_id
from tests.playing import waiting_game
from tests.side_by_side import play_in
from tests.sites import site_of
from tests.statements import carried_out
from tests.submitting import soup
from tests.table import Table
from tests.webapp import chosen_ahead
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.changing import change
from tests.webapp.tables.hosted import offer
from tests.webapp.tables.lending import lend
from webapp.core.tokens import PlayLink
from webapp.games.asked.due import due_of
from webapp.games.asked.running import next_game, waiting_games
from webapp.models import (
    GameRow,
    GameState,
    Pause,
    PlayerRow,
    Proposal,
    Proposed,
    SeatRow,
    Stands,
    TableRow,
    TableState,
    TurnSource,
)
from webapp.play import taking

ANN = Seat(0)
START = datetime(2026, 3, 2, tzinfo=UTC)
SHOWN = ("Your turn at 2 tables", "Others play", "Invitations", "Not begun yet", "Over")


def signed_in(runtime, name="Ann"):
    """A signed-in browser."""
    return browser_of(runtime, player_id(runtime, name))


def pass_first(table, seat=ANN):
    """The player passes their first three cards."""
    game = table.game
    cards = Cards.of(list(game.held[seat])[:3])
    taking.take_turn(
        table.runtime, table.game_id, due_of(game, seat), Pass(seat, cards), TurnSource.PAGE, table.runtime.now()
    )


# the page


def test_many_games_need_no_more_queries_than_one(runtime):
    asked = carried_out(runtime)
    make_due_games(runtime, 9, Level.RULE)
    client = signed_in(runtime)
    client.get("/games")  # reads the records of each game, once a process
    asked.clear()
    assert len(soup(client.get("/games")).select(".box")) == 9
    of_nine = len(asked)
    for game_id in range(2, 10):
        change(runtime, GameRow, game_id, state=GameState.OVER)
    asked.clear()
    assert len(soup(client.get("/games")).select(".box")) == 1
    assert len(asked) == of_nine


@pytest.mark.parametrize(
    ("does", "reader", "line"),
    [(offer, "Eve", "You are offered a seat."), (lend, "Bo", "Eve plays for you until you are back.")],
)
def test_many_offered_or_lent_seats_need_no_more_queries(runtime, does, reader, line):
    asked, counts = carried_out(runtime), []
    for seats in (1, 2, 3):
        does(start_game(runtime))
        client = signed_in(runtime, reader)
        asked.clear()
        assert client.get("/games").text.count(line) == seats
        counts.append(len(asked))
    assert len(set(counts)) == 1, counts


@pytest.fixture
def everything(runtime):
    """Tables in every state: at two it is Ann's turn, at one others play, she is invited to one, hosts one, …"""
    make_due_games(runtime, 4, Level.RULE)
    pass_first(Table(runtime, 3))
    change(runtime, TableRow, 4, state=TableState.OVER)
    change(runtime, GameRow, 4, state=GameState.OVER, ended_at=runtime.now() - timedelta(days=3))
    hosted = open_table(runtime, NAMES)
    invited = open_table(runtime, ("Bo", "Ann", "Cy"))
    return hosted, invited


def test_my_games_are_found_by_keys_not_a_scan(runtime, everything):
    asked, client = carried_out(runtime), signed_in(runtime)
    asked.clear()
    assert client.get("/games").status_code == 200
    with runtime.database.reading() as session:
        explain = session.connection().exec_driver_sql
        plans = [str(explain(f"EXPLAIN QUERY PLAN {one.text}", one.parameters).fetchall()) for one in asked[:]]
    assert plans
    assert not [plan for plan in plans if re.search("SCAN (card_table|game|seat|turn)", plan)]


def test_my_games_are_sorted_by_what_they_need_from_me(runtime, everything):
    page = soup(signed_in(runtime).get("/games"))
    assert [heading.text for heading in page.find_all("h2")] == list(SHOWN)
    said = [section.get_text(" ", strip=True) for section in page.find_all("section")]
    begin = (
        "It is your turn: pass",
        "Waiting for",
        "You are invited",
        "We have invited Bo, Cy and Di",
        "3 days ago",
    )
    assert all(words in section for words, section in zip(begin, said, strict=True))
    assert "with Pip, Ruby and Jack" in said[0]


def test_one_tap_leads_from_my_games_to_each_game(runtime, everything):
    client = signed_in(runtime)
    page = soup(client.get("/games"))
    taps = [one["href"] for one in page.select(".box .button:first-child, .rows a")]
    assert [tap.split("/")[1] for tap in taps] == ["play", "play", "play", "invitation", "seat", "seat"]
    assert {client.get(tap).status_code for tap in taps} == {200}


def cards_of(tag):
    return {code.text for code in tag.select(".code") if code.text}


def test_a_game_shows_its_trick_and_my_own_cards(runtime):
    table = waiting_game(runtime)
    seen = view(table.game, ANN)
    box = soup(signed_in(runtime).get("/games")).select_one(".little")
    assert cards_of(box.select_one(".hand")) == {card_text(card) for card in seen.held}
    assert cards_of(box.select_one(".trick")) == {card_text(card) for card in (seen.trick or seen.tricks[-1]).cards}


def test_each_hand_of_several_is_a_table_that_leads_there(runtime):
    start_game(runtime, at_once=4)
    tables = soup(signed_in(runtime).get("/games")).select(".little")
    assert [table.a.text for table in tables][:3] == [f"Hand {hand}: Your turn" for hand in (1, 2, 3)]
    assert {table.a["href"][-7:] for table in tables} == {f"?hand={hand}" for hand in (1, 2, 3, 4)}


def test_an_unconfirmed_table_is_listed_briefly_for_its_host_alone(runtime, everything):
    hosted, _ = everything
    change(runtime, TableRow, hosted, state=TableState.UNCONFIRMED)
    waits = "It waits for you to follow the link in our mail."
    assert waits in signed_in(runtime).get("/games").text
    assert waits not in signed_in(runtime, "Cy").get("/games").text
    runtime.now.pass_by(timedelta(days=8))
    assert waits not in signed_in(runtime).get("/games").text


def test_twenty_finished_games_are_shown_and_all_on_request(runtime):
    make_due_games(runtime, 23, Level.RULE)
    for number in range(1, 24):
        change(runtime, TableRow, number, state=TableState.OVER)
        change(runtime, GameRow, number, state=GameState.OVER, ended_at=runtime.now() - timedelta(days=number))
    client = signed_in(runtime)
    page = soup(client.get("/games"))
    ended = re.findall(r"It ended (\w+|\d+ days ago)", page.main.text)
    assert len(page.select(".rows strong")) == len(ended) == 20
    older = page.find("a", string="Show all games that are over")["href"]
    page = soup(client.get(older))
    assert len(page.select(".rows strong")) == 23
    assert not page.find("a", string="Show all games that are over")


def test_a_turn_at_a_paused_table_mentions_the_pause(runtime):
    make_due_games(runtime, 1, Level.RULE)
    change(runtime, TableRow, 1, pause=Pause(Stands.HOST, runtime.now() - timedelta(hours=1)))
    Table(runtime, 1).set_due(None)
    assert "The clock has been paused" in soup(signed_in(runtime).get("/games")).select_one(".box").text


def listed(runtime, heading):
    """The text that Ann reads below that heading; empty if it isn't there."""
    found = soup(signed_in(runtime).get("/games")).find("h2", string=heading)
    return found.find_parent("section").get_text(" ", strip=True) if found else ""


def test_my_games_say_that_a_card_may_be_chosen(runtime):
    table = waiting_game(runtime)
    assert "Waiting for Cy. You may choose your card already." in listed(runtime, "If you like")
    assert not listed(runtime, "Others play")
    chosen_ahead.choose(table, ANN, table.following_cards(ANN)[0])
    assert "Waiting for Cy." in listed(runtime, "Others play")
    assert not listed(runtime, "If you like")


def test_a_tap_leads_to_the_hand_where_i_may_choose(runtime):
    choosable, rng = set(), random.Random(1)
    table = start_game(runtime, at_once=4)
    while not choosable:  # in no hand is it Ann's turn, and in one she plays later to the trick
        hands = list(table.stored.open_hands())
        anns = [hand for hand in hands if ANN in hand.game.to_act]
        play_in(runtime, rng.choice(anns or hands), rng)
        if not waits_for_ann(table):
            hands = table.stored.open_hands()
            choosable = {hand.game.hand for hand in hands if len(choices_ahead(view(hand.game, ANN))) > 1}
    client = signed_in(runtime)
    row = soup(client.get("/games")).select_one("#may-act + .rows a")
    assert "You may choose your card already." in row.text
    assert int(soup(client.get(row["href"])).select_one("form.taps input[name=hand]")["value"]) in choosable


def waits_for_ann(table):
    return any(ANN in hand.game.to_act for hand in table.stored.open_hands())


@pytest.mark.parametrize(
    ("row", "columns", "said"),
    [
        (SeatRow, {"away": True}, "You are away"),
        (TableRow, {"pause": Pause(Stands.REST, START)}, "The game rests"),
        (TableRow, {"proposals": [Proposal(Proposed.END, START)]}, "Bo proposes something to which you may agree."),
    ],
)
def test_others_never_play_while_i_may_act(runtime, row, columns, said):
    table = start_game(runtime, ("Bo", "Ann", "Cy", "Di"))
    pass_first(table, Seat(1))
    assert listed(runtime, "Others play")
    change(runtime, row, (1, 1) if row is SeatRow else 1, **columns)
    assert said in listed(runtime, "If you like")
    assert not listed(runtime, "Others play")


def test_a_player_without_a_game_reads_that_they_have_none(runtime):
    start_game(runtime)
    with runtime.database.writing() as session:
        session.add(PlayerRow(address="eve@example.org", name="Eve", created_at=runtime.now()))
    page = signed_in(runtime, "Eve").get("/games")
    assert "You sit at no table yet." in page.text
    assert not soup(page).select("section")


def test_opening_my_games_changes_nothing(runtime, everything):
    client = signed_in(runtime)
    before = dump(runtime)
    for _ in range(2):
        assert client.get("/games").status_code == 200
    assert dump(runtime) == before


# the next game


def next_words(page):
    found = soup(page).select_one("#next-game")
    return " ".join(found.get_text(" ", strip=True).split()) if found else ""


def play_address(runtime, table_id, name="Ann"):
    return runtime.signer.local_url(PlayLink(table_id, NAMES.index(name), player_id(runtime, name)))


def test_the_most_urgent_other_game_is_one_tap_away(runtime):
    make_due_games(runtime, 4, Level.RULE)
    for game_id in (1, 2, 3, 4):
        Table(runtime, game_id).set_due(runtime.now() + timedelta(hours=9 - game_id))
    client = signed_in(runtime)
    turn = runtime.signer.local_url(Table(runtime, 1).turn_link(ANN))
    pass_first(Table(runtime, 1))
    for address in (play_address(runtime, 1), turn):
        page = client.get(address, follow_redirects=True)
        assert next_words(page) == "Next game: Ann's table, pass 2 more wait for you."
        link = soup(page).select_one("#next-game a")["href"]
        assert opened(runtime, PlayLink, link).table_id == Table(runtime, 4).table_id
    for game_id in (2, 4):
        change(runtime, GameRow, game_id, state=GameState.OVER)
    assert next_words(client.get(turn, follow_redirects=True)) == "Next game: Ann's table, pass"


def test_the_next_game_is_never_at_the_same_table(runtime):
    make_due_games(runtime, 1, Level.RULE)
    with runtime.database.reading() as session:
        assert waiting_games(session, player_id(runtime))
        assert next_game(session, runtime.signer, player_id(runtime), 1) is None


@pytest.mark.parametrize(("reader", "said"), [(None, "Sign in to go from game to game"), ("Bo", "")])
def test_a_link_reveals_no_other_table_to_a_stranger(runtime, reader, said):
    """Neither the player's own, nor those of another visitor at the same browser."""
    table_id = start_game(runtime).table_id
    start_game(runtime)  # where both are asked to pass
    turn = runtime.signer.local_url(Table(runtime, 1).turn_link(ANN))
    pass_first(Table(runtime, 1))
    play = play_address(runtime, table_id)
    client = signed_in(runtime, reader) if reader else site_of(runtime).test_client()
    assert [next_words(client.get(address)) for address in (play, turn)] == [said, ""]
    assert next_words(signed_in(runtime).get(play)).startswith("Next game: Ann's table")
    assert next_words(signed_in(runtime).get(turn, follow_redirects=True)).startswith("Next game: Ann's table")
