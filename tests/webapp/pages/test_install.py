"""The installed site: what browsers need for it, what they cache, and what they never do."""

import json
import re
import struct
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, BrowserType
from sqlmodel import select

from tests.browser import started
from tests.cast import start_game
from tests.icons import BADGE, BADGE_PIXELS, ICONS
from tests.languages import catalogues
from tests.servers import free_port, site_server, wait_until
from tests.sites import site_of
from tests.submitting import held
from tests.syntax import ROOT
from tests.webapp.accounts.signed_in import let_in
from webapp.accounts import devices
from webapp.accounts.devices import Subscription
from webapp.core.say import say, speaking
from webapp.models import DeviceRow
from webapp.pages import home

STATIC = ROOT / "webapp" / "static"
PHONE = {"width": 360, "height": 740}
LARGEST_ICON = 20_000  # bytes
LARGEST_FONT = 40_000  # bytes
LOOKED_AFTER = """() => new Promise((done) => {
  const worker = navigator.serviceWorker;
  worker.addEventListener("controllerchange", () => done(true));
  if (worker.controller) done(true);
})"""
KEPT_ADDRESSES = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys())
      found.push(request.url);
  return found;
}"""

SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map(({ title, body, tag, icon, badge, renotify, data }) =>
    ({ title, body, tag, icon, badge, renotify, url: data.url }));
}"""
CLICKED = """async (tag) => {
  const did = [];
  clients.openWindow = async (url) => did.push(`open ${url}`);
  WindowClient.prototype.focus = async function focus() { did.push(`focus ${this.url}`); };
  const [notification] = await registration.getNotifications({ tag });
  const waits = [];
  const event = new NotificationEvent("notificationclick", { notification });
  event.waitUntil = (promise) => waits.push(promise);
  dispatchEvent(event);
  await Promise.all(waits);
  return did;
}"""
CHANGED = """async ([before, after, p256dh]) => {
  const keys = { p256dh, auth: "A".repeat(22) };
  const subscription = (endpoint) => ({ endpoint, toJSON: () => ({ endpoint, keys }) });
  const waits = [];
  const event = new ExtendableEvent("pushsubscriptionchange");
  event.waitUntil = (promise) => waits.push(promise);
  dispatchEvent(Object.assign(event, { oldSubscription: subscription(before), newSubscription: subscription(after) }));
  await Promise.all(waits);
}"""


@pytest.fixture(scope="module")
def browser(whole_chromium: str, browsers: BrowserType) -> Iterator[Browser]:
    with started(browsers, whole_chromium) as browser:
        yield browser


def manifest(client, language="en"):
    return json.loads(client.get(f"/manifest.webmanifest?language={language}").text)


def png_size(content):
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", content[16:24])


def file(client, address):
    """The kind and the content of a file that the site serves."""
    with client.get(address) as answer:
        assert answer.status_code == HTTPStatus.OK, address
        return answer.mimetype, answer.data


def cached(client):
    """The files that the service worker caches, according to its script."""
    return json.loads(re.search(r"KEPT = (\[.*?\]);", client.get("/service-worker.js").text)[1])


# the manifest


def test_every_page_names_the_manifest_and_an_apple_icon(client):
    page = client.get("/").text
    for address in re.findall(r'<link rel="(?:manifest|apple-touch-icon)" href="([^"]+)"', page):
        assert file(client, address)
    assert page.count('rel="manifest"') == page.count('rel="apple-touch-icon"') == 1


def test_the_manifest_is_typed_and_starts_at_the_players_games(client):
    kind, content = file(client, "/manifest.webmanifest")
    assert kind == "application/manifest+json"
    said = json.loads(content)
    assert (said["start_url"], said["scope"], said["display"]) == ("/games", "/", "standalone")
    for address in (said["start_url"], *(shortcut["url"] for shortcut in said["shortcuts"])):
        assert client.get(address, follow_redirects=True).status_code == HTTPStatus.OK


def test_the_manifest_speaks_the_language_of_its_page(client):
    said = manifest(client, "ar")
    assert (said["lang"], said["dir"]) == ("ar", "rtl")
    with speaking("ar"):
        assert said["shortcuts"][1]["name"] == say("Open a table") != "Open a table"
    assert '/manifest.webmanifest?language=ar"' in client.get("/?language=ar").text


