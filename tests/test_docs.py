"""The documents: each file that one of them names exists."""

import re

from tests.every import of_every
from tests.syntax import ROOT

DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
FOLDERS = ("bench", "deploy", "docs", "findings", "hearts", "scripts", "templates", "tests", "webapp", "worker")
FILES = ["/" + file.relative_to(ROOT).as_posix() for folder in FOLDERS for file in (ROOT / folder).rglob("*.*")]
FILES += [f"/{file.name}" for file in ROOT.iterdir()]
HISTORY = "CHANGELOG.md"  # it names what is gone
ANY = re.compile("NAME|NNNN")  # stands for the name of any file


@of_every(sorted(file.relative_to(ROOT).as_posix() for file in DOCUMENTS if file.name != HISTORY))
def test_every_file_that_a_document_names_exists(document):
    named = re.findall(r"`(\w[\w./-]*\.(?:py|js|css|html|txt|sh|md))`", (ROOT / document).read_text(encoding="utf-8"))
    gone = [name for name in named if not any(file.endswith(f"/{name}") for file in FILES)]
    assert [name for name in gone if not ANY.search(name)] == []
