"""A link asked for here: in the browser that asked for its email, it opens without a tap on a button."""

import pytest
from playwright.sync_api import expect

from tests.cast import letters, seats, table_row
from tests.mailing import player_id
from tests.sites import site_of
from tests.submitting import FORM, soup
from tests.webapp.tables.guests_by_link import path_of_link
from tests.webapp.tables.open_seats import ASKING, PIP, code, join_path, open_table
from webapp.core.tokens import ConfirmLink, SignInLink
from webapp.forms.opening import LINK_SEAT, OPEN_SEAT
from webapp.models import LetterKind, PlayerRow, SeatState, TableState


@pytest.fixture
def other(runtime):
    """Another browser, or a program that looks at mails."""
    return site_of(runtime).test_client()


def confirmation(runtime):
    """The path of the newest confirmation."""
    letter = letters(runtime, LetterKind.CONFIRM)[-1]
    return runtime.signer.local_url(ConfirmLink(letter.table_id))


def sign_in_link(runtime, name):
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, player_id(runtime, name))
    return runtime.signer.local_url(SignInLink(player.id, player.sign_ins))


def goes_on(client, path):
    page = client.get(path)
    assert page.status_code == 200
    has_script = "go-on.js" in page.text
    assert has_script == bool(soup(page).select("form[data-goes-on]"))
    assert soup(page).select("form button"), "without scripts there is a button"
    return has_script


def test_only_the_browser_that_opened_the_table_confirms_by_itself(runtime, client, other):
    client.post("/tables/new", data=FORM)
    assert goes_on(client, confirmation(runtime))
    assert not goes_on(other, confirmation(runtime))


def test_looking_confirms_nothing(runtime, client):
    client.post("/tables/new", data=FORM)
    client.get(confirmation(runtime))
    assert table_row(runtime, 1).state is TableState.UNCONFIRMED


def test_a_strangers_table_in_the_same_name_needs_confirming(runtime, client, other):
    client.post("/tables/new", data=FORM)
    other.post("/tables/new", data={**FORM, "seat_1_address": "cy@example.org"})
    assert not goes_on(client, confirmation(runtime))


def test_a_refused_confirmation_is_not_sent_again_and_again(runtime, client):
    for host in ("Eva", "Evb", "Evc"):  # as often as strangers may invite somebody a day
        client.post("/tables/new", data={**FORM, "host_address": f"{host}@example.org"})
        assert client.post(confirmation(runtime)).status_code == 303
    client.post("/tables/new", data=FORM)
    refused = client.post(confirmation(runtime))
    assert refused.status_code == 429
    assert "go-on.js" not in refused.text


def test_only_the_browser_that_asked_signs_in_by_itself(runtime, client, other):
    client.post("/tables/new", data=FORM)
    client.post("/sign-in", data={"address": "Ann@example.org"})
    assert goes_on(client, sign_in_link(runtime, "Ann"))
    assert not goes_on(client, sign_in_link(runtime, "Bo"))
    other.post("/sign-in", data={"address": "bo@example.org"})
    assert not goes_on(other, sign_in_link(runtime, "Ann"))


@pytest.mark.parametrize("by_link", [False, True], ids=["from the lobby", "by the host's link"])
def test_only_the_browser_that_asked_for_a_seat_takes_it(runtime, client, other, by_link):
    table_id = open_table(runtime, LINK_SEAT if by_link else OPEN_SEAT, PIP)
    asked = path_of_link(runtime, table_id) if by_link else f"/lobby/{code(runtime, table_id)}"
    client.post(asked, data=ASKING)
    path = join_path(runtime)
    assert goes_on(client, path)
    assert not goes_on(other, path)
    assert seats(runtime, table_id)[1].state is SeatState.OPEN, "looking takes nothing"
    other.post(asked, data={**ASKING, "address": "cy@example.org"})
    assert not goes_on(other, path)
    elsewhere = open_table(runtime, OPEN_SEAT, PIP)
    client.post(f"/lobby/{code(runtime, elsewhere)}", data=ASKING)
    assert not goes_on(client, path), "a browser has asked for one seat at a time"


def test_a_name_that_is_taken_is_not_sent_again(runtime, client):
    table_id = open_table(runtime, LINK_SEAT, PIP)
    client.post(path_of_link(runtime, table_id), data={**ASKING, "name": "Pip"})
    refused = client.post(join_path(runtime), data={"name": "Pip"})
    assert refused.status_code == 400
    assert "go-on.js" not in refused.text


def test_from_the_mail_one_tap_leads_to_the_cards(runtime, address, browser):
    page = browser.new_page()
    page.goto(f"{address}/tables/new")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Your email address").fill("ann@example.org")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/tables/opened")
    page.goto(address + confirmation(runtime))
    page.wait_for_url("**/play/*")
    expect(page.get_by_role("button", name="Pass to")).to_be_visible()
    page.close()
