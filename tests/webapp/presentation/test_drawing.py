"""Drawing in fewer steps: functions are called, and texts escaped, as Jinja would do it."""

from pathlib import Path

import pytest
from jinja2 import pass_context, pass_eval_context
from markupsafe import Markup

from webapp.site import make_site

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
