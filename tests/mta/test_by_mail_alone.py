"""Four people play a whole game by answers alone, through a real provider; nobody opens a page."""

import re
import smtplib
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from hearts.rules import preset_rules
from tests.cast import open_table
from tests.mta.courier import running_courier
from tests.mta.dovecot import PASSWORD, USER
from tests.mta.provider import HOST, Provider, running_provider
from tests.runtimes import make_runtime
from tests.servers import LONG
from tests.table import Table
from webapp.core.runtime import Runtime
from webapp.inbox.acting import process_inbound
from webapp.models import GameState, TurnSource
from webapp.tables import seating
from worker import fetching, postman
from worker.fetching import Fetcher

CARD = re.compile(r"\b([2-9TJQKA][CDSH]) \S+")


@pytest.fixture(
    params=[("hearts+@example.org", False), (USER, False), ("hearts+@example.org", True)],
    ids=["plus addresses", "no plus addresses", "a mailbox at Courier"],
)
def service(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Runtime, Provider]]:
    reply_mailbox, is_at_courier = request.param
    monkeypatch.setattr(fetching, "POLL", 0.1)  # Courier's own IDLE would look once a second at most
    without_idle = {"IMAP_CAPABILITY": "IMAP4rev1 UIDPLUS CHILDREN NAMESPACE"}
    with (
        running_courier(**without_idle) if is_at_courier else nullcontext() as courier,
        running_provider(courier=courier) as provider,
    ):
        monkeypatch.setenv("SSL_CERT_FILE", str(provider.certificate))
        runtime = make_runtime(
            tmp_path / "var",
            base_url="none",
            mail_from=f"Hearts by Mail <{USER}>",
            smtp_url=f"smtp://{USER.replace('@', '%40')}@{provider.smtp}",
            inbox_url=f"imap://{USER}@{provider.imap}",
            inbox_password=PASSWORD,
            reply_mailbox=reply_mailbox,
            inbox_handled="Played" if is_at_courier else "stay",
            mails_a_day=1000,
            shortest_pace_seconds=1,
        )
        yield runtime, provider
        runtime.database.engine.dispose()


def words_for(text: str) -> str | None:
    """The first line of an answer; None to a mail that asks for nothing."""
    assert "http" not in text or "Is this your table?" in text, "which the host does where the service runs"
    if "“yes” or “no”" in text:
        return "yes"
    if "YOUR CARDS" in text:
        return " ".join(CARD.findall(text.partition("YOUR CARDS")[2])[:3])
    if "YOU MAY PLAY" in text:
        return CARD.findall(text.partition("YOU MAY PLAY")[2])[0]
    return None


def answer(provider: Provider, mail: EmailMessage) -> None:
    """Answers as its reader, if it asks for something."""
    text = mail.get_content()
    if words := words_for(text):
        reply = EmailMessage()
        reply["From"], reply["To"], reply["Subject"] = mail["To"], mail["Reply-To"], f"Re: {mail['Subject']}"
        reply["In-Reply-To"] = reply["References"] = mail["Message-ID"]
        quoted = "\n".join(f"> {line}" for line in text.splitlines())
        reply.set_content(f"{words}\n\nOn Mon, Hearts by Mail wrote:\n{quoted}\n")
        with smtplib.SMTP(HOST, provider.submission_port) as line:
            line.starttls(context=ssl.create_default_context())
            line.login(USER, PASSWORD)
            line.send_message(reply)


def test_a_whole_game_is_played_by_answers(service: tuple[Runtime, Provider]) -> None:
    runtime, provider = service
    table_id, stop = open_table(runtime, rules=replace(preset_rules("classic"), hands=1)), threading.Event()
    assert runtime.settings.mailbox is not None
    fetcher = threading.Thread(target=Fetcher(runtime, runtime.settings.mailbox, stop).run)
    fetcher.start()
    try:
        until = time.monotonic() + 2 * LONG
        while not is_over(runtime, table_id):
            assert time.monotonic() < until
            time.sleep(0.02)
            runtime.now.pass_by(timedelta(seconds=10))  # type: ignore[attr-defined]  # who has answered leaves
            postman.deliver(runtime)
            for file in sorted(provider.players.glob("*")):
                answer(provider, message_from_bytes(file.read_bytes(), policy=policy.default))
                file.unlink()
            process_inbound(runtime)
    finally:
        stop.set()
        fetcher.join()
    game = Table(runtime, 1).stored
    chosen = {record.source for record in game.records} - {TurnSource.FORCED, TurnSource.CLAIM, TurnSource.AS_WISHED}
    assert chosen == {TurnSource.REPLY}
    assert sum(record.source is TurnSource.REPLY for record in game.records) >= 20


def is_over(runtime: Runtime, table_id: int) -> bool:
    with runtime.database.reading() as session:
        game = seating.current_game(session, table_id)
        return game is not None and game.state is GameState.OVER
