"""The devices on the page of a player's preferences: what its buttons do and refuse, and what a browser shows."""

import json
import re
from http import HTTPStatus

import pytest

from tests.cast import dump, letters, start_game
from tests.runtimes import make_runtime
from tests.sites import site_of
from tests.table import Table
from tests.webapp.accounts.signed_in import let_in
from tests.webapp.accounts.subscriptions import GOOGLE, SECRET, form, preferences_link, rows_of, subscription
from webapp.accounts import devices
from webapp.core.tokens import PlayLink, PreferencesLink
from webapp.models import LetterKind
from worker import postman

ANN = 1
PHONE = {"width": 360, "height": 740}
# A browser that subscribes without a network: the real one asks its maker's servers.
SUBSCRIBES = """(form) => {
  const { endpoint, p256dh, auth } = form;
  const made = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
  Notification.requestPermission = async () => form.permission;
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly || applicationServerKey !== form.key) throw new Error("other options");
    sessionStorage.subscribed = "yes";
    return made;
  };
  PushManager.prototype.getSubscription = async () => (sessionStorage.subscribed ? made : null);
}"""


@pytest.fixture(autouse=True)
def _game(request):
    if "runtime" in request.fixturenames:
        start_game(request.getfixturevalue("runtime"))


def test_a_device_is_added_listed_and_forgotten(runtime, client):
    page = preferences_link(runtime)
    let_in(client, runtime, ANN)
    added = client.post(f"{page}/devices", data=form())
    assert (added.status_code, added.location) == (HTTPStatus.SEE_OTHER, f"{page}?done=told")
    shown = client.get(added.location).text
    assert "This device tells you when it is your turn." in shown
    assert "Chrome, or one like it" in shown
    assert GOOGLE not in shown
    assert SECRET not in shown
    forgotten = client.post(
        f"{page}/devices/forget", data={"device": re.search(r'name="device" value="(\d+)"', shown)[1]}
    )
    assert "Nothing is sent there any more." in client.get(forgotten.location).text
    assert rows_of(runtime) == []


def test_a_forwarded_mail_adds_no_device_without_mailed_consent(runtime, client):
    page = preferences_link(runtime)
    assert client.post(f"{page}/table", data={"table": "1", "want": "no-mails"}).status_code == HTTPStatus.SEE_OTHER
    added = client.post(f"{page}/devices", data=form())
    assert added.location == f"{page}?done=asked"
    assert "waits for your yes" in client.get(page).text
    assert [row.is_confirmed for row in rows_of(runtime)] == [False]
    postman.deliver(runtime)
    (mail,) = letters(runtime, LetterKind.DEVICE_ADDED)
    path = re.search(r"http://127\.0\.0\.1:8000(/device/\S+)", mail.message.replace("=\n", ""))[1]
    assert "Shall a device" in client.get(path).text
    assert [row.is_confirmed for row in rows_of(runtime)] == [False], "scanners open links"
    assert "tells you from now on" in client.post(path).text
    assert [row.is_confirmed for row in rows_of(runtime)] == [True]
    client.post(f"{page}/devices/forget", data={"device": "all"})
    assert "off the list" in client.post(path).text


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/devices/mails", {"want": "none"}),
        ("/devices/mails", {}),
        ("/devices/forget", {"device": "1 or 1"}),
        ("/devices/forget", {"device": "²"}),
        ("/devices/forget", {"device": "9" * 40}),
        ("/devices/forget", {}),
        ("/devices", {}),
    ],
)
def test_a_value_that_no_button_sends_changes_nothing(runtime, client, path, data):
    client.post(f"{preferences_link(runtime)}/devices", data=form())
    before = dump(runtime)
    assert client.post(f"{preferences_link(runtime)}{path}", data=data).status_code == HTTPStatus.BAD_REQUEST
    assert dump(runtime) == before


def test_opening_the_page_changes_nothing(runtime, client):
    client.post(f"{preferences_link(runtime)}/devices", data=form())
    before = dump(runtime)
    client.get(preferences_link(runtime))
    for path in ("/devices", "/devices/forget", "/devices/mails"):
        assert client.get(f"{preferences_link(runtime)}{path}").status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert client.get("/devices/renewed").status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert dump(runtime) == before


def test_no_turn_or_game_link_adds_a_device(runtime, client):
    """Such links are forwarded and seen by others, and a device gets the links of every turn to come."""
    tokens = [runtime.signer.token(Table(runtime, 1).turn_link(0)), runtime.signer.token(PlayLink(1, 0, ANN))]
    for token in tokens:
        for place in ("preferences", "turn", "play"):
            assert client.post(f"/{place}/{token}/devices", data=form()).status_code in (403, 404)
    assert rows_of(runtime) == []


def test_without_a_key_no_device_is_offered_or_accepted(tmp_path):
    public = {"base_url": "https://hearts.example.org", "smtp_url": "smtp://relay", "mail_from": "h@example.org"}
    made = make_runtime(tmp_path / "var", secret_keys="k" * 32, **public)
    start_game(made)
    client = site_of(made).test_client()
    page = made.signer.local_url(PreferencesLink(ANN))
    assert "devices" not in client.get(page).text
    refused = client.post(f"{page}/devices", data=form())
    assert refused.status_code == HTTPStatus.BAD_REQUEST
    assert "We send no notifications from here." in refused.text
    made.database.engine.dispose()


@pytest.fixture
def phone(browser):
    context = browser.new_context(viewport=PHONE)
    yield context.new_page()
    context.close()


def pretend(page, runtime, permission="granted"):
    """Makes the browser subscribe by itself, as far as the page can see."""
    data = {**form(), "key": runtime.push_key.public, "permission": permission}
    page.add_init_script(f"({SUBSCRIBES})({json.dumps(data)})")


def test_one_tap_adds_this_device_and_lists_it(phone, runtime, address):
    devices.add_device(runtime, ANN, subscription("laptop"), runtime.now())
    pretend(phone, runtime)
    phone.goto(address + preferences_link(runtime))
    offer = phone.get_by_role("button", name="Tell me on this device when it is my turn")
    with phone.expect_navigation():
        offer.click()
    this = phone.get_by_role("listitem").filter(has_text="this device")
    this.wait_for()
    assert offer.is_hidden()
    assert [row.endpoint for row in rows_of(runtime)] == [f"{GOOGLE}laptop", f"{GOOGLE}x"]
    with phone.expect_navigation():
        this.get_by_role("button", name="Forget it").click()
    offer.wait_for()
    assert [row.endpoint for row in rows_of(runtime)] == [f"{GOOGLE}laptop"]


def test_the_page_says_where_notifications_are_blocked(phone, runtime, address):
    pretend(phone, runtime, permission="denied")
    phone.goto(address + preferences_link(runtime))
    phone.get_by_role("button", name="Tell me on this device when it is my turn").click()
    phone.get_by_text("Your browser does not let this site notify you.").wait_for()
    assert rows_of(runtime) == []


def test_a_browser_without_push_is_offered_nothing(phone, runtime, address):
    phone.add_init_script("delete window.PushManager")
    phone.goto(address + preferences_link(runtime), wait_until="networkidle")
    assert phone.get_by_text("On your devices").is_hidden()


def test_a_phone_that_needs_it_learns_of_the_home_screen(phone, runtime, address):
    phone.add_init_script("delete window.PushManager; navigator.standalone = false")
    phone.goto(address + preferences_link(runtime))
    phone.get_by_text("once the site is on the home screen").wait_for()
    assert phone.get_by_role("button", name="Tell me on this device").is_hidden()
