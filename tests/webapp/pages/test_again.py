"""The page of another game: what it shows to each player, and what its buttons do."""

import pytest

from tests.cast import dump, seat_link, seats
from tests.sites import site_of
from tests.webapp.tables.another_game import agree, finished_table, invitations, link
from webapp.core.tokens import AgainLink
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
    page = client.get(url(runtime, over, BO)).text
    assert "Another game?" in page
    assert page.count("<button") == 1
    answer = client.post(url(runtime, over, BO), data={"answer": "accept"}, follow_redirects=True)
    assert "You play again" in answer.text
    assert "We have invited Ann, Cy and Di, and wait for their answers." in answer.text
    page = client.get(url(runtime, over, CY)).text
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
