"""The mailbox that INBOX_URL names, and where its password comes from."""

import pytest

from webapp.core.mailbox import Mailbox, NoPassword, mailbox_of, password_of


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
