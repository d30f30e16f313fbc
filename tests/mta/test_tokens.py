"""Logging in with a token (XOAUTH2) in place of a password, which the provider's Dovecot checks by a key of its own."""

import base64
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.answers import inbound_rows, mail, question
from tests.cast import start_game
from tests.mta.dovecot import USER, why_not
from tests.mta.fetched import fetching_from, stored
from tests.mta.provider import Provider, running_provider
from tests.runtimes import make_runtime
from tests.servers import wait_until
from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime
from webapp.operators import mail_loop
from webapp.operators.mail_check import check_listener, check_relay
from webapp.operators.mail_servers import State
from worker import fetching
from worker.fetching import fetch_until_stopped

KEY = b"a key that only the provider knows"
BY_TOKEN = """\
auth_mechanisms = plain login xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2
}}
"""
CHECKED = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={folder}/keys/
username_attribute = sub
"""


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    folder = tmp_path_factory.mktemp("tokens")
    for one in (folder, *list(folder.parents)[:2]):
        one.chmod(0o755)  # Dovecot checks the token as a user of its own
    keys = folder / "keys" / "default" / "HS256"
    keys.mkdir(parents=True)
    (keys / "default").write_bytes(base64.b64encode(KEY))
    (folder / "oauth2").write_text(CHECKED.format(folder=folder))
    with running_provider(more=BY_TOKEN.format(folder=folder)) as running:
        yield running


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    file = tmp_path / "token"
    file.write_text(f"{token()}\n")
    return file


@pytest.fixture
def runtime(provider: Provider, tmp_path: Path, token_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    """A service that sends and fetches by a token, which a command prints."""
    monkeypatch.setenv("SSL_CERT_FILE", str(provider.certificate))
    by_token = f"{USER.replace('@', '%40')};AUTH=XOAUTH2"
    made = make_runtime(
        tmp_path / "var",
        smtp_url=f"smtp://{by_token}@{provider.smtp}",
        inbox_url=f"imap://{by_token}@{provider.imap}",
        inbox_password_command=f"cat '{token_file}'",
        reply_mailbox="hearts+@example.org",
        mail_from=f"Hearts <{USER}>",
    )
    yield made
    made.database.engine.dispose()


def token(lasts: int = 3600, key: bytes = KEY) -> str:
    """A token of the mailbox's owner (RFC 7519) that lasts for so many seconds."""
    now = int(time.time())
    claims = {"sub": USER, "iat": now - 60, "exp": now + lasts}
    signed = b".".join(_encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return b".".join((signed, _encoded(hmac.digest(key, signed, "sha256")))).decode()


def _encoded(part: bytes) -> bytes:
    return base64.urlsafe_b64encode(part).rstrip(b"=")


def test_a_token_opens_the_mailbox_and_the_relay(runtime: Runtime) -> None:
    assert [check(runtime.settings).state for check in (check_relay, check_listener)] == [State.OK] * 2
    assert {one.state for one in mail_loop.findings(runtime.settings)} <= {State.OK, State.NOT_USED}


def test_a_new_token_is_asked_for_with_each_connection(runtime: Runtime, provider: Provider, token_file: Path) -> None:
    start_game(runtime)
    to = runtime.postmark.address(Purpose.REPLY, question(runtime, "Ann").id)
    with fetching_from(runtime):
        provider.dovecot.put(mail("Ann", "QS", To=to, Message_ID="<1@home>"))
        stored(runtime, 1)
        token_file.write_text(token(lasts=-1))
        provider.dovecot.stop()
        provider.dovecot.start()
        provider.dovecot.put(mail("Ann", "KS", To=to, Message_ID="<2@home>"))
        token_file.write_text(token())
        wait_until("the mailbox is read with the new one", lambda: len(inbound_rows(runtime)) == 2)


@pytest.mark.parametrize("wrong", [token(lasts=-1), token(key=b"another key")], ids=["expired", "forged"])
def test_a_token_that_is_not_accepted_is_named(
    runtime: Runtime,
    token_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wrong: str,
) -> None:
    monkeypatch.setattr(fetching, "ONCE_MORE", 0.1)
    token_file.write_text(wrong)
    found = [check(runtime.settings) for check in (check_relay, check_listener)]
    assert [one.state for one in found] == [State.MISSING] * 2
    assert all("does not accept the user and token" in one.text for one in found)
    assert fetch_until_stopped(runtime) == 2
    assert "does not accept the user" in capsys.readouterr().err
    assert wrong not in str(found)
