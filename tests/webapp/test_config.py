"""The settings: what is refused at the start, in which words."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, SECP384R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from webapp.config import BadSetting, read_settings

KEY = "k" * 32
PUBLIC = {"base_url": "https://hearts.example.org", "smtp_url": "smtp://relay", "mail_from": "h@example.org"}


def _key_file(folder, curve, form):
    """A private key of the curve in PEM."""
    path = folder / "push.pem"
    path.write_bytes(generate_private_key(curve).private_bytes(Encoding.PEM, form, NoEncryption()))
    return path


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
        pytest.param({"vapid_key": "/nowhere"}, "VAPID_KEY must name a file that can be read", id="no push key"),
        pytest.param({"vapid_key": __file__}, "VAPID_KEY must name a file that can be read, with", id="no key in it"),
        pytest.param({"push_hosts": "fcm.googleapis.com, *"}, "PUSH_HOSTS must be hosts", id="every push host"),
        pytest.param({"push_hosts": "10.0.0.1:80"}, "PUSH_HOSTS must be hosts", id="a push host by its number"),
        pytest.param({"push_hosts": "http://10.0.0.1:80"}, "PUSH_HOSTS must be hosts", id="a push host near by"),
        pytest.param(
            {**PUBLIC, "secret_keys": KEY, "push_hosts": "http://127.0.0.1:9000"},
            "PUSH_HOSTS must not name this machine",
            id="public, with a push host on this machine",
        ),
        pytest.param({"port": "many"}, "PORT is wrong", id="port in words"),
        pytest.param({"port": "70000"}, "PORT is wrong", id="port too high"),
        pytest.param({"trusted_proxies": "many"}, "TRUSTED_PROXIES is wrong", id="proxies in words"),
        pytest.param({"trusted_proxies": "-1"}, "TRUSTED_PROXIES is wrong", id="fewer proxies than none"),
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


def test_a_push_key_is_made_once_and_only_its_owner_may_read_it(tmp_path):
    first = read_settings(data_dir=tmp_path).push_key().public
    assert read_settings(data_dir=tmp_path).push_key().public == first
    assert (tmp_path / "vapid_key.pem").stat().st_mode & 0o077 == 0


def test_of_several_that_make_a_push_key_at_once_all_take_the_same(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: read_settings(data_dir=tmp_path).push_key().public, range(16)))
    assert len(set(made)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["vapid_key.pem"]


@pytest.mark.parametrize("form", [PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8], ids=["ecparam", "genpkey"])
def test_a_push_key_is_given_as_openssl_writes_it(tmp_path, form):
    path = _key_file(tmp_path, SECP256R1(), form)
    settings = read_settings(**PUBLIC, secret_keys=KEY, vapid_key=path, data_dir=tmp_path / "var")
    assert len(settings.push_key().public) == 87
    assert not (tmp_path / "var").exists()


def test_a_push_key_of_another_curve_is_refused(tmp_path):
    with pytest.raises(BadSetting, match="VAPID_KEY must name a file"):
        read_settings(vapid_key=_key_file(tmp_path, SECP384R1(), PrivateFormat.PKCS8))


def test_without_a_push_key_a_public_service_sends_no_notifications(tmp_path):
    assert read_settings(**PUBLIC, secret_keys=KEY, data_dir=tmp_path).push_key() is None
    assert list(tmp_path.iterdir()) == []


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
    run = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "SWEEP_SECONDS is wrong" in run.stderr
    assert "Traceback" not in run.stderr
