"""The processes, on embedded defaults and under the usual umask, let no other user look at what they keep."""

import os
import stat
from pathlib import Path

from tests.cast import make_runtime, start_game
from tests.end_to_end.service import running_service
from tests.servers import wait_until


def test_no_process_leaves_anything_open_to_other_users(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    runtime = make_runtime(folder, mail_from="Hearts by Mail <hearts@hearts.example.org>")
    start_game(runtime)
    runtime.database.engine.dispose()
    (folder / "broker" / "queue").mkdir(parents=True, exist_ok=True)
    for path in (folder, *folder.rglob("*")):  # as an earlier version left it
        path.chmod(0o755 if path.is_dir() else 0o644)
    umask = os.umask(0o022)
    try:
        with running_service(tmp_path) as service:
            wait_until("letters that workers have kept", lambda: "kept" in str(service.rows()["letter"]))
            assert open_to_others(folder) == []
    finally:
        os.umask(umask)


def open_to_others(folder: Path) -> list[str]:
    """What others may look into, of a folder and all that lies in it; a message may be gone by the time we look."""
    modes = {path: path.stat().st_mode for path in (folder, *folder.rglob("*")) if path.exists()}
    return [str(path) for path, mode in modes.items() if stat.S_IMODE(mode) & 0o077]
