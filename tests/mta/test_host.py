"""`hearts-by-mail host` with a real provider: from an address and a password to a first link in that mailbox."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from pathlib import Path

import httpx
import pytest
from click.testing import Result
from dotenv import dotenv_values

from tests.mta.dovecot import PASSWORD, USER, why_not
from tests.mta.hosting import run_host
from tests.mta.provider import Provider, running_provider
from tests.servers import ROOT, free_port, wait_until
from webapp.core import data_folder
from webapp.core.config import read_settings

IMAP, SMTP = "its IMAP", "its SMTP"  # stand for a server's host and port
Run = Callable[..., Result]


@pytest.fixture(scope="module", params=[True, False], ids=["plus addresses", "no plus addresses"])
def any_provider(request: pytest.FixtureRequest) -> Iterator[tuple[Provider, bool]]:
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    with running_provider(keeps_plus=request.param) as running:
        yield running, request.param


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as running:
        yield running


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command with a provider, whose owner types the password."""

    def run_with(provider: Provider, *options: str, typed: str = PASSWORD) -> Result:
        return run_host(provider, tmp_path, monkeypatch, *options, typed=typed)

    return run_with


def written(tmp_path: Path) -> dict[str, str | None]:
    return dotenv_values(tmp_path / "var" / data_folder.NAME, interpolate=False)


def test_an_address_and_a_password_are_enough(any_provider: tuple[Provider, bool], run: Run, tmp_path: Path) -> None:
    provider, keeps_plus = any_provider
    done = run(provider)
    assert done.exit_code == 0, done.output
    settings = written(tmp_path)
    assert settings["REPLY_MAILBOX"] == ("hearts+@example.org" if keeps_plus else USER)
    assert (settings["INBOX_PASSWORD"], settings["BASE_URL"]) == (PASSWORD, "none")
    assert (tmp_path / "var" / data_folder.NAME).stat().st_mode & 0o777 == 0o600
    assert PASSWORD not in done.output
    assert provider.dovecot.mails() == {}, "the trial mails are deleted"


@pytest.mark.parametrize(
    ("options", "typed", "sentence"),
    [
        pytest.param([], "wrong", "does not accept the user and password", id="a wrong password"),
        pytest.param(["--imap", "localhost:1", "--smtp", "localhost:1"], PASSWORD, "does not answer", id="no server"),
        pytest.param(["--imap", "/", "--smtp", "x"], PASSWORD, "names no server", id="no name"),
        pytest.param(["--base-url", "http://hearts.example.org"], PASSWORD, "must begin with https://", id="no https"),
        pytest.param(["--imap", SMTP, "--smtp", SMTP], PASSWORD, "a server for SMTP answers", id="no IMAP"),
        pytest.param(["--imap", IMAP, "--smtp", IMAP], PASSWORD, "a server for IMAP answers", id="no SMTP"),
        pytest.param(["--to", "ann"], PASSWORD, "not an email address", id="no address"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_nothing_is_written(
    provider: Provider, run: Run, tmp_path: Path, options: list[str], typed: str, sentence: str
) -> None:
    places = {IMAP: provider.imap, SMTP: provider.smtp}
    done = run(provider, *(places.get(word, word) for word in options), typed=typed)
    assert done.exit_code == 1
    assert sentence in done.output
    assert not (tmp_path / "var" / data_folder.NAME).exists()


def test_settings_that_are_there_stay(provider: Provider, run: Run, tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / data_folder.NAME).write_text("PORT='8001'\n")
    done = run(provider)
    assert (done.exit_code, written(tmp_path)) == (1, {"PORT": "8001"})


def test_what_the_command_used_the_service_uses(provider: Provider, run: Run, tmp_path: Path, monkeypatch) -> None:
    used = {"DATABASE_URL": f"sqlite:///{tmp_path}/other.db", "BROKER_URL": "redis://127.0.0.1:1/0", "PORT": "8123"}
    for name, value in used.items():
        monkeypatch.setenv(name, value)
    done = run(provider, "--login", "Hearts@Example.org", "--to", "ann@box.local")
    assert done.exit_code == 0, done.output
    settings = written(tmp_path)
    assert {name: settings[name] for name in used} == used
    assert settings["SSL_CERT_FILE"] == str(provider.certificate)
    for name in ("INBOX_URL", "SMTP_URL"):
        assert "//Hearts%40Example.org@" in (settings[name] or "")
    assert settings["MAIL_FROM"] == f"Hearts by Mail <{USER}>"
    assert not (tmp_path / "var" / "hearts.db").exists()


def test_a_way_follows_another_with_the_same_keys(provider: Provider, run: Run, tmp_path: Path) -> None:
    """From a mailbox and a laptop to a server with a proxy: older links and answers still work."""
    assert run(provider).exit_code == 0
    file = tmp_path / "var" / data_folder.NAME
    keys = read_settings(data_dir=tmp_path / "var").keys()
    for _ in range(2):
        file.rename(tmp_path / "before")
        assert run(provider, "--base-url", "https://hearts.example.org").exit_code == 0
        settings = written(tmp_path)
        assert (settings["SECRET_KEYS"], settings["TRUSTED_PROXIES"]) == (",".join(keys), "1")
        assert Path(settings["VAPID_KEY"] or "").read_text().startswith("-----BEGIN")


def test_the_first_link_comes_into_the_hosts_mailbox(provider: Provider, tmp_path: Path) -> None:
    port, secret = free_port(), tmp_path / "password"
    secret.write_text(f"{PASSWORD}\n")
    own = {"SSL_CERT_FILE": str(provider.certificate), "PORT": str(port), "DATA_DIR": str(tmp_path)}
    options = ["--address", USER, "--to", USER, "--imap", provider.imap, "--smtp", provider.smtp, "--base-url", ""]
    code = "from scripts.host import host; host()"
    words = [sys.executable, "-c", code, *options, "--password-file", str(secret)]
    service = subprocess.Popen(words, env={**os.environ, **own}, cwd=ROOT)
    try:
        wait_until("the first link", lambda: any("sign" in subject for subject in provider.dovecot.mails()))
        with provider.dovecot.line() as line:
            line.select("INBOX", readonly=True)
            content = line.fetch("1", "(BODY.PEEK[])")[1][0]
        assert isinstance(content, tuple)
        text = message_from_bytes(content[1], policy=policy.default).get_body(("plain",)).get_content()
        (link,) = re.findall(r"http://\S+/sign-in/\S+", text)
        assert httpx.get(link).status_code == 200
    finally:
        service.terminate()
        service.wait(30)
