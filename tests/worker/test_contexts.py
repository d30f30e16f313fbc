"""The contexts of mails have the names that their templates use, and no others."""

from collections import defaultdict
from dataclasses import fields
from inspect import get_annotations

from tests.every import of_every
from tests.names_used import names_used
from tests.samples.mails import contexts
from tests.samples.rendering import ROOT
from webapp.models import LetterKind

OF_THE_MESSAGE = {"enclosed", "reply_to"}  # what `worker.composing` reads itself
MAILS = ROOT / "templates" / "mail"
CLASSES = {kind: type(context) for kind, context in contexts().values()}
USED = {
    kind: frozenset().union(*(names_used(f"mail/{kind}/{part.name}") for part in (MAILS / kind).iterdir()))
    for kind in map(str, LetterKind)
}


def declared() -> dict[str, set[str]]:
    """The names that templates use, by each class of a context that declares them, or inherits what does."""
    used = defaultdict(set)
    for kind, context in CLASSES.items():
        for parent in context.__mro__:
            used[parent] |= USED[kind]
    return used


@of_every(CLASSES)
def test_a_context_has_every_name_that_its_templates_use(kind):
    assert USED[kind] - {one.name for one in fields(CLASSES[kind])} - {"has_pages", "tongue"} == set()


def test_some_template_uses_every_field_that_a_class_declares():
    unused = {
        context.__name__: found
        for context, used in declared().items()
        if (found := get_annotations(context).keys() - used - OF_THE_MESSAGE)
    }
    assert unused == {}
