"""Browsers in networks, and forms of theirs that mail addresses which they type."""

from functools import partial

from sqlmodel import select

from tests.cast import address, dump
from tests.races import none_fails
from tests.sites import site_of
from tests.webapp.tables import open_seats
from tests.webapp.tables.open_seats import PIP
from webapp.core.tokens import ConfirmLink
from webapp.forms.opening import NewSeat
from webapp.models import CountRow

HERE, ELSEWHERE = "198.51.100.7", "203.0.113.9"


def browser(runtime, network=HERE):
    """A browser in that network, as the last proxy names it."""
    client = site_of(runtime).test_client()
    client.environ_base["HTTP_X_FORWARDED_FOR"] = network
    return client


def state(runtime):
    """Every row, but of the counts only those that still apply."""
    with runtime.database.reading() as session:
        live = session.exec(select(CountRow).where(CountRow.ends_at > runtime.now())).all()
    return {**dump(runtime), "limit_count": sorted((row.key, row.used, row.ends_at) for row in live)}


def ask_sign_in(client, number, **forwarded):
    return client.post("/sign-in", data={"address": f"nobody{number}@example.org"}, **forwarded)


def invite(runtime, host, *guests, client=None):
    """A table of that host, with robots in its other seats, confirmed from their inbox. Returns the response."""
    new = open_seats.open_table(runtime, *guests, PIP, open_seats.RUBY, host=host, confirmed=False)
    client = client or site_of(runtime).test_client()
    return client.post(runtime.signer.local_url(ConfirmLink(new)))


def guest(name):
    return NewSeat(name, address(name))


def invited_at_once(runtime, hosts):
    """How many of `hosts`, each in its own process, could invite Bo at the same moment."""
    opened = [open_seats.open_table(runtime, guest("Bo"), PIP, host=f"Ev{n}", confirmed=False) for n in range(hosts)]
    links = [runtime.signer.local_url(ConfirmLink(table_id)) for table_id in opened]
    confirms = [partial(site_of(runtime).test_client().post, link) for link in links]
    return sorted(answer.status_code for answer in none_fails(*confirms))
