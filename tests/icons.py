"""Draws the icons of the installed site from `webapp/static/logo.svg`:  python -m tests.icons

Run it after changing the logo; the icons are kept with the code.
"""

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import find_browser
from tests.samples.rendering import ROOT

STATIC = ROOT / "webapp" / "static"
PAPER = "#faf5ec"  # --paper of the style sheet, in the light
# By file: pixels each way, how much of that the logo takes, and what is behind it. A circle cut from it keeps four
# fifths at least, so the logo must lie within them; iOS makes transparent parts black.
ICONS = {
    "icon-192.png": (192, 1.0, "transparent"),
    "icon-512.png": (512, 1.0, "transparent"),
    "icon-maskable-512.png": (512, 0.66, PAPER),
    "apple-touch-icon.png": (180, 0.8, PAPER),
}
BADGE = "badge-96.png"  # beside the clock of a phone: of its colours only what is transparent counts
BADGE_PIXELS = 96
HEART = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="17 28 30 28"><path fill="#fff" d="M32 54C22 47 19 42.5 19 37.5 '
    '19 33 22.5 30 26 30c2.6 0 4.8 1.4 6 3.7C33.2 31.4 35.4 30 38 30c3.5 0 7 3 7 7.5C45 42.5 42 47 32 54z"/></svg>'
)


def main() -> None:
    logo = (STATIC / "logo.svg").read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for name, (pixels, share, behind) in ICONS.items():
            _draw(browser, STATIC / name, logo, pixels, share, behind)
        _draw(browser, STATIC / BADGE, HEART, BADGE_PIXELS, 1.0, "transparent")
        browser.close()


def _draw(browser: Browser, file: Path, picture: str, pixels: int, share: float, behind: str) -> None:
    page = browser.new_page(viewport={"width": pixels, "height": pixels})
    style = f"body{{margin:0;height:100vh;display:grid;place-items:center;background:{behind}}}"
    page.set_content(f"<style>{style}svg{{width:{share:.0%}}}</style>{picture}")
    page.screenshot(path=file, omit_background=True)


if __name__ == "__main__":
    main()
