#!/bin/sh
# Kombu 5.7.0, filesystem transport: where four processes each declare a queue in a folder that is still empty, the
# table of the exchange is broken in some of 100 rounds. It lacks queues, or holds the tables of two processes one after
# the other, and nobody can read it any more (JSONDecodeError). Each process creates the file if there is none, and
# locks it only then.
# What it means for us: `webapp/core/filesystem_broker.py` lets one process at a time read or change the table.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet kombu==5.7.0
cat >"$folder/declare.py" <<'PYTHON'
import sys
import tempfile
from collections import Counter
from multiprocessing import Barrier, Process
from pathlib import Path

from kombu import Connection, Exchange, Queue

PROCESSES, ROUNDS = 4, 100


def connect(folder):
    folders = {"data_folder_in": folder, "data_folder_out": folder, "control_folder": Path(folder, "control")}
    return Connection("filesystem://", transport_options=folders)


def declare(folder, barrier, number):
    with connect(folder) as connection:
        queue = Queue(f"queue{number}", Exchange("rings"), f"key{number}", connection.channel())
        barrier.wait()
        try:
            queue.declare()
        except ValueError:
            sys.exit(1)


def found_after_a_round():
    with tempfile.TemporaryDirectory() as folder:
        barrier = Barrier(PROCESSES)
        processes = [Process(target=declare, args=(folder, barrier, number)) for number in range(PROCESSES)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        with connect(folder) as connection:
            try:
                return f"{len(connection.channel().get_table('rings'))} queues"
            except ValueError as error:
                return type(error).__name__


found = Counter(found_after_a_round() for _ in range(ROUNDS))
print(dict(found))
assert len(found) > 1, "Kombu behaves differently"
PYTHON
"$folder/venv/bin/python" "$folder/declare.py"
