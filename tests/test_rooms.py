"""The rooms of the house: imports point one way, and `hearts` knows nothing but its arguments.

`python -m tests.test_rooms` prints how many rooms and arrows there are, and which arrows point up. With `--draw` it
draws `docs/pictures/rooms.svg`.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from statistics import mean

import pytest

from tests.every import of_every
from tests.syntax import ROOMS, ROOT, parsed

# The rooms of webapp from the ground up: each may import itself and those before it. A file is a room, too.
# fmt: off
STOREYS = (
    "core", "models", "counts", "acts", "migrations", "replies",
    "games.record", "games.asked", "games.clock", "games", "presentation",
    "results", "forms", "robots", "outbox", "play", "practice",
    "accounts", "tables", "players", "inbox", "operators", "pages", "site",
)
# fmt: on
PICTURE = ROOT / "docs" / "pictures" / "rooms.svg"
WIDE, HIGH = 840, 62  # pixels: the picture, and from one row of rooms to the next
STYLE = """<style>svg { background: #fff } path { fill: none; stroke: #8a8a8a } rect { fill: #eef4ee; stroke: #2f6b45 }
text { font: 14px sans-serif; text-anchor: middle; fill: #1c1c1c }</style>"""
OUTSIDE = {"tests", "bench", "scripts"}  # these use the rooms; no room uses them

# The imports of a file of hearts/ beyond the standard library, by its path: they compile the robot's inner loop.
EXCEPTIONS: dict[str, set[str]] = {"hearts/robot/compiled.py": {"llvmlite", "numba", "numpy"}}

# The modules of the standard library that read the time, draw random numbers or reach beyond the process.
# fmt: off
WORLD = {
    "time", "datetime", "calendar", "zoneinfo", "sched", "os", "pathlib", "io", "shutil", "tempfile", "glob",
    "fileinput", "mmap", "socket", "ssl", "select", "selectors", "signal", "subprocess", "multiprocessing",
    "threading", "asyncio", "logging", "sqlite3", "dbm", "shelve", "secrets", "uuid", "getpass", "platform", "urllib",
    "http", "ftplib", "smtplib", "poplib", "imaplib", "email", "webbrowser", "locale", "ctypes", "importlib", "runpy",
    "pkgutil",
}
# fmt: on
CALLS = {"open", "input", "print", "exec", "eval", "__import__"}
HANDED_IN = {"Random"}  # hearts may import this from the module random: the type of what callers pass in


def faults(path: str, source: str) -> list[str]:
    """The faults of a file by the rules of the rooms; `path` is relative to the root of the project."""
    tree = parsed(source)
    room = path.partition("/")[0]
    found = [fault for name in imports(path, tree) if (fault := _import_fault(path, room, name))]
    found += [f"{lower} may not import {upper}, which is above it" for lower, upper in climbs(path, tree)]
    if room == "hearts" and not path.endswith("/__main__.py"):
        found += _world_faults(tree)
    return found


def imports(path: str, tree: ast.AST) -> Iterator[str]:
    """Every module that a file imports, wherever in it, by its full name; also by import_module and __import__."""
    package = path.removesuffix(".py").split("/")[:-1]
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = [*package[: len(package) - level + 1]] if level else []
                base += [module] if module else []
                yield from (".".join([*base, alias.name]) for alias in names)
            case ast.Call(func=ast.Name(id="__import__" | "import_module"), args=[ast.Constant(value=str(name)), *_]):
                yield name
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(name)), *_]):
                yield name


def storey(name: str) -> str | None:
    """The room of webapp in or beside which a module stands, by its dotted name; None for webapp, and outside of it."""
    first, *rest = name.split(".")
    if first != "webapp" or not rest:
        return None
    inner = ".".join(rest[:2])
    return inner if inner in STOREYS else rest[0]


