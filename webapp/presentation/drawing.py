"""Draws templates in fewer steps than Jinja: a page calls and escapes a hundred times, and imports a dozen."""

from collections.abc import Callable, MutableMapping
from functools import lru_cache
from types import BuiltinFunctionType
from typing import Any

from jinja2 import Environment, Template
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

# Functions with a cache, too.
_WANTING_NOTHING = {Macro, BuiltinFunctionType, type(lru_cache(escape))}


def escaped(value: Any) -> Markup:
    """As `escape`, but does not copy what is escaped already, as every drawing of a macro is."""
    return value if type(value) is Markup else escape(value)


class DrawnTemplate(Template):
    """A template that all others import alike."""

    @classmethod
    def _from_namespace(
        cls, environment: Environment, namespace: MutableMapping[str, Any], globals: MutableMapping[str, Any]
    ) -> Template:
        namespace["escape"] = escaped  # where the compiled template looks for it
        return super()._from_namespace(environment, namespace, globals)

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        # Jinja compares the importer's global names with its own at each import; here all templates have the same.
        return super()._get_default_module()


class DrawingContext(Context):
    """Calls functions and macros for templates.

    At each call Jinja finds out whether the function wants to be told the context. Built-in functions don't, nor do
    those with a cache. Jinja would tell macros whether to escape: here each does as its own template.
    """

    def call(self, called: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
        if type(called) not in _WANTING_NOTHING:
            return super().call(called, *arguments, **named)
        named.pop("_loop_vars", None)  # only for those who get the context
        named.pop("_block_vars", None)
        return called(*arguments, **named)
