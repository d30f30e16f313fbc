"""The servers of the tests are real, and separate tests share nothing there."""

import gc
import os
import smtplib
import socket
import struct
import warnings
from email.message import EmailMessage
from pathlib import Path

import pytest
from flask import Flask
from redis import Redis, RedisError
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from tests.servers import ROOT, MailServer, Valkey, app_server, fresh_database, postgres_programs, wait_until


def test_two_databases_of_one_postgresql_server_share_no_table(postgres: str) -> None:
    with fresh_database(postgres) as one, fresh_database(postgres) as other:
        with create_engine(one, poolclass=NullPool).begin() as connection:
            connection.execute(text("CREATE TABLE card (face integer)"))
            assert "PostgreSQL" in connection.execute(text("SELECT version()")).scalar_one()
        with create_engine(other, poolclass=NullPool).connect() as connection:
            assert connection.execute(text("SELECT to_regclass('card')")).scalar_one() is None


def test_root_opens_no_folder_above_the_programs_of_this_checkout(postgres: str) -> None:
    assert postgres
    used = Path(postgres_programs().__file__ or "")
    assert (ROOT in used.parents) == (os.geteuid() != 0)


def test_a_frozen_broker_runs_though_it_answers_nothing() -> None:
    broker = Valkey()
    try:
        broker.freeze()
        with pytest.raises(RedisError):
            Redis.from_url(broker.url, socket_timeout=0.1, retry=None).ping()
        assert broker.is_running
        broker.kill()
        assert not broker.is_running
    finally:
        broker.end()


def test_a_broker_that_has_ended_by_itself_is_started_again() -> None:
    broker = Valkey()
    try:
        Redis.from_url(broker.url).shutdown(nosave=True)
        wait_until("it has ended", lambda: not broker.is_running)
        broker.start()
        assert broker.is_running
    finally:
        broker.end()


def test_a_database_is_dropped_even_with_an_open_connection(postgres: str) -> None:
    with fresh_database(postgres) as url:
        engine = create_engine(url)
        engine.connect().execute(text("SELECT 1"))
    engine.dispose()
    with pytest.raises(OperationalError, match="does not exist"):
        create_engine(url, poolclass=NullPool).connect()


@pytest.mark.parametrize("visit", [1, 2])
def test_a_broker_is_empty_at_first(valkey_url: str, visit: int) -> None:
    with Redis.from_url(valkey_url) as redis:
        assert redis.dbsize() == 0
        redis.set("left over", visit)


def test_the_mail_server_stores_mails_and_refuses_configured_addresses(smtp_server: MailServer) -> None:
    smtp_server.refuse["eve@example.org"] = "550 no such person"
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@example.org", "bo@example.org", "Spades led ♠"
    message.set_content("It is your turn: Q♠ or 2♣.")
    message.add_alternative("<p>It is your turn: Q♠ or 2♣.</p>", subtype="html")
    host, _, port = smtp_server.url.removeprefix("smtp://").partition(":")
    with smtplib.SMTP(host, int(port)) as client:
        client.send_message(message)
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            client.send_message(message, to_addrs=["eve@example.org"])
    mail = smtp_server.wait(0)
    assert (mail.sender, mail.to, mail.subject) == ("ann@example.org", "bo@example.org", "Spades led ♠")
    assert "Q♠" in mail.text
    assert "<p>" in mail.html
    assert smtp_server.to("eve@example.org") == []


RESET = struct.pack("ii", 1, 0)  # closes at once, and lets the other side know


def test_a_file_is_closed_after_its_browser_hangs_up(recwarn) -> None:
    """Else any test that closes a page early may fail, whenever the garbage is collected."""
    warnings.simplefilter("always")
    app = Flask("files", static_folder=ROOT / "webapp" / "static")
    with app_server(app) as address:
        host, _, port = address.removeprefix("http://").partition(":")
        for _ in range(40):
            with socket.create_connection((host, int(port))) as browser:
                browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                browser.sendall(b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert browser.recv(4) == b"HTTP"
    gc.collect()
    assert [str(one.message) for one in recwarn if "style.css" in str(one.message)] == []
