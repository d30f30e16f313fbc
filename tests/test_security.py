"""Every test that docs/security.md names for a threat exists."""

import ast
import re
from pathlib import Path

from tests.every import of_every
from tests.syntax import parsed

TESTS = Path(__file__).resolve().parent
TEXT = (TESTS.parent / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", TEXT)))


@of_every(NAMED)
def test_every_test_that_the_page_names_exists(named):
    file, name = named
    tree = parsed((TESTS / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_threat_has_a_test():
    threats = [line for line in TEXT.splitlines() if line.startswith("| ") and line.count(" | ") == 2]
    shown = [line for line in threats if "::" in line]
    headings = [
        line for line in threats if line in ("| threat | what is done | test |", "| form | mail | what is counted |")
    ]
    forms = [line for line in threats if "(`POST /" in line]
    assert len(shown) + len(headings) + len(forms) == len(threats)
    assert len(NAMED) > 60
