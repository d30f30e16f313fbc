"""Pages and mails in other languages: no word is left out, and longer ones have room, read from either side."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.pseudo import outside
from tests.samples.cast import CROWD
from tests.samples.rendering import ROOT
from webapp.core.say import LANGUAGES, tongue
from webapp.core.templates import BRAND
from webapp.forms.opening import ROBOT_NAMES

WORD = re.compile(r"[A-Za-z]{2,}")
KEPT = {*CROWD, *ROBOT_NAMES, *(tongue(one).name for one in LANGUAGES), BRAND}
KEPT |= {"Eve", "North", "East", "Firefox", "Safari", "UTC", "HTML", "add", "subtract", "stop"}
KEPT |= {"Emi", "Fat", "Hen", "Joo", "Wilhelm", "Wilhelmina-Alexandra", "So"}  # cut for a table in a text
# Zones, addresses, codes of cards, what has digits in it, such as a digest, and names that are cut.
NO_WORD = re.compile(r"^\w+(/[\w +-]+)+$|x{20,}|\S*…|\S*(@|://|\d)\S*|\b[TJQKA][CDSH]\b")
PHONE = {"width": 360, "height": 740}
# What is wider than its box and hidden, but for what is only read aloud, and names.
CUT = """() => [...document.querySelectorAll("body *")].filter((one) => {
    const style = getComputedStyle(one);
    const shows = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return shows && style.overflowX !== "visible" && one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 1;
}).filter((one) => !one.closest("[translate=no], .spoken, .preheader, .wide, input, select, textarea, pre"))
    .map((one) => one.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every sample in a language whose sentences are longer, and one of each template from right to left."""
    folders = {language: tmp_path_factory.mktemp(language) for language in ("ja", "ar")}
    pseudo = [sys.executable, "-m", "tests.pseudo"]
    whole = subprocess.Popen([*pseudo, folders["ja"], "ja"], cwd=ROOT)
    subprocess.run([*pseudo, folders["ar"], "ar", "--one-of-each"], cwd=ROOT, check=True)
    assert whole.wait() == 0
    return folders


def typed() -> tuple[set[str], re.Pattern[str]]:
    """Texts that the samples hand to templates as they stand, and pieces of those that they compose."""
    files = (ROOT / "tests" / "samples").rglob("*.py")
    nodes = [one for file in files for one in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    texts, pieces = (
        {" ".join(one.value.split()) for one in found if isinstance(one, ast.Constant) and isinstance(one.value, str)}
        for found in (nodes, [value for one in nodes if isinstance(one, ast.JoinedStr) for value in one.values])
    )
    within = {text for text in texts if " " in text} | {text for text in pieces if WORD.search(text)} | KEPT
    choices = "|".join(re.escape(text) for text in sorted(within, key=len, reverse=True))
    return texts | KEPT, re.compile(rf"(?<!\w)(?:{choices})(?!\w)", re.IGNORECASE)


def test_no_word_is_kept_from_translators(drawn: dict[str, Path]) -> None:
    said = dict[str, str]()
    for file in sorted(drawn["ja"].iterdir()):
        if file.suffix in (".html", ".txt") and not file.name.startswith("mailbox"):  # which is for those who develop
            for text in outside(file.read_text(encoding="utf-8"), is_html=file.suffix == ".html"):
                said.setdefault(" ".join(text.split()), file.name)
    texts, pieces = typed()
    left = {text: file for text, file in said.items() if text not in texts and WORD.search(NO_WORD.sub("", text))}
    assert {text: file for text, file in left.items() if WORD.search(NO_WORD.sub("", pieces.sub("", text)))} == {}


def test_no_script_has_a_sentence_of_its_own() -> None:
    scripts = {file.name: file.read_text(encoding="utf-8") for file in (ROOT / "webapp" / "static").glob("*.js")}
    code = {name: re.sub(r"(?m)(^|\s)//.*$", "", text) for name, text in scripts.items()}
    assert {
        name: found for name, text in code.items() if (found := re.findall(r"[\"`][A-Z][a-z]* [a-z][^\"`]*", text))
    } == {}


@pytest.mark.parametrize("language", ["ja", "ar"])
def test_longer_sentences_fit_on_a_phone(drawn: dict[str, Path], browser: Browser, language: str) -> None:
    one_of_each = {file.name.partition(".")[0]: file for file in sorted(drawn[language].glob("*.html"))}
    page, wrong = browser.new_page(viewport=PHONE), dict[str, object]()  # type: ignore[arg-type]
    for name, file in one_of_each.items():
        page.goto(file.as_uri())
        if (width := page.evaluate("document.documentElement.scrollWidth")) > PHONE["width"]:
            wrong[name] = width
        if cut := page.evaluate(CUT):
            wrong[name] = cut
    page.close()
    assert wrong == {}
