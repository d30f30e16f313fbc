"""Common to all pages: one snapshot of the database for everything that a GET shows, and few queries."""

import sqlite3

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from tests.cast import open_table, start_game
from tests.mailing import player_id
from tests.runtimes import make_runtime
from tests.statements import carried_out
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.games.talking import say
from tests.webapp.tables.hosted import ANN, offer
from tests.webapp.tables.open_seats import open_table as open_to_anybody
from webapp.core.database import DatabaseDown
from webapp.core.tokens import InvitationLink, PreferencesLink
from webapp.forms.opening import OPEN_SEAT
from webapp.games.record import links as links_to
from webapp.models import PlayerRow
from webapp.pages.common import reading
from webapp.site import make_site

KILL_OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
MOST = 14  # queries of a page that many people open, with that for the reader's sign-in


@pytest.fixture
def site(client):
    return client.application


@pytest.mark.parametrize(("method", "is_shared"), [("GET", True), ("HEAD", True), ("POST", False)])
def test_all_that_a_get_shows_comes_from_one_snapshot(site, method, is_shared):
    with site.test_request_context("/", method=method):
        with reading() as one:
            pass
        with reading() as other:
            assert (one is other) is is_shared


def test_each_request_sees_what_was_written_before_it(site, runtime, table):
    for name in ("Ann", "Eve"):
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, 1).name = name
        with site.test_request_context("/"), reading() as session:
            assert session.get_one(PlayerRow, 1).name == name


def test_after_an_error_the_page_about_it_reads_anew(site, table):
    with site.test_request_context("/"):
        with pytest.raises(LookupError), reading() as broken:
            raise LookupError
        with reading() as session:
            assert session is not broken
            assert session.get_one(PlayerRow, 1).name == "Ann"


def test_a_database_failing_within_a_snapshot_is_reported_down(site):
    cause = sqlite3.OperationalError("disk I/O error")
    cause.sqlite_errorcode, cause.sqlite_errorname = sqlite3.SQLITE_IOERR, "SQLITE_IOERR"
    with site.test_request_context("/"), pytest.raises(DatabaseDown, match="SQLITE_IOERR"), reading():
        raise OperationalError("SELECT 1", {}, cause)


def test_a_snapshot_ends_with_its_request(client, runtime, table):
    link = runtime.signer.local_url(table.turn_link(0))
    for _ in range(30):
        assert client.get(link).status_code == 200
    assert runtime.database.engine.pool.checkedout() == 0


def test_a_page_already_read_survives_the_databases_death(tmp_path, postgres_url):
    runtime = make_runtime(tmp_path / "var", postgres_url)
    link = runtime.signer.local_url(start_game(runtime).turn_link(0))
    site = make_site(runtime)

    @site.after_request
    def die(response):
        with create_engine(postgres_url, poolclass=NullPool).begin() as other:
            other.execute(text(KILL_OTHERS))
        return response

    assert site.test_client().get(link).status_code == 200
    runtime.database.engine.dispose()


def test_turn_page_waiting_page_and_news_take_few_queries(client, runtime, table):
    table.pass_all()
    seat = table.awaited
    asked = carried_out(runtime)
    asking = runtime.signer.local_url(table.turn_link(seat))
    following = [runtime.signer.local_url(table.play_link(number)) for number in (seat, (seat + 1) % 4)]
    for link in (asking, *following, *(f"{one}/now" for one in following)):
        asked.clear()
        assert client.get(link).status_code == 200
        assert len(asked) <= MOST, asked


@pytest.fixture
def other_pages(runtime, table):
    """By name, their paths: Ann hosts a table that talks and takes advice, and has other games and invitations."""
    table.play_hand()
    table.allow_advice()
    say(table, ANN, "Well, well")
    offer(start_game(runtime))
    invited = InvitationLink(open_table(runtime, ("Bo", "Ann", "Cy")), 1, player_id(runtime))
    open_to_anybody(runtime, OPEN_SEAT, OPEN_SEAT)
    ann = table.seats[ANN]
    links = {
        "table": links_to.seat_link(ann),
        "relive": links_to.relive_link(ann, table.game_id, 1),
        "invitation": invited,
        "preferences": PreferencesLink(player_id(runtime)),
    }
    paths = {"home": "/", "games": "/games", "lobby": "/lobby"}
    return paths | {name: runtime.signer.local_url(link) for name, link in links.items()}


def test_other_pages_that_many_people_open_take_few_queries(runtime, client, other_pages):
    asked, taken = carried_out(runtime), {}
    for name, path in other_pages.items():
        reader = client if name == "home" else browser_of(runtime, player_id(runtime))
        asked.clear()
        assert reader.get(path).status_code == 200
        taken[name] = len(asked)
    assert max(taken.values()) <= MOST, taken


def read_from(client, link, asked):
    """After how many records the page reads others, each time that it does."""
    asked.clear()
    assert client.get(link).status_code == 200
    return [one.parameters[1] for one in asked if "FROM turn" in one.text]
