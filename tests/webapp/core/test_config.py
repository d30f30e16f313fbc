"""The settings: which are rejected, with which message, and that no message shows a secret."""

import traceback

import pytest
from pydantic import ValidationError

from tests.keys import new_ed25519_key, new_key
from tests.webapp.core.settings import KEY, PUBLIC, SECRET, SECRETS
from webapp.core.config import BadSetting, Settings, read_settings
from webapp.core.runtime import Runtime


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        pytest.param({"base_url": "hearts.example.org"}, "BASE_URL must be an address such as", id="no scheme"),
        pytest.param({"base_url": "https://h.example.org/x"}, "BASE_URL must be a plain address", id="with a path"),
        pytest.param({"base_url": "http://hearts.example.org"}, "BASE_URL must begin with https://", id="open to all"),
        pytest.param({"base_url": "http://[x"}, "BASE_URL must be an address such as", id="no address at all"),
        pytest.param({"database_url": "mysql://x/y"}, "DATABASE_URL must begin with postgresql://", id="other kind"),
        pytest.param({"database_url": "nonsense"}, "DATABASE_URL must be an address such as", id="no database"),
        pytest.param({"database_url": "postgresql+psycopg2://x/y"}, "DATABASE_URL must begin with", id="other driver"),
        pytest.param({"database_url": "postgresql://u:p@h:q/d"}, "DATABASE_URL must be an address", id="no such port"),
        pytest.param({"broker_url": "redis://:p@h:q/0"}, "BROKER_URL must be an address such as", id="broker without"),
        pytest.param({"worker_threads": "many"}, "WORKER_THREADS is wrong", id="threads in words"),
        pytest.param({"worker_threads": "0"}, "WORKER_THREADS is wrong", id="no threads"),
        pytest.param({"broker_url": "kafka://x"}, "BROKER_URL must begin with redis://", id="other broker"),
        pytest.param({"smtp_url": "http://relay"}, "SMTP_URL must be an address such as smtp://", id="other relay"),
        pytest.param(
            {"smtp_url": "smtp://a;AUTH=NTLM@relay"},
            "SMTP_URL must name no way to log in but ;AUTH=XOAUTH2",
            id="other way",
        ),
        pytest.param({"smtp_url": "smtp://relay:many"}, "SMTP_URL must be an address such as", id="no port"),
        pytest.param({"mail_from": "nobody"}, "MAIL_FROM must be a mail address", id="no sender"),
        pytest.param({"mail_from": "a@example.org\nBcc: b"}, "MAIL_FROM must be a mail address", id="two lines"),
        pytest.param({"secret_keys": "short"}, "SECRET_KEYS must be keys of at least 32", id="short key"),
        pytest.param({"secret_keys": f"{KEY},x"}, "SECRET_KEYS must be keys of at least 32", id="short second key"),
        pytest.param({"dkim_key": "/nowhere"}, "DKIM_KEY must name files that can be read", id="no mail key"),
        pytest.param({"dkim_key": __file__}, "DKIM_KEY must name files that can be read, with", id="no mail key in it"),
        pytest.param({"dkim_selector": "hearts,two words"}, "DKIM_SELECTOR must be words of letters", id="no selector"),
        pytest.param({"vapid_key": "/nowhere"}, "VAPID_KEY must name a file that can be read", id="no push key"),
        pytest.param({"vapid_key": __file__}, "VAPID_KEY must name a file that can be read, with", id="no key in it"),
        pytest.param({"push_hosts": "fcm.googleapis.com, *"}, "PUSH_HOSTS must be hosts", id="every push host"),
        pytest.param({"push_hosts": "10.0.0.1:80"}, "PUSH_HOSTS must be hosts", id="a push host by its number"),
        pytest.param({"push_hosts": "http://10.0.0.1:80"}, "PUSH_HOSTS must be hosts", id="a push host near by"),
        pytest.param(
            {**PUBLIC, "secret_keys": KEY, "push_hosts": "http://127.0.0.1:9000"},
            "PUSH_HOSTS must not name this machine",
            id="public, with a push host on this machine",
        ),
        pytest.param({"port": "many"}, "PORT is wrong", id="port in words"),
        pytest.param({"port": "70000"}, "PORT is wrong", id="port too high"),
        pytest.param({"trusted_proxies": "many"}, "TRUSTED_PROXIES is wrong", id="proxies in words"),
        pytest.param({"trusted_proxies": "-1"}, "TRUSTED_PROXIES is wrong", id="a negative number of proxies"),
        pytest.param({"mails_a_day": "5"}, "MAILS_A_DAY is wrong", id="too few mails a day"),
        pytest.param({"metrics_address": "9108"}, "METRICS_ADDRESS must be an address and a port", id="a port alone"),
        pytest.param({"metrics_address": "127.0.0.1"}, "METRICS_ADDRESS must be an address and", id="no metrics port"),
        pytest.param({"metrics_address": "127.0.0.1:65534"}, "METRICS_ADDRESS must be an", id="no room for the others"),
        pytest.param({"log_format": "xml"}, "LOG_FORMAT is wrong", id="another log format"),
        pytest.param({"sweep_seconds": "0"}, "SWEEP_SECONDS is wrong", id="sweeping without pause"),
        pytest.param({"host": "0.0.0.0"}, "HOST must stay 127.0.0.1", id="mailbox open to others"),
        *(
            pytest.param({"host": host, "smtp_url": "smtp://relay"}, "HOST must stay 127.0.0.1 unless", id=f"at {host}")
            for host in ("0.0.0.0", "::", "192.0.2.1", "hearts.example.org")
        ),
        pytest.param({**PUBLIC}, "SECRET_KEYS must be set", id="public without keys"),
        pytest.param({**PUBLIC, "secret_keys": KEY, "smtp_url": ""}, "SMTP_URL must be set", id="public without relay"),
    ],
)
def test_an_invalid_setting_is_rejected_by_its_name(settings, sentence):
    with pytest.raises(BadSetting) as refusal:
        read_settings(**settings)
    assert str(refusal.value).startswith(sentence)
    assert str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(("host", "proxies"), [("0.0.0.0", 1), ("192.0.2.1", 2), ("127.0.0.1", 0), ("::1", 0)])
