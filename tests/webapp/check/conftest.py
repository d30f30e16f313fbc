"""A runtime that sends mail, with its key, and checks that do not wait for long."""

import pytest

from tests.keys import new_key
from tests.webapp.check.domains import DOMAIN, REPLIES
from tests.worker.scripted import with_relay
from webapp.check import mail_records


@pytest.fixture
def haste(monkeypatch):
    monkeypatch.setattr(mail_records, "PATIENCE", 0.2)


@pytest.fixture(scope="session")
def key(tmp_path_factory):
    """A key of the usual length, and its public half as its record bears it."""
    path = tmp_path_factory.mktemp("dkim") / "key.pem"
    return path, new_key(path, 2048)


@pytest.fixture
def sending_runtime(runtime, key):
    """A runtime that sends, signs and takes replies."""
    return with_relay(
        runtime,
        "smtp://relay.example.net:587",
        mail_from=f"Hearts <play@{DOMAIN}>",
        reply_domain=REPLIES,
        dkim_key=key[0],
    )
