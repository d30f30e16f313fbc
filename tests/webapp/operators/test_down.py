"""The first page says what is down, to whoever runs the service and to nobody else."""

from datetime import timedelta

import pytest

from tests.cast import start_game
from tests.mailing import player_id
from tests.runtimes import make_runtime
from tests.submitting import soup
from tests.webapp.accounts.signed_in import browser_of
from webapp.operators import health, probes
from webapp.site import make_site

ABROAD = {"environ_overrides": {"REMOTE_ADDR": "9.9.9.9"}}
WORKER = probes.SENTENCES["worker"]


@pytest.fixture(autouse=True)
def started_long_ago(monkeypatch):
    monkeypatch.setattr(probes, "FIRST_SECONDS", 0.0)


def show_life(runtime, *processes):
    runtime.bell.deliver()
    with runtime.database.writing() as session:
        for process in processes:
            health.note_alive(session, process, runtime.now())


def said(browser, path, **more):
    return soup(browser.get(path, **more)).main.get_text(" ", strip=True)


def test_the_home_page_on_this_machine_says_what_is_down(runtime):
    show_life(runtime, health.SCHEDULER)
    page = said(make_site(runtime).test_client(), "/")
    assert WORKER in page
    assert probes.SENTENCES["scheduler"] not in page


def test_a_service_that_runs_says_nothing(runtime):
    show_life(runtime, health.SCHEDULER, health.WORKER)
    assert "is down" not in said(make_site(runtime).test_client(), "/")


def test_a_process_that_has_just_started_says_nothing(runtime, monkeypatch):
    monkeypatch.setattr(probes, "FIRST_SECONDS", 60.0)
    assert "is down" not in said(make_site(runtime).test_client(), "/")


@pytest.mark.parametrize(
    "asker", [pytest.param(ABROAD, id="abroad"), pytest.param({"headers": {"X-Forwarded-For": "9.9.9.9"}}, id="proxy")]
)
def test_visitors_from_elsewhere_see_nothing_of_it(runtime, asker):
    assert "is down" not in said(make_site(runtime).test_client(), "/", **asker)


@pytest.mark.parametrize(("name", "sees"), [("Ann", True), ("Bo", False)])
def test_my_games_says_it_to_the_operator_alone(tmp_path, name, sees):
    runtime = make_runtime(tmp_path / "var", operator_address="ann@example.org")
    start_game(runtime)
    runtime.now.pass_by(timedelta(hours=1))
    browser = browser_of(runtime, player_id(runtime, name))
    page = said(browser, "/games", **ABROAD)
    assert (WORKER in page) is sees
    runtime.database.engine.dispose()
