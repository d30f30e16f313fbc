"""Gathers the sentences of the program into `locale/messages.pot`, and brings each language's catalogue up to date:

    make words

Prints what each language lacks, and what is wrong with it. A translation stays with its sentence; one whose sentence is
gone stays at the end of its file, and is taken again if the sentence comes back.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment

from webapp.core.say import ENGLISH, LANGUAGES
from webapp.core.templates import Environments, Found, marked, translated

ROOT: Final = Path(__file__).parent.parent
LOCALE: Final = ROOT / "locale"
ROOMS: Final = ("hearts", "webapp", "worker")
_PLACE: Final = re.compile(r"\{\w*\}|</?\d+>")
_MIDDLE: Final = re.compile(r"[a-z,;:.?!]")  # what a sentence doesn't begin with


def gathered() -> tuple[Catalog, list[str]]:
    """All sentences, and what is wrong with some of them: each file in turn, and each sentence as it comes in it."""
    made, faults = Catalog(charset="utf-8"), list[str]()
    for file in sorted((ROOT / "templates").rglob("*.*")):
        of_templates(made, faults, str(file.relative_to(ROOT / "templates")), file.read_text(encoding="utf-8"))
    for file in sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py")):
        of_python(made, str(file.relative_to(ROOT)), file.read_text(encoding="utf-8"))
    return made, faults


def of_python(made: Catalog, name: str, source: str) -> None:
    """Adds the sentences of a module, also of those calls that stand in a formatted text."""
    calls = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]
    for call in sorted(calls, key=lambda one: (one.lineno, one.col_offset)):
        given = tuple(one.value if isinstance(one, ast.Constant) else None for one in call.args)
        match call.func.id, given:
            case "say" | "later", (str() as message,):
                made.add(message, locations=[(name, 0)])
            case "say_as", (str() as context, str() as message):
                made.add(message, context=context, locations=[(name, 0)])
            case "say_many" | "later_many", (_, str() as one, str() as many):
                made.add((one, many), locations=[(name, 0)])


def of_templates(made: Catalog, faults: list[str], name: str, source: str) -> None:
    """Adds the sentences of a template to the catalogue."""
    where = [(f"templates/{name}", 0)]

    def keep(one: Found) -> str:
        stand_for = [f"<{number}> is {tag}" for number, tag in enumerate(one.tags, start=1)]
        made.add(one.message, locations=where, auto_comments=[re.sub(r"\s+", " ", tag) for tag in stand_for])
        if _MIDDLE.match(one.message) and (not one.is_apart or " " not in one.message):
            faults.append(f"{name}: {one.message}")
        return one.message

    environment = Environments(Environment()).spoken()
    translated(source, name, keep)
    for one in marked(environment, source):
        made.add((one.message, one.many) if one.many else one.message, context=one.context, locations=where)


def catalogue_text(catalog: Catalog) -> str:
    """The catalogue as a file, without dates and numbers of lines, so that it changes with its sentences alone."""
    head = ['msgid ""', 'msgstr ""', r'"Content-Type: text/plain; charset=utf-8\n"']
    if catalog.locale:
        head += [rf'"Language: {catalog.locale}\n"', rf'"Plural-Forms: {catalog.plural_forms}\n"']
    content = BytesIO()
    write_po(content, catalog, width=0, omit_header=True, include_lineno=False)
    return "\n".join([*head, "", content.getvalue().decode()])


def updated(template: Catalog, known: Catalog) -> Catalog:
    """The sentences of the template, with the translations that are known."""
    made = Catalog(locale=known.locale, charset="utf-8")
    given = {(one.id, one.context): one for one in [*known.obsolete.values(), *known] if one.id and _is_said(one)}
    for one in template:
        if not one.id:
            continue
        kept = given.pop((one.id, one.context), None)
        made.add(
            one.id,
            kept.string if kept else None,
            context=one.context,
            locations=one.locations,
            auto_comments=one.auto_comments,
            user_comments=kept.user_comments if kept else (),
            flags=kept.flags if kept else (),
        )
    made.obsolete.update((f"{context}|{name}", one) for (name, context), one in given.items())
    return made


def lacking(catalog: Catalog) -> list[Message]:
    """The sentences without a translation, or with one that somebody must look at again."""
    return [one for one in catalog if one.id and (one.fuzzy or not _is_said(one))]


def misplaced(catalog: Catalog) -> Iterator[str]:
    """The translations whose gaps or tags are not those of their sentences."""
    for one in catalog:
        if not one.id or not _is_said(one):
            continue
        ids = one.id if isinstance(one.id, tuple) else (one.id,)
        said = one.string if isinstance(one.string, tuple) else (one.string,)
        wanted = [Counter(_PLACE.findall(text)) for text in ids]
        for text in said:
            has = Counter(_PLACE.findall(text))
            has_all = has in wanted if len(ids) == 1 else any(not has - one for one in wanted)
            if not has_all:
                yield text


def _is_said(one: Message) -> bool:
    return all(one.string) if isinstance(one.string, tuple) else bool(one.string)


def main() -> int:
    template, faults = gathered()
    LOCALE.mkdir(exist_ok=True)
    (LOCALE / "messages.pot").write_text(catalogue_text(template), encoding="utf-8")
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        file = LOCALE / language / "LC_MESSAGES" / "messages.po"
        file.parent.mkdir(parents=True, exist_ok=True)
        known = Catalog(locale=language)
        if file.exists():
            with file.open("rb") as content:
                known = read_po(content, locale=language)
        catalog = updated(template, known)
        file.write_text(catalogue_text(catalog), encoding="utf-8")
        lacks, wrong = lacking(catalog), list(misplaced(catalog))
        sys.stdout.write(f"{language}: {len(lacks)} of {len(template)} are missing\n")
        faults += [f"{language}: other gaps or tags in “{text}”" for text in wrong]
    sys.stdout.write("".join(f"{fault}\n" for fault in faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
