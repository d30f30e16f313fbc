"""A listener that outlives the web processes which serve it, as systemd holds one."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping

from scripts.run import PAGES, read_procfile
from tests.servers import ROOT

# The work of systemd between fork and exec: the listener becomes descriptor 3, and the process learns that it is meant.
HAND_OVER = """import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execvp("sh", ["sh", "-c", "exec " + sys.argv[2]])"""


def serve(listener: socket.socket, environment: Mapping[str, str], app: str) -> subprocess.Popen[bytes]:
    """The web process of the Procfile, with another application, on a listener that stays ours."""
    command = read_procfile()[PAGES].replace("webapp:create_app()", app)
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    return subprocess.Popen(
        [sys.executable, "-c", HAND_OVER, str(listener.fileno()), command],
        pass_fds=[listener.fileno()],
        cwd=ROOT,
        env={**environment, "PATH": path},
        start_new_session=True,
    )
