"""The names that templates use, to compare them with the contexts that they get."""

from functools import cache

from jinja2 import Environment, meta, nodes

from tests.samples.rendering import ROOT
from webapp.core.templates import Environments


@cache
def names_used(template: str) -> frozenset[str]:
    """The names that a template, and those that it extends or includes, get from outside, globals too."""
    tree = (
        Environments(Environment(autoescape=True))
        .spoken()
        .parse((ROOT / "templates" / template).read_text(encoding="utf-8"))
    )
    names = set(meta.find_undeclared_variables(tree))
    parts = (part for kind in (nodes.Include, nodes.Extends) for part in tree.find_all(kind))
    names |= {name for part in parts for name in names_used(part.template.value)}
    names -= {one.name for one in tree.find_all(nodes.Name) if one.ctx != "load"}
    names -= {one.name for one in tree.find_all(nodes.Macro)}
    names -= {one.target for one in tree.find_all(nodes.Import)}
    return frozenset(names)
