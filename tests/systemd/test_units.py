"""systemd's own opinion of the units; it need not run."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.servers import ROOT

UNITS = ROOT / "deploy" / "systemd"
MOST_EXPOSED = 2.0  # of 10, as `systemd-analyze security` counts


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """The units, on this machine's folders: systemd checks that commands exist."""
    for unit in UNITS.iterdir():
        text = unit.read_text(encoding="utf-8").replace("/opt/hearts/.venv/bin/", "/bin/true ")
        (tmp_path / unit.name.replace("@", "@1")).write_text(text)
    return sorted(tmp_path.iterdir())


def analyze(*arguments: object) -> tuple[int, str]:
    if shutil.which("systemd-analyze") is None:
        pytest.fail("systemd-analyze is not installed (Debian, Ubuntu: apt install systemd).", pytrace=False)
    done = subprocess.run(["systemd-analyze", *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_systemd_accepts_every_unit_without_a_word(units: list[Path]) -> None:
    assert analyze("verify", "--man=no", *units) == (0, "")


def test_no_service_is_exposed_more_than_it_needs(units: list[Path]) -> None:
    for unit in units:
        if unit.suffix == ".service":
            status, said = analyze("security", "--offline=true", f"--threshold={int(MOST_EXPOSED * 10)}", unit)
            assert status == 0, said
