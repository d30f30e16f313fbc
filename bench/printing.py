"""Output of all benchmarks: their lines at once, and how busy the machine was."""

import os
import sys


def say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


def say_load() -> None:
    say(f"load of this machine over the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
