"""Seats and tables: what was acknowledged and lost is found."""

from tests.chaos.checks import seats
from tests.chaos.checks.planted import form, left_by
from tests.chaos.notes import Notes
from tests.chaos.relay import MoodyRelay
from tests.webapp.tables.guests_by_link import come, deal, open_linked
from webapp.core.runtime import Runtime
from webapp.core.tokens import ConfirmLink, JoinLink, Link, MessengerLink
from webapp.forms.opening import NewSeat
from webapp.models import PlayerRow
from webapp.tables import lobby

PIP = NewSeat("Pip", None)


def faults(runtime: Runtime, relay: MoodyRelay, name: str, link: Link, *chosen: str, page: str = "") -> list[str]:
    """The faults found if the player says that the page behind the link has accepted a form."""
    path = runtime.signer.local_url(link) + page
    return list(seats.check(left_by(runtime, relay, Notes([form(name, path, *chosen, at=runtime.now())]))))


def add_eve(runtime: Runtime) -> int:
    with runtime.database.writing() as session:
        eve = PlayerRow(name="Eve", address="eve@example.org", time_zone="UTC", created_at=runtime.now())
        session.add(eve)
        session.flush()
        return eve.id


def test_a_guest_without_a_letter_or_a_seat_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table_id, eve = open_linked(runtime, PIP), add_eve(runtime)
    came, joined = MessengerLink(table_id, 1), JoinLink(table_id, eve, by_link=1)
    assert ["no letter was queued" in one for one in faults(runtime, relay, "Eve", came)] == [True]
    assert ["has not got it" in one for one in faults(runtime, relay, "Eve", joined)] == [True]
    lobby.ask_for_seat(runtime, table_id, "Eve", "eve@example.org", "UTC", runtime.now(), by_link=1)
    come(runtime, table_id, "Eve")
    assert faults(runtime, relay, "Eve", came) == faults(runtime, relay, "Eve", joined) == []


def test_a_deal_that_is_lost_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table_id = open_linked(runtime, PIP)
    come(runtime, table_id, "Bo")
    host = ConfirmLink(table_id)
    assert ["no game has begun" in one for one in faults(runtime, relay, "Ann", host, "deal", page="/guests")] == [True]
    deal(runtime, table_id)
    assert faults(runtime, relay, "Ann", host, "deal", page="/guests") == []
