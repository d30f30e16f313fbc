"""Drawing: what looks the same is drawn once, what a page includes is compiled into it, and all looks as it should."""

from pathlib import Path

import pytest
from jinja2 import DictLoader, StrictUndefined, pass_context, pass_eval_context
from markupsafe import Markup

from tests.samples.pages import FRAME, pages
from tests.samples.rendering import environment
from webapp.pages.drawing import drawing_once
from webapp.site import make_site

TEMPLATE = """{% macro row(name) %}<li>{{ name }} {{ drawn.append(name) or "" }}</li>{% endmacro %}
{%- for name in names %}{{ once(row, name) }}{% endfor %}"""


@pytest.fixture
def template(runtime):
    site = make_site(runtime)
    site.jinja_env.globals["drawn"] = drawn = []
    return site.jinja_env.from_string(TEMPLATE), drawn


def test_the_same_macro_with_the_same_arguments_is_drawn_once(template):
    page, drawn = template
    assert page.render(names=["Ann", "Bo", "Ann"]) == "<li>Ann </li><li>Bo </li><li>Ann </li>"
    assert drawn == ["Ann", "Bo"]


def test_what_is_drawn_once_escapes_names(template):
    page, _ = template
    assert page.render(names=["<b>Ann</b>"]) == "<li>&lt;b&gt;Ann&lt;/b&gt; </li>"


def test_two_macros_with_the_same_arguments_are_two():
    once = drawing_once()
    assert [once(str.upper, "ann"), once(str.title, "ann")] == ["ANN", "Ann"]


@pytest.mark.parametrize("auto_reload", [False, True])
def test_what_a_template_includes_is_drawn_in_its_place_and_keeps_to_itself_what_it_sets(runtime, auto_reload):
    parts = {
        "page.html": '{% set line = "page" %}<{% for n in "ab" %}{% include "part.html" %}{% endfor %}>{{ line }}',
        "part.html": '{% set line = "part " ~ n %}{% include "inner.html" %}{{ own is defined }};\n',
        "inner.html": "{% macro own() %}{{ line }}{% endmacro %}{{ own() }}, {{ name }}\n\n",
    }
    parted = make_site(runtime).jinja_env.overlay(
        loader=DictLoader(parts), bytecode_cache=None, auto_reload=auto_reload
    )
    assert parted.get_template("page.html").render(name="<Ann>") == (
        "<part a, &lt;Ann&gt;\nFalse;part b, &lt;Ann&gt;\nFalse;>page"
    )


def test_every_page_looks_the_same_as_jinja_draws_it_without_our_shortcuts(runtime):
    plain = environment(trim=False)
    ours = make_site(runtime).jinja_env.overlay(auto_reload=False, undefined=StrictUndefined)
    ours.globals = plain.globals
    for name, (template, context) in pages().items():
        of_page, values = f"pages/{template}.html", FRAME | context
        looks = [one.get_template(of_page).render(values) for one in (plain, ours)]
        assert looks[0] == looks[1], name


WANTING = """{% macro row(name) %}<li>{{ name }}</li>{% endmacro %}
{%- macro rows() %}{{ caller("<", row) }}{% endmacro %}
{%- for name in names %}{{ row(name) }}{{ row(name=name) }}{{ seen(name) }}{% endfor %}
{%- call(sign, draw) rows() %}{{ draw(sign) }}{{ sign }}{{ names.count("Bo") }}{% endcall %}{{ in_text() }}"""


def test_macros_and_functions_get_what_they_want_to_know(runtime):
    @pass_context
    def seen(context, name):
        return name + context["names"][0]

    @pass_eval_context
    def in_text(how):
        return how.autoescape

    site = make_site(runtime)
    page = site.jinja_env.from_string(WANTING).render(names=["Ann", "&"], seen=seen, in_text=in_text)
    of_ann, of_and = "<li>Ann</li><li>Ann</li>AnnAnn", "<li>&amp;</li><li>&amp;</li>&amp;Ann"
    assert page == f"{of_ann}{of_and}<li>&lt;</li>&lt;0True"


class Trusted(Markup):
    """A text that is safe, but of another type."""


@pytest.mark.parametrize(
    ("value", "shown"),
    [("<b>", "&lt;b&gt;"), (Markup("<b>"), "<b>"), (Trusted("<b>"), "<b>"), (Path("<b>"), "&lt;b&gt;"), (None, "None")],
    ids=repr,
)
def test_what_is_not_marked_as_safe_is_escaped(runtime, value, shown):
    page = make_site(runtime).jinja_env.from_string("{{ value }}").render(value=value)
    assert page == shown
