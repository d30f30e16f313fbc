"""The table page of a seat: it shows, and leads only its own player to play."""

from tests.cast import open_table, seat_link, seats
from tests.sites import site_of
from tests.submitting import held, soup, words
from webapp.core.tokens import SignInLink
from webapp.models import PlayerRow


def test_the_table_page_leads_only_signed_in_players_to_play(client, runtime, table):
    table_id = table.table_id
    url = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    site_of(runtime).test_client().post(runtime.signer.local_url(table.turn_link(0)), data={"card": held(table, 0)[:3]})
    assert "/play/" not in client.get(url).text, "in another browser than the one that has played"
    client.post(runtime.signer.local_url(SignInLink(seats(runtime, table_id)[0].player_id, 0)))
    assert soup(client.get(url)).find("a", string="Play here")["href"].startswith("/play/")
    other = runtime.signer.local_url(seat_link(runtime, table_id, 1))
    assert "/play/" not in client.get(other).text, "another seat's page"


def test_the_page_of_a_new_table_says_what_happens_next(client, runtime, table):
    page = soup(client.get(runtime.signer.local_url(seat_link(runtime, open_table(runtime), 0))))
    assert page.select_one("#lead").text.split("\n")[1].startswith("We have invited ")
    assert "We deal the first hand as soon as every seat is taken." in page.select_one("#lead").text
    assert page.select_one("#scores").has_attr("hidden")
    played = soup(client.get(runtime.signer.local_url(seat_link(runtime, table.table_id, 0))))
    assert not played.select_one("#scores").has_attr("hidden")


def test_all_at_the_table_see_who_share_a_mailbox(client, runtime, table):
    table_id = table.table_id
    pages = [client.get(runtime.signer.local_url(seat_link(runtime, table_id, seat))) for seat in (0, 2)]
    assert not any("share a mailbox" in words(page) for page in pages)
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, seats(runtime, table_id)[1].player_id).address = "ann+bo@example.org"
    pages = [client.get(runtime.signer.local_url(seat_link(runtime, table_id, seat))) for seat in (0, 2)]
    assert all("Ann and Bo share a mailbox." in words(page) for page in pages)
