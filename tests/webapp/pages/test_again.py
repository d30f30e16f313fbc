"""The page to play again: what it shows to each player, and what its buttons do."""

import pytest

from tests.cast import dump, seat_link, seats
from tests.sites import site_of
from tests.submitting import soup, words
from tests.table import Table
from tests.webapp.tables.another_game import agree, finished_table, invitations, link, newest
from tests.webapp.tables.hosted import composed
from webapp.core.tokens import AgainLink
from webapp.games import talk
from webapp.models import PlayerRow, TableRow
from worker import postman

ANN, BO, CY, DI = range(4)


@pytest.fixture
def over(runtime) -> int:
    """The id of a table of four whose first game is over."""
    return finished_table(runtime)


def url(runtime, table_id: int, seat: int, number: int = 1) -> str:
    return runtime.signer.local_url(link(runtime, table_id, seat, number))


def test_opening_the_page_changes_nothing(runtime, over, client) -> None:
    before = dump(runtime)
    for way in (client.get, client.head):
        assert way(url(runtime, over, BO)).status_code == 200
    assert dump(runtime) == before


def test_one_button_proposes_a_game_and_two_answer(runtime, over, client) -> None:
    page = client.get(url(runtime, over, BO)).text.partition("<footer")[0]
    assert "Another game?" in page
    assert page.count("<button") == 1
    answer = client.post(url(runtime, over, BO), data={"answer": "accept"}, follow_redirects=True)
    assert "You play again" in answer.text
    assert "We have invited Ann, Cy and Di, and wait for their answers." in answer.text
    page = client.get(url(runtime, over, CY)).text.partition("<footer")[0]
    assert "Bo wants to play again" in page
    assert page.count("<button") == 2
    assert (
        "You have declined"
        in client.post(url(runtime, over, CY), data={"answer": "decline"}, follow_redirects=True).text
    )


@pytest.mark.parametrize(("data", "status"), [({}, 400), ({"answer": "maybe"}, 400)])
def test_a_form_from_another_site_changes_nothing(runtime, over, client, data, status) -> None:
    before = dump(runtime)
    assert client.post(url(runtime, over, BO), data=data).status_code == status
    assert dump(runtime) == before


def test_eve_changes_nothing_with_a_forged_link(runtime, over, client) -> None:
    before = dump(runtime)
    bo = seats(runtime, over)[BO].player_id
    for forged in (AgainLink(over, ANN, bo, 1), AgainLink(over, 9, bo, 1), AgainLink(99, BO, bo, 1)):
        assert client.post(runtime.signer.local_url(forged), data={"answer": "accept"}).status_code in (403, 404, 409)
        assert client.get(runtime.signer.local_url(forged)).status_code in (403, 404, 409)
    token = url(runtime, over, BO)
    assert client.post(token[:-2] + "xx", data={"answer": "accept"}).status_code == 403
    assert client.post(token.replace("/again/", "/seat/") + "/fill", data={}).status_code == 403
    assert dump(runtime) == before


def test_between_games_the_page_shows_scores_and_offers_another(runtime, over, client) -> None:
    bo, cy = (runtime.signer.local_url(seat_link(runtime, over, seat)) for seat in (BO, CY))
    page = client.get(bo).text
    assert "Another game?" in page
    assert "/again/" in page
    agree(runtime, over, BO)
    assert "You play again" in client.get(bo).text
    page = client.get(cy).text
    assert "Bo wants to play again" in page
    assert 'class="race"' in page
    assert "after " in page
    agree(runtime, over, ANN, CY, DI)
    assert "Play again" not in client.get(bo).text


def test_the_mail_names_the_willing_players_and_opens_the_page(runtime, over) -> None:
    agree(runtime, over, BO)
    postman.deliver(runtime)
    (letter,) = [one for one in invitations(runtime) if one.seat == CY and one.game_number == 2]
    assert letter.subject == "Bo wants to play again"
    mail = letter.message.replace("=\n", "")
    assert f"/again/{runtime.signer.token(link(runtime, over, CY))[:20]}" in mail
    site = site_of(runtime).test_client()
    assert site.get(url(runtime, over, CY)).status_code == 200


def test_the_question_recalls_the_last_game_and_the_hosts_words(runtime, over) -> None:
    talk.add_line(
        runtime, Table(runtime, newest(runtime, over).id).play_link(CY), "You will all regret this", runtime.now()
    )
    with runtime.database.writing() as session:
        session.get_one(TableRow, over).words = "The loser bakes"
    agree(runtime, over, BO)
    postman.deliver(runtime)
    (letter,) = [one for one in invitations(runtime) if one.seat == DI and one.game_number == 2]
    page = site_of(runtime).test_client().get(url(runtime, over, DI))
    for shown in (composed(runtime, letter)["plain"], words(page)):
        for said in ("share the win with", "after 1 hand.", "The loser bakes", "You will all regret this"):
            assert said in " ".join(shown.split())


def test_the_last_yes_leads_straight_to_the_cards(runtime, over, client) -> None:
    agree(runtime, over, ANN, CY, DI)
    begun = soup(client.post(url(runtime, over, BO), data={"answer": "accept"}, follow_redirects=True))
    (button,) = begun.select("main a.button")
    assert button.text == "To your cards"
    assert "Pass three cards" in words(client.get(button["href"]))


def test_a_forwarded_question_leads_nobody_else_to_the_cards(runtime, over, client) -> None:
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, seats(runtime, over)[BO].player_id).browser_at = runtime.now()  # another one
    agree(runtime, over, ANN, CY, DI)
    begun = soup(client.post(url(runtime, over, BO), data={"answer": "accept"}, follow_redirects=True))
    (button,) = begun.select("main a.button")
    assert button["href"].startswith("/seat/"), "the table page, which shows no cards"


def test_the_game_before_stays_on_the_page_of_the_table(runtime, over, client) -> None:
    agree(runtime, over, ANN, BO, CY, DI)
    page = soup(client.get(runtime.signer.local_url(seat_link(runtime, over, BO))))
    before = page.find(id="before")
    assert before.h2.text == "Game 1, the one before"
    assert "after 1 hand." in before.p.text
    assert before.select("table.score")
    (replay,) = before.select(".numbers a")
    assert "The deal" in words(client.get(replay["href"]))
    record = client.get(before.select_one("a.line-link")["href"])
    assert record.headers["Content-Disposition"].endswith('-1.json"')
