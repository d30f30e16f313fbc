"""Signing with DKIM: our mails verify by our public key, and no longer once somebody has changed them."""

import dkim
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cast import NAMES, letters, start_game
from tests.keys import new_ed25519_key, new_key
from tests.worker.scripted import with_relay
from webapp.core.config import Settings
from webapp.models import LetterKind
from worker import postman
from worker.mail import signed


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """The files with two private keys, and the records of their public halves by selector."""
    folder = tmp_path_factory.mktemp("dkim")
    files = [folder / "rsa.pem", folder / "ed25519.pem"]
    records = {"hearts": new_key(files[0]), "fast": new_ed25519_key(files[1])}
    return files, {f"{name}._domainkey.hearts.localhost.".encode(): text.encode() for name, text in records.items()}


@pytest.fixture(scope="module")
def signing(keys):
    """Settings with both keys."""
    return Settings(dkim_key=", ".join(map(str, keys[0])), dkim_selector="hearts, fast")


@pytest.fixture
def sent(runtime, smtp_server, signing):
    """The last email, signed, as the relay got it."""
    start_game(runtime, NAMES[:1], robots=3)
    signs = {name: getattr(signing, name) for name in ("dkim_key", "dkim_selector")}
    postman.deliver(with_relay(runtime, smtp_server.url, **signs, reply_domain="in.hearts.example.org"))
    return smtp_server.mails[-1].source


def genuine(source, keys, signatures=2):
    """The signatures that verify, by their order from the top."""
    mail = dkim.DKIM(source)
    assert source.count(b"DKIM-Signature: ") == signatures
    return [number for number in range(signatures) if _verifies(mail, number, keys)]


def _verifies(mail, number, keys):
    try:
        return mail.verify(number, dnsfunc=lambda name, timeout=5: keys[1][name])
    except dkim.ValidationError:
        return False


def test_a_delivered_mail_verifies_by_each_key(sent, keys):
    assert genuine(sent, keys) == [0, 1]
    first, second = sent.split(b"DKIM-Signature: ")[1:]
    assert [b"a=rsa-sha256" in first, b"a=ed25519-sha256" in second] == [True, True]
    assert sent.startswith(b"DKIM-Signature: ")


@pytest.mark.parametrize(("number", "selector"), [(0, "hearts"), (1, "fast")], ids=["RSA", "Ed25519"])
def test_a_single_key_of_either_kind_is_enough(keys, number, selector):
    alone = Settings(dkim_key=str(keys[0][number]), dkim_selector=selector)
    source = signed(alone, b"From: Ann <ann@example.org>\r\nSubject: one\r\n\r\ntwo\r\n")
    assert genuine(source, keys, signatures=1) == [0]


def test_without_a_key_nothing_is_signed(runtime):
    assert signed(runtime.settings, b"Subject: one\r\n\r\ntwo\r\n") == b"Subject: one\r\n\r\ntwo\r\n"


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
def test_a_mail_changed_on_the_way_does_not_verify(sent, keys, old, new):
    assert old in sent
    assert genuine(sent.replace(old, new, 1), keys) == []


def test_the_stored_message_stays_as_composed(runtime, sent):
    letter = letters(runtime, LetterKind.TURNS)[0]
    assert "DKIM-Signature" not in letter.message
    assert sent.endswith(letter.message.replace("\n", "\r\n").encode())


BODIES = [
    pytest.param(b"", id="no text"),
    pytest.param(b"\r\n\r\n", id="empty lines alone"),
    pytest.param(b"a \t b\tc \t\r\n \r\n  d\r\n\r\n \r\n", id="blanks, and empty lines at the end"),
    pytest.param(b"without an end of line", id="no end of line"),
]


@pytest.mark.parametrize("body", BODIES)
def test_blanks_and_folds_changed_on_the_way_harm_nothing(signing, keys, body):
    source = signed(signing, b"From:  Ann\r\n <ann@example.org>\r\nSUBJECT: one \t two\r\n\r\n" + body)
    assert genuine(source, keys) == [0, 1]
    changed = source.replace(b"From:  Ann\r\n ", b"from: Ann  ").replace(b"one \t two", b"one two ")
    assert genuine(changed, keys) == [0, 1]


WORDS = st.lists(st.text(" \t;:=.aé", min_size=1, max_size=9), max_size=6)


@given(subject=WORDS, lines=WORDS)
def test_the_library_accepts_signatures_of_anything_folded_or_spaced(signing, keys, subject, lines):
    folded = "\r\n ".join(f"x{part}" for part in subject)
    body = "".join(f"{line}\r\n" for line in lines).encode()
    source = f"From: Ann <ann@example.org>\r\nSubject: {folded}\r\nX-Other: 1\r\n\r\n".encode() + body
    assert genuine(signed(signing, source), keys) == [0, 1]
