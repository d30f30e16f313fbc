"""The contexts of pages have exactly the names that their templates use."""

import sys
from dataclasses import fields

import webapp.site  # with it come all pages
from tests.every import of_every
from tests.names_used import names_used
from tests.samples.pages import FRAME
from tests.samples.rendering import ROOT
from webapp.pages.at_table import AtTable
from webapp.pages.common import PageContext
from webapp.pages.play import QuestionPage

GLOBAL = {*FRAME, "static", "once", "tongue"}
SHARED = {PageContext, AtTable, QuestionPage}  # classes of several pages, whose templates others extend
CONTEXTS = {
    one
    for name, module in sys.modules.copy().items()
    if name.startswith(f"{webapp.__name__}.")
    for one in vars(module).values()
    if isinstance(one, type) and issubclass(one, PageContext) and one not in SHARED
    if (ROOT / "templates" / "pages" / f"{one.template}.html").exists()
}
of_every_context = of_every(CONTEXTS)


def own(context: type[PageContext]) -> set[str]:
    return {one.name for one in fields(context)}


@of_every_context
def test_a_context_has_every_name_that_its_template_uses(context):
    assert names_used(f"pages/{context.template}.html") - GLOBAL - own(context) == set()


@of_every_context
def test_a_template_uses_every_field_of_its_context(context):
    assert own(context) - own(PageContext) - names_used(f"pages/{context.template}.html") == set()
