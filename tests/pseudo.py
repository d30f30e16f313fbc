"""Draws every sample in a language that is made for it: python -m tests.pseudo OUTDIR ja|ar [--one-of-each]

Each sentence is a third longer than in English, accented, and in brackets, but for its gaps; so a word outside brackets
was never given to translators. It takes the place of a language that has other letters, in which days and numbers come
from elsewhere: Japanese, or Arabic, which is read from the right.
"""

import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from markupsafe import Markup

from scripts.words import gathered
from tests.samples.rendering import ROOT, Sample
from webapp.core import say
from webapp.models import LetterKind
from worker.mail import mail_templates, subject_of, text_of

_PLACE: Final = re.compile(r"(\{\w*\}|</?\d+>|\{\{|\}\})")
_ACCENTED: Final = str.maketrans("aceinosuyACEINOSUY", "áçéíñóšúýÁÇÉÍÑÓŠÚÝ")
_BRACKETED: Final = re.compile("⟦[^⟦⟧]*⟧")
_SCRIPT: Final = re.compile("<script.*?</script>", re.DOTALL)
_SHOWN: Final = ("aria-label", "title", "alt", "placeholder")
_UNSEEN: Final = ("script", "style", "template")
_VOID: Final = ("meta", "link", "img", "br", "input", "hr", "path", "polyline", "rect", "polygon")


def lengthened(sentence: str) -> str:
    """The sentence in brackets, but for its gaps and tags, and a third longer; not a card's letter, which stays one."""
    pieces = _PLACE.split(sentence)
    words = [place for place in range(0, len(pieces), 2) if re.search(r"[^\W\d_]{2}", pieces[place])]
    if words:
        missing = sum(len(pieces[place]) for place in words) // 3
        longer = " ~~~~~" * (missing // 6) + "~" * (missing % 6) if " " in sentence else "~" * missing
        pieces[words[-1]] = pieces[words[-1]].rstrip() + longer
    for place in words:
        pieces[place] = f"⟦{pieces[place].translate(_ACCENTED)}⟧"
    return "".join(pieces)


def write_catalogue(folder: Path, language: str) -> None:
    """Compiles a catalogue of all sentences, lengthened, into a folder of catalogues."""
    made = Catalog(locale=language, charset="utf-8")
    for one in gathered()[0]:
        if isinstance(one.id, tuple):
            made.add(one.id, [lengthened(one.id[1])] * made.num_plurals, context=one.context)
        elif one.id:
            made.add(one.id, lengthened(one.id), context=one.context)
    file = folder / language / "LC_MESSAGES" / "messages.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as content:
        write_mo(content, made)


class Outside(HTMLParser):
    """Reads what a page says outside brackets; not what no program may translate, nor what people have typed."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._kept: list[str] = []  # the tags that are open, from the one on within which nothing counts

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        is_typed = values.get("translate") == "no" or tag in ("bdi", "code", *_UNSEEN) or values.get("dir") == "auto"
        if tag not in _VOID and (self._kept or is_typed):
            self._kept.append(tag)
        if values.get("translate") != "no":
            self.said += [text for name in _SHOWN if (text := values.get(name))]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if self._kept:
            self._kept.pop()

    def handle_data(self, data: str) -> None:
        if not self._kept:
            self.said.append(data)


def outside(content: str, *, is_html: bool) -> list[str]:
    """All that a page, or each line of a text, says outside brackets."""
    reader = Outside()
    if is_html:
        reader.feed(content)
    said = reader.said if is_html else content.splitlines()
    return [left for text in said if (left := _BRACKETED.sub(" ", text).strip())]


def said(given: object) -> object:
    """Says the texts that a sample hands to a template, some of which pages and mails would have said."""
    match given:
        case str() if not isinstance(given, Markup):
            return say.say(given) if given else given
        case list() | tuple() if type(given) in (list, tuple):
            return type(given)(said(one) for one in given)
        case dict():
            return {name: said(one) for name, one in given.items()}
    return given


def _one_of_each(samples: dict[str, Sample]) -> dict[str, Sample]:
    return {name: samples[name] for name in {template: name for name, (template, _) in samples.items()}.values()}


def main(out: Path, language: str, *, is_one_of_each: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "webapp" / "static", out / "static", dirs_exist_ok=True)
    with TemporaryDirectory() as folder:
        write_catalogue(Path(folder), language)
        say.CATALOGUES = Path(folder)  # in this process alone
        with say.speaking(language):
            from tests.gallery import page_html  # now: some samples say their texts at once
            from tests.samples.mails import mails
            from tests.samples.pages import pages

            chosen = _one_of_each if is_one_of_each else dict
            for name, (page, given) in chosen(pages()).items():
                html = _SCRIPT.sub("", page_html((page, said(given)))).replace('"/static/', '"static/')
                (out / f"{page}.{name}.html").write_text(html, encoding="utf-8")
            for name, (kind, given) in chosen(mails()).items():
                context = said(given)
                template = mail_templates().get_template(f"mail/{kind}/body.html")
                (out / f"mail-{kind}.{name}.html").write_text(template.render(context), encoding="utf-8")
                text = f"{subject_of(LetterKind(kind), context)}\n{text_of(LetterKind(kind), context)}"
                (out / f"mail-{kind}.{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2], is_one_of_each="--one-of-each" in sys.argv)
