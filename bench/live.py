"""A hand at seven seconds a turn, played by four browsers as hands would: `.venv/bin/python -m bench.live`.

Prints how long turns took and how many were played for somebody, which must be none.
"""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import median
from threading import Thread

from playwright.sync_api import Page, sync_playwright

from tests.browser import find_browser
from tests.cast import load, seats, start_game
from tests.end_to_end.service import Service, running_service, runtime_of
from tests.servers import MailServer
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink

PACE = timedelta(seconds=7)
THINKS = (0.5, 2.5)  # seconds that a player looks at their cards
PHONE = {"width": 360, "height": 740}
CARDS = "label:has(input[name=card])"


class Hand:
    """One player's phone, in a browser of its own. `took` are the seconds from the question to the next page."""

    def __init__(self, url: str, seed: int) -> None:
        self.took: list[float] = []
        self.is_over = False
        self._url, self._chance = url, random.Random(seed)

    def play(self) -> None:
        with sync_playwright() as playwright, playwright.chromium.launch(executable_path=find_browser()) as browser:
            page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
            page.goto(self._url)
            while not self.is_over:
                if page.locator(CARDS).count() and page.locator(".act button").count():
                    self._take_turn(page)
                page.wait_for_timeout(50)

    def _take_turn(self, page: Page) -> None:
        asked, kind = time.monotonic(), page.locator("#follow").get_attribute("data-kind")
        page.wait_for_timeout(1000 * self._chance.uniform(*THINKS))
        if kind and kind.endswith("pass"):
            for card in page.locator(CARDS).all()[:3]:
                card.tap(position={"x": 8, "y": 30})
            page.locator(".act button").tap()
        else:
            self._chance.choice(page.locator(CARDS).all()).tap(position={"x": 8, "y": 30})
        page.locator(f"#follow:not([data-kind='{kind}'])").wait_for(state="attached", timeout=10_000)
        self.took.append(time.monotonic() - asked)


@contextmanager
def four_hands(service: Service, runtime: Runtime, game_id: int) -> Iterator[list[Hand]]:
    """The players, who begin at once."""
    table_id = load(runtime, game_id).row.table_id
    links = [PlayLink(table_id, seat.seat, seat.player_id or 0) for seat in seats(runtime, table_id)]
    hands = [Hand(service.address + runtime.signer.local_url(link), number) for number, link in enumerate(links)]
    threads = [Thread(target=hand.play) for hand in hands]
    for thread in threads:
        thread.start()
    yield hands
    for hand in hands:
        hand.is_over = True
    for thread in threads:
        thread.join()


def main() -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = MailServer()
        server.start()
        stack.callback(server.stop)
        service = stack.enter_context(running_service(folder, SMTP_URL=server.url, SHORTEST_PACE_SECONDS="7"))
        runtime = stack.enter_context(runtime_of(service))
        game_id = start_game(runtime, pace=PACE)
        with four_hands(service, runtime, game_id) as hands:
            while not load(runtime, game_id).game.scores:
                time.sleep(0.2)
        records = load(runtime, game_id).records
        took = sorted(second for hand in hands for second in hand.took)
        sys.stdout.write(
            f"{len(took)} turns by hand: median {median(took):.1f} s, longest {took[-1]:.1f} s of {PACE.seconds} s\n"
        )
        sys.stdout.write(f"{Counter(record.source.name for record in records)}\n")


if __name__ == "__main__":
    main()
