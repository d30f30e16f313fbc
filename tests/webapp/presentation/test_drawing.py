"""Drawing in fewer steps: functions are called, and texts escaped, as Jinja would do it."""

from pathlib import Path

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError, pass_context, pass_eval_context
from markupsafe import Markup

from tests.sites import site_of

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

    site = site_of(runtime)
    page = site.jinja_env.from_string(WANTING).render(names=["Ann", "&"], seen=seen, in_text=in_text)
    of_ann, of_and = "<li>Ann</li><li>Ann</li>AnnAnn", "<li>&amp;</li><li>&amp;</li>&amp;Ann"
    assert page == f"{of_ann}{of_and}<li>&lt;</li>&lt;0True"


CALLS = {
    "row('a')": "a-b-c",
    "row('a', 'x')": "a-x-c",
    "row('a', last='x')": "a-b-x",
    "row(last='x', first='<')": "&lt;-b-x",
    "row(middle='x', first='a', last='y')": "a-x-y",
    "rest('a', 'x', 'y')": "a|x|y",
    "rest('a')": "a|",
    "named('a', sign='x')": "a-sign:x",
    "named('a')": "a-",
    "framed('a')": "a!",
    "lined('a')": "a!",
    "lined('a', caller=none)": "a!",
}
WRONG_CALLS = {
    "row('a', 'b', 'c', 'd')": "takes not more than 3 argument",
    "row('a', sign='x')": "takes no keyword argument 'sign'",
    "row('a', first='x')": "takes no keyword argument 'first'",
    "row()": "parameter 'first' was not provided",
}
MACROS = """{% macro row(first, middle="b", last="c") %}{{ first }}-{{ middle }}-{{ last }}{% endmacro %}
{%- macro rest(first) %}{{ first }}|{{ varargs|join("|") }}{% endmacro %}
{%- macro framed(first) %}{{ first }}{{ caller() if caller is defined else "!" }}{% endmacro %}
{%- macro lined(first, caller=none) %}{{ first }}{{ caller() if caller else "!" }}{% endmacro %}
{%- macro named(first) %}{{ first }}-{% for key in kwargs %}{{ key }}:{{ kwargs[key] }}{% endfor %}{% endmacro %}"""


@pytest.fixture(params=["ours", "as Jinja comes"])
def call(runtime, request):
    """Draws what a call of a macro draws, in our environment, and in Jinja's own."""
    is_ours = request.param == "ours"
    plain = site_of(runtime).jinja_env if is_ours else Environment(autoescape=True)
    environment = plain.overlay(undefined=StrictUndefined)
    return lambda words: environment.from_string(f"{MACROS}{{{{ {words} }}}}").render()


@pytest.mark.parametrize(("words", "looks"), CALLS.items(), ids=str)
def test_a_macro_gets_its_arguments_as_in_jinja(call, words, looks):
    assert call(words) == looks


@pytest.mark.parametrize(("words", "why"), WRONG_CALLS.items(), ids=str)
def test_a_macro_refuses_unknown_arguments_as_in_jinja(call, words, why):
    with pytest.raises((TypeError, UndefinedError), match=why):
        call(words)


def test_a_macros_drawing_is_safe_in_pages_and_text_elsewhere(runtime):
    macro = (
        "{% macro sign() %}<{{ '&' }}>{% endmacro %}{% set drawn = sign() %}{{ drawn }}{{ kinds.append(drawn) or '' }}"
    )
    for autoescape, shown, kind in ((True, "<&amp;>", Markup), (False, "<&>", str)):
        kinds = []
        site = site_of(runtime).jinja_env.overlay(autoescape=autoescape)
        assert site.from_string(macro).render(kinds=kinds) == shown
        assert [type(one) for one in kinds] == [kind]


class Trusted(Markup):
    """A text that is safe, but of another type."""


@pytest.mark.parametrize(
    ("value", "shown"),
    [("<b>", "&lt;b&gt;"), (Markup("<b>"), "<b>"), (Trusted("<b>"), "<b>"), (Path("<b>"), "&lt;b&gt;"), (None, "None")],
    ids=repr,
)
def test_what_is_not_marked_as_safe_is_escaped(runtime, value, shown):
    page = site_of(runtime).jinja_env.from_string("{{ value }}").render(value=value)
    assert page == shown
