"""Drawing: what looks the same is drawn once."""

import pytest

from webapp.pages.common import drawing_once
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
