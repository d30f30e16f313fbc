"""All of a player's games: what waits for her first, where she may go on, and nothing of it for anybody else."""

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from sqlalchemy import event
from sqlmodel import select

from hearts.cards import Cards
from hearts.robot import Level
from hearts.seats import Seat
from hearts.turns import Pass
from tests.cast import NAMES, dump, load, make_due_games, open_table, play_first, start_game, turn_link
from tests.webapp.accounts.signed_in import browser_of
from webapp import service
from webapp.core.tokens import PlayLink, TurnLink
from webapp.games.due import due_of
from webapp.games.running import next_game, running_games, waiting_games
from webapp.models import GameRow, GameState, PlayerRow, SeatRow, TableRow, TableState, Way
from webapp.site import make_site

ANN = Seat(0)
SHOWN = ("Your turn at 2 tables", "Others play", "Invitations", "Not begun yet", "Over")


def player_id(parts, name="Ann"):
    with parts.database.reading() as rows:
        return rows.exec(select(PlayerRow.id).where(PlayerRow.address == f"{name.lower()}@example.org")).one()


def signed_in(parts, name="Ann"):
    """The browser of somebody who has signed in."""
    return browser_of(parts, player_id(parts, name))


def change(parts, kind, key, **values):
    with parts.database.writing() as rows:
        row = rows.get_one(kind, key)
        for name, value in values.items():
            setattr(row, name, value)


def waiting(parts, name="Ann"):
    """The ids of the games that wait for her, in their order."""
    with parts.database.reading() as rows:
        return [game.row.id for game in waiting_games(rows, player_id(parts, name))]


def pass_first(parts, game_id, seat=ANN):
    """She passes her first three cards."""
    game = load(parts, game_id).game
    cards = Cards.of(list(game.held[seat])[:3])
    service.take_turn(parts, game_id, due_of(game, seat), Pass(seat, cards), Way.PAGE, parts.now())


def soup(answer):
    return BeautifulSoup(answer.data, "lxml")


# what waits


def test_the_nearest_deadline_comes_first_and_a_clock_that_stands_still_last(parts):
    make_due_games(parts, 3, Level.RULE)
    for game_id, hours in ((1, 9), (2, 2), (3, 5)):
        change(parts, GameRow, game_id, due_at=parts.now() + timedelta(hours=hours))
    assert waiting(parts) == [2, 3, 1]
    change(parts, GameRow, 2, due_at=None)
    assert waiting(parts) == [3, 1, 2]


def test_nothing_waits_where_she_has_played_is_away_or_the_game_is_over(parts):
    make_due_games(parts, 4, Level.RULE)
    pass_first(parts, 1)
    change(parts, SeatRow, (2, 0), away=True)
    change(parts, GameRow, 3, state=GameState.OVER)
    assert waiting(parts) == [4]


def test_what_is_read_of_a_hand_is_what_the_whole_game_asks(either_parts):
    game_id = start_game(either_parts)
    hands = set()
    while len(hands) < 2:
        game = load(either_parts, game_id).game
        for seat, name in enumerate(NAMES):
            with either_parts.database.reading() as rows:
                (running,) = running_games(rows, player_id(either_parts, name))
            assert running.due == due_of(game, Seat(seat))
            assert running.hand.to_act == game.to_act
            if running.due:
                assert running.turn_link(running.due) == turn_link(either_parts, game_id, seat)
        hands.add(game.hand)
        for _ in range(5):
            play_first(either_parts, game_id)


