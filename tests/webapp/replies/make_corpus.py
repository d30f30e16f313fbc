"""Writes the corpus again: `python -m tests.webapp.replies.make_corpus`.

The corpus is kept as it was written, with what our mails said then; it is made again only to add to it. `people` and
`machines` say what an email is, as in "pass AS QS QH" or "bounce address failed 5.1.1 bo@example.org".
"""

import json
import shutil
from pathlib import Path
from typing import Any

from tests.webapp.replies.clients import Reply
from tests.webapp.replies.machines import machines
from tests.webapp.replies.people import people
from tests.webapp.replies.sent import WRITERS, asked_by, mail

CORPUS = Path(__file__).parent / "corpus"
ANSWERED = {
    "turn": "turn-following",
    "pass": "pass-classic",
    "moon": "moon",
    "forced": "turn-leading",
    "sheet": "score-sheet-classic",
}


def main() -> None:
    shutil.rmtree(CORPUS, ignore_errors=True)
    (CORPUS / "answered").mkdir(parents=True)
    for name, of in ANSWERED.items():
        (CORPUS / "answered" / f"{name}.eml").write_bytes(mail(of).as_bytes())
    mails = {name: _written(name, *rest) for name, *rest in [*people(), *machines()]}
    table = {"asked": {name: _asked(name) for name in ANSWERED}, "mails": mails}
    (CORPUS / "readings.json").write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _written(name: str, client: str, language: str, asked: str, expected: str, made: Reply | bytes) -> dict[str, Any]:
    raw = made if isinstance(made, bytes) else made.raw()
    path = CORPUS / f"{name}.eml"
    assert not path.exists(), name
    path.write_bytes(raw)
    sender = "" if b"\nReturn-Path: <>" in b"\n" + raw else WRITERS["Bo"]
    return {"client": client, "language": language, "asked": asked, "sender": sender, "expected": _expected(expected)}


def _expected(words: str) -> dict[str, Any]:
    taken, *rest = words.split()
    match taken:
        case "command":
            return {"class": taken, "word": rest[0], "cards": rest[1:]}
        case "bounce":
            fault, action, status, recipient = rest
            bounce = {"recipient": recipient, "status": status, "fault": fault, "action": action}
            return {"class": taken, "word": None, "cards": [], "bounce": bounce}
    return {"class": taken, "word": None, "cards": rest}


def _asked(name: str) -> dict[str, Any]:
    asked = asked_by(ANSWERED[name])
    legal = ["2C"] if name == "forced" else list(asked.legal)
    fields = {"seat": asked.seat, "hand": asked.hand, "what": asked.what, "addresses": sorted(asked.addresses)}
    return fields | {"legal": legal, "pass_count": asked.pass_count}


if __name__ == "__main__":
    main()
