"""Renders every page and mail of `tests.samples` for review: python -m tests.gallery OUTDIR [NAME…]

Writes HTML files and pictures (360 px light and dark, 1280 px) and an index; exits with status 1 if a page is wider
than a phone of 360 px. The same to click through while templates change is in `tests.gallery_site`. With the option
--readme it draws the pictures of the README anew instead.
"""

import shutil
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import find_browser
from tests.samples.mails import mails
from tests.samples.pages import pages
from tests.samples.rendering import ROOT, Sample, environment
from webapp.models import LetterKind
from worker.mail import html_of, subject_of, text_of

PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
SHOTS = (("phone", PHONE, "light"), ("phone-dark", PHONE, "dark"), ("desk", DESK, "light"))
README = {
    "turn-mail": ("mail-turn-following", "light"),
    "turn-page": ("page-turn-following", "light"),
    "score-sheet-mail": ("mail-final-sheet-classic", "dark"),
    "relive-page": ("page-relive-card", "light"),
}


def page_html(sample: Sample) -> str:
    template, context = sample
    return environment(trim=False).get_template(f"pages/{template}.html").render(context)


def mail_html(sample: Sample) -> str:
    return _with_picture(html_of(LetterKind(sample[0]), sample[1]), sample)


def _with_picture(html: str, sample: Sample) -> str:
    """The mail as a single HTML page, which a browser can show."""
    picture = sample[1].get("picture")
    return (
        html.replace(f"cid:{picture.cid}", f"data:image/png;base64,{b64encode(picture.png).decode()}")
        if picture
        else html
    )


def mail_text(sample: Sample) -> str:
    """The subject and the plain text of an email."""
    kind, said = LetterKind(sample[0]), sample[1]
    return f"Subject: {subject_of(kind, said)}\n\n{text_of(kind, said)}"


def write_pages(out: Path) -> Iterator[str]:
    """Writes the HTML files. Returns their names without extension."""
    for name, sample in pages().items():
        (out / f"page-{name}.html").write_text(page_html(sample).replace('"/static/', '"static/'))
        yield f"page-{name}"


def write_mails(out: Path) -> Iterator[str]:
    """The same for mails; their text parts stand beside them."""
    for name, sample in mails().items():
        (out / f"mail-{name}.html").write_text(mail_html(sample))
        (out / f"mail-{name}.txt").write_text(mail_text(sample))
        yield f"mail-{name}"


def take_pictures(browser: Browser, out: Path, names: list[str]) -> list[str]:
    """Takes pictures of all that was written. Returns the names of those wider than a phone."""
    wide = []
    for label, size, scheme in SHOTS:
        context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        for name in names:
            page.goto((out / f"{name}.html").as_uri())
            page.screenshot(path=out / f"{name}-{label}.png", full_page=True)
            if size is PHONE and page.evaluate("document.documentElement.scrollWidth") > size["width"]:
                wide.append(f"{name}-{label}")
        context.close()
    return wide


def draw_readme(browser: Browser, out: Path) -> None:
    """Draws the first screens of those that the README shows, in `docs/pictures`."""
    for picture, (name, scheme) in README.items():
        page = browser.new_page(viewport=PHONE, color_scheme=scheme)  # type: ignore[arg-type]
        page.goto((out / f"{name}.html").as_uri())
        page.evaluate("document.fonts.ready.then(() => null)")
        page.screenshot(path=ROOT / "docs" / "pictures" / f"{picture}.png")
        page.close()


def write_index(out: Path, names: list[str]) -> None:
    rows = []
    for name in names:
        pictures = "".join(f'<img loading="lazy" alt="{label}" src="{name}-{label}.png">' for label, _, _ in SHOTS)
        rows.append(f'<h2><a href="{name}.html">{name}</a></h2><div>{pictures}</div>')
    style = "<style>body{font-family:sans-serif}img{height:480px;margin:4px;border:1px solid #999}</style>"
    (out / "index.html").write_text(f"<!doctype html><meta charset=utf-8><title>Gallery</title>{style}{''.join(rows)}")


def main(out: Path, wanted: list[str]) -> int:
    out.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "webapp" / "static", out / "static", dirs_exist_ok=True)
    names = [*write_pages(out), *write_mails(out)]
    shown, wide = [name for name in names if not wanted or name in wanted], list[str]()
    with sync_playwright() as playwright:
        # The second: the faces of cards are a mask, which a page in a file may not read from another file.
        flags = ["--no-sandbox", "--allow-file-access-from-files"]
        browser = playwright.chromium.launch(executable_path=find_browser(), args=flags)
        if "--readme" in wanted:
            draw_readme(browser, out)
        else:
            wide = take_pictures(browser, out, shown)
        browser.close()
    write_index(out, shown)
    for name in wide:
        sys.stderr.write(f"{name} is wider than 360 px\n")
    return 1 if wide else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
