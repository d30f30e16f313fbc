"""The tasks of a worker, as Celery runs them."""

import json
import subprocess
import sys

from tests.cast import start_game
from tests.servers import ROOT
from worker import scheduler

RUNS_EACH_ONCE = """
import json
from inspect import signature
from webapp.core.metrics import TASKS
from worker.tasks import app
from worker.tasks import DONE_BY_ONE

GAME = 1
app.loader.import_default_modules()
own = [task for name, task in app.tasks.items() if not name.startswith("celery.")]
for task in own:
    task(*[GAME for _ in signature(task.run).parameters])
names = [*DONE_BY_ONE, *(task.run.__name__ for task in own if task.run.__name__ != "do_due")]
counts = [sample for sample in TASKS.collect()[0].samples if sample.name.endswith("_count")]
print(json.dumps([names, {one.labels["task"]: one.value for one in counts}]))
"""


def test_every_task_is_timed_under_its_name(runtime):
    assert start_game(runtime).game_id == 1
    environment = {"PATH": "", "DATA_DIR": str(runtime.settings.data_dir)}
    command = [sys.executable, "-c", RUNS_EACH_ONCE]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    names, counts = json.loads(ended.stdout)
    assert set(names) > set(scheduler.DONE_BY_ONE), "what one worker does is swept for"
    assert counts == dict.fromkeys(names, 1)
