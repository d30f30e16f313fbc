"""The environment of the pages' templates.

It draws once what looks the same for the same arguments, compiles what a template includes into it, and shortens what
a page does a hundred times: to call and to escape.
"""

import re
from collections.abc import Callable, MutableMapping
from functools import lru_cache
from types import BuiltinFunctionType
from typing import Any

from flask.templating import Environment
from jinja2 import Environment as BaseEnvironment
from jinja2 import Template
from jinja2.ext import Extension
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

INCLUDE = re.compile(r'{% include "([^"]+)" %}')
KEPT = 4096  # drawn macros that a process keeps; they have 500 bytes on average, a trick with its players 2,000


def escaped(value: Any) -> Markup:
    """As `escape`, but does not copy what is escaped already, as every drawing of a macro is."""
    return value if type(value) is Markup else escape(value)


class PageTemplate(Template):
    """A template that all others import alike."""

    @classmethod
    def _from_namespace(
        cls, environment: BaseEnvironment, namespace: MutableMapping[str, Any], globals: MutableMapping[str, Any]
    ) -> Template:
        namespace["escape"] = escaped  # where the compiled template looks for it
        return super()._from_namespace(environment, namespace, globals)

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        # Jinja compares the importer's global names with its own at each import; here all templates have the same.
        return super()._get_default_module()


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


class PageContext(Context):
    """Calls functions and macros for templates.

    At each call Jinja finds out whether the function wants to be told the context. Built-in functions don't, nor do
    those with a cache, such as `once`. Jinja would tell macros whether to escape, but in pages they always do.
    """

    def call(self, called: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
        if type(called) not in _WANTING_NOTHING:
            return super().call(called, *arguments, **named)
        named.pop("_loop_vars", None)  # only for those who get the context
        named.pop("_block_vars", None)
        return called(*arguments, **named)


class PageEnvironment(Environment):
    context_class = PageContext
    template_class = PageTemplate

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


_WANTING_NOTHING = {Macro, BuiltinFunctionType, type(drawing_once())}
