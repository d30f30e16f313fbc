"""The guest list on a host's pages: the link, who came by it, and the host's buttons."""

import pytest

from tests.cast import dump, seat_link, seats, table_row
from tests.submitting import soup, words
from tests.webapp.tables.guests_by_link import come, open_linked
from tests.webapp.tables.open_seats import ANN, BO, CY, PIP, accept, open_table, signed_in
from webapp.core.tokens import ConfirmLink, MessengerLink
from webapp.forms.opening import LINK_SEAT
from webapp.games.record import links
from webapp.models import PlayerRow, SeatState, TableState


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
    pages.append(links.host_link(table_row(runtime, table_id), host))
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
    assert "Everybody is here. You deal the first hand." in words(client.get(path)).replace("  ", " ")
    client.post(f"{path}/guests", data={"want": "deal"})
    assert table_row(runtime, table_id).state is TableState.PLAYING


def pages_of(runtime, table_id):
    """The host's pages before the first deal, by name."""
    host = seats(runtime, table_id)[ANN]
    made = {
        "seat": seat_link(runtime, table_id, ANN),
        "play": links.play_link(host),
        "host": links.host_link(table_row(runtime, table_id), host),
        "confirm": ConfirmLink(table_id),
    }
    return {name: runtime.signer.local_url(link) for name, link in made.items()}


@pytest.mark.parametrize(
    ("label", "others", "comes"),
    [
        ("Deal the first hand", (LINK_SEAT, PIP, PIP), True),
        ("Play now with robots", (LINK_SEAT, BO, PIP), False),
    ],
)
@pytest.mark.parametrize("where", ["seat", "play", "host", "confirm"])
def test_a_host_who_deals_from_any_page_sees_their_cards(runtime, client, label, others, comes, where):
    table_id = open_table(runtime, *others)
    if comes:
        come(runtime, table_id, "Bo")
    browser = signed_in(runtime, "Ann") if where == "seat" else client
    page = soup(browser.get(pages_of(runtime, table_id)[where]))
    (button,) = (button for button in page.find_all("button") if button.text == label)
    form = {button["name"]: button["value"]}
    shown = browser.post(button.find_parent("form")["action"], data=form, follow_redirects=True)
    assert soup(shown).find_all("input", {"name": "card"})


@pytest.mark.parametrize("where", ["seat", "host"])
def test_a_robot_for_the_last_seat_leads_to_the_cards(runtime, client, where):
    table_id = open_table(runtime, BO, PIP)
    form, browser = {"seat": "1", "kind": "robot"}, signed_in(runtime, "Ann")
    shown = browser.post(f"{pages_of(runtime, table_id)[where]}/fill", data=form, follow_redirects=True)
    assert soup(shown).find_all("input", {"name": "card"})


@pytest.mark.parametrize("where", ["seat", "host", "confirm"])
def test_a_host_deals_in_an_unknown_browser_without_their_cards(runtime, client, where):
    table_id = open_table(runtime, BO, PIP)
    if where != "seat":  # whose link alone lets nobody in, whatever browser is known
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, seats(runtime, table_id)[ANN].player_id).browser_at = runtime.now()
    shown = client.post(f"{pages_of(runtime, table_id)[where]}/robots", follow_redirects=True)
    assert shown.request.path.startswith("/seat/")
    assert "Mail me my turn" in words(shown)
    assert not soup(shown).find_all("input", {"name": "card"})


def test_one_tap_names_who_may_still_join(runtime, client):
    table_id = open_table(runtime, BO, CY, PIP)
    shown = words(client.get(seat_path(runtime, table_id)))
    assert "Bo and Cy can still say yes, and then get their seats after a hand." in shown
    accept(runtime, table_id, 2)
    assert "Bo can still say yes, and then gets the seat from its robot" in words(
        client.get(seat_path(runtime, table_id))
    )


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
