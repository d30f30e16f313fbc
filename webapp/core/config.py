"""The settings: environment variables, read and checked once, when a process starts.

With nothing set, everything runs on embedded defaults on loopback. An invalid setting stops the process with a sentence
that names it. Only `scripts/run.py`, which chooses ports, reads a setting elsewhere. A setting that may hold a password
or a key is a `SecretStr`, and no error message quotes a value.
"""

import re
import secrets
import sys
from collections.abc import Callable
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.utils import parseaddr
from functools import cached_property
from pathlib import Path
from typing import Any, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from webapp.core.credentials import (
    DELETE,
    PORTS,
    STAY,
    UNNAMED,
    VERDICTS,
    Mailbox,
    PushKey,
    dkim_key,
    fresh_pem,
    mailbox_of,
    password_of,
    user_of,
)
from webapp.core.data_folder import DATABASE, make_file, make_folder
from webapp.core.log import LogFormat

NO_PAGES = "none"  # as BASE_URL
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
LOOPBACK_ADDRESS = re.compile(r"http://(?:127\.0\.0\.1|localhost):\d{1,5}")
MAILBOX = re.compile(r"[^@\s,<>\"]*[a-z0-9][^@\s,<>\"]*@[^@\s]+")
SEPARATORS = ("+", "-", "=")  # between the name of a mailbox and what its owner may add to it
MIN_KEY_LENGTH = 32
# What to do about keys in DATA_DIR that are damaged or lost.
KEYS_BACK = (
    "Put it back from a backup. Or set SECRET_KEYS to a new key: then no link in an earlier mail opens, and no answer "
    "to one counts."
)
PUSH_KEY_BACK = (
    "Put it back from a backup. Or name a new one in VAPID_KEY: then players have to add their devices anew."
)
METRICS_PORTS = 4  # one for each kind of process
DOMAIN = re.compile(r"(?=.{4,200}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")
DATABASES = {"postgresql", "postgresql+psycopg", "sqlite", "sqlite+pysqlite"}
BROKERS = {"filesystem", "redis", "rediss", "amqp", "amqps"}
# The push services of Chrome and its relatives (the second: of Chromium as Linux distributions build it), Firefox, Edge
# and Safari.
PUSH_HOSTS = "fcm.googleapis.com, jmt17.google.com, *.push.services.mozilla.com, *.notify.windows.com, *.push.apple.com"


class BadSetting(ValueError):
    """A setting is invalid; the text is one sentence that names it."""


