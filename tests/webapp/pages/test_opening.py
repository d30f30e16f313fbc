"""The form that opens a table, and the page on which its host confirms it."""

import pytest
from bs4 import BeautifulSoup

from tests.cast import dump, letters
from tests.runtimes import make_runtime
from tests.sites import site_of
from tests.submitting import FORM, check_refused, words
from webapp.core.tokens import ConfirmLink
from webapp.models import LetterKind


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        pytest.param("host_name", "", "Enter a name", id="no name"),
        pytest.param("host_address", "a@example.org\nBcc: b@example.org", "not an email address", id="two lines"),
        pytest.param("time_zone", "Mars/Olympus", "time zone from the list", id="unknown time zone"),
        pytest.param("seat_1_kind", "cat", "a player, a robot, anybody, or nobody", id="neither player nor robot"),
        pytest.param("seat_1_name", "ann", "tell them apart", id="two of one name"),
        pytest.param("seat_1_address", "ANN@example.org", "sits at the table already", id="two of one address"),
        pytest.param("seat_1_address", "ann+bo@example.org", None, id="a couple with one mailbox, among friends"),
        pytest.param("seat_2_kind", "none", None, id="three players are fine"),
        pytest.param("preset", "whist", "ways to play from the list", id="unknown preset"),
        pytest.param("preset", "quick\x00", "ways to play from the list", id="a null byte"),
        pytest.param("target", "9", "10", id="too short a game"),
        pytest.param("play_time", "-86400", "time from the list", id="a negative pace"),
    ],
)
def test_the_form_for_a_table_explains_each_invalid_field(runtime, client, field, value, sentence):
    before = dump(runtime)
    response = client.post("/tables/new", data={**FORM, field: value})
    if sentence is None:
        assert response.status_code == 303
    else:
        check_refused(runtime, before, response, 400, sentence)


def test_a_rejected_form_keeps_its_values(client):
    page = BeautifulSoup(client.post("/tables/new", data={**FORM, "target": "7"}).data, "lxml")
    assert page.find("input", {"name": "host_name"})["value"] == "Ann"
    assert page.find("input", {"name": "seat_1_address"})["value"] == "bo@example.org"


def test_two_players_are_too_few(client):
    response = client.post("/tables/new", data={**FORM, "seat_2_kind": "none", "seat_3_kind": "none"})
    assert response.status_code == 400
    assert "three players or more" in words(response)


def test_after_opening_a_table_the_page_names_the_address(runtime, client):
    without_cookies = words(client.get("/tables/opened"))
    assert "the address that you gave" in without_cookies
    assert "None" not in without_cookies
    client.post("/tables/new", data=FORM)
    assert "ann@example.org" in words(client.get("/tables/opened"))


def test_an_empty_form_gets_an_answer_and_not_a_failure(runtime, client):
    check_refused(runtime, dump(runtime), client.post("/tables/new", data={}), 400, "Enter a name")


def test_confirming_twice_invites_once(runtime, client):
    client.post("/tables/new", data=FORM)
    url = runtime.signer.local_url(ConfirmLink(1))
    assert client.get(url).status_code == 200
    assert letters(runtime, LetterKind.INVITATION) == [], "only the button confirms"
    assert [client.post(url).status_code, client.post(url).status_code] == [303, 303]
    assert [letter.again for letter in letters(runtime, LetterKind.INVITATION)] == [False, True]


def test_by_mail_alone_no_seat_waits_for_a_page(tmp_path):
    """Nobody but the host opens our pages: there is no link to send, no lobby, and no live table."""
    own = {"base_url": "none", "smtp_url": "smtp://127.0.0.1:1", "reply_mailbox": "hearts@example.org"}
    runtime = make_runtime(tmp_path / "var", **own)
    client = site_of(runtime).test_client()
    page = BeautifulSoup(client.get("/tables/new").data, "lxml")
    choices = {(field["name"], field["value"]) for field in page.select("main input[type=radio]")}
    assert not {("by", "link"), ("when", "now"), ("seat_1_kind", "open")} & choices
    assert page.select('main a[href="/lobby"]') == []
    hidden = {field["name"]: field["value"] for field in page.select("main input[type=hidden]")}
    typed = {name: value for name, value in FORM.items() if name != "when"}
    assert client.post("/tables/new", data=typed | hidden).status_code == 303
    assert len(letters(runtime, LetterKind.CONFIRM)) == 1
    runtime.database.engine.dispose()


def test_a_link_for_friends_asks_for_no_names(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/tables/new")
    page.locator("#seat_1_name").fill("Cy")
    page.locator("[name=by][value=link]").check()
    assert _friends(page) == [True, False, False], "what is typed stays in sight"
    page.locator("#seat_1_name").fill("")
    assert _friends(page) == [False, False, False]
    page.locator("[name=by][value=names]").check()
    assert _friends(page) == [True, False, False]
    context.close()


def test_the_form_asks_for_one_more_friend_at_a_time(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/tables/new")
    assert _friends(page) == [True, False, False]
    page.locator("#seat_1_name").fill("Bo")
    assert _friends(page) == [True, True, False]
    page.get_by_text("More choices").click()
    page.get_by_label("Seat 3", exact=True).select_option("robot")
    assert _friends(page) == [True, False, True], "a robot has no name to type"
    context.close()


def _friends(page):
    """Whether the form shows the fields of each friend."""
    return [page.locator(f"#seat_{number}_name").is_visible() for number in (1, 2, 3)]


def test_a_form_for_strangers_takes_each_mailbox_once(runtime, client):
    before = dump(runtime)
    data = {**FORM, "seat_1_address": "ann+bo@example.org", "seat_2_kind": "open"}
    check_refused(runtime, before, client.post("/tables/new", data=data), 400, "share a mailbox")
