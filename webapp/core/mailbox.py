"""The mailbox from which replies are fetched: where it is, and how its owner logs in.

The password comes from a setting, from a file, or from the output of a command, as with `msmtp` and `mbsync`.
Sources: RFC 5092 for the URL, RFC 9051 for IMAP.
"""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

COMMAND_SECONDS = 60.0  # that a command may take to find the password
INBOX = "INBOX"  # every account has a folder of this name
XOAUTH2 = "XOAUTH2"  # logs in with a token in place of a password
PORTS = {"imaps": 993, "imap": 143}
STAY, DELETE = "stay", "delete"
UNNAMED = "unnamed"  # stands for servers that sign their verdicts with no name
VERDICTS: Mapping[str, str] = {
    **dict.fromkeys(("imap.gmail.com", "imap.googlemail.com"), "mx.google.com"),
    **dict.fromkeys(("outlook.office365.com", "imap-mail.outlook.com"), UNNAMED),
    **dict.fromkeys(("imap.mail.yahoo.com", "imap.aol.com"), "*.yahoo.com"),
    "imap.mail.me.com": "*.icloud.com",
    "imap.fastmail.com": "*.messagingengine.com",
    "imap.gmx.net": "gmx.net",
    "posteo.de": "posteo.de",
    "imap.zoho.com": "mx.zohomail.com",
    "imap.zoho.eu": "mx.zohomail.eu",
    **dict.fromkeys(("imap.yandex.com", "imap.yandex.ru"), "*.yandex.net"),
    "imap.mail.ru": "mxs.mail.ru",
}
"""From a provider's IMAP server to the name under which its mail servers sign their verdicts (RFC 8601)."""


class NoPassword(ValueError):
    """The password cannot be read; the text is a sentence that names the setting, and quotes none of it."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A folder of an account on an IMAP server; `is_tls` if the connection is encrypted from the first byte."""

    host: str
    port: int
    user: str
    folder: str
    is_tls: bool
    is_by_token: bool

    @property
    def secret(self) -> str:
        """The word for what proves the user."""
        return "token" if self.is_by_token else "password"

    @property
    def key(self) -> str:
        """A hash that tells the mailbox from others, and does not say whose it is."""
        return blake2b(f"{self.host} {self.port} {self.user} {self.folder}".encode(), digest_size=16).hexdigest()


def mailbox_of(url: str) -> Mailbox:
    """The mailbox that an URL names, such as `imaps://ann@example.org@imap.example.org/INBOX`.

    `;AUTH=XOAUTH2` after the user chooses that way to log in. Raises ValueError if it names none.
    """
    parts = urlsplit(url)
    user, is_by_token = user_of(parts)
    if parts.scheme not in PORTS or not parts.hostname or not user or parts.password is not None:
        raise ValueError("no mailbox")
    return Mailbox(
        host=parts.hostname,
        port=parts.port or PORTS[parts.scheme],
        user=user,
        folder=unquote(parts.path.strip("/")) or INBOX,
        is_tls=parts.scheme == "imaps",
        is_by_token=is_by_token,
    )


def user_of(url: SplitResult) -> tuple[str, bool]:
    """The user that the URL of a server names, empty without any, and whether they log in with a token.

    Raises ValueError if it names a way to log in that we do not know.
    """
    user, _, auth = (url.username or "").partition(";")
    if auth and auth.upper() not in (f"AUTH={XOAUTH2}", "AUTH=*"):
        raise ValueError("another way to log in")
    return unquote(user), auth.upper() == f"AUTH={XOAUTH2}"


def password_of(setting: str, file: Path | None, command: str) -> str:
    """The password: that of the setting, else the first line of the file, else that of the command's output.

    Blanks within it stay, as in the app passwords of some providers. Raises NoPassword.
    """
    if setting:
        return setting
    if file is not None:
        try:
            return _first_line(file.read_text(encoding="utf-8"), "INBOX_PASSWORD_FILE")
        except (OSError, UnicodeError):
            raise NoPassword("INBOX_PASSWORD_FILE names no file that can be read") from None
    if not command:
        raise NoPassword("INBOX_PASSWORD must be set, or INBOX_PASSWORD_FILE, or INBOX_PASSWORD_COMMAND")
    try:
        run = subprocess.run(
            command, shell=True, stdout=subprocess.PIPE, timeout=COMMAND_SECONDS, check=True, stdin=subprocess.DEVNULL
        )
        return _first_line(run.stdout.decode(), "INBOX_PASSWORD_COMMAND")
    except subprocess.TimeoutExpired:
        raise NoPassword(f"INBOX_PASSWORD_COMMAND has not ended after {COMMAND_SECONDS:.0f} seconds") from None
    except subprocess.CalledProcessError as error:
        raise NoPassword(f"INBOX_PASSWORD_COMMAND has failed (status {error.returncode})") from None
    except (OSError, UnicodeError):
        raise NoPassword("INBOX_PASSWORD_COMMAND has written no text") from None


def _first_line(text: str, setting: str) -> str:
    line = text.partition("\n")[0].rstrip("\r")
    if not line:
        raise NoPassword(f"{setting} gives an empty password")
    return line
