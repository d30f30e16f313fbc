"""The runtime's secret keys, of which the newest makes links and addresses."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import make_url

from scripts.run import read_procfile
from tests.cast import start_game
from tests.runtimes import make_runtime
from tests.servers import ROOT
from tests.webapp.core.settings import SECRET, SECRETS
from webapp.core.addresses import Purpose
from webapp.core.credentials import fresh_pem
from webapp.core.runtime import runtime_with_database
from webapp.core.tokens import ReliveLink
from webapp.models import DeviceRow

OLD, NEW = (f"the {age} key of a service for tests only" for age in ("old", "new"))


def test_the_newest_key_signs_links_while_old_keys_still_read(tmp_path: Path) -> None:
    settings = {"old": OLD, "new": NEW, "both": f"{NEW},{OLD}"}
    runtimes = {
        name: make_runtime(tmp_path / name, secret_keys=keys, reply_domain="in.example.org")
        for name, keys in settings.items()
    }
    old, new, both = runtimes.values()
    link = ReliveLink(1, 1)
    assert new.signer.read(ReliveLink, both.signer.token(link)) == link
    assert both.signer.read(ReliveLink, old.signer.token(link)) == link
    assert both.postmark.address(Purpose.REPLY, 1) == new.postmark.address(Purpose.REPLY, 1)
    assert both.keys == [NEW, OLD]


PROCESSES = {
    "scheduler": [sys.executable, "-m", "worker.scheduler"],
    "worker": [sys.executable, "-m", "celery", "-A", "worker.tasks", "worker"],
    "inbox": [sys.executable, "-m", "worker.inbox"],
    "release": [sys.executable, "-m", "flask", "--app", "webapp", "migrate"],
    "web": [sys.executable, "-m", "gunicorn", "webapp:create_app()"],
}
NOWHERE = {"DATABASE_URL": SECRETS["database_url"], "SECRET_KEYS": SECRETS["secret_keys"]}
UNREACHABLE = "DATABASE_URL names a database that cannot be reached: "


@pytest.mark.parametrize("name", PROCESSES)
def test_no_process_starts_with_an_invalid_setting(name, tmp_path):
    """A database nowhere: every process begins like those below, which show the other settings."""
    run = started(PROCESSES[name], DATA_DIR=str(tmp_path), **NOWHERE)
    assert run.returncode == 2
    assert run.stderr.startswith(UNREACHABLE)
    assert run.stderr.count("\n") == 1
    assert SECRET not in run.stderr


def started(command: list[str], **settings: str) -> subprocess.CompletedProcess[str]:
    """The exit and the output of a process with these settings alone."""
    environment = {"PATH": "", **settings}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def refused(monkeypatch, capsys):
    """The exit status and the output of a process with these settings."""

    def begin(**settings):
        for name, value in settings.items():
            monkeypatch.setenv(name, str(value))
        with pytest.raises(SystemExit) as ending:
            runtime_with_database()
        return ending.value.code, capsys.readouterr().err

    return begin


def test_an_invalid_setting_ends_a_process_with_a_message(refused, tmp_path):
    status, said = refused(DATA_DIR=tmp_path, PORT=SECRET)
    assert (status, said.partition(": ")[0], said.count("\n")) == (2, "PORT is wrong", 1)
    assert SECRET not in said


def test_an_unusable_folder_ends_a_process_with_a_message(refused):
    sentence = f"DATA_DIR is {__file__}, where nothing can be kept: file exists.\n"
    assert refused(DATA_DIR=__file__) == (2, sentence)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        pytest.param("sqlite:////no/such/folder/x.db", "unable to open database file", id="no folder"),
        pytest.param(f"postgresql://u:{SECRET}@no-such-name.invalid/x", "failed to resolve host", id="no such name"),
    ],
)
def test_an_unreachable_database_is_reported_with_the_reason(refused, url, reason, tmp_path):
    status, said = refused(DATA_DIR=tmp_path / "var", DATABASE_URL=url)
    assert (status, said.count("\n")) == (2, 1)
    assert said.startswith(f"{UNREACHABLE}{reason}")
    assert SECRET not in said


def test_a_refused_database_login_is_reported_with_its_reason(refused, postgres, tmp_path):
    url = make_url(postgres).set(database="nobodys").render_as_string(hide_password=False)
    status, said = refused(DATA_DIR=tmp_path, DATABASE_URL=url)
    assert status == 2
    assert 'database "nobodys" does not exist' in said


def test_the_wait_for_a_silent_database_ends(refused, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://u:{SECRET}@127.0.0.1:{silent.getsockname()[1]}/x?connect_timeout=2"
        status, said = refused(DATA_DIR=tmp_path, DATABASE_URL=url)
    assert (status, said.startswith(UNREACHABLE)) == (2, True)


def test_a_worker_has_as_many_threads_as_the_setting_says(tmp_path):
    shows = [sys.executable, "-c", "from worker.tasks import app; print(app.conf.worker_concurrency)"]
    assert started(shows, DATA_DIR=str(tmp_path), WORKER_THREADS="7").stdout == "7\n"
    assert "-c" not in read_procfile()["worker"].split(), "it would overrule that"


def test_a_process_ends_without_collecting_all_its_memory(tmp_path):
    says = "atexit.register(lambda: print(gc.get_freeze_count() > 10_000))"  # the first, so it is the last to be called
    begins = "from webapp.core.runtime import runtime_from_environment; runtime_from_environment()"
    run = started([sys.executable, "-c", f"import atexit, gc; {says}; {begins}"], DATA_DIR=str(tmp_path))
    assert (run.stdout, run.stderr, run.returncode) == ("True\n", "", 0)


@pytest.fixture
def used(runtime):
    """The data directory of a service that has sent letters, and notifies a device."""
    start_game(runtime)
    assert runtime.push_key
    with runtime.database.writing() as session:
        keys = {"endpoint": "https://fcm.googleapis.com/x", "public_key": "k", "secret": "s"}
        session.add(DeviceRow(player_id=1, created_at=runtime.now(), **keys))
    runtime.database.engine.dispose()
    return runtime.settings.data_dir


LOST = "There is no {}, which "
DAMAGED = "{} is damaged: "


@pytest.mark.parametrize(
    ("name", "content", "says", "way_back"),
    [
        pytest.param("secret_keys", None, LOST, "set SECRET_KEYS to a new key", id="no keys"),
        pytest.param("secret_keys", "short", DAMAGED, "set SECRET_KEYS to a new key", id="five characters"),
        pytest.param("secret_keys", "", DAMAGED, "set SECRET_KEYS to a new key", id="no characters"),
        pytest.param("secret_keys", f"{'x' * 64}\nshort", DAMAGED, "set SECRET_KEYS", id="a short second key"),
        pytest.param("vapid_key.pem", None, LOST, "name a new one in VAPID_KEY", id="no push key"),
        pytest.param("vapid_key.pem", "short", DAMAGED, "name a new one in VAPID_KEY", id="a damaged push key"),
    ],
)
def test_used_keys_that_are_lost_or_damaged_end_a_process(refused, used, name, content, says, way_back):
    file = used / name
    assert file.exists()
    file.unlink()
    if content is not None:
        file.write_text(content)
    status, said = refused(DATA_DIR=used)
    assert (status, said.count("\n")) == (2, 1)
    assert said.startswith(says.format(file))
    assert "Put it back from a backup" in said
    assert way_back in said
    assert (file.read_text() if file.exists() else None) == content, "nothing is made in its place"


@pytest.mark.parametrize("name", ["secret_keys", "vapid_key.pem"])
def test_keys_that_cannot_be_read_end_a_process(refused, used, name):
    (used / name).unlink()
    (used / name).mkdir()
    assert refused(DATA_DIR=used) == (2, f"{used / name} cannot be read: is a directory.\n")


def test_bytes_that_are_no_text_are_a_damaged_key(refused, used):
    (used / "secret_keys").write_bytes(b"\xff\xfe" * 40)
    assert refused(DATA_DIR=used)[1].startswith(f"{used / 'secret_keys'} is damaged: ")


@pytest.mark.parametrize("setting", ["SECRET_KEYS", "VAPID_KEY"])
def test_a_setting_takes_the_place_of_lost_keys(used, setting, monkeypatch, tmp_path):
    (tmp_path / "key.pem").write_text(fresh_pem())
    (used / {"SECRET_KEYS": "secret_keys", "VAPID_KEY": "vapid_key.pem"}[setting]).unlink()
    monkeypatch.setenv("DATA_DIR", str(used))
    monkeypatch.setenv(setting, {"SECRET_KEYS": "x" * 64, "VAPID_KEY": str(tmp_path / "key.pem")}[setting])
    assert runtime_with_database().keys


def test_a_first_start_makes_its_keys(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "var"))
    runtime = runtime_with_database()
    assert (tmp_path / "var" / "secret_keys").read_text().split() == runtime.keys
