"""Limits over how many connections all workers together send to a domain at the same time.

Many receivers turn away a sender that comes with too many. A claim takes a connection to each domain of its letters,
for one lease, and gives it back at its end; the letters to a domain without a free one wait for some seconds. A claim
that is frozen for longer than its lease may still send while another has its connection.
"""

import random
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import bindparam, text
from sqlmodel import Session, col, delete, select, update
from sqlmodel.sql.sqltypes import UTCDateTime

from webapp.models import ConnectionRow
from webapp.outbox.leases import LEASE

FULL_WAIT = timedelta(seconds=5)  # for a letter to a domain without a free connection
TRIES = 3  # of the free connections to a domain: others may take one at the same moment

_TAKEN = select(ConnectionRow.domain, ConnectionRow.number).where(
    col(ConnectionRow.domain).in_(bindparam("domains", expanding=True)), col(ConnectionRow.until) > bindparam("now")
)
_TAKE: Final = text(
    "INSERT INTO connection (domain, number, claimed_by, until) VALUES (:domain, :number, :claimed_by, :until) "
    "ON CONFLICT (domain, number) DO UPDATE SET claimed_by = excluded.claimed_by, until = excluded.until "
    "WHERE connection.until <= :now"
).bindparams(bindparam("until", type_=UTCDateTime()), bindparam("now", type_=UTCDateTime()))


def take(session: Session, domains: Collection[str], most: int, by: str, now: datetime) -> set[str]:
    """Takes one of `most` connections to each of the domains for the new claim `by`. Returns those that have none free.

    Who waits for another transaction holds only connections that come earlier in order, so that no two wait for each
    other.
    """
    taken = defaultdict[str, set[int]](set)
    for domain, number in session.connection().execute(_TAKEN, {"domains": list(domains), "now": now}):
        taken[domain].add(number)
    return {domain for domain in sorted(domains) if not _take_one(session, domain, most, taken[domain], by, now)}


def _take_one(session: Session, domain: str, most: int, taken: set[int], by: str, now: datetime) -> bool:
    """Takes one of the connections to a domain. Returns whether one was free."""
    free = [number for number in range(most) if number not in taken]
    about = {"domain": domain, "claimed_by": by, "until": now + LEASE, "now": now}
    numbers = sorted(random.sample(free, min(TRIES, len(free))))
    return any(session.connection().execute(_TAKE, {**about, "number": number}).rowcount for number in numbers)


def renew(session: Session, by: str, now: datetime) -> None:
    """Renews the connections of the claim `by`. One whose lease is over may be another claim's by now, and stays so."""
    held = update(ConnectionRow).where(col(ConnectionRow.claimed_by) == by, col(ConnectionRow.until) > now)
    session.exec(held.values(until=now + LEASE))


def give_back(session: Session, by: str) -> None:
    """Frees the connections of the claim `by`."""
    session.exec(delete(ConnectionRow).where(col(ConnectionRow.claimed_by) == by))


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the connections of claims that ended without giving them back."""
    session.exec(delete(ConnectionRow).where(col(ConnectionRow.until) <= now))