def test_every_icon_of_the_manifest_exists_in_its_size(client):
    sizes = {}
    for icon in manifest(client)["icons"]:
        kind, content = file(client, icon["src"])
        assert kind == icon["type"]
        if icon["type"] == "image/png":
            assert "x".join(map(str, png_size(content))) == icon["sizes"]
            assert len(content) < LARGEST_ICON
            sizes[icon.get("purpose", "any"), icon["sizes"]] = icon["src"]
    assert sizes.keys() >= {("any", "192x192"), ("any", "512x512"), ("maskable", "512x512")}


@pytest.mark.parametrize("name", ICONS)
def test_an_icon_has_the_size_it_is_drawn_in(name):
    pixels, _, _ = ICONS[name]
    assert png_size((STATIC / name).read_bytes()) == (pixels, pixels)


def test_the_notification_badge_has_the_size_it_is_drawn_in():
    assert png_size((STATIC / BADGE).read_bytes()) == (BADGE_PIXELS, BADGE_PIXELS)


def test_the_manifest_has_the_colours_of_the_style_sheet(client):
    style, page = (STATIC / "style.css").read_text(), (ROOT / "templates" / "pages" / "base.html").read_text()
    light, dark = re.search(r"--paper: light-dark\((#\w+), (#\w+)\);", style).groups()
    assert manifest(client)["theme_color"] == manifest(client)["background_color"] == light
    first, other = re.findall(r'<meta name="theme-color" (.*?)>', page)
    assert first == f'content="{dark}" media="(prefers-color-scheme: dark)"'  # the first that fits is taken
    assert other == f'content="{light}"'


def test_pages_may_use_only_this_sites_worker_and_manifest(client):
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "worker-src 'self'" in policy
    assert "manifest-src 'self'" in policy


# the worker


