"""The code uses libraries by their public names alone, and changes none of their classes."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.syntax import parsed

ROOT: Final = Path(__file__).parents[1]
ROOMS: Final = ("hearts", "webapp", "worker")
OURS: Final = (*ROOMS, "tests", "scripts", "bench")
PUBLIC: Final = {"_replace", "_asdict", "_fields", "_make"}  # of named tuples, as their manual says
# Kombu's manual has those who write a transport define these; no other name of its base class does the same.
OF_TRANSPORTS: Final = {"_put", "_queue_bind"}


@cache
def files() -> list[Path]:
    return [file for room in (*ROOMS, "tests") for file in sorted((ROOT / room).rglob("*.py"))]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in {"_", *PUBLIC}


def defined(tree: ast.AST) -> Iterator[str]:
    """The private names that a file gives to something of its own."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield name


@cache
def own_names() -> set[str]:
    return {name for file in files() for name in defined(parsed(file.read_text(encoding="utf-8"))) if is_private(name)}


def private_uses(tree: ast.AST) -> Iterator[str]:
    """The private names of libraries that a file imports or asks an object for."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] not in OURS:
                yield from (part for part in module.split(".") if is_private(part))
                yield from (one.name for one in names if is_private(one.name))
            case ast.Import(names=names):
                yield from (part for one in names for part in one.name.split(".") if is_private(part))
            case ast.Attribute(attr=name) if is_private(name) and name not in own_names():
                yield name


def patched(tree: ast.AST) -> Iterator[str]:
    """Yields the names that a file sets on something that it imports from a library."""
    theirs = {
        one.asname or one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] not in OURS
        for one in node.names
        if (one.asname or one.name)[0].isupper()  # a class
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Store()) if name in theirs:
                yield f"{name}.{attr}"


def test_no_file_uses_a_private_name_of_a_library():
    assert own_names()
    found = {str(file): {*private_uses(parsed(file.read_text(encoding="utf-8")))} for file in files()}
    assert {file: names for file, names in found.items() if names} == {}


def test_no_file_changes_a_class_of_a_library():
    found = {str(file): {*patched(parsed(file.read_text(encoding="utf-8")))} for file in files()}
    assert {file: names for file, names in found.items() if names} == {}


def test_no_class_replaces_a_private_method_of_a_library():
    replaced = {
        f"{one.__module__}.{one.__qualname__}.{name}"
        for one in classes()
        for name in vars(one)
        if is_private(name) and any(name in vars(base) for base in one.__mro__[1:] if not is_ours(base))
    }
    assert {name for name in replaced if name.rpartition(".")[2] not in OF_TRANSPORTS and is_written(name)} == set()


def classes() -> Iterator[type]:
    """All classes of the rooms."""
    for room in ROOMS:
        for found in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
            if "__main__" in found.name or ".migrations." in found.name or found.name == "worker.tasks":
                continue  # they begin something
            module = importlib.import_module(found.name)
            members = inspect.getmembers(module, inspect.isclass)
            yield from (one for _, one in members if one.__module__ == module.__name__)


def is_ours(one: type) -> bool:
    return one.__module__.split(".")[0] in ROOMS


def is_written(name: str) -> bool:
    """Whether the name stands in our source: enumerations, dataclasses and tables have some that others write."""
    return name.rpartition(".")[2] in own_names()
