"""The contexts of pages have exactly the names that their templates use."""

import sys
from dataclasses import fields
from functools import cache

import pytest
from jinja2 import meta, nodes

import webapp.site  # with it come all pages
from tests.samples.pages import FRAME
from tests.samples.rendering import environment
from webapp.pages.common import PageContext

GLOBAL = {*FRAME, "static", "once"}
CONTEXTS = {
    one
    for name, module in sys.modules.copy().items()
    if name.startswith(f"{webapp.__name__}.")
    for one in vars(module).values()
    if isinstance(one, type) and issubclass(one, PageContext) and hasattr(one, "template")
}
of_every_context = pytest.mark.parametrize("context", sorted(CONTEXTS, key=lambda one: one.template))


@cache
def used(template: str) -> frozenset[str]:
    """The names that a template, and those that it extends or includes, get from outside."""
    source, _, _ = environment().loader.get_source(environment(), template)
    tree = environment().parse(source)
    names = set(meta.find_undeclared_variables(tree))
    names |= {name for part in tree.find_all(nodes.Include) for name in used(part.template.value)}
    names -= {one.name for one in tree.find_all(nodes.Name) if one.ctx != "load"}
    names -= {one.name for one in tree.find_all(nodes.Macro)}
    names -= {one.target for one in tree.find_all(nodes.Import)}
    return frozenset(names.union(*(used(part.template.value) for part in tree.find_all(nodes.Extends))))


def own(context: type[PageContext]) -> set[str]:
    return {one.name for one in fields(context)}


@of_every_context
def test_a_context_has_every_name_that_its_template_uses(context):
    assert used(f"pages/{context.template}.html") - GLOBAL - own(context) == set()


@of_every_context
def test_a_template_uses_every_field_of_its_context(context):
    assert own(context) - own(PageContext) - used(f"pages/{context.template}.html") == set()
