"""nginx as `deploy/nginx-site.conf` has it, before web processes on this machine, without TLS.

Left out are the limits for each address, since all that a test sends comes from one.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import ROOT, free_port, wait_until

SITE = (ROOT / "deploy" / "nginx-site.conf").read_text(encoding="utf-8")
WHERE = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
KEPT_IN = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")  # where each `…_temp_path` would be the system's
FRAME = "events { worker_connections 2048; }\nhttp {\n%s\n%s\n}\n"
LEFT_OUT = re.compile(r"\s*(?:limit_\w+|ssl_\w+|listen|error_log) .*")


def nginx() -> str | None:
    """The path of the program; None if it is not installed."""
    return shutil.which("nginx", path=WHERE)


def temporary_in(folder: Path) -> str:
    return "".join(f"{kind}_temp_path {folder}/{kind};" for kind in KEPT_IN)


@contextmanager
def site_proxy(folder: Path, *webs: int) -> Iterator[int]:
    """The port of the proxy before the web processes at those ports; its log is `folder`/nginx.log."""
    port = free_port()
    _, _, site = SITE.rpartition("server {")
    own = LEFT_OUT.sub("", site).replace("127.0.0.1:8000", "web")
    upstream = "".join(f"server 127.0.0.1:{web} max_fails=0; " for web in webs)
    site = f"upstream web {{ {upstream}}}\nserver {{ listen 127.0.0.1:{port}; error_log stderr crit; {own}"
    with running_nginx(folder, FRAME % (temporary_in(folder), site)):
        yield port


@contextmanager
def running_nginx(folder: Path, configuration: str) -> Iterator[Path]:
    """An nginx with this configuration. Yields the file of its log."""
    (folder / "nginx.conf").write_text(configuration)
    log = folder / "nginx.log"
    command = [nginx() or "nginx", "-p", folder, "-c", "nginx.conf", "-e", "stderr"]
    with log.open("wb") as said:
        process = subprocess.Popen([*command, "-g", f"daemon off; pid {folder}/pid;"], stderr=said)
    try:
        wait_until("nginx listens", lambda: process.poll() is not None or (folder / "pid").exists())
        assert process.poll() is None, log.read_text()
        yield log
    finally:
        process.terminate()
        process.wait()
