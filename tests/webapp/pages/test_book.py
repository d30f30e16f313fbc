"""The page of a table's book: who may see it, and which years."""

import pytest
from sqlmodel import select

from hearts.rules import preset_rules
from tests.cast import open_table, seat_link, start_game
from tests.mailing import player_id
from tests.submitting import soup, words
from webapp.core.tokens import SeatLink
from webapp.models import BookRow, GameRow, PlayerRow
from webapp.players import forgetting, renaming

BO = 1


@pytest.fixture
def table(runtime):
    """A game that is over after one hand."""
    table = start_game(runtime, rules=preset_rules("quick", target=10))
    table.play_hand()
    return table


def page_of(runtime, table_id, seat=BO):
    return f"{runtime.signer.local_url(seat_link(runtime, table_id, seat))}/book"


def test_the_book_of_a_finished_game_is_linked_and_shown(runtime, client, table):
    table_id = table.table_id
    shown = soup(client.get(runtime.signer.local_url(seat_link(runtime, table_id, BO))))
    page = client.get(shown.find("a", string="The table's book")["href"])
    rows = [[cell.get_text(" ", strip=True) for cell in row.select("th, td")] for row in soup(page).select("tbody tr")]
    assert {row[0] for row in rows} == {"Ann", "Bo", "Cy", "Di"}
    assert {row[1] for row in rows} <= {"0\u00a0of\u00a01", "1\u00a0of\u00a01"}


def test_before_the_first_game_is_over_the_book_is_empty(runtime, client):
    table_id = open_table(runtime)
    assert "No game is over yet." in words(client.get(page_of(runtime, table_id, 0)))
    assert "The table's book" not in words(client.get(runtime.signer.local_url(seat_link(runtime, table_id, 0))))


def test_who_sits_elsewhere_sees_no_book(runtime, client, table):
    link = runtime.signer.local_url(SeatLink(table.table_id, BO, 99))
    assert client.get(f"{link}/book").status_code >= 400
    assert client.get("/seat/x/book").status_code >= 400


@pytest.mark.parametrize(("year", "status"), [("2026", 200), ("1999", 404), ("x", 200), ("", 200)])
def test_a_year_without_a_game_is_not_found(runtime, client, table, year, status):
    with runtime.database.writing() as session:
        game = session.get_one(GameRow, table.game_id)
        game.ended_at = game.ended_at.replace(year=2026)
    assert client.get(f"{page_of(runtime, table.table_id)}?year={year}").status_code == status


def test_the_book_follows_a_new_name(runtime, client, table):
    renaming.rename(runtime, player_id(runtime, "Cy"), "Cyrus", runtime.now(), by="ann")
    shown = words(client.get(page_of(runtime, table.table_id)))
    assert "Cyrus" in shown
    assert "Cy " not in shown


def test_a_forgotten_player_is_somebody_in_the_book(runtime, client, table):
    forgetting.forget(runtime, player_id(runtime, "Cy"), runtime.now())
    shown = words(client.get(page_of(runtime, table.table_id)))
    assert "Somebody" in shown
    assert "Cy " not in shown
    with runtime.database.reading() as session:
        assert len(session.exec(select(BookRow)).all()) == 4


def player_page(runtime, table_id, name, seat=BO):
    return f"{runtime.signer.local_url(seat_link(runtime, table_id, seat))}/player/{player_id(runtime, name)}"


def test_who_has_played_with_a_player_sees_their_games(runtime, client, table):
    table_id = table.table_id
    book = soup(client.get(page_of(runtime, table_id)))
    shown = words(client.get(book.find("a", string="Cy")["href"]))
    assert "Cy has played 1 game, and was never late." in shown
    assert all(
        name in shown for name in ("Average place", "Points a hand", "Queens of spades taken", "Time for a turn")
    )


def test_a_stranger_sees_only_how_many_games_and_how_late(runtime, client, table):
    with runtime.database.writing() as session:
        for line in session.exec(select(BookRow).where(BookRow.seat == 2)):
            line.late = 2
    second = start_game(runtime, ("Eve", "Cy"), robots=2)
    shown = words(client.get(runtime.signer.local_url(seat_link(runtime, second.table_id, 0))))
    assert "Cy" in shown
    shown = words(client.get(player_page(runtime, second.table_id, "Cy", seat=0)))
    assert "Cy has played 1 game, and was late for 2 of " in shown
    assert "Average place" not in shown
    assert "Ann" not in shown


def test_a_player_closes_parts_of_their_page(runtime, client, table):
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player_id(runtime, "Cy")).closed = ["results", "pace"]
    shown = words(client.get(player_page(runtime, table.table_id, "Cy")))
    assert "Queens of spades taken" in shown
    assert "Average place" not in shown
    assert "Time for a turn" not in shown


@pytest.mark.parametrize("name", ["Eve", "Somebody"])
def test_nobody_sees_a_player_of_no_table_of_theirs(runtime, client, table, name):
    table_id = table.table_id
    start_game(runtime, ("Eve", "Bo"), robots=2)
    path = player_page(runtime, table_id, "Eve" if name == "Eve" else "Cy")
    if name == "Somebody":
        forgetting.forget(runtime, player_id(runtime, "Cy"), runtime.now())
    assert client.get(path).status_code == 404


def test_an_invitation_tells_its_sender_nothing_of_its_reader(runtime, client, table):
    table_id = open_table(runtime, ("Eve", "Cy", "Bo", "Di"))
    path = player_page(runtime, table_id, "Cy", seat=0)
    assert client.get(path).status_code == 404
    assert "/player/" not in client.get(runtime.signer.local_url(seat_link(runtime, table_id, 0))).text.replace(
        f"/player/{player_id(runtime, 'Eve')}", ""
    )
