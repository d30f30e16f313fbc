"""The database stops during operation: a line a minute from each process, a plain page, and nothing is lost."""

import re
import smtplib
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from hearts.cards import card_text
from tests.answers import first_cards, mail
from tests.cast import NAMES, address, letters, start_game
from tests.end_to_end.service import Service, running_service, runtime_of
from tests.servers import Postgres, fresh_database, own_postgres, wait_until
from tests.worker.scripted import ScriptedRelay
from webapp.core.addresses import Purpose
from webapp.core.bell import DO_DUE, PLAY_FOR_ABSENT
from webapp.core.log import REPORT_EVERY
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterState

OUTAGE = 8.0  # seconds, in which a scheduler sweeps a hundred times
DOWN, BACK = "the database does not answer", "the database answers again"


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A server that loses nothing when it is stopped at once."""
    with own_postgres(settings=()) as started:
        yield started


@pytest.fixture
def relay() -> Iterator[ScriptedRelay]:
    with ScriptedRelay() as scripted:
        yield scripted


@pytest.fixture
def service(server: Postgres, relay: ScriptedRelay, tmp_path: Path) -> Iterator[Service]:
    with fresh_database(server.url) as url:
        settings = {"DATABASE_URL": url, "SMTP_URL": relay.url, "REPLY_DOMAIN": "in.hearts.example.org"}
        with running_service(tmp_path, **settings) as running:
            yield running


@pytest.fixture
def runtime(service: Service) -> Iterator[Runtime]:
    with runtime_of(service) as made:
        yield made


def lines(service: Service, words: str) -> list[str]:
    return [line for line in service.log.read_text(errors="replace").splitlines() if words in line]


def asked(runtime: Runtime) -> dict[int | None, int]:
    """By seat, the number of the mail about turns that has gone to its player."""
    return {one.seat: one.id for one in letters(runtime, LetterKind.TURNS) if one.state is LetterState.SENT}


def answer_by_mail(runtime: Runtime, raw: bytes, to: str) -> int:
    """Sends an email to the listener. Returns its last response."""
    with smtplib.SMTP("127.0.0.1", int(runtime.settings.inbox_url.rpartition(":")[2])) as line:
        line.ehlo()
        line.mail(address("Bo"))
        line.rcpt(to)
        return line.data(raw)[0]


def during_the_outage(
    service: Service, runtime: Runtime, page: str, cards: list[str], typed: bytes, to: str
) -> list[Any]:
    """Lets all clients go on trying for a while. Returns the responses of the site."""
    answers = []
    ends = time.monotonic() + OUTAGE
    while time.monotonic() < ends:
        answers.append(httpx.get(page, timeout=30))
        answers.append(httpx.post(page, data={"card": cards}, timeout=30))
        assert answer_by_mail(runtime, typed, to) == 451
        for ring in (
            runtime.bell.deliver,
            partial(runtime.bell.ring, DO_DUE),
            partial(runtime.bell.ring, PLAY_FOR_ABSENT, 1),
        ):
            ring()
        time.sleep(0.5)
    service.check()
    return answers


def test_each_process_logs_a_database_outage_once_and_loses_nothing(
    server: Postgres, service: Service, runtime: Runtime, relay: ScriptedRelay
) -> None:
    table = start_game(runtime, NAMES[:3], robots=1)
    wait_until("all are asked", lambda: set(asked(runtime)) == {0, 1, 2})
    wait_until("the robot has passed", lambda: len(table.game.to_act) == 3)
    service.rows_at_rest()
    page = f"{service.address}{runtime.signer.local_url(table.turn_link(0))}"
    anns = [card_text(card) for card in first_cards(table, 0)]
    typed = mail("Bo", " ".join(card_text(card) for card in first_cards(table, 1)))
    to = runtime.postmark.address(Purpose.REPLY, asked(runtime)[1])
    said = len(service.log.read_bytes())

    server.stop()
    begun = time.monotonic()
    try:
        answers = during_the_outage(service, runtime, page, anns, typed, to)
        wait_until("every process has noticed", lambda: len(lines(service, DOWN)) >= 4)
    finally:
        server.start()
    assert {(one.status_code, one.headers.get("Retry-After")) for one in answers} == {(503, "30")}
    assert "try again in a minute" in answers[0].text
    minutes = 1 + int((time.monotonic() - begun) // REPORT_EVERY)
    wait_until("the page is back", lambda: httpx.get(page, timeout=30).status_code == 200)
    assert httpx.post(page, data={"card": anns}, timeout=30).status_code == 303
    assert answer_by_mail(runtime, typed, to) == 250
    wait_until("both have passed", lambda: table.game.to_act == (2,))
    wait_until("every process has said that it is back", lambda: len(lines(service, BACK)) >= 4)
    service.check()
    log = service.log.read_text(errors="replace")
    assert len(lines(service, DOWN)) in range(4, 4 * minutes + 1), log[said:]
    assert len(lines(service, BACK)) == 4, log[said:]
    assert "Traceback" not in log, log[said:]
    assert len(log) - said < 2000, log[said:]
    assert not re.search(r"postgresql://|hearts_test|example\.org", log[said:])
