"""Signing: our mails verify by our public key, and no longer once somebody has changed them."""

import dkim
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cast import NAMES, letters, start_game
from tests.keys import new_key
from tests.worker.scripted import with_relay
from webapp.core.config import Settings
from webapp.models import LetterKind
from worker import postman
from worker.dkim import signed


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    """A private key, and the record of its public half."""
    path = tmp_path_factory.mktemp("dkim") / "key.pem"
    return path, f"v=DKIM1; k=rsa; p={new_key(path)}".encode()


@pytest.fixture(scope="module")
def signing(key):
    return Settings(dkim_key=key[0])


@pytest.fixture
def sent(runtime, smtp_server, key):
    """The last email, signed, as the relay got it."""
    start_game(runtime, NAMES[:1], robots=3)
    postman.deliver(with_relay(runtime, smtp_server.url, dkim_key=key[0], reply_domain="in.hearts.example.org"))
    return smtp_server.mails[-1].source


def is_genuine(source, key):
    def record(name, timeout=5):
        assert name == b"hearts._domainkey.hearts.localhost."
        return key[1]

    return dkim.verify(source, dnsfunc=record)


def test_a_delivered_mail_verifies(sent, key):
    assert is_genuine(sent, key)
    assert sent.startswith(b"DKIM-Signature: ")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"Subject: ", b"Subject: Re: ", id="the subject"),
        pytest.param(b"Reply-To: Hearts", b"Reply-To: Eve", id="where an answer goes"),
        pytest.param(b"List-Unsubscribe: <mailto:u-", b"List-Unsubscribe: <mailto:e-", id="how to unsubscribe"),
        pytest.param(b"</body>", b"<p>more</p></body>", id="the text"),
        pytest.param(b"Message-ID: <", b"Message-ID: <0", id="its name"),
        pytest.param(b"Date: ", b"In-Reply-To: <eve@example.org>\r\nDate: ", id="a header that it had not"),
    ],
)
def test_a_mail_changed_on_the_way_does_not_verify(sent, key, old, new):
    assert old in sent
    assert not is_genuine(sent.replace(old, new, 1), key)


def test_the_stored_message_stays_as_composed(runtime, sent):
    letter = letters(runtime, LetterKind.PASS)[0]
    assert "DKIM-Signature" not in letter.message
    assert sent.endswith(letter.message.replace("\n", "\r\n").encode())


BODIES = [
    pytest.param(b"", id="no text"),
    pytest.param(b"\r\n\r\n", id="empty lines alone"),
    pytest.param(b"a \t b\tc \t\r\n \r\n  d\r\n\r\n \r\n", id="blanks, and empty lines at the end"),
    pytest.param(b"without an end of line", id="no end of line"),
]


@pytest.mark.parametrize("body", BODIES)
def test_blanks_and_folds_that_a_server_changes_on_the_way_harm_nothing(runtime, key, body):
    settings = runtime.settings.model_copy(update={"dkim_key": key[0]})
    source = signed(settings, b"From:  Ann\r\n <ann@example.org>\r\nSUBJECT: one \t two\r\n\r\n" + body)
    assert is_genuine(source, key)
    assert is_genuine(source.replace(b"From:  Ann\r\n ", b"from: Ann  ").replace(b"one \t two", b"one two "), key)


WORDS = st.lists(st.text(" \t;:=.aé", min_size=1, max_size=9), max_size=6)


@given(subject=WORDS, lines=WORDS)
def test_the_library_accepts_the_signature_of_whatever_is_folded_and_spaced(signing, key, subject, lines):
    folded = "\r\n ".join(f"x{part}" for part in subject)
    body = "".join(f"{line}\r\n" for line in lines).encode()
    source = f"From: Ann <ann@example.org>\r\nSubject: {folded}\r\nX-Other: 1\r\n\r\n".encode() + body
    assert is_genuine(signed(signing, source), key)
