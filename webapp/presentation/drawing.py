"""Draws templates in fewer steps than Jinja: a page calls and escapes a hundred times, and imports a dozen."""

from collections.abc import Callable, MutableMapping
from functools import lru_cache, partial
from types import BuiltinFunctionType
from typing import Any

import markupsafe
from jinja2 import Environment, Template
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from markupsafe import Markup, escape

# Functions with a cache, too.
_WANTING_NOTHING = {BuiltinFunctionType, type(lru_cache(escape))}
_escape_text: Callable[[str], str] = getattr(markupsafe, "_escape_inner", escape)  # as `escape`, but leaves it a `str`
_mark_safe: Callable[[str], Markup] = partial(str.__new__, Markup)  # as `Markup`, which looks at what it gets first


def escaped(value: Any) -> str:
    """As `escape`, for what is only written: it marks nothing as safe, and does not copy what is."""
    kind = type(value)
    if kind is str:
        return _escape_text(value)
    return value if kind is Markup else escape(value)


def drawn(macro: Macro, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """What the macro draws when it is called. One that takes named parameters alone gets them in fewer steps."""
    if macro.caller or macro.catch_kwargs or macro.catch_varargs:
        return macro(*arguments, **named)
    if named or len(arguments) != macro._argument_count:
        names = macro.arguments[len(arguments) :]
        if not named.keys() <= set(names) or len(arguments) > macro._argument_count:
            return macro(*arguments, **named)  # which raises an error that says why not
        arguments = (*arguments, *[named.get(name, missing) for name in names])
    found = macro._func(*arguments)
    return _mark_safe(found) if macro._default_autoescape else found


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

    def call(self, called: Any, /, *arguments: Any, **named: Any) -> Any:
        kind = type(called)
        if kind is not Macro and kind not in _WANTING_NOTHING:
            return super().call(called, *arguments, **named)
        if named:
            named.pop("_loop_vars", None)  # only for those who get the context
            named.pop("_block_vars", None)
        return drawn(called, arguments, named) if kind is Macro else called(*arguments, **named)