class Settings(BaseSettings):
    """All settings. Each has the lower-case name of its environment variable; docs/settings.md says what it means."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True, hide_input_in_errors=True)

    base_url: str = ""
    host: str = "127.0.0.1"
    port: int = Field(8000, ge=1, le=65535)
    web_concurrency: int = Field(1, ge=1, le=64)
    worker_threads: int = Field(4, ge=1, le=256)
    data_dir: Path = Path("var")
    database_url: SecretStr = SecretStr("")
    broker_url: SecretStr = SecretStr("")
    smtp_url: SecretStr = SecretStr("")
    mail_from: str = "Hearts by Mail <hearts@hearts.localhost>"
    secret_keys: SecretStr = SecretStr("")
    reply_domain: str = ""
    reply_mailbox: str = ""
    verdicts_by: str = ""
    operator_address: str = ""
    inbox_url: str = "smtp://127.0.0.1:8025"
    inbox_password: SecretStr = SecretStr("")
    inbox_password_file: Path | None = None
    inbox_password_command: SecretStr = SecretStr("")
    inbox_handled: str = STAY
    dkim_key: str = ""
    dkim_selector: str = "hearts"
    vapid_key: Path | None = None
    push_hosts: str = PUSH_HOSTS
    mails_a_day: int = Field(30, ge=6, le=100_000)
    metrics_address: str = ""
    log_format: LogFormat = LogFormat.PLAIN
    sweep_seconds: float = Field(1, ge=0.1, le=3600)
    trusted_proxies: int = Field(0, ge=0, le=10)
    shortest_pace_seconds: int | None = Field(None, ge=1, le=3600)

    @field_validator("base_url")
    @classmethod
    def _check_base_url(cls, text: str) -> str:
        if not text or text == NO_PAGES:
            return text
        url = _split(text, schemes={"http", "https"}, example="https://hearts.example.org")
        if url.path.strip("/") or url.query or url.fragment or "@" in url.netloc:
            raise ValueError("must be a plain address such as https://hearts.example.org, without a path")
        if url.scheme == "http" and url.hostname not in LOOPBACK:
            raise ValueError("must begin with https://, because its links are the keys to the players' seats")
        return text.rstrip("/")

    @field_validator("database_url")
    @classmethod
    def _check_database_url(cls, secret: SecretStr) -> SecretStr:
        text = secret.get_secret_value()
        if not text:
            return secret
        if text.startswith("postgres://"):  # many platforms still write it that way
            text = "postgresql://" + text.removeprefix("postgres://")
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):  # ValueError quotes an invalid port, which may be part of a password
            raise ValueError("must be an address such as postgresql://user:password@host/name") from None
        if url.drivername not in DATABASES:
            raise ValueError("must begin with postgresql:// or sqlite:///")
        return SecretStr(text)

    @field_validator("broker_url")
    @classmethod
    def _check_broker_url(cls, secret: SecretStr) -> SecretStr:
        text = secret.get_secret_value()
        if text and text.partition("://")[0] not in BROKERS:
            raise ValueError("must begin with redis://, rediss://, amqp://, amqps:// or filesystem://")
        try:
            for one in text.split(";"):  # several brokers may be named
                urlsplit(one).port  # noqa: B018  raises where the port is no number
        except ValueError:
            raise ValueError("must be an address such as redis://user:password@broker:6379/0") from None
        return secret

    @field_validator("smtp_url")
    @classmethod
    def _check_smtp_url(cls, secret: SecretStr) -> SecretStr:
        if text := secret.get_secret_value():
            url = _split(text, schemes={"smtp", "smtps"}, example="smtp://user:password@relay.example.org:587")
            try:
                user_of(url)
            except ValueError:
                raise ValueError("must name no way to log in but ;AUTH=XOAUTH2 after the user") from None
        return secret

    @field_validator("mail_from")
    @classmethod
    def _check_mail_from(cls, text: str) -> str:
        address = "" if "\n" in text or "\r" in text else parseaddr(text)[1]
        try:
            sender = Address(addr_spec=address) if address else Address()
        except (ValueError, HeaderParseError):
            sender = Address()
        if not (sender.username and sender.domain):
            raise ValueError("must be a mail address such as Hearts by Mail <hearts@example.org>")
        return text

    @field_validator("reply_domain")
    @classmethod
    def _check_reply_domain(cls, text: str) -> str:
        if text and not DOMAIN.fullmatch(text.lower()):
            raise ValueError("must be a domain such as in.hearts.example.org, whose mail comes to INBOX_URL")
        return text.lower()

    @field_validator("reply_mailbox")
    @classmethod
    def _check_reply_mailbox(cls, text: str) -> str:
        if text and not (MAILBOX.fullmatch(text.lower()) and DOMAIN.fullmatch(text.lower().rpartition("@")[2])):
            raise ValueError("must be the mailbox's address, such as hearts@example.org, or hearts+@example.org")
        return text.lower()

    @field_validator("operator_address")
    @classmethod
    def _check_operator_address(cls, text: str) -> str:
        if text and not (MAILBOX.fullmatch(text.lower()) and DOMAIN.fullmatch(text.lower().rpartition("@")[2])):
            raise ValueError("must be the mail address of whoever runs the service, such as you@example.org")
        return text.lower()

    @field_validator("verdicts_by")
    @classmethod
    def _check_verdicts_by(cls, text: str) -> str:
        if text and text.lower() != UNNAMED and not DOMAIN.fullmatch(text.lower().removeprefix("*.")):
            raise ValueError(
                "must be the name under which your mail server signs verdicts, such as mx.example.org or *.example.org"
            )
        return text.lower()

    @field_validator("inbox_url")
    @classmethod
    def _check_inbox_url(cls, text: str) -> str:
        url = _split(text, schemes={"smtp", "lmtp", *PORTS}, example="lmtp://127.0.0.1:8025")
        if url.scheme in PORTS:
            try:
                mailbox_of(text)
            except ValueError:
                raise ValueError(
                    "must name a mailbox, without its password, as in imaps://hearts@example.org@imap.example.org"
                ) from None
        elif url.port is None:
            raise ValueError("must name the port to listen on, as in lmtp://127.0.0.1:8025")
        return text

    @field_validator("dkim_key")
    @classmethod
    def _check_dkim_key(cls, text: str) -> str:
        try:
            for file in _listed(text):
                dkim_key(Path(file).read_bytes())
        except (OSError, ValueError):
            raise ValueError(
                "must name files that can be read, with commas between, each with a private key in PEM, as `openssl "
                "genrsa 2048` or `openssl genpkey -algorithm ed25519` writes it"
            ) from None
        return text

    @field_validator("dkim_selector")
    @classmethod
    def _check_dkim_selector(cls, text: str) -> str:
        for selector in text.lower().split(","):
            if not re.fullmatch(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", selector.strip()):
                raise ValueError("must be words of letters, digits and dashes, such as hearts, with commas between")
        return text.lower()

    @field_validator("vapid_key")
    @classmethod
    def _check_vapid_key(cls, path: Path | None) -> Path | None:
        if path is None:
            return None
        try:
            PushKey.from_pem(path.read_text())
        except (OSError, ValueError):
            raise ValueError(
                "must name a file that can be read, with a private key of the curve P-256 in PEM, as "
                "`openssl ecparam -name prime256v1 -genkey -noout` writes it"
            ) from None
        return path

    @field_validator("push_hosts")
    @classmethod
    def _check_push_hosts(cls, text: str) -> str:
        for host in text.split(","):
            named = DOMAIN.fullmatch(host.strip().lower().removeprefix("*."))
            if not named and not LOOPBACK_ADDRESS.fullmatch(host.strip()):
                raise ValueError("must be hosts such as fcm.googleapis.com or *.push.apple.com, with commas between")
        return text.lower()

    @field_validator("metrics_address")
    @classmethod
    def _check_metrics_address(cls, text: str) -> str:
        if not text:
            return text
        url = _split(f"http://{text}", schemes={"http"}, example="127.0.0.1:9108")
        if not url.port or url.port > 65535 - METRICS_PORTS or url.path or "@" in url.netloc:
            raise ValueError("must be an address and a port such as 127.0.0.1:9108")
        return text

    @field_validator("secret_keys")
    @classmethod
    def _check_secret_keys(cls, secret: SecretStr) -> SecretStr:
        if secret and any(len(key) < MIN_KEY_LENGTH for key in _keys(secret)):
            raise ValueError(f"must be keys of at least {MIN_KEY_LENGTH} characters each, with commas between them")
        return secret

    @model_validator(mode="after")
    def _check_that_every_key_has_a_selector(self) -> Self:
        selectors, keys = _listed(self.dkim_selector), _listed(self.dkim_key)
        if len(keys) > 1 and not len(keys) == len(selectors) == len(set(selectors)):
            raise ValueError("DKIM_SELECTOR must name a selector for each key in DKIM_KEY, with commas between")
        return self

    @model_validator(mode="after")
    def _check_the_mailbox(self) -> Self:
        if self.mailbox and not self.reply_mailbox:
            raise ValueError("REPLY_MAILBOX must be set, because INBOX_URL names a mailbox: the address of its mail")
        if self.mailbox and self.handled_folder == self.mailbox.folder:
            raise ValueError("INBOX_HANDLED must be another folder than the one that INBOX_URL names")
        if self.reply_mailbox and self.reply_domain and not self.mailbox:
            raise ValueError("REPLY_DOMAIN must not be set beside REPLY_MAILBOX, because replies go to one of them")
        return self

    @model_validator(mode="after")
    def _check_that_a_proxy_takes_slow_clients(self) -> Self:
        if self.smtp_url and self.host not in LOOPBACK and not self.trusted_proxies:
            raise ValueError(
                "HOST must stay 127.0.0.1 unless TRUSTED_PROXIES names a proxy in front of it, which takes in each "
                "request as a whole: a few slow clients would stop all pages"
            )
        return self

    @model_validator(mode="after")
    def _check_what_the_internet_needs(self) -> Self:
        if self.is_on_loopback:
            if not self.smtp_url and self.host not in LOOPBACK:
                raise ValueError("HOST must stay 127.0.0.1 while SMTP_URL is not set: /mailbox would be open to others")
            return self
        for name in ("smtp_url", "mail_from", "secret_keys"):
            if name not in self.model_fields_set or not getattr(self, name):
                raise ValueError(f"{name.upper()} must be set, because BASE_URL is not on this machine")
        if any(LOOPBACK_ADDRESS.fullmatch(host) for host in self.push_services):
            raise ValueError("PUSH_HOSTS must not name this machine, because BASE_URL does not")
        return self

    @model_validator(mode="after")
    def _check_that_answers_come_in(self) -> Self:
        if not self.has_pages and not (self.smtp_url and self.incoming_domain):
            words = "SMTP_URL and REPLY_MAILBOX or REPLY_DOMAIN must be set, because BASE_URL is none: all play by mail"
            raise ValueError(words)
        return self

    @property
    def has_pages(self) -> bool:
        """Whether players can open our pages; else they do everything by answers, and only this machine opens them."""
        return self.base_url != NO_PAGES

    @property
    def is_on_loopback(self) -> bool:
        """Whether the service's address is on this machine, so that nobody else can reach it."""
        return urlsplit(self.address).hostname in LOOPBACK

    @property
    def is_https(self) -> bool:
        """Whether browsers reach the service by HTTPS, which a proxy terminates."""
        return self.address.startswith("https:")

    @property
    def keeps_mail(self) -> bool:
        """Whether mails are kept for /mailbox instead of being sent, because no relay is set."""
        return not self.smtp_url

    @property
    def address(self) -> str:
        """The service's base URL, without a trailing slash."""
        return self.base_url if self.base_url and self.has_pages else f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> str:
        """The database's URL, with its password; by default a SQLite file in the data directory."""
        return self.database_url.get_secret_value() or f"sqlite:///{self.data_dir.absolute() / DATABASE}"

    @property
    def broker(self) -> str:
        """The broker's URL, with its password; by default a directory, which needs no server."""
        return self.broker_url.get_secret_value() or "filesystem://localhost//"

    @property
    def relay(self) -> str:
        """The relay's URL, with its password; empty where mails are kept."""
        return self.smtp_url.get_secret_value()

    @property
    def metrics_place(self) -> tuple[str, int] | None:
        """The host and the first of the ports at which the metrics are served; None if they are not."""
        url = urlsplit(f"//{self.metrics_address}")
        return (url.hostname, url.port) if url.hostname and url.port else None

    @property
    def is_broker_redis(self) -> bool:
        return self.broker.startswith(("redis:", "rediss:"))

    @property
    def incoming_domain(self) -> str:
        """The domain to which replies and delivery reports are addressed; empty where mail cannot come in.

        Where mails are kept, nothing leaves this machine, and players write their replies at /mailbox.
        """
        own = self.reply_mailbox.rpartition("@")[2] or self.reply_domain
        return own or (self.sender.domain if self.keeps_mail else "")

    @property
    def before_signature(self) -> str:
        """The beginning of each signed address: empty, or the mailbox's name with a separator."""
        local = self.reply_mailbox.rpartition("@")[0]
        return local if not local or self.keeps_signatures else f"{local}+"

    @property
    def mailbox_address(self) -> str:
        """The address of our mailbox, without what its owner may add; empty where none is set."""
        local, at, domain = self.reply_mailbox.rpartition("@")
        return f"{local.rstrip(''.join(SEPARATORS))}{at}{domain}"

    @property
    def keeps_signatures(self) -> bool:
        """Whether mail to a signed address comes in; a mailbox may get only mail to its own address."""
        return not self.reply_mailbox or self.reply_mailbox.rpartition("@")[0].endswith(SEPARATORS)

    @cached_property
    def mailbox(self) -> Mailbox | None:
        """The mailbox from which mail is fetched; None where it comes by SMTP or LMTP."""
        return mailbox_of(self.inbox_url) if urlsplit(self.inbox_url).scheme in PORTS else None

    @property
    def handled_folder(self) -> str | None:
        """The folder to which mail of ours is moved when it is stored; None if it stays, or is deleted."""
        return None if self.inbox_handled.lower() in (STAY, DELETE) else self.inbox_handled

    @property
    def deletes_handled(self) -> bool:
        """Whether mail of ours is deleted from the mailbox when it is stored."""
        return self.inbox_handled.lower() == DELETE

    def mailbox_password(self) -> str:
        """The mailbox's password or token, looked up anew each time, for tokens expire. Raises NoPassword."""
        command = self.inbox_password_command.get_secret_value()
        return password_of(self.inbox_password.get_secret_value(), self.inbox_password_file, command)

    @property
    def verdict_authority(self) -> str:
        """The name under which our own mail server signs Authentication-Results (RFC 8601)."""
        return self.known_authority or self.incoming_domain

    @property
    def known_authority(self) -> str:
        """The same if it is set, or known of the mailbox's provider; else empty. Only then it can prove a sender: where
        no server signs, anybody can write our domain there.
        """
        return self.verdicts_by or (VERDICTS.get(self.mailbox.host.lower(), "") if self.mailbox else "")

    @property
    def proves_senders(self) -> bool:
        """Whether a verdict can prove who has sent a mail; where mails are kept, /mailbox signs it."""
        return bool(self.known_authority) or self.keeps_mail

    @cached_property
    def sender(self) -> Address:
        """Name and address in the From line of every mail."""
        name, address = parseaddr(self.mail_from)
        return Address(display_name=name, addr_spec=address)

    @cached_property
    def dkim_keys(self) -> dict[str, Path]:
        """The files with the keys that sign mails, by the selectors of their DNS records. The first is the topmost."""
        return dict(zip(_listed(self.dkim_selector), map(Path, _listed(self.dkim_key)), strict=False))

    def keys(self) -> list[str]:
        """The secret keys, newest first. Where none are set, the first call makes one and keeps it in DATA_DIR.

        Raises BadSetting if those in DATA_DIR are damaged.
        """
        if self.secret_keys:
            return _keys(self.secret_keys)
        keys = _read_or_make(self.own_keys, lambda: secrets.token_urlsafe(48)).split()
        if not keys or any(len(key) < MIN_KEY_LENGTH or not key.isascii() for key in keys):
            raise BadSetting(
                f"{self.own_keys} is damaged: a key has {MIN_KEY_LENGTH} letters and digits or more. {KEYS_BACK}"
            )
        return keys

    @property
    def own_keys(self) -> Path:
        """The file in DATA_DIR in which the service keeps the secret keys that it has made."""
        return self.data_dir / "secret_keys"

    @property
    def push_services(self) -> tuple[str, ...]:
        """The hosts of the push services that we may send to; "*.x.org" stands for all subdomains of x.org.

        A push service on this machine, for trials, is named by its full URL.
        """
        return tuple(host.strip() for host in self.push_hosts.split(","))

    def push_key(self) -> PushKey | None:
        """The key that signs notifications; None where the service sends none.

        On loopback the first call makes it and keeps it in DATA_DIR. Elsewhere it must be set: the service may run on
        several machines, and a browser subscribes to one key. Raises BadSetting if that in DATA_DIR is damaged.
        """
        if self.vapid_key:
            return PushKey.from_pem(self.vapid_key.read_text())
        if not self.is_on_loopback:
            return None
        try:
            return PushKey.from_pem(_read_or_make(self.own_push_key, fresh_pem))
        except ValueError:
            raise BadSetting(f"{self.own_push_key} is damaged: it holds no private key. {PUSH_KEY_BACK}") from None

    @property
    def own_push_key(self) -> Path:
        """The file in DATA_DIR in which the service keeps a key that it has made to sign notifications."""
        return self.data_dir / "vapid_key.pem"


