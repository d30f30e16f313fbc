"""Measures the size, the speed and the layout shifts of the page of a turn: python -m bench.pages

Gunicorn serves a turn of a game of four on this machine; Chromium opens it as a phone of 360 by 740 pixels with a
processor four times as slow, each time with an empty cache. The figures do not include the network.
"""

import gzip
import re
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench.printing import say, say_load
from bench.serving import serving
from hearts.cards import card_text
from hearts.game import Stage, legal
from tests.browser import find_browser
from tests.cast import load, make_runtime, play_first, start_game, turn_link
from tests.gallery import PHONE
from webapp.core.runtime import Runtime

ROOT = Path(__file__).parent.parent
ASKED, LOADS, SLOWER = 200, 5, 4
FIRST_VIEW = 14 * 1024
SCRIPT = re.compile(r'<script src="(/static/([^"?]+)[^"]*)"')
FOLLOWED = r'data-page="([^"]+)"'  # the address that the page of a turn polls
FIGURES = """() => new Promise((done) => {
  let shifts = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((one) => { shifts += one.value; }))
    .observe({type: 'layout-shift', buffered: true});
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName('first-contentful-paint')[0]?.startTime;
    if (paint === undefined) return;
    const {domContentLoadedEventEnd: ready, loadEventEnd: whole} = performance.getEntriesByType('navigation')[0];
    const files = performance.getEntriesByType('resource');
    const blocking = files.filter((one) => one.renderBlockingStatus === 'blocking').length;
    setTimeout(() => done({paint, ready, whole, shifts, requests: 1 + files.length, first: 1 + blocking}), 500);
  }).observe({type: 'paint', buffered: true});
})"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        runtime = make_runtime(Path(folder))
        link = a_turn(runtime)
        runtime.database.engine.dispose()
        with serving(Path(folder)) as site:
            port = site.port
            report_bytes(port, link)
            report_server(port, link)
            report_poll(port, link)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
                report_browser(browser, f"http://127.0.0.1:{port}{link}")
                browser.close()
    say_load()
    return 0


def a_turn(runtime: Runtime) -> str:
    """The path of a turn in the first trick, with thirteen cards, one of them chosen by the mail's link."""
    runtime.now.at = datetime.now(UTC)  # type: ignore[attr-defined]  # the cast's own clock
    game_id = start_game(runtime)
    while load(runtime, game_id).game.stage is not Stage.PLAY:
        play_first(runtime, game_id)
    game = load(runtime, game_id).game
    seat = game.to_act[0]
    return f"{runtime.signer.local_url(turn_link(runtime, game_id, seat))}?card={card_text(min(legal(game, seat)))}"


def fetched(connection: HTTPConnection, path: str) -> tuple[bytes, bytes]:
    """A response's body as transferred, and decompressed. Raises OSError."""
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise OSError(f"{answer.status} for a page that should be there")
    return content, gzip.decompress(content) if answer.headers["Content-Encoding"] == "gzip" else content


def report_bytes(port: int, link: str) -> None:
    connection = HTTPConnection("127.0.0.1", port)
    page, html = fetched(connection, link)
    style, css = fetched(connection, named(html, r'rel="stylesheet" href="([^"]+)"'))
    picture, svg = fetched(connection, "/static/" + named(css, r'url\("(cards[^"]+)"'))
    scripts = [f"{name} {len(fetched(connection, path)[0]):,}" for path, name in SCRIPT.findall(html.decode())]
    connection.close()
    total = len(page) + len(style)
    say(f"first view: {total:,} bytes of {FIRST_VIEW:,} allowed", end=": ")
    say(f"page {len(page):,} (of {len(html):,}), style sheet {len(style):,} (of {len(css):,})")
    say(f"the faces of the cards, kept for a year: {len(picture):,} bytes (of {len(svg):,})")
    say(f"scripts, after the first view: {', '.join(scripts)}")


def named(text: bytes, pattern: str) -> str:
    found = re.search(pattern, text.decode())
    assert found is not None
    return found[1]


def report_server(port: int, link: str) -> None:
    middle, late = taken(port, link)
    say(f"server: {middle:.1f} ms a page, 95 of 100 within {late:.1f} ms ({ASKED} asked)")


def report_poll(port: int, link: str) -> None:
    """Prints the cost of a page's polling every second or so."""
    connection = HTTPConnection("127.0.0.1", port)
    _, html = fetched(connection, link)
    poll = f"{named(html, FOLLOWED)}/now"
    news, _ = fetched(connection, poll)
    connection.close()
    middle, late = taken(port, poll)
    say(f"a look for news: {middle:.1f} ms, 95 of 100 within {late:.1f} ms ({ASKED} asked), {len(news):,} bytes")


def taken(port: int, path: str) -> tuple[float, float]:
    """The response time of an address in milliseconds: the median and the 95th percentile."""
    connection = HTTPConnection("127.0.0.1", port)
    took = []
    for _ in range(ASKED):
        begun = time.perf_counter()
        fetched(connection, path)
        took.append(1000 * (time.perf_counter() - begun))
    connection.close()
    return statistics.median(took), statistics.quantiles(took, n=20)[-1]


def report_browser(browser: Browser, url: str) -> None:
    loads = [loaded(browser, url) for _ in range(LOADS)]
    middle = {name: statistics.median(load[name] for load in loads) for name in loads[0]}
    say(f"browser, {SLOWER} times slower: first paint after {middle['paint']:.0f} ms, ", end="")
    say(f"page ready after {middle['ready']:.0f} ms, all loaded after {middle['whole']:.0f} ms (middle of {LOADS})")
    worst = max(load["shifts"] for load in loads)
    say(f"layout shift {worst:.3f}; {middle['first']:.0f} requests before the first paint, ", end="")
    say(f"{middle['requests']:.0f} in all")


def loaded(browser: Browser, url: str) -> dict[str, Any]:
    """The figures of one visit with an empty cache."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=2)  # type: ignore[arg-type]
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(url, wait_until="load")
    figures: dict[str, Any] = page.evaluate(FIGURES)
    context.close()
    return figures


if __name__ == "__main__":
    sys.exit(main())
