"""The guest list on a host's pages: the link, who came by it, and the host's buttons."""

import pytest

from tests.cast import dump, seat_link, seats, table
from tests.submitting import soup, words
from tests.webapp.tables.guests_by_link import come, open_linked
from tests.webapp.tables.open_seats import ANN, BO, PIP, accept, signed_in
from webapp.core.tokens import ConfirmLink, MessengerLink
from webapp.games.record import links
from webapp.models import SeatState, TableState


def seat_path(runtime, table_id, seat=ANN):
    return runtime.signer.local_url(seat_link(runtime, table_id, seat))


def link_on(runtime, page):
    """The link that a page shows; None if it shows none."""
    field = soup(page).find("input", id="link")
    return field and runtime.signer.read(MessengerLink, field["value"].rpartition("/")[2])


def test_every_host_page_before_the_deal_has_the_link(runtime, client):
    table_id = open_linked(runtime, PIP)
    ann = signed_in(runtime, "Ann")
    host = seats(runtime, table_id)[ANN]
    pages = [seat_link(runtime, table_id, ANN), ConfirmLink(table_id), links.play_link(host)]
    pages.append(links.host_link(table(runtime, table_id), host))
    shown = [link_on(runtime, ann.get(runtime.signer.local_url(link))) for link in pages]
    assert shown == [MessengerLink(table_id, 1)] * 4


def test_nobody_else_sees_the_link(runtime, client):
    table_id = open_linked(runtime, BO, PIP)
    accept(runtime, table_id, 2)
    assert link_on(runtime, client.get(seat_path(runtime, table_id, 2))) is None


def test_the_host_refuses_a_guest_whom_the_page_names(runtime, client):
    table_id = open_linked(runtime, PIP, free=2)
    seat = come(runtime, table_id, "Bo")
    path = seat_path(runtime, table_id)
    assert "Bo came by your link, address confirmed" in words(client.get(path))
    done = client.post(f"{path}/guests", data={"want": "refuse", "seat": str(seat)})
    assert done.status_code == 303
    assert seats(runtime, table_id)[seat].state is SeatState.OPEN
    assert client.post(f"{path}/guests", data={"want": "refuse", "seat": str(seat)}).status_code == 409


def test_the_host_gets_a_new_link_for_one_taken_back(runtime, client):
    table_id = open_linked(runtime, PIP)
    path = seat_path(runtime, table_id)
    client.post(f"{path}/guests", data={"want": "new-link", "number": "1"})
    assert link_on(runtime, client.get(path)) == MessengerLink(table_id, 2)


def test_the_host_deals_once_everybody_is_here(runtime, client):
    table_id = open_linked(runtime, PIP, PIP)
    path = seat_path(runtime, table_id)
    come(runtime, table_id, "Bo")
    assert "Everybody is here." in words(client.get(path))
    client.post(f"{path}/guests", data={"want": "deal"})
    assert table(runtime, table_id).state is TableState.PLAYING


def test_a_host_who_deals_where_they_play_sees_their_cards(runtime, client):
    table_id = open_linked(runtime, PIP, PIP)
    come(runtime, table_id, "Bo")
    path = runtime.signer.local_url(links.play_link(seats(runtime, table_id)[ANN]))
    (form,) = (form for form in soup(client.get(path)).find_all("form") if form.find("button", value="deal"))
    assert form["action"] == f"{path}/guests"
    page = client.post(form["action"], data={"want": "deal"}, follow_redirects=True)
    assert soup(page).find_all("input", {"name": "card"})


@pytest.mark.parametrize(
    "form",
    [{}, {"want": "x"}, {"want": "refuse"}, {"want": "refuse", "seat": "²"}, {"want": "new-link", "number": "9" * 10}],
    ids=str,
)
def test_an_invalid_form_changes_nothing(runtime, client, form):
    table_id = open_linked(runtime, PIP)
    before = dump(runtime)
    assert client.post(f"{seat_path(runtime, table_id)}/guests", data=form).status_code == 400
    assert dump(runtime) == before


def test_another_player_decides_nothing_about_guests(runtime, client):
    table_id = open_linked(runtime, BO, PIP)
    accept(runtime, table_id, 2)
    before = dump(runtime)
    assert client.post(f"{seat_path(runtime, table_id, 2)}/guests", data={"want": "deal"}).status_code == 409
    assert dump(runtime) == before


def test_the_link_opens_any_seat_that_the_host_gives_it(runtime, client):
    table_id = open_linked(runtime, BO, PIP, free=0)
    path = seat_path(runtime, table_id)
    client.post(f"{path}/fill", data={"seat": "1", "kind": "link"})
    assert link_on(runtime, client.get(path)) == MessengerLink(table_id, 1)
    assert come(runtime, table_id, "Cy") == 1