def test_a_proxy_or_this_machine_takes_the_requests(host, proxies):
    assert read_settings(host=host, trusted_proxies=proxies, smtp_url="smtp://relay").host == host


def test_by_default_every_server_is_embedded(tmp_path):
    settings = read_settings(data_dir=tmp_path)
    assert settings.address == "http://127.0.0.1:8000"
    assert settings.database == f"sqlite:///{tmp_path / 'hearts.db'}"
    assert settings.keeps_mail


def test_keys_are_made_once_and_readable_by_their_owner_alone(tmp_path):
    first = read_settings(data_dir=tmp_path).keys()
    assert read_settings(data_dir=tmp_path).keys() == first
    assert (tmp_path / "secret_keys").stat().st_mode & 0o077 == 0


def test_each_key_for_mail_needs_a_selector_of_its_own(tmp_path):
    files = [tmp_path / "rsa.pem", tmp_path / "ed25519.pem"]
    new_key(files[0])
    new_ed25519_key(files[1])
    both = f"{files[0]}, {files[1]}"
    for selectors in ("hearts", "hearts,hearts", "hearts,fast,third"):
        with pytest.raises(BadSetting, match="DKIM_SELECTOR must name a selector for each key"):
            read_settings(dkim_key=both, dkim_selector=selectors)
    assert read_settings(dkim_key=both, dkim_selector="Hearts, fast").dkim_keys == dict(
        zip(("hearts", "fast"), files, strict=True)
    )
    assert read_settings(dkim_key=str(files[1])).dkim_keys == {"hearts": files[1]}
    assert read_settings().dkim_keys == {}


def test_without_a_push_key_a_public_service_sends_no_notifications(tmp_path):
    assert read_settings(**PUBLIC, secret_keys=KEY, data_dir=tmp_path).push_key() is None
    assert list(tmp_path.iterdir()) == []


def test_old_forms_of_a_postgresql_address_are_accepted():
    assert read_settings(database_url="postgres://u@h/d").database == "postgresql://u@h/d"


@pytest.mark.parametrize("url", ["redis://", "redis://:p@h/0", "amqp://u:p@h:1//;amqp://u:p@h:2//", "filesystem://"])
def test_brokers_are_accepted_as_the_library_writes_them(url):
    assert read_settings(broker_url=url).broker == url


