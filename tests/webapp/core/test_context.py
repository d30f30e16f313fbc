"""The context of a template: an object whose fields are the template's variables."""

from dataclasses import dataclass

from webapp.core.context import Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting(Context):
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LongGreeting(Greeting):
    lines: tuple[str, ...] = ()


def test_the_variables_are_the_fields_also_inherited_ones():
    assert LongGreeting(name="Ann").variables() == {"name": "Ann", "lines": ()}
