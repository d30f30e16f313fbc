"""The inner loop compiled by numba: the same functions, three hundred times as fast. Only this file imports numba.

The import takes a third of a second and 130 MB, so the first search does it, not the start of the process. Compiled
code is cached on disk, if numba finds a writable place, and recompiled when the inner loop has changed.

Two things make it three times as fast as numba by itself: lists are passed as plain pointers, which nobody counts, and
every function is inlined where it is called.
"""

from collections.abc import Callable
from hashlib import sha256
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload, register_jitable

from hearts.robot import bits, engine, judgement, passing, policy, sampling, search, shooting

_TRUE = ir.Constant(ir.IntType(1), 1)
_MODULES = (engine, passing, shooting, policy, judgement, sampling, search)


def _instruction(emit: Callable[[Any, Any], Any]) -> Any:
    """A function from one integer to another that compiles to the instruction that `emit` builds."""
    return intrinsic(lambda _typing, mask: (types.int64(mask), lambda _c, builder, _s, given: emit(builder, given[0])))


_ones = _instruction(lambda builder, mask: builder.ctpop(mask))
_zeros_above = _instruction(lambda builder, mask: builder.ctlz(mask, _TRUE))
_zeros_below = _instruction(lambda builder, mask: builder.cttz(mask, _TRUE))

# These are lambdas because numba requires the signatures of overloads to match exactly, without type annotations.
overload(bits.count, inline="always")(lambda mask: lambda mask: _ones(mask))
overload(bits.lowest, inline="always")(lambda mask: lambda mask: _zeros_below(mask))
overload(bits.highest, inline="always")(lambda mask: lambda mask: 63 - _zeros_above(mask))


def _typed_pointer(_typing: Any, array: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, given[0]).data

    return types.CPointer(array.dtype)(array), emit  # type: ignore[no-untyped-call]


_pointer: Any = intrinsic(_typed_pointer)
"""A pointer to the first element of an array, which the caller keeps alive; it has no length."""


def _functions(module: ModuleType) -> list[FunctionType]:
    return [it for it in vars(module).values() if isinstance(it, FunctionType) and it.__module__ == module.__name__]


def _version() -> str:
    """A hash of all functions and constants of the inner loop, because numba itself watches only one file."""
    parts = [
        (name, it if isinstance(it, int) else (it.__code__.co_code, it.__code__.co_consts))
        for module in (bits, *_MODULES)
        for name, it in sorted(vars(module).items())
        if isinstance(it, int | FunctionType)
    ]
    return sha256(repr(parts).encode()).hexdigest()


def _compile(function: Callable[..., None], *, caches: bool = True) -> Any:
    version = _version()

    def run(base, rules, known, unseen, groups, prices, arms, results, work, dealt, state, deals):  # type: ignore[no-untyped-def]
        if version:  # a reference, so that numba's cache depends on it
            base, rules, known, prices = _pointer(base), _pointer(rules), _pointer(known), _pointer(prices)
            results, work, dealt, state = _pointer(results), _pointer(work), _pointer(dealt), _pointer(state)
            function(base, rules, known, unseen, groups, prices, arms, results, work, dealt, state, deals)

    try:
        return njit(cache=caches, nogil=True, error_model="numpy")(run)
    except RuntimeError:  # no writable place for the cache
        return njit(nogil=True, error_model="numpy")(run)


def in_memory() -> Callable[..., None]:
    """The search compiled once more, without the cache on disk."""
    compiled: Callable[..., None] = _compile(search.roll, caches=False)
    return compiled


def cache_folder() -> str:
    """Returns the folder in which numba caches the compiled search."""
    return str(roll.stats.cache_path)


for _module in (bits, *_MODULES):
    for _function in _functions(_module):
        if _function not in (bits.count, bits.lowest, bits.highest):
            register_jitable(forceinline=True)(_function)

roll = _compile(search.roll)


def small_numbers(values: list[int]) -> Any:
    """Does the same as `numbers` in 16 bits, so that a table of them stays in the processor's nearest cache."""
    return np.array(values, dtype=np.int16)


def numbers(values: list[int]) -> Any:
    """The values as an array, which the compiled functions take."""
    return np.array(values, dtype=np.int64)
