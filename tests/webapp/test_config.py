"""The settings: what is refused at the start, in which words."""

import subprocess
import sys
from pathlib import Path

import pytest

from webapp.config import BadSetting, read_settings

KEY = "k" * 32
PUBLIC = {"base_url": "https://hearts.example.org", "smtp_url": "smtp://relay", "mail_from": "h@example.org"}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        pytest.param({"base_url": "hearts.example.org"}, "BASE_URL must be an address such as", id="no scheme"),
        pytest.param({"base_url": "https://h.example.org/x"}, "BASE_URL must be a plain address", id="with a path"),
        pytest.param({"base_url": "http://hearts.example.org"}, "BASE_URL must begin with https://", id="open to all"),
        pytest.param({"base_url": "http://[x"}, "BASE_URL must be an address such as", id="no address at all"),
        pytest.param({"database_url": "mysql://x/y"}, "DATABASE_URL must begin with postgresql://", id="other kind"),
        pytest.param({"database_url": "nonsense"}, "DATABASE_URL must be an address such as", id="no database"),
        pytest.param({"broker_url": "kafka://x"}, "BROKER_URL must begin with redis://", id="other broker"),
        pytest.param({"smtp_url": "http://relay"}, "SMTP_URL must be an address such as smtp://", id="other relay"),
        pytest.param({"smtp_url": "smtp://relay:many"}, "SMTP_URL must be an address such as", id="no port"),
        pytest.param({"mail_from": "nobody"}, "MAIL_FROM must be a mail address", id="no sender"),
        pytest.param({"mail_from": "a@example.org\nBcc: b"}, "MAIL_FROM must be a mail address", id="two lines"),
        pytest.param({"secret_keys": "short"}, "SECRET_KEYS must be keys of at least 32", id="short key"),
        pytest.param({"secret_keys": f"{KEY},x"}, "SECRET_KEYS must be keys of at least 32", id="short second key"),
        pytest.param({"port": "many"}, "PORT is wrong", id="port in words"),
        pytest.param({"port": "70000"}, "PORT is wrong", id="port too high"),
        pytest.param({"sweep_seconds": "0"}, "SWEEP_SECONDS is wrong", id="sweeping without pause"),
        pytest.param({"host": "0.0.0.0"}, "HOST must stay 127.0.0.1", id="mailbox open to others"),
        pytest.param({**PUBLIC}, "SECRET_KEYS must be set", id="public without keys"),
        pytest.param({**PUBLIC, "secret_keys": KEY, "smtp_url": ""}, "SMTP_URL must be set", id="public without relay"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_name(settings, sentence):
    with pytest.raises(BadSetting) as refusal:
        read_settings(**settings)
    assert str(refusal.value).startswith(sentence)
    assert str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)


def test_everything_is_embedded_by_default(tmp_path):
    settings = read_settings(data_dir=tmp_path)
    assert settings.address == "http://127.0.0.1:8000"
    assert settings.database == f"sqlite:///{tmp_path / 'hearts.db'}"
    assert settings.keeps_mail


def test_keys_are_made_once_and_only_their_owner_may_read_them(tmp_path):
    first = read_settings(data_dir=tmp_path).keys()
    assert read_settings(data_dir=tmp_path).keys() == first
    assert (tmp_path / "secret_keys").stat().st_mode & 0o077 == 0


def test_old_forms_of_a_postgresql_address_are_taken():
    assert read_settings(database_url="postgres://u@h/d").database == "postgresql://u@h/d"


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "worker.scheduler"],
        [sys.executable, "-m", "celery", "-A", "worker.app", "worker"],
        [sys.executable, "-m", "flask", "--app", "webapp", "migrate"],
        [sys.executable, "-m", "gunicorn", "webapp:create_app()"],
    ],
    ids=["scheduler", "worker", "release", "web"],
)
def test_no_process_starts_with_a_wrong_setting(command, tmp_path):
    root = Path(__file__).parents[2]
    environment = {"PATH": "", "SWEEP_SECONDS": "never", "DATA_DIR": str(tmp_path)}
    run = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode != 0
    assert "SWEEP_SECONDS is wrong" in run.stderr
    assert "Traceback" not in run.stderr
