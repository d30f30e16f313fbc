"""Templates: the folder of all, and the variables of one."""

from dataclasses import dataclass

from scripts.run import CHECKOUT
from webapp.core.templates import TEMPLATES, Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting(Context):
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LongGreeting(Greeting):
    lines: tuple[str, ...] = ()


def test_the_variables_are_the_fields_also_inherited_ones():
    assert LongGreeting(name="Ann").variables() == {"name": "Ann", "lines": ()}


def test_a_checkout_reads_the_templates_at_its_top():
    assert TEMPLATES == CHECKOUT / "templates"
