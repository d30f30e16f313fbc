"""Draws once what looks the same for the same arguments, such as a trick of a game."""

from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup

KEPT = 4096  # drawn macros that a process keeps; they have 500 bytes on average, a trick with its players 2,000


def drawing_once() -> Callable[..., Markup]:
    """Returns the templates' `once(macro, …)`, which draws a macro once for the same arguments.

    It may depend on nothing else, and takes no `caller`.
    """

    @lru_cache(KEPT)
    def once(macro: Callable[..., Markup], *arguments: object) -> Markup:
        return macro(*arguments)

    return once
