"""The credentials: keys that sign mails, the push key, and where the password of the mailbox comes from."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, SECP384R1, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from tests.keys import new_ed25519_key, new_key
from tests.webapp.core.settings import KEY, PUBLIC
from webapp.core.config import BadSetting, read_settings
from webapp.core.credentials import Mailbox, NoPassword, dkim_key, dkim_record, fresh_pem, mailbox_of, password_of

# Appendix A.2 of RFC 8463.
SECRET = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A="
RECORD = "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="


@pytest.fixture(scope="module", params=[new_key, new_ed25519_key], ids=["RSA", "Ed25519"])
def own_key(request, tmp_path_factory):
    """A private key, as a file has it, and its record."""
    path = tmp_path_factory.mktemp("keys") / "key.pem"
    record = request.param(path)
    return path.read_bytes(), record


@pytest.mark.parametrize("kind", [PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8])
def test_an_rsa_key_is_read_in_both_usual_formats(tmp_path, kind):
    new_key(tmp_path / "key.pem")
    key = dkim_key((tmp_path / "key.pem").read_bytes())
    again = dkim_key(key.private_bytes(Encoding.PEM, kind, NoEncryption()))
    assert again.private_numbers() == key.private_numbers()


def test_the_record_has_the_public_half_of_the_key(own_key):
    pem, record = own_key
    assert dkim_record(dkim_key(pem)) == record


def test_the_record_of_an_ed25519_key_follows_its_rfc(tmp_path):
    assert new_ed25519_key(tmp_path / "key.pem", SECRET) == RECORD
    assert dkim_record(dkim_key((tmp_path / "key.pem").read_bytes())) == RECORD


@pytest.mark.parametrize("pem", ["", "-----BEGIN PRIVATE KEY-----\nno\n-----END PRIVATE KEY-----\n", fresh_pem()])
def test_no_mail_is_signed_with_what_is_neither(pem):
    with pytest.raises(ValueError, match=r"."):
        dkim_key(pem.encode())


def test_encrypted_keys_and_public_keys_are_rejected(own_key):
    key = dkim_key(own_key[0])
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"hearts"))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for other in (locked, public):
        with pytest.raises(ValueError, match=r"."):
            dkim_key(other)


def _key_file(folder, curve, form):
    """A private key of the curve in PEM."""
    path = folder / "push.pem"
    path.write_bytes(generate_private_key(curve).private_bytes(Encoding.PEM, form, NoEncryption()))
    return path


def test_a_push_key_is_made_once_for_its_owner_alone(tmp_path):
    first = read_settings(data_dir=tmp_path).push_key().public
    assert read_settings(data_dir=tmp_path).push_key().public == first
    assert (tmp_path / "vapid_key.pem").stat().st_mode & 0o077 == 0


def test_processes_that_make_a_push_key_together_use_the_same(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: read_settings(data_dir=tmp_path).push_key().public, range(16)))
    assert len(set(made)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["vapid_key.pem"]


@pytest.mark.parametrize("form", [PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8], ids=["ecparam", "genpkey"])
def test_a_push_key_is_accepted_as_openssl_writes_it(tmp_path, form):
    path = _key_file(tmp_path, SECP256R1(), form)
    settings = read_settings(**PUBLIC, secret_keys=KEY, vapid_key=path, data_dir=tmp_path / "var")
    assert len(settings.push_key().public) == 87
    assert not (tmp_path / "var").exists()


def test_a_push_key_of_another_curve_is_refused(tmp_path):
    with pytest.raises(BadSetting, match="VAPID_KEY must name a file"):
        read_settings(vapid_key=_key_file(tmp_path, SECP384R1(), PrivateFormat.PKCS8))


def test_a_mailbox_is_named_by_its_url():
    named = mailbox_of("imaps://ann@example.org@imap.example.org")
    assert named == Mailbox("imap.example.org", 993, "ann@example.org", "INBOX", is_tls=True, is_by_token=False)


def test_port_folder_and_login_may_be_named():
    named = mailbox_of("imap://ann%40example.org;AUTH=XOAUTH2@imap.example.org:1143/Hearts%20by%20Mail")
    assert named == Mailbox("imap.example.org", 1143, "ann@example.org", "Hearts by Mail", False, True)


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("imaps://imap.example.org", id="no user"),
        pytest.param("imaps://ann:secret@imap.example.org", id="a password"),
        pytest.param("imaps://ann;AUTH=GSSAPI@imap.example.org", id="another login"),
        pytest.param("smtp://ann@imap.example.org", id="no IMAP"),
    ],
)
def test_another_url_names_no_mailbox(url):
    with pytest.raises(ValueError, match=r"no mailbox|another way"):
        mailbox_of(url)


def test_a_password_keeps_its_blanks(tmp_path):
    file = tmp_path / "password"
    file.write_text("four words with blanks\nsecond line\n")
    assert password_of("", file, "") == "four words with blanks"
    assert password_of("", None, f"cat {file}") == "four words with blanks"
    assert password_of("abcd efgh", file, "false") == "abcd efgh"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        pytest.param("", "INBOX_PASSWORD must be set", id="nothing"),
        pytest.param("exit 3", "INBOX_PASSWORD_COMMAND has failed .status 3.", id="fails"),
        pytest.param("true", "INBOX_PASSWORD_COMMAND gives an empty password", id="says nothing"),
    ],
)
def test_a_missing_password_is_said_in_a_sentence(command, sentence):
    with pytest.raises(NoPassword, match=sentence):
        password_of("", None, command)
