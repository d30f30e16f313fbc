#!/bin/sh
# APScheduler 3.11.3: after the machine's clock is set back, a job that is due every 0.2 seconds does not run again until
# the clock shows the old time: the scheduler waits for the time of the next run by the wall clock, for as long as the
# clock was set back. Set forward, it goes on at once.
# What it means for us: `worker/scheduler.py` looks whether the clock was set, and has all jobs run at once.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet apscheduler==3.11.3 time-machine==3.6.0
"$folder/venv/bin/python" - <<'PYTHON'
import time
from datetime import UTC, datetime, timedelta

import time_machine
from apscheduler.schedulers.background import BackgroundScheduler

runs = []
scheduler = BackgroundScheduler(timezone=UTC)
with time_machine.travel(datetime.now(UTC), tick=True) as clock:
    scheduler.add_job(lambda: runs.append(time.monotonic()), "interval", seconds=0.2, next_run_time=datetime.now(UTC))
    scheduler.start()
    seen = []
    for name, hours in (("as it is", 0), ("set forward by an hour", 1), ("set back by an hour", -1)):
        clock.shift(timedelta(hours=hours))
        time.sleep(0.5)
        before = len(runs)
        time.sleep(3)
        seen.append(len(runs) - before)
        print(f"clock {name}: {seen[-1]} runs in 3 seconds")
    scheduler.shutdown(wait=False)
assert seen[0] > 10 and seen[1] > 10 and seen[2] == 0, "APScheduler behaves differently"
PYTHON
