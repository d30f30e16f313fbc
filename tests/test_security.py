"""Every test that docs/security.md and docs/doors.md name for what could go wrong exists."""

import ast
import re

from tests.every import of_every
from tests.syntax import ROOT, parsed

SECURITY, DOORS = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("security.md", "doors.md"))
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", SECURITY + DOORS)))


@of_every(NAMED)
def test_every_test_that_the_pages_name_exists(named):
    file, name = named
    tree = parsed((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_threat_has_a_test():
    threats = [line for line in SECURITY.splitlines() if line.startswith("| ") and line.count(" | ") == 2]
    shown = [line for line in threats if "::" in line]
    headings = [
        line for line in threats if line in ("| threat | what is done | test |", "| form | mail | what is counted |")
    ]
    forms = [line for line in threats if "(`POST /" in line]
    assert len(shown) + len(headings) + len(forms) == len(threats)
    assert len(NAMED) > 60


def test_every_door_has_a_kind_and_a_test():
    doors = [line for line in DOORS.splitlines() if line.startswith("| ") and "| its kind |" not in line]
    assert [door for door in doors if door.count(" | ") != 4 or "::" not in door.rpartition(" | ")[2]] == []
    assert len(doors) > 25
