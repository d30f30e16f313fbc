"""A process's counters and timers, for Prometheus. No label names a person, an address, a link, a game or a card.

`webapp.operators.figures` serves the figures. A page costs some microseconds for them, whether or not they are served.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import MappingProxyType
from typing import Literal, get_args

from prometheus_client import Counter, Histogram
from sqlalchemy import event
from sqlmodel import Session

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_WAITS = (0.1, 0.3, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 4 * 3600.0)

TURNS = Counter("hearts_turns", "Turns, by how they came to be played.", ["source"])
LETTERS = Counter("hearts_letters", "Letters, by what became of them.", ["outcome", "provider"])
QUESTION_WAIT = Histogram("hearts_question_wait_seconds", "From when a question was due until it went.", buckets=_WAITS)
PAGES = Histogram("hearts_page_seconds", "Making a page.", ["route", "method", "status"], buckets=_SECONDS)
SWEEPS = Histogram("hearts_sweep_seconds", "A sweep of the scheduler.", ["sweep"], buckets=_SECONDS)
TASKS = Histogram("hearts_task_seconds", "A task of a worker.", ["task"], buckets=(*_SECONDS, 60.0, 300.0))
FAILED_MAILS = Counter("hearts_failed_mails", "Failures of mails in a mailbox, by what became of them.", ["outcome"])
LOG_LINES = Counter("hearts_log_lines", "Lines in the log.", ["level"])

# The outcomes of letters; each attempt counts at which one is put off.
LetterOutcome = Literal["sent", "kept", "put off", "failed", "withheld", "bounced", "complained"]
OUTCOMES: tuple[LetterOutcome, ...] = get_args(LetterOutcome)
FailedMail = Literal["put aside", "left"]
FAILED: tuple[FailedMail, ...] = get_args(FailedMail)
OTHER = "other"
# A few providers have most of the addresses; naming all domains would name people.
_DOMAINS = {
    "apple": "icloud.com me.com mac.com",
    "fastmail": "fastmail.com fastmail.fm",
    "gmx": "gmx.de gmx.net gmx.at gmx.ch gmx.com web.de mail.com",
    "google": "gmail.com googlemail.com",
    "microsoft": "outlook.com hotmail.com live.com msn.com outlook.de hotmail.co.uk",
    "proton": "proton.me protonmail.com pm.me",
    "t-online": "t-online.de",
    "yahoo": "yahoo.com yahoo.co.uk yahoo.de yahoo.fr ymail.com aol.com",
}
PROVIDERS = MappingProxyType({domain: name for name, domains in _DOMAINS.items() for domain in domains.split()})


def provider(address: str) -> str:
    """The provider of a mail address, out of a fixed set; "other" if it is none of the big ones."""
    return PROVIDERS.get(address.rpartition("@")[2].lower(), OTHER)


@contextmanager
def timed(histogram: Histogram) -> Iterator[None]:
    """Observes how long the block takes, also if it raises."""
    started = perf_counter()
    try:
        yield
    finally:
        histogram.observe(perf_counter() - started)


def count_after_commit(session: Session, counter: Counter) -> None:
    """Counts one more once the session's transaction is committed, and nothing if it is rolled back."""
    session.info.setdefault("counted", []).append(counter)


@event.listens_for(Session, "after_commit")
def _count(session: Session) -> None:
    if not session.in_nested_transaction():
        for counter in session.info.pop("counted", ()):
            counter.inc()


@event.listens_for(Session, "after_rollback")
def _forget(session: Session) -> None:
    if not session.in_nested_transaction():
        session.info.pop("counted", None)