def read_settings(**overrides: Any) -> Settings:
    """The settings of this process. Raises BadSetting with a sentence that names the first invalid one."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        first = error.errors()[0]
        reason = first["msg"].removeprefix("Value error, ")
        if not first["loc"]:
            raise BadSetting(f"{reason}.") from None
        reason = reason if reason.startswith("must") else f"is wrong: {reason[0].lower()}{reason[1:]}"
        raise BadSetting(f"{str(first['loc'][0]).upper()} {reason}.") from None


def settings_or_exit() -> Settings:
    """The settings. If one is invalid, ends the process with status 2 and a sentence on standard error."""
    try:
        return read_settings()
    except BadSetting as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None


def _keys(secret: SecretStr) -> list[str]:
    return [key.strip() for key in secret.get_secret_value().split(",")]


def _listed(text: str) -> list[str]:
    """Splits a setting at its commas."""
    return [one.strip() for one in text.split(",") if one.strip()]


def _split(text: str, *, schemes: set[str], example: str) -> SplitResult:
    try:
        url = urlsplit(text)
        url.port  # noqa: B018  raises where the port is no number
    except ValueError:
        raise ValueError(f"must be an address such as {example}") from None
    if url.scheme not in schemes or not url.hostname:
        raise ValueError(f"must be an address such as {example}")
    return url


def _read_or_make(path: Path, fresh: Callable[[], str]) -> str:
    """The content of `path`; a missing file is first written with `fresh()`. Of several processes the fastest wins."""
    make_folder(path.parent)
    if not path.exists():
        make_file(path, fresh())
    return path.read_text(encoding="utf-8", errors="replace")  # what is damaged is no key