def test_settings_do_not_show_their_secrets(tmp_path):
    settings = read_settings(**SECRETS, data_dir=tmp_path)
    runtime = Runtime(settings)
    for shown in (settings, runtime, runtime.signer, runtime.postmark, runtime.database.engine, runtime.bell):
        assert SECRET not in repr(shown)
        assert SECRET not in str(shown)
    assert SECRET not in settings.model_dump_json()
    for used in (settings.database, settings.broker, settings.relay, settings.keys()[0]):
        assert SECRET in used


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"database_url": f"postgresql://hearts:x@127.0.0.1:{SECRET}/hearts"}, id="DATABASE_URL, its port"),
        pytest.param({"database_url": f"oracle://hearts:{SECRET}@127.0.0.1/hearts"}, id="DATABASE_URL"),
        pytest.param({"database_url": SECRET}, id="DATABASE_URL, no address"),
        pytest.param({"broker_url": f"redis://:x@127.0.0.1:{SECRET}/0"}, id="BROKER_URL, its port"),
        pytest.param({"broker_url": f"kafka://:{SECRET}@127.0.0.1"}, id="BROKER_URL"),
        pytest.param({"smtp_url": f"http://hearts:{SECRET}@127.0.0.1"}, id="SMTP_URL"),
        pytest.param({"smtp_url": f"smtp://hearts:x@127.0.0.1:{SECRET}"}, id="SMTP_URL, its port"),
        pytest.param({"secret_keys": SECRET}, id="SECRET_KEYS"),
        pytest.param({"base_url": f"https://hearts:{SECRET}@hearts.example.org"}, id="BASE_URL"),
        pytest.param({"port": SECRET}, id="PORT"),
        pytest.param({"base_url": "https://hearts.example.org"}, id="all of them, with MAIL_FROM missing"),
    ],
)
def test_no_error_quotes_the_value_of_a_setting(wrong):
    with pytest.raises(ValidationError) as error:
        Settings(**{**SECRETS, **wrong})
    trace = "".join(traceback.format_exception(error.value))
    for shown in (str(error.value), repr(error.value), trace):
        assert SECRET not in shown
    with pytest.raises(BadSetting) as refusal:
        read_settings(**{**SECRETS, **wrong})
    assert SECRET not in "".join(traceback.format_exception(refusal.value))


def test_a_mailbox_names_the_address_of_its_mail():
    box = {"inbox_url": "imaps://hearts@example.org@imap.example.org"}
    assert read_settings(**box, reply_mailbox="Hearts+@example.org").before_signature == "hearts+"
    plain = read_settings(**box, reply_mailbox="hearts@example.org")
    assert (plain.before_signature, plain.keeps_signatures) == ("hearts+", False)
    assert plain.incoming_domain == "example.org"
    beside = read_settings(**box, reply_mailbox="hearts@example.org", reply_domain="in.hearts.example.org")
    assert beside.incoming_domain == "example.org", "as for a second `inbox` after a move to a domain"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        pytest.param({}, "REPLY_MAILBOX must be set", id="no address"),
        pytest.param({"reply_mailbox": "hearts"}, "REPLY_MAILBOX must be the mailbox's address", id="no domain"),
        pytest.param(
            {"inbox_url": "lmtp://127.0.0.1:8025", "reply_mailbox": "h@example.org", "reply_domain": "example.org"},
            "REPLY_DOMAIN",
            id="both, and no mailbox to read",
        ),
        pytest.param({"reply_mailbox": "h@example.org", "inbox_handled": "INBOX"}, "INBOX_HANDLED", id="into itself"),
        pytest.param({"inbox_url": "imaps://hearts:hush@imap.example.org"}, "INBOX_URL must name", id="a password"),
    ],
)
def test_a_mailbox_that_cannot_be_read_is_refused(settings, sentence):
    with pytest.raises(BadSetting, match=sentence):
        read_settings(**{"inbox_url": "imaps://hearts@imap.example.org", **settings})


@pytest.mark.parametrize(
    ("host", "more", "known"),
    [
        ("imap.gmail.com", {}, "mx.google.com"),
        ("IMAP.Gmail.com", {}, "mx.google.com"),
        ("imap.gmail.com", {"verdicts_by": "mx.example.org"}, "mx.example.org"),
        ("outlook.office365.com", {}, "unnamed"),
        ("imap.example.org", {}, ""),
        ("imap.example.org", {"verdicts_by": "*.Example.org"}, "*.example.org"),
        ("imap.example.org", {"verdicts_by": "unnamed"}, "unnamed"),
    ],
)
def test_who_signs_verdicts_follows_from_the_mailbox(host, more, known):
    url = f"imaps://hearts@example.org@{host}"
    made = read_settings(inbox_url=url, reply_mailbox="hearts@example.org", smtp_url="smtp://127.0.0.1:1", **more)
    assert (made.known_authority, made.proves_senders) == (known, bool(known))
    assert made.verdict_authority == (known or "example.org")
