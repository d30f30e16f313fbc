import json
import random

import pytest

from hearts.__main__ import main


@pytest.fixture
def rng():
    return random.Random(20)


@pytest.fixture
def replay(tmp_path, capsys):
    """Replays a record, given as a mapping or a text: exit status, events, standard error."""

    def run(record):
        file = tmp_path / "game.json"
        file.write_text(record if isinstance(record, str) else json.dumps(record), encoding="utf-8")
        status = main(["replay", str(file)])
        out, err = capsys.readouterr()
        return status, [json.loads(line) for line in out.splitlines()], err

    return run
