"""The tests lie as the rooms do: in folders of the same names, a file for each module, and others on a subject."""

import ast
import re
from pathlib import Path

import pytest

from tests.syntax import ROOMS, ROOT, parsed

TESTS = ROOT / "tests"
RUN_BY_OTHERS = {"left_running.py"}  # by `test_processes`, which kills it
MIGRATIONS = Path("webapp/migrations")  # scripts, which are tested together, on the rows of older versions
UNTESTED = (  # modules that need no file of tests of their own
    *("hearts/robot/prices.py", "hearts/robot/keeping_prices.py"),  # tables of numbers, which the bench has fitted
    # an error that does nothing
    "webapp/models/*.py",  # declarations of tables
    "worker/composing.py",  # half of what `test_sending` has sent
)
# A docstring opens with a verb or a noun: after one of these words, the reader still has to guess what it is about.
UNCLEAR = re.compile(
    r"(That|What|Who|Whom|Whose|Where|Which|Whatever|Whoever|Wherever|"
    r"It|They|He|She|Them|Its|Their|This|These|Those|One of|If|As)\b"
)
WORDS = 10  # at most in a test's name
SAME = 4  # letters of a word in a file's name that its first line has, too: "moons" is about "the moon"


def of_rooms() -> list[Path]:
    """The tests of the three rooms and of the rooms within, by their paths from here."""
    return [file.relative_to(TESTS) for room in ROOMS for file in sorted((TESTS / room).rglob("test_*.py"))]


def names_a_module(file: Path) -> bool:
    """Whether a file of tests has the name of a module, or of a package, in the room that it mirrors."""
    module = ROOT / file.parent / file.stem.removeprefix("test_")
    return module.is_dir() or module.with_suffix(".py").is_file()


def names_its_subject(file: Path, source: str) -> bool:
    """Whether the words of the file's name are in its first line. Short words, such as "at", don't count."""
    line = (ast.get_docstring(parsed(source)) or "").partition("\n")[0].lower()
    words = file.stem.removeprefix("test_").split("_")
    return all(word[:SAME] in line for word in words if len(word) > 2)


def without_tests() -> list[Path]:
    """The modules of the three rooms for which there is no file of tests of the same name."""
    files = [file.relative_to(ROOT) for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
    modules = [file for file in files if file.name != "__init__.py" and MIGRATIONS not in file.parents]
    return [file for file in modules if not (TESTS / file.with_name(f"test_{file.name}")).is_file()]


def names_of_tests(source: str) -> list[str]:
    return [
        one.name for one in parsed(source).body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")
    ]


def long_names(source: str) -> list[str]:
    """The names of tests, also of those in classes, that have more than `WORDS` words."""
    names = [one.name for one in ast.walk(parsed(source)) if isinstance(one, ast.FunctionDef)]
    return [name for name in names if name.startswith("test_") and name.count("_") > WORDS]


def unclear(source: str) -> list[str]:
    """The first lines of docstrings, also of those below a field or a constant, that open with an unclear word."""
    texts = [
        one.value.value
        for one in ast.walk(parsed(source))
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str)
    ]
    return [text.partition("\n")[0] for text in texts if UNCLEAR.match(text)]


def test_every_folder_of_tests_mirrors_a_room():
    assert [folder for folder in {file.parent for file in of_rooms()} if not (ROOT / folder).is_dir()] == []


def test_every_module_has_a_file_of_tests_of_its_name():
    assert [str(file) for file in without_tests() if not any(file.match(one) for one in UNTESTED)] == []


def test_no_module_is_excused_that_has_tests():
    assert [one for one in UNTESTED if not any(file.match(one) for file in without_tests())] == []


def test_a_file_of_tests_is_named_after_module_or_subject():
    files = [(file, (TESTS / file).read_text(encoding="utf-8")) for file in of_rooms() if not names_a_module(file)]
    assert [str(file) for file, source in files if not names_its_subject(file, source)] == []


def test_no_file_of_tests_uses_another():
    used = re.compile(r"^(?:from|import) tests\.(?:\w+\.)*test_\w+", re.MULTILINE)
    assert [str(file) for file in TESTS.rglob("*.py") if used.search(file.read_text(encoding="utf-8"))] == []


def test_no_test_lies_where_nobody_runs_it():
    others = [file for file in TESTS.rglob("*.py") if not file.name.startswith("test_")]
    assert {file.name for file in others if names_of_tests(file.read_text(encoding="utf-8"))} == RUN_BY_OTHERS


def test_the_name_of_a_test_has_at_most_ten_words():
    files = [(file, file.read_text(encoding="utf-8")) for file in sorted(TESTS.rglob("*.py"))]
    assert {str(file.relative_to(TESTS)): found for file, source in files if (found := long_names(source))} == {}


@pytest.mark.parametrize("room", ["hearts", "webapp", "worker", "bench", "scripts", "tests"])
def test_no_docstring_begins_with_a_pronoun_or_a_relative_clause(room):
    files = [(file, file.read_text(encoding="utf-8")) for file in sorted((ROOT / room).rglob("*.py"))]
    assert files
    assert {str(file.relative_to(ROOT)): found for file, source in files if (found := unclear(source))} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('"""What a card costs."""', ["What a card costs."]),
        ('def seat():\n    """Who has a seat.\n\n    None if it is free."""', ["Who has a seat."]),
        ('class Seat:\n    """One of the seats."""', ["One of the seats."]),
        ('LIMIT = 3\n"""As `LEAST`."""', ["As `LEAST`."]),
        ('"""The card that a robot plays."""', []),
        ('"""Asks what to play."""\nTEXT = "What to play?"', []),
    ],
)
def test_a_docstring_that_opens_with_an_unclear_word_is_found(source, found):
    assert unclear(source) == found


@pytest.mark.parametrize(
    ("file", "source", "is_named"),
    [
        ("hearts/test_moons.py", '"""How the moon is shot."""', True),
        ("webapp/pages/test_at_sea.py", '"""Pages on a ship at sea."""', True),
        ("webapp/pages/test_pages.py", '"""What a browser sees."""', False),
        ("webapp/pages/test_ship.py", '"""What a browser sees.\n\nOn a ship."""', False),
        ("webapp/pages/test_ship.py", "SHIP = 1", False),
    ],
)
def test_the_first_line_names_the_subject(file, source, is_named):
    assert names_its_subject(Path(file), source) is is_named
