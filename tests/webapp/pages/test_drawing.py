"""Drawing: what looks the same is drawn once, what a page includes is compiled into it, and all looks as it should."""

import pytest
from jinja2 import DictLoader, StrictUndefined

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
