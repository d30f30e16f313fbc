"""Draws the icons of the installed site from `webapp/static/logo.svg`:  python -m tests.icons

To be called after the logo has changed; what it draws is kept with the code.
"""

from playwright.sync_api import sync_playwright

from tests.browser import find_browser
from tests.samples.hands import ROOT

STATIC = ROOT / "webapp" / "static"
PAPER = "#faf5ec"  # --paper of the style sheet, in the light
# By file: pixels each way, how much of that the logo takes, and what is behind it. What is cut to a circle keeps four
# fifths at least, so the logo must lie within them; iOS makes black of what is transparent.
ICONS = {
    "icon-192.png": (192, 1.0, "transparent"),
    "icon-512.png": (512, 1.0, "transparent"),
    "icon-maskable-512.png": (512, 0.66, PAPER),
    "apple-touch-icon.png": (180, 0.8, PAPER),
}


def main() -> None:
    logo = (STATIC / "logo.svg").read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for name, (pixels, share, behind) in ICONS.items():
            page = browser.new_page(viewport={"width": pixels, "height": pixels})
            style = f"body{{margin:0;height:100vh;display:grid;place-items:center;background:{behind}}}"
            page.set_content(f"<style>{style}svg{{width:{share:.0%}}}</style>{logo}")
            page.screenshot(path=STATIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
