"""The environment of the pages' templates: what looks the same for the same arguments is drawn once."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flask.templating import Environment
from jinja2 import Template
from jinja2.runtime import Context
from markupsafe import Markup

KEPT = 4096  # drawn macros that a process keeps; they have 500 bytes on average, a trick with its players 2,000


class PageTemplate(Template):
    """A template that all others import alike."""

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        # Jinja compares the importer's global names with its own at each import; here all templates have the same.
        return super()._get_default_module()


class PageEnvironment(Environment):
    template_class = PageTemplate


def drawing_once() -> Callable[..., Markup]:
    """What templates call as `once(macro, …)`: the macro with these arguments, which must be hashable and never change.

    It may depend on nothing else, and takes no `caller`.
    """

    @lru_cache(KEPT)
    def once(macro: Callable[..., Markup], *arguments: object) -> Markup:
        return macro(*arguments)

    return once
