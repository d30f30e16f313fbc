"""A runtime that sends mail, with its key, and checks that do not wait for long."""

import pytest

from tests.keys import new_ed25519_key, new_key
from tests.webapp.check.domains import DOMAIN, REPLIES
from tests.worker.scripted import with_relay
from webapp.check import mail_records


@pytest.fixture
def haste(monkeypatch):
    monkeypatch.setattr(mail_records, "PATIENCE", 0.2)


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    """The files of an RSA key of the usual length and of an Ed25519 key, and the records of their public halves."""
    files = [tmp_path_factory.mktemp("dkim") / name for name in ("rsa.pem", "ed25519.pem")]
    return files, [new_key(files[0], 2048), new_ed25519_key(files[1])]


@pytest.fixture
def sending_runtime(runtime, keys):
    """A runtime that sends, signs and takes replies."""
    return with_relay(
        runtime,
        "smtp://relay.example.net:587",
        mail_from=f"Hearts <play@{DOMAIN}>",
        reply_domain=REPLIES,
        dkim_key=",".join(map(str, keys[0])),
        dkim_selector="hearts,fast",
    )
