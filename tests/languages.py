"""Catalogues of other languages, as small as a test needs them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from webapp.core import say as said
from worker.mail import mail_templates


@contextmanager
def catalogues(folder: Path, languages: Mapping[str, Mapping[Any, Any]]) -> Iterator[None]:
    """Within it, each of these languages has a catalogue of these sentences, in `folder`, and is offered.

    A sentence by number is a pair, and its translations are a tuple.
    """
    for language, sentences in languages.items():
        catalog = Catalog(locale=language)
        for english, translated in sentences.items():
            catalog.add(english, translated)
        file = folder / language / "LC_MESSAGES" / "messages.mo"
        file.parent.mkdir(parents=True)
        with file.open("wb") as content:
            write_mo(content, catalog)
    before, said.CATALOGUES = said.CATALOGUES, folder  # type: ignore[misc]
    try:
        _forget(languages)
        yield
    finally:
        said.CATALOGUES = before  # type: ignore[misc]
        _forget(languages)


def _forget(languages: Iterable[str]) -> None:
    said.catalogue.cache_clear()
    said.offered.cache_clear()
    for language, has_pages in product(languages, (True, False)):  # their templates have the sentences in them
        with said.speaking(language):
            if compiled := mail_templates(has_pages=has_pages).cache:
                compiled.clear()
