"""The rings that wait at the broker, which keeps them as files."""

import threading

from webapp.core.bell import DELIVER, DO_DUE, PLAY_DUE, PLAY_FOR_ABSENT
from webapp.core.runtime import Runtime


def rings(runtime: Runtime) -> list[str]:
    """The tasks that wait at the broker, and those for which is rung at the end of a gap; empties it."""
    wait_for_gaps()
    found = []
    for file in sorted((runtime.settings.data_dir / "broker" / "queue").glob("*.msg")):
        content = file.read_text()
        found += [task for task in (DELIVER, DO_DUE, PLAY_DUE, PLAY_FOR_ABSENT) if task in content]
        file.unlink()
    return found


def wait_for_gaps() -> None:
    while waiting := [one for one in threading.enumerate() if isinstance(one, threading.Timer)]:
        for timer in waiting:
            timer.join()