def test_many_games_take_no_more_queries_than_one(parts):
    asked = []
    event.listen(parts.database.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    make_due_games(parts, 9, Level.RULE)
    client = signed_in(parts)
    asked.clear()
    assert len(soup(client.get("/games")).select(".box")) == 9
    of_nine = len(asked)
    for game_id in range(2, 10):
        change(parts, GameRow, game_id, state=GameState.OVER)
    asked.clear()
    assert len(soup(client.get("/games")).select(".box")) == 1
    assert len(asked) == of_nine


# the page


@pytest.fixture
def everything(parts):
    """Tables of Ann's in every state: two wait for her, at one others play, she is invited to one, hosts one, …"""
    make_due_games(parts, 4, Level.RULE)
    pass_first(parts, 3)
    change(parts, TableRow, 4, state=TableState.OVER)
    change(parts, GameRow, 4, state=GameState.OVER, ended_at=parts.now() - timedelta(days=3))
    hosted = open_table(parts, NAMES)
    invited = open_table(parts, ("Bo", "Ann", "Cy"))
    return hosted, invited


def test_my_games_are_in_the_order_of_what_they_want_of_me(parts, everything):
    page = soup(signed_in(parts).get("/games"))
    assert [heading.text for heading in page.find_all("h2")] == list(SHOWN)
    said = [section.get_text(" ", strip=True) for section in page.find_all("section")]
    told = ("It is your turn: pass", "The table waits for", "You are invited", "answers of Bo, Cy and Di", "3 days ago")
    assert all(words in section for words, section in zip(told, said, strict=True))
    assert "with Pip, Ruby and Jack" in said[0]


def test_one_tap_leads_from_my_games_into_each(parts, everything):
    client = signed_in(parts)
    page = soup(client.get("/games"))
    taps = [one["href"] for one in page.select(".box .button:first-child, .rows a")]
    assert [tap.split("/")[1] for tap in taps] == ["turn", "turn", "seat", "invitation", "seat", "seat"]
    assert {client.get(tap).status_code for tap in taps} == {200}


def test_a_table_that_its_host_never_confirmed_is_hers_alone_and_not_for_ever(parts, everything):
    hosted, _ = everything
    change(parts, TableRow, hosted, state=TableState.UNCONFIRMED)
    with parts.database.reading() as rows:
        code = rows.get_one(TableRow, hosted).code
    assert f"Table {code}" in signed_in(parts).get("/games").text
    assert f"Table {code}" not in signed_in(parts, "Cy").get("/games").text
    parts.now.pass_by(timedelta(days=8))
    assert f"Table {code}" not in signed_in(parts).get("/games").text


def test_the_last_twenty_games_that_are_over_are_shown_and_all_of_them_if_asked(parts):
    make_due_games(parts, 23, Level.RULE)
    for number in range(1, 24):
        change(parts, TableRow, number, state=TableState.OVER)
        change(parts, GameRow, number, state=GameState.OVER, ended_at=parts.now() - timedelta(days=number))
    client = signed_in(parts)
    page = soup(client.get("/games"))
    assert [name.text for name in page.select(".rows strong")] == [f"Table {number:05}" for number in range(1, 21)]
    older = page.find("a", string="Show all games that are over")["href"]
    page = soup(client.get(older))
    assert len(page.select(".rows strong")) == 23
    assert not page.find("a", string="Show all games that are over")


def test_a_clock_that_stands_still_is_told_where_a_turn_waits(parts):
    make_due_games(parts, 1, Level.RULE)
    change(parts, TableRow, 1, paused_at=parts.now() - timedelta(hours=1))
    change(parts, GameRow, 1, due_at=None)
    assert "The host has paused the clock" in soup(signed_in(parts).get("/games")).select_one(".box").text


def test_who_sits_nowhere_is_shown_the_way_to_a_table(parts):
    start_game(parts)
    with parts.database.writing() as rows:
        rows.add(PlayerRow(address="eve@example.org", name="Eve", created_at=parts.now()))
    page = signed_in(parts, "Eve").get("/games")
    assert "You sit at no table yet." in page.text
    assert not soup(page).select("section")


def test_looking_at_my_games_changes_nothing(parts, everything):
    client = signed_in(parts)
    before = dump(parts)
    for _ in range(2):
        assert client.get("/games").status_code == 200
    assert dump(parts) == before


# the next game


def next_words(page):
    found = soup(page).select_one("#next-game")
    return " ".join(found.get_text(" ", strip=True).split()) if found else ""


def play_address(parts, table_id, name="Ann"):
    return parts.signer.local_url(PlayLink(table_id, NAMES.index(name), player_id(parts, name)))


def test_after_a_turn_the_most_urgent_of_the_others_is_one_tap_away(parts):
    make_due_games(parts, 4, Level.RULE)
    for game_id in (1, 2, 3, 4):
        change(parts, GameRow, game_id, due_at=parts.now() + timedelta(hours=9 - game_id))
    client = signed_in(parts)
    turn = parts.signer.local_url(turn_link(parts, 1, ANN))
    pass_first(parts, 1)
    for address in (play_address(parts, 1), turn):
        page = client.get(address)
        assert next_words(page) == "Next game: Table 00004, pass 2 more wait for you."
        link = soup(page).select_one("#next-game a")["href"]
        assert parts.signer.read(TurnLink, link.removeprefix("/turn/")).game_id == 4
    for game_id in (2, 4):
        change(parts, GameRow, game_id, state=GameState.OVER)
    assert next_words(client.get(turn)) == "Next game: Table 00003, pass"


def test_the_next_game_is_never_at_the_same_table(parts):
    make_due_games(parts, 1, Level.RULE)
    with parts.database.reading() as rows:
        assert waiting_games(rows, player_id(parts))
        assert next_game(rows, parts.signer, player_id(parts), 1) is None


@pytest.mark.parametrize(("reader", "said"), [(None, "Sign in to go from game to game"), ("Bo", "")])
def test_a_link_tells_of_no_other_table_unless_its_player_has_signed_in(parts, reader, said):
    """Neither of hers, nor of those of whoever looks over her shoulder."""
    table_id = load(parts, start_game(parts)).row.table_id
    start_game(parts)  # where both are asked to pass
    turn = parts.signer.local_url(turn_link(parts, 1, ANN))
    pass_first(parts, 1)
    play = play_address(parts, table_id)
    client = signed_in(parts, reader) if reader else make_site(parts).test_client()
    assert [next_words(client.get(address)) for address in (play, turn)] == [said, ""]
    assert next_words(signed_in(parts).get(play)).startswith("Next game: Table ")
    assert next_words(signed_in(parts).get(turn)).startswith("Next game: Table ")
