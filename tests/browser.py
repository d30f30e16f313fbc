"""Finds a Chromium for the tests that look at pages, or gets one, and waits for a shown page:  python -m tests.browser

An installed one is best; else Playwright downloads its own; else, for root on Debian and its kin, the package.
Any one that is returned has been started once.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from playwright.sync_api import Browser, BrowserType, Page, sync_playwright

from tests.servers import wait_until

# A headless shell draws no window around the page, which costs more than the page does; else a whole browser.
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/usr/lib/chromium/chromium",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
DOWNLOAD_SECONDS = 240
PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"


class NoBrowser(Exception):
    """There is no Chromium and none could be installed; the text lists what was tried."""


@cache
def find_browser(*, whole: bool = False) -> str:
    """The path of a Chromium that starts; a `whole` one can also open windows. Raises NoBrowser."""
    for path in _candidates(() if whole else SHELLS):
        if _starts(path):
            return path
    raise NoBrowser("no Chromium: none installed, no download, and no package (that needs root, apt-get and a network)")


@contextmanager
def started(browsers: BrowserType, path: str) -> Iterator[Browser]:
    """A browser whose pages are asked for less motion, unless a test opens them otherwise."""
    with browsers.launch(executable_path=path, args=["--no-sandbox"]) as opened:
        for opens in ("new_context", "new_page"):
            setattr(opened, opens, partial(getattr(opened, opens), reduced_motion="reduce"))
        yield opened


def wait_for_paint(page: Page) -> None:
    """Waits until the page is visible. Earlier key presses are dropped: no user could have meant that page."""
    wait_until("the page is painted", lambda: page.evaluate(PAINTED))


def _candidates(shells: tuple[str, ...]) -> Iterator[str]:
    yield from filter(None, map(shutil.which, (*shells, *NAMES)))
    yield from PLACES
    yield _playwrights_own()
    if _run([sys.executable, "-m", "playwright", "install", "chromium"]):
        yield _playwrights_own()
    if os.geteuid() == 0 and shutil.which("apt-get") and _run(["apt-get", "update", "-q"]):
        _run(["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"])
        yield from filter(None, map(shutil.which, NAMES))


def _playwrights_own() -> str:
    """The path of the browser that Playwright downloads. Asked in a thread, for this one may run a browser already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_ask_playwright).result()


def _ask_playwright() -> str:
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _starts(path: str) -> bool:
    return Path(path).is_file() and _run([path, "--version"])


def _run(command: list[str]) -> bool:
    """Whether a command succeeded; its output goes to standard error."""
    try:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, stdout=sys.stderr, env=environment, timeout=DOWNLOAD_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


if __name__ == "__main__":
    sys.stdout.write(f"{find_browser()}\n")
