"""Score sheets and records, as their reader finds them."""

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from tests.end_to_end.players import links
from tests.servers import ROOT, Mail


def is_final(mail: Mail) -> bool:
    return "The game is over" in mail.subject


def record_link(mail: Mail) -> str:
    (link,) = [link for link in links(mail) if urlsplit(link).path.endswith(".json")]
    return link


def totals(mail: Mail) -> dict[str, int]:
    """Each player's total according to a score sheet; its text and its HTML part must agree."""
    in_text = {name: int(total) for name, total in re.findall(r"^ *\d+\. (.+?): (-?\d+)", mail.text, re.MULTILINE)}
    in_html = {}
    for row in BeautifulSoup(mail.html, "lxml").find_all("tr"):
        cells = [" ".join(cell.get_text(" ").split()) for cell in row.find_all("td")]
        named = [name for name in in_text if cells and re.match(rf"\d+\. {re.escape(name)}( |$)", cells[0])]
        if named:
            in_html[max(named, key=len)] = int(cells[-1])
    assert in_text == in_html
    return in_text


def replay_lines(record: Path) -> list[dict]:
    command = [sys.executable, "-m", "hearts", "replay", str(record)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return [json.loads(line) for line in run.stdout.splitlines()]
