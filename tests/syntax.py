"""Python source as a syntax tree."""

import ast
import gc


def parsed(source: str) -> ast.Module:
    """The syntax tree of `source`.

    Without garbage collection meanwhile: what it finalizes may let another thread parse, and then Python 3.11 mixes up
    the depths of the two (CPython issue 106905, "recursion depth mismatch").
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        if was_enabled:
            gc.enable()