def test_the_worker_may_fetch_and_show_only_what_is_ours(client):
    answer = client.get("/service-worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; connect-src 'self'; img-src 'self'"


def test_the_worker_caches_all_that_the_offline_page_needs(client):
    page = client.get(home.OFFLINE).text
    wanted = re.findall(r'(?:src|href)="(/static/(?:style|logo|install)[^"]+)"', page)
    assert set(cached(client)) == {f"{home.OFFLINE}?language=en", *wanted}
    assert all(file(client, address) for address in cached(client))


def test_a_changed_page_or_file_makes_browsers_cache_it_anew(client, monkeypatch):
    before = client.get("/service-worker.js").text
    assert client.get("/service-worker.js").text == before
    monkeypatch.setattr(home, "ASSETS", ("style.css",))
    assert client.get("/service-worker.js").text != before
    monkeypatch.undo()
    monkeypatch.setattr(home, "offline", lambda: "a page with other words")
    assert client.get("/service-worker.js").text != before


def test_the_worker_caches_the_page_in_its_readers_language(client, tmp_path):
    with catalogues(tmp_path, {"de": {}}):
        client.set_cookie("language", "de")
        kept = cached(client)[0]
        client.delete_cookie("language")  # without cookies it asks for what it caches
        assert '<html lang="de">' in client.get(kept).text
        assert "<form" not in client.get(kept).text


def test_the_offline_page_names_nobody(runtime, client):
    start_game(runtime)
    let_in(client, runtime, 1)
    assert "Ann" in client.get("/games").text
    assert "Ann" not in client.get(home.OFFLINE).text


# in a browser


@pytest.fixture
def phone(browser):
    context = browser.new_context(viewport=PHONE)
    yield context.new_page()
    context.close()


def wait_for_worker(page):
    page.evaluate(LOOKED_AFTER)  # no wait_for_function: it evaluates text, which the policy of the pages forbids


def test_without_a_connection_a_page_says_where_the_turn_waits(phone, runtime):
    link = runtime.signer.local_url(start_game(runtime).turn_link(0))
    port = free_port()
    with site_server(runtime, port) as address:
        phone.goto(address + link)
        wait_for_worker(phone)
        assert "Pass three cards" in phone.inner_text("h1")
    phone.goto(address + link)
    assert phone.inner_text("h1") == "You are offline"
    assert phone.inner_text(".lead") == "Your turn waits in your mail."
    assert phone.evaluate("getComputedStyle(document.querySelector('.button')).borderRadius") == "16px"  # styled
    with site_server(runtime, port):
        phone.get_by_role("link", name="Try again").click()
        phone.get_by_role("heading", name="Pass three cards").wait_for()


def test_online_nothing_changes_and_posts_bypass_the_worker(phone, runtime, address):
    """Pages come from the site, the worker does not touch the POST of a turn, and no page is cached."""
    table = start_game(runtime)
    link = runtime.signer.local_url(table.turn_link(0))
    phone.goto(f"{address}/")
    wait_for_worker(phone)
    answers = []
    phone.on("response", lambda answer: answers.append(answer))
    looked = phone.goto(address + link)
    assert looked.from_service_worker
    for card in phone.locator("label:has(input[name=card])").all()[:3]:
        card.click()
    with phone.expect_navigation():
        phone.get_by_role("button", name="Pass").click()
    sent = [answer for answer in answers if answer.request.method == "POST"]
    assert [answer.status for answer in sent if answer.url == address + link] == [303]
    assert not any(answer.from_service_worker for answer in sent)
    phone.goto(f"{address}/practice")
    shelves = phone.evaluate(KEPT_ADDRESSES)
    assert sorted(url.removeprefix(address).partition("?")[0] for url in shelves) == [
        "/offline",
        "/static/install.js",
        "/static/logo.svg",
        "/static/style.css",
    ]


def test_a_post_does_not_even_reach_the_worker(phone, address):
    """Otherwise the report of leaving a page is lost with the page, now and then."""
    phone.goto(f"{address}/")
    wait_for_worker(phone)
    (worker,) = phone.context.service_workers
    worker.evaluate(
        "() => { self.passed = []; addEventListener('fetch', ({ request }) => passed.push(request.method)); }"
    )
    phone.evaluate("fetch('/robots.txt').then(() => fetch('/robots.txt', { method: 'POST' })).then(() => null)")
    assert worker.evaluate("passed") == ["GET"]


# notifications


TRIES, TRY_SECONDS = 8, 15.0


@pytest.fixture
def deliver(phone, address):
    """Delivers a notification to the site's worker as a push service would; returns the shown ones."""
    phone.context.grant_permissions(["notifications"], origin=address)
    phone.goto(f"{address}/robots.txt")
    phone.evaluate("navigator.serviceWorker.register('/service-worker.js')")
    phone.evaluate("navigator.serviceWorker.ready.then(() => null)")
    line, found = phone.context.new_cdp_session(phone), []
    line.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    line.send("ServiceWorker.enable")
    wait_until("the worker is known", lambda: phone.evaluate("1") and found)

    def delivered(tag, **data):
        data = json.dumps({"title": "Your turn: trick 5, spades led", "body": "no points", "tag": tag, **data})
        number = found[-1]["registrationId"]
        message = {"origin": address, "registrationId": number, "data": data}
        for _ in range(TRIES):
            line.send("ServiceWorker.deliverPushMessage", message)
            with suppress(AssertionError):  # a worker that the browser just starts or stops may miss one
                wait_until("it is shown", lambda: is_shown(phone, tag, json.loads(data)), TRY_SECONDS)
                break
        assert is_shown(phone, tag, json.loads(data))
        return phone.evaluate(SHOWN)

    return delivered


def is_shown(page, tag, data):
    return any(one["tag"] == tag and one["url"] == data["url"] for one in page.evaluate(SHOWN))


def click_on(page, tag):
    """Sends a tap on the notification to the worker; returns its actions on pages, which only a real tap may cause."""
    (worker,) = page.context.service_workers
    return worker.evaluate(CLICKED, tag)


def test_a_notification_is_shown_with_its_text_and_our_pictures(phone, deliver, address):
    came = []
    phone.context.on("response", lambda answer: came.append(answer.url))
    (shown,) = deliver("hearts-1-0", url=f"{address}/turn/x")
    pictures = {name: shown.pop(name) for name in ("icon", "badge")}
    assert shown == {
        "title": "Your turn: trick 5, spades led",
        "body": "no points",
        "tag": "hearts-1-0",
        "url": f"{address}/turn/x",
        "renotify": True,
    }
    for url in pictures.values():
        assert url.startswith(f"{address}/static/")
        assert phone.request.get(url).headers["content-type"] == "image/png"
    allowed = "the icon is fetched, as the worker's policy allows"
    wait_until(allowed, lambda: phone.evaluate("1") and any("icon-192" in url for url in came))


def test_a_newer_notification_replaces_that_seats_older_one_only(deliver, address):
    deliver("hearts-1-0", url=f"{address}/turn/old")
    deliver("hearts-2-0", url=f"{address}/turn/other")
    shown = deliver("hearts-1-0", url=f"{address}/turn/new")
    assert {one["tag"]: one["url"].rpartition("/")[2] for one in shown} == {"hearts-1-0": "new", "hearts-2-0": "other"}


def test_a_notification_closes_when_its_turn_was_played_elsewhere(phone, deliver, address, runtime):
    table = start_game(runtime)
    for seat in (0, 1):
        deliver(f"hearts-1-{seat}", url=address + runtime.signer.local_url(table.turn_link(seat)))
    deliver("hearts-2-0", url=f"{address}/turn/x")
    phone.goto(f"{address}/")
    pass_three(table, 0)
    phone.goto(f"{address}/lobby")
    wait_until("it has gone", lambda: shown_tags(phone) == ["hearts-1-1", "hearts-2-0"])
    pass_three(table, 1)
    deliver("hearts-3-0", url=f"{address}/turn/y")
    wait_until("the next one takes it away", lambda: shown_tags(phone) == ["hearts-2-0", "hearts-3-0"])


def pass_three(table, seat):
    """Passes in another browser."""
    url = table.runtime.signer.local_url(table.turn_link(seat))
    passed = site_of(table.runtime).test_client().post(url, data={"card": held(table, seat)[:3]})
    assert passed.status_code == 303


def shown_tags(phone):
    return sorted(one["tag"] for one in phone.evaluate(SHOWN))


def test_a_tap_focuses_the_open_page_or_opens_it(phone, deliver, address):
    deliver("hearts-1-0", url=f"{address}/turn/x")
    assert click_on(phone, "hearts-1-0") == [f"open {address}/turn/x"]
    deliver("hearts-1-1", url=f"{address}/robots.txt")  # the browser may still be removing the first one
    assert click_on(phone, "hearts-1-1") == [f"focus {address}/robots.txt"]
    assert phone.evaluate(SHOWN) == []


def test_a_tap_opens_no_page_of_another_site(phone, deliver):
    deliver("hearts-1-0", url="https://example.org/turn/x")
    assert click_on(phone, "hearts-1-0") == []


def test_a_changed_push_address_is_reported_to_us(phone, deliver, address, runtime):
    start_game(runtime)
    key = generate_private_key(SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    key = urlsafe_b64encode(key).rstrip(b"=").decode()
    before, after = (f"https://fcm.googleapis.com/fcm/send/{name}" for name in ("before", "after"))
    devices.add_device(runtime, 1, Subscription(before, key, "A" * 22), runtime.now())
    deliver("hearts-1-0", url=f"{address}/turn/x")  # so that the worker runs
    (worker,) = phone.context.service_workers
    worker.evaluate(CHANGED, [before, after, key])
    with runtime.database.reading() as session:
        (device,) = session.exec(select(DeviceRow)).all()
    assert (device.player_id, device.endpoint) == (1, after)


def test_an_old_cache_is_deleted(phone, address):
    phone.goto(f"{address}/robots.txt")  # nothing there needs the worker
    phone.evaluate("caches.open('kept-before').then((shelf) => shelf.put('/turn/x', new Response('x')))")
    phone.goto(f"{address}/offline")
    wait_for_worker(phone)
    (name,) = phone.evaluate("caches.keys()")
    assert name != "kept-before"


def test_the_font_of_headings_is_small_and_our_own(client):
    with client.get("/static/headings.woff2") as font:
        assert font.mimetype == "font/woff2"
        assert 0 < len(font.data) <= LARGEST_FONT
    assert "font-src 'self'" in client.get("/").headers["Content-Security-Policy"]