def arrows(path: str, tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The other rooms of webapp that a file of webapp imports from, each as a pair: from, to."""
    here = storey(path.removesuffix(".py").replace("/", "."))
    for name in imports(path, tree):
        there = storey(name)
        if here in STOREYS and there in STOREYS and here != there:
            yield here, there


def climbs(path: str, tree: ast.AST) -> list[tuple[str, str]]:
    return [(here, there) for here, there in arrows(path, tree) if STOREYS.index(there) > STOREYS.index(here)]


def _import_fault(path: str, room: str, name: str) -> str | None:
    top = name.partition(".")[0]
    if top in OUTSIDE or (top in ROOMS and ROOMS.index(top) < ROOMS.index(room)):
        return f"{room} may not import {name}"
    if room == "hearts" and top != "hearts" and top not in sys.stdlib_module_names | EXCEPTIONS.get(path, set()):
        return f"hearts imports only the standard library, not {name}"
    return None


def _world_faults(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (f"no {alias.name} in hearts" for alias in names if alias.name.partition(".")[0] in WORLD)
                yield from ("no other name for random" for alias in names if alias.name == "random" and alias.asname)
            case ast.ImportFrom(module="random", names=names):
                yield from (f"no random.{alias.name} in hearts" for alias in names if alias.name not in HANDED_IN)
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in WORLD:
                yield f"no {module} in hearts"
            case ast.Attribute(value=ast.Name(id="random"), attr=name) if name not in HANDED_IN:
                yield f"no random.{name} in hearts"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="random"), attr="Random"), args=[], keywords=[]):
                yield "no seed from the clock in hearts"
            case ast.Call(func=ast.Name(id="Random"), args=[], keywords=[]):
                yield "no seed from the clock in hearts"
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield f"no {name}() in hearts"


def picture() -> str:
    """The rooms as SVG: each as low as its imports allow, with a line to those below to which no other way leads."""
    rooms = ("hearts", *STOREYS, "worker")
    below: dict[str, set[str]] = {room: set() for room in rooms}
    for path in files():
        here = _room(path.removesuffix(".py").replace("/", "."))
        for name in imports(path, parsed((ROOT / path).read_text(encoding="utf-8"))):
            if here in rooms and (there := _room(name)) in rooms and there != here:
                below[here].add(there)
    reached: dict[str, set[str]] = {}
    height: dict[str, int] = {}
    for room in rooms:  # from the ground up
        reached[room] = below[room].union(*(reached[one] for one in below[room]))
        height[room] = max((height[one] + 1 for one in below[room]), default=0)
    lines = [
        (room, one)
        for room in rooms
        for one in rooms
        if one in below[room] and not _other_way(reached, below, room, one)
    ]
    top, places = max(height.values()), {}
    for level in range(top, -1, -1):  # from left to right as the rooms that lead to them
        here = [room for room in rooms if height[room] == level]
        middle = {room: mean([places[one][0] for one, to in lines if to == room] or [WIDE // 2]) for room in here}
        for index, room in enumerate(sorted(here, key=middle.__getitem__)):
            places[room] = WIDE * (2 * index + 1) // (2 * len(here)), 40 + HIGH * (top - level)
    drawn = [_line(*places[room], *places[one]) for room, one in lines]
    drawn += [_box(room, *place) for room, place in places.items()]
    size = f'width="{WIDE}" height="{80 + HIGH * top}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', STYLE, *drawn, "</svg>", ""])


def _room(name: str) -> str | None:
    return storey(name) if name.startswith("webapp") else name.partition(".")[0]


def _other_way(reached: Mapping[str, set[str]], below: Mapping[str, set[str]], room: str, one: str) -> bool:
    return any(one in reached[between] for between in below[room])


def _line(x: int, y: int, to_x: int, to_y: int) -> str:
    return f'<path d="M{x} {y + 15} C{x} {y + 40} {to_x} {to_y - 40} {to_x} {to_y - 15}"/>'


def _box(name: str, x: int, y: int) -> str:
    return f'<rect x="{x - 58}" y="{y - 15}" width="116" height="30" rx="6"/><text x="{x}" y="{y + 5}">{name}</text>'


def files() -> list[str]:
    return [str(file.relative_to(ROOT)) for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]


@of_every(files())
def test_imports_point_one_way(path: str) -> None:
    assert faults(path, (ROOT / path).read_text(encoding="utf-8")) == []


def test_every_room_of_webapp_has_a_storey() -> None:
    modules = [path.removesuffix(".py").replace("/", ".") for path in files() if path.startswith("webapp/")]
    assert {storey(name) for name in modules} - {None, "__init__"} == set(STOREYS)


def test_the_picture_of_the_rooms_is_todays() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "draw it: .venv/bin/python -m tests.test_rooms --draw"


def test_every_room_is_checked() -> None:
    assert {path.partition("/")[0] for path in files()} == set(ROOMS)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        pytest.param("hearts/play.py", "import webapp", id="hearts uses webapp"),
        pytest.param("hearts/play.py", "from worker.tasks import play_for_absent", id="hearts uses worker"),
        pytest.param("hearts/play.py", "import numpy as np", id="hearts uses a library"),
        pytest.param("hearts/robot/duck.py", "from ...webapp import store", id="hearts climbs out of its room"),
        pytest.param("webapp/site.py", "import worker.tasks", id="webapp uses worker"),
        pytest.param("webapp/site.py", "def ring():\n    from worker import tasks", id="webapp uses worker, late"),
        pytest.param("webapp/pages/home.py", "from ... import worker", id="webapp uses worker, by the way up"),
        pytest.param(
            "webapp/core/bell.py", "import importlib\nimportlib.import_module('worker.tasks')", id="by its name"
        ),
        pytest.param("webapp/core/bell.py", "__import__('worker.tasks')", id="by its name, from the inside"),
        pytest.param("worker/tasks.py", "from tests.servers import MailServer", id="worker uses the tests"),
        pytest.param("webapp/games/record/store.py", "from webapp.pages import home", id="a room climbs"),
        pytest.param("webapp/games/talk.py", "def late():\n    from webapp import site", id="a room climbs, late"),
        pytest.param("webapp/models/tables.py", "from ..games import store", id="a room climbs, by the way up"),
        pytest.param("webapp/games/asked/due.py", "from webapp.games.clock import pace", id="a room of games climbs"),
        pytest.param("webapp/play/taking.py", "from webapp.players import away", id="a room of players is above"),
        pytest.param("hearts/deal.py", "from time import time", id="hearts reads the clock"),
        pytest.param("hearts/deal.py", "import datetime as dt", id="hearts knows the date"),
        pytest.param("hearts/deal.py", "import os.path", id="hearts looks at files"),
        pytest.param("hearts/deal.py", "open('cards')", id="hearts opens a file"),
        pytest.param("hearts/deal.py", "print('dealt')", id="hearts talks"),
        pytest.param("hearts/deal.py", "import random\nrandom.shuffle([])", id="hearts draws by itself"),
        pytest.param("hearts/deal.py", "import random as chance", id="hearts renames random"),
        pytest.param("hearts/deal.py", "from random import choice", id="hearts draws by itself, by name"),
        pytest.param("hearts/deal.py", "import random\nrng = random.Random()", id="seeded by the clock, in full"),
        pytest.param(
            "hearts/deal.py", "from random import Random\nrng = Random()", id="hearts seeds by the clock, too"
        ),
    ],
)
def test_a_forbidden_import_is_found(path: str, source: str) -> None:
    assert len(faults(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        pytest.param("worker/tasks.py", "from webapp import site\nfrom hearts.view import View", id="downwards"),
        pytest.param(
            "webapp/pages/home.py", "from .. import tokens\nfrom hearts import game\nimport flask", id="within"
        ),
        pytest.param("hearts/deal.py", "import random\ndef deal(rng: random.Random): rng.shuffle([])", id="handed in"),
        pytest.param(
            "hearts/robot/duck.py", "from ..view import View\nfrom random import Random\nRandom(7)", id="seed"
        ),
        pytest.param("hearts/__main__.py", "import sys\nfrom pathlib import Path\nprint(open('x'))", id="the command"),
    ],
)
def test_an_allowed_import_is_accepted(path: str, source: str) -> None:
    assert faults(path, source) == []


def test_an_exception_applies_to_its_own_file_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXCEPTIONS, "hearts/robot/search.py", {"numba"})
    assert faults("hearts/robot/search.py", "import numba") == []
    assert faults("hearts/play.py", "import numba") == ["hearts imports only the standard library, not numba"]


if __name__ == "__main__":
    found = {pair for path in files() for pair in arrows(path, parsed((ROOT / path).read_text(encoding="utf-8")))}
    up = sorted(pair for pair in found if STOREYS.index(pair[1]) > STOREYS.index(pair[0]))
    print(f"{len(STOREYS)} rooms, {len(found)} arrows, {len(up)} of them climb: {up}")  # noqa: T201
    if "--draw" in sys.argv:
        PICTURE.write_text(picture(), encoding="utf-8")
