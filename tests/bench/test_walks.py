"""Checks where the walks that `python -m bench.walks` counts begin and end."""

from bench.walks import walked


def test_each_walk_goes_from_its_first_file_to_its_last(tmp_path):
    ends = {
        "a letter to SMTP": {"worker/postman.py", "worker/relay.py"},
        "a posted card": {"webapp/pages/turns.py", "webapp/games/record/changing.py", "webapp/outbox/questions.py"},
        "a mail's link opened": {"webapp/pages/turns.py", "webapp/presentation/sheets.py"},
        "a deadline": {"webapp/play/due_games.py", "webapp/robots/thinking.py", "webapp/games/record/changing.py"},
    }
    found = walked(tmp_path)
    assert {name: files & ends[name] for name, files in found.items()} == ends
    assert not any(file.startswith(("tests", "bench")) for files in found.values() for file in files)
