"""The wheel: installed without the checkout, one command runs the service, and the library plays."""

import os
import site
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from scripts.run import CHECKOUT, answers
from tests.servers import free_port, wait_until
from webapp.core.say import ENGLISH, LANGUAGES

LEFT_OUT = ("tests", "bench", "findings", "docs", "build")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--wheel-dir", folder, CHECKOUT], check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel and, for the other libraries, those of this one."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, wheel], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    return folder / "bin"


@pytest.fixture
def address(programs: Path, tmp_path: Path) -> Iterator[str]:
    """The address of the service, run by the one command in an empty folder."""
    port = free_port()
    environment = {**os.environ, "PORT": str(port), "PYTHONPATH": ""}
    service = subprocess.Popen([programs / "hearts-by-mail", "run"], cwd=tmp_path, env=environment)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        service.terminate()
        service.wait(30)


def test_the_wheel_holds_exactly_the_files_that_the_program_reads(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    for folder in ("webapp", "hearts", "worker", "templates"):
        found = (path.relative_to(CHECKOUT) for path in (CHECKOUT / folder).rglob("*.*"))
        files = {str(path) for path in found if "__pycache__" not in path.parts}
        assert {file for file in files if file not in names and f"webapp/{file}" not in names} == set()
    compiled = {f"{language}/LC_MESSAGES/messages.mo" for language in LANGUAGES if language != ENGLISH}
    expected = {f"webapp/locale/{name}" for name in ("messages.pot", *compiled)}
    assert {name for name in names if name.startswith("webapp/locale/")} == expected
    modules = [name for name in names if name.startswith(("webapp/", "hearts/", "worker/")) and name.endswith(".py")]
    assert [name for name in modules if not (CHECKOUT / name).exists()] == [], "nothing that an earlier build has left"
    assert not [name for name in names if name.startswith(LEFT_OUT)]


def test_the_wheel_brings_the_recipe_for_a_machine(programs: Path) -> None:
    said = subprocess.run([programs / "hearts-by-mail", "recipes"], check=True, capture_output=True, text=True)
    brought = Path(said.stdout.strip())
    named = ["hearts", "nginx-site.conf", "settings.example", *(CHECKOUT / "deploy").glob("systemd/*")]
    for file in (CHECKOUT / "deploy" / name for name in named):
        assert (brought / file.relative_to(CHECKOUT / "deploy")).read_text() == file.read_text()


def test_the_command_says_the_version_of_the_wheel(wheel: Path, programs: Path, tmp_path: Path) -> None:
    said = subprocess.run([programs / "hearts-by-mail", "--version"], cwd=tmp_path, check=True, capture_output=True)
    assert said.stdout.decode().strip() == wheel.name.split("-")[1] != "0.0.0"


def test_one_command_runs_the_service_without_the_checkout(address: str, tmp_path: Path) -> None:
    wait_until("a page", lambda: answers(address))
    page = httpx.get(address)
    assert "Open a table" in page.text
    style = page.text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    assert httpx.get(f"{address}{style}").status_code == 200
    assert (tmp_path / "var" / "hearts.db").exists()


def test_the_wheel_sets_a_host_up(programs: Path, tmp_path: Path) -> None:
    words = [programs / "hearts-by-mail", "host", "--address", "nobody"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "nobody: This is not an email address" in done.stderr) == (1, True)


def test_the_help_needs_no_valid_settings(programs: Path, tmp_path: Path) -> None:
    invalid = {**os.environ, "HOST": "0.0.0.0", "PYTHONPATH": ""}
    words = [programs / "hearts-by-mail", "--help"]
    said = subprocess.run(words, cwd=tmp_path, env=invalid, check=True, capture_output=True, text=True)
    assert "Start the whole service" in said.stdout


def test_the_rules_are_a_library(programs: Path, tmp_path: Path) -> None:
    code = "import hearts.rules; print(hearts.rules.preset_rules('classic').players, hearts.__file__)"
    said = subprocess.run([programs / "python", "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True)
    players, file = said.stdout.split()
    assert (players, Path(file).is_relative_to(programs.parent)) == ("4", True)
