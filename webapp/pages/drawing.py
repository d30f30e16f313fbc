"""The environment of the pages' templates.

It draws once what looks the same for the same arguments, and compiles what a template includes into it.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flask.templating import Environment
from jinja2.ext import Extension
from markupsafe import Markup

from webapp.presentation.drawing import DrawingContext, DrawnTemplate

INCLUDE = re.compile(r'{% include "([^"]+)" %}')
KEPT = 4096  # drawn macros that a process keeps; they have 500 bytes on average, a trick with its players 2,000


class Inlined(Extension):
    """Compiles each included template into the one that includes it, which keeps out what the included one sets.

    Jinja makes a context for each include at each drawing, and the page of a turn has a dozen includes. Nothing is
    compiled in where Jinja reads changed templates again: it would not notice a change of the included one.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        if self.environment.auto_reload:
            return source
        return INCLUDE.sub(lambda found: f"{{% with %}}{self._part(found[1])}{{% endwith %}}", source)

    def _part(self, name: str) -> str:
        assert self.environment.loader is not None
        source, *_ = self.environment.loader.get_source(self.environment, name)
        return self.preprocess(source.removesuffix("\n"), name)  # a template ends before its last line break


class PageEnvironment(Environment):
    context_class = DrawingContext
    template_class = DrawnTemplate

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.add_extension(Inlined)


def drawing_once() -> Callable[..., Markup]:
    """What templates call as `once(macro, …)`: the macro with these arguments, which must be hashable and never change.

    It may depend on nothing else, and takes no `caller`.
    """

    @lru_cache(KEPT)
    def once(macro: Callable[..., Markup], *arguments: object) -> Markup:
        return macro(*arguments)

    return once
