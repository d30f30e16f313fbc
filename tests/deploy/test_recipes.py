"""The recipes for production say what the program says: its commands, its settings, its files."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from configparser import ConfigParser
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.run import FIRST, PAGES, STOP_SECONDS, read_procfile
from tests.servers import ROOT
from webapp.core.config import Settings

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
OURS = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "hearts-by-mail"}
GUIDE = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
SETTINGS = {name.upper() for name in Settings.model_fields}
BY_COMPOSE = {"BASE_URL", "DATABASE_URL", "HOST", "PORT", "DATA_DIR"}  # the file and its image set them
OF_COMPOSE = {"HEARTS_HOST", "POSTGRES_PASSWORD", "RABBITMQ_PASSWORD", "COMPOSE_PROFILES"}
OTHERS = {"PATH", "NUMBA_CACHE_DIR", "PYTHONUNBUFFERED", *OF_COMPOSE}
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
ASSIGNED = re.compile(r"^(?:# )?([A-Z_]+)=", re.MULTILINE)
HARDENED = ("NoNewPrivileges=yes", "ProtectSystem=strict", "PrivateTmp=yes", "SystemCallFilter=@system-service")


def process(name: str) -> str:
    """The process of the Procfile that a unit or a service is named after."""
    return re.sub(r"^hearts-|(@|-\d)$", "", name)


def keys(unit: Path) -> ConfigParser:
    read = ConfigParser(strict=False, interpolation=None, delimiters="=")
    read.optionxform = str  # type: ignore[assignment,method-assign]  # names of systemd have capitals
    read.read(unit, encoding="utf-8")
    return read


def command(name: str) -> list[str]:
    """The command that starts a process of the Procfile, wherever the program is installed."""
    return ["hearts-by-mail", "migrate" if name == FIRST else name]


@pytest.mark.parametrize("name", read_procfile())
def test_the_command_starts_each_process(name: str, tmp_path: Path) -> None:
    program, *arguments = command(name)
    started = [str(Path(sys.executable).with_name(program)), *arguments]
    settings = {"PATH": os.defpath, "DATA_DIR": str(tmp_path), "DATABASE_URL": "postgresql://127.0.0.1:1/hearts"}
    done = subprocess.run(started, cwd=tmp_path, env=settings, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("DATABASE_URL names a database that cannot be reached")) == (2, 1)


def test_each_process_has_a_unit_and_a_service() -> None:
    assert {process(unit.stem) for unit in UNITS} == read_procfile().keys()
    assert {process(name) for name in OURS} == read_procfile().keys()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_runs_its_process_hardened_and_after_release(unit: Path) -> None:
    service, name = keys(unit)["Service"], process(unit.stem)
    assert service["ExecStart"] == f"/opt/hearts/.venv/bin/{shlex.join(command(name))}"
    assert set(HARDENED) <= set(unit.read_text(encoding="utf-8").splitlines())
    if name != FIRST:
        assert "hearts-release.service" in keys(unit)["Unit"]["After"].split()
        assert "hearts-release.service" in keys(unit)["Unit"]["Requires"].split()
        assert int(service["TimeoutStopSec"]) >= STOP_SECONDS


@pytest.mark.parametrize("name", OURS)
def test_a_service_runs_its_process_after_release(name: str) -> None:
    assert shlex.split(OURS[name]["command"]) == command(process(name))
    after = "postgres" if name == FIRST else FIRST
    assert after in OURS[name]["depends_on"]


def test_the_compose_file_is_valid_by_the_schema_of_compose() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*check, DEPLOY / "compose.yaml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", OURS)
def test_a_service_gets_every_setting_that_compose_does_not_decide(name: str) -> None:
    given = OURS[name]["environment"].items()
    assert SETTINGS - {setting for setting, value in given if value.startswith(f"${{{setting}:")} == BY_COMPOSE


def test_the_compose_example_has_required_settings_and_no_unknown_ones() -> None:
    file, example = ((DEPLOY / name).read_text(encoding="utf-8") for name in ("compose.yaml", "compose.env.example"))
    named = set(ASSIGNED.findall(example))
    assert set(re.findall(r"\$\{(\w+):\?", file)) <= named
    assert named - {"COMPOSE_PROFILES"} <= set(re.findall(r"\$\{(\w+)", file))


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_no_service_of_compose_may_fill_memory_or_disk(name: str) -> None:
    service = COMPOSE["services"][name]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert 0 < service["cpus"] <= 1, "a machine with one processor refuses more"
    assert {"max-size", "max-file"} <= service["logging"]["options"].keys()


def test_the_images_user_writes_a_backup_of_compose() -> None:
    (owner,) = re.findall(r"--owner (\d+) --mode 0700 /backups", GUIDE)
    assert f"--uid {owner} " in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert GUIDE.count("worker hearts-by-mail backup") == GUIDE.count("worker hearts-by-mail restore") == 1


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_for_issues_is_valid_by_its_schema(form: Path) -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-issue-forms"]
    done = subprocess.run([*check, form], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_lock_has_a_version_that_fits_each_library() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = map(Requirement, [*project["dependencies"], *project["optional-dependencies"]["test"]])
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    locked = {one.name: str(one.specifier)[2:] for one in map(Requirement, lines[2:])}
    wrong = [str(one) for one in named if not one.specifier.contains(locked.get(canonicalize_name(one.name), "0"))]
    assert not wrong, "make lock"


def test_several_run_of_each_process_that_may() -> None:
    count: Counter[str] = Counter()
    for name, service in OURS.items():
        count[process(name)] += service.get("deploy", {}).get("replicas", 1)
    assert {name for name, many in count.items() if many == 1} == {FIRST, "inbox"}


def test_the_proxy_knows_every_web_process() -> None:
    named = re.findall(r"server (\S+):8000 ", (DEPLOY / "nginx.conf").read_text(encoding="utf-8"))
    assert named == [name for name in OURS if process(name) == PAGES]


def test_every_setting_in_a_recipe_exists() -> None:
    named = {name for file in DEPLOY.glob("*.example") for name in ASSIGNED.findall(file.read_text(encoding="utf-8"))}
    named |= {name for service in OURS.values() for name in service["environment"]}
    named |= set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text(encoding="utf-8")))
    named |= set(re.findall(r"\b([A-Z_]+)=", (DEPLOY / "Dockerfile").read_text(encoding="utf-8")))
    for unit in UNITS:
        named |= {pair.partition("=")[0] for pair in keys(unit)["Service"]["Environment"].split()}
    named |= set(ASSIGNED.findall(GUIDE))
    assert named - OTHERS <= SETTINGS


def test_every_file_in_the_guide_exists() -> None:
    paths = set(re.findall(r"\b(?:deploy|docs|bench|scripts)/[\w./@*-]*\w", GUIDE)) - {"deploy/keys", "deploy/.env"}
    assert paths
    missing = [path for path in paths if not path.startswith("deploy/keys/") and not list(ROOT.glob(path))]
    assert not missing
