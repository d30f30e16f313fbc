"""The credentials of the service: the keys that sign mails, the push key, and the login to the mailbox."""

import base64
import subprocess
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Self
from urllib.parse import SplitResult, unquote, urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

# The keys that sign mails: RSA, which all receivers can verify (RFC 6376), and Ed25519, which is faster (RFC 8463).
DkimKey = RSAPrivateKey | Ed25519PrivateKey


def dkim_key(pem: bytes) -> DkimKey:
    """The private key in `pem`. Raises ValueError unless that is an RSA or Ed25519 key without a password."""
    try:
        key = load_pem_private_key(pem, None)
    except (TypeError, UnsupportedAlgorithm) as error:
        raise ValueError(str(error)) from None
    if not isinstance(key, DkimKey):
        raise ValueError("neither an RSA nor an Ed25519 key")
    return key


def dkim_record(key: DkimKey) -> str:
    """The text of the DNS record that publishes the other half of a key."""
    public = key.public_key()
    if isinstance(key, Ed25519PrivateKey):
        kind, half = "ed25519", public.public_bytes(Encoding.Raw, PublicFormat.Raw)
    else:
        kind, half = "rsa", public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k={kind}; p={base64.b64encode(half).decode()}"


# The key pair that identifies us to push services; a browser subscribes with the public half.
# Source: RFC 8292 (VAPID).


@dataclass(frozen=True, slots=True)
class PushKey:
    """A key pair on the curve P-256."""

    private: EllipticCurvePrivateKey

    @classmethod
    def from_pem(cls, pem: str) -> Self:
        """The key in `pem`. Raises ValueError unless that is a private key on P-256 without a password."""
        try:
            key = load_pem_private_key(pem.encode(), password=None)
        except (TypeError, UnsupportedAlgorithm):
            raise ValueError("a key that we cannot use") from None
        if not isinstance(key, EllipticCurvePrivateKey) or not isinstance(key.curve, SECP256R1):
            raise ValueError("a key of another kind")
        return cls(key)

    @property
    def public(self) -> str:
        """The public half as browsers expect it: the uncompressed point in base64url without padding."""
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).rstrip(b"=").decode()


def fresh_pem() -> str:
    """A new private key, in PEM."""
    return generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


# The mailbox from which replies are fetched: where it is, and how its owner logs in.
# The password comes from a setting, from a file, or from the output of a command, as with `msmtp` and `mbsync`.
# Sources: RFC 5092 for the URL, RFC 9051 for IMAP.

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
