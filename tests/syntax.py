"""Our source: its rooms, and a file of it as a syntax tree."""

import ast
import gc
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("worker", "webapp", "hearts")  # each may use itself and those after it


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
