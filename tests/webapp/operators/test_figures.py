"""The figures of the service: what Prometheus reads, and what an operator sees."""

import json
import re
from collections import Counter
from datetime import timedelta
from math import inf
from pathlib import Path

import httpx
import psutil
import pytest
import yaml
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.parser import text_string_to_metric_families
from sqlmodel import update

from hearts.robot import Level
from tests.cast import letters, start_game
from tests.due_games import make_due_games
from tests.runtimes import make_runtime
from tests.servers import free_port, is_free, wait_until
from tests.sites import site_of
from tests.web_process import web_process
from tests.webapp.figures import value
from webapp.core import metrics
from webapp.games.clock import way_in
from webapp.migrations import upgrade
from webapp.models import GameRow, GameState, LetterRow, LetterState, PlayerRow, TurnRow, TurnSource
from webapp.operators import figures, health
from webapp.operators.figures import DatabaseCollector
from webapp.outbox import holding
from worker import postman

ROOT = Path(__file__).resolve().parents[3]
MONITORING = ROOT / "docs" / "monitoring"


def from_database(runtime):
    """By name and first label, the figures that are asked of the database."""
    registry = CollectorRegistry()
    registry.register(DatabaseCollector(runtime))
    return {(one.name, *one.labels.values()): one.value for family in registry.collect() for one in family.samples}


def test_a_committed_turn_counts_by_how_it_was_played(runtime):
    table = start_game(runtime)
    before, all_before = value("hearts_turns_total", source="page"), all_turns()
    played = table.play_first()
    assert value("hearts_turns_total", source="page") == before + 1
    assert all_turns() - all_before == played.row.turns - 1  # the deal was before


def all_turns():
    return sum(one.value for family in metrics.TURNS.collect() for one in family.samples if one.name.endswith("total"))


def test_letters_count_by_outcome_and_provider(runtime):
    start_game(runtime)
    about = {"outcome": "kept", "provider": "other"}
    before, waited = value("hearts_letters_total", **about), value("hearts_question_wait_seconds_count")
    postman.deliver(runtime)
    kept = [one for one in letters(runtime) if one.state is LetterState.KEPT]
    assert value("hearts_letters_total", **about) == before + len(kept) > before + 4
    assert value("hearts_question_wait_seconds_count") == waited + 4


def test_a_page_counts_by_route_never_by_its_link(runtime):
    client = site_of(runtime).test_client()
    about = {"route": "/turn/<token>", "method": "GET", "status": "4xx"}
    before, nowhere = value("hearts_page_seconds_count", **about), {"route": "none", "method": "any", "status": "4xx"}
    unknown = value("hearts_page_seconds_count", **nowhere)
    client.get("/turn/a-secret-token")
    client.get("/nowhere/a-secret-token")
    assert value("hearts_page_seconds_count", **about) == before + 1
    assert value("hearts_page_seconds_count", **nowhere) == unknown + 1
    assert b"a-secret-token" not in generate_latest(REGISTRY)


def test_what_waits_is_asked_of_the_database_at_each_scrape(runtime):
    assert from_database(runtime)["hearts_running_games",] == 0
    start_game(runtime)
    found = from_database(runtime)
    assert found["hearts_running_games",] == 1
    assert found["hearts_waiting", "letters"] > 0
    assert found["hearts_waiting", "questions"] == 0
    assert found["hearts_database_up",] == 1


def test_a_relay_that_takes_no_mail_is_a_figure(runtime):
    assert from_database(runtime)["hearts_relay_down_seconds",] == 0
    with runtime.database.writing() as session:
        since = runtime.now() - timedelta(minutes=9)
        holding.pause(session, holding.EVERY_DOMAIN, runtime.now(), "550 no", since)
    assert from_database(runtime)["hearts_relay_down_seconds",] == 540


def test_a_process_never_seen_has_been_silent_for_ever(runtime):
    assert from_database(runtime)["hearts_seen_seconds", "worker"] == inf
    with runtime.database.writing() as session:
        health.note_alive(session, health.WORKER, runtime.now())
    found = from_database(runtime)
    assert [found["hearts_seen_seconds", name] for name in ("worker", "scheduler")] == [0, inf]


def test_a_database_down_is_a_figure_not_a_failed_scrape(tmp_path):
    lost = make_runtime(tmp_path / "lost", "postgresql://nobody@127.0.0.1:1/none?connect_timeout=1")
    assert from_database(lost) == {("hearts_database_up",): 0}


def scraped(port):
    """The samples of a scrape, by name and labels."""
    response = httpx.get(f"http://127.0.0.1:{port}/metrics")
    assert response.status_code == 200
    families = text_string_to_metric_families(response.text)
    return {(one.name, *sorted(one.labels.values())): one.value for family in families for one in family.samples}


def lobby_pages(port):
    try:
        return scraped(port).get(("hearts_page_seconds_count", "/lobby", "2xx", "GET"), 0)
    except httpx.TransportError:
        return None


def test_any_process_of_a_web_server_answers_for_all(tmp_path):
    port = free_port()
    (tmp_path / "var").mkdir()
    upgrade(f"sqlite:///{tmp_path / 'var' / 'hearts.db'}")
    with web_process(tmp_path, METRICS_ADDRESS=f"127.0.0.1:{port}", WEB_CONCURRENCY="2") as web:
        for _ in range(20):  # a connection each, which the system gives to either process
            assert httpx.get(f"{web.address}/lobby").status_code == 200
        wait_until("the metrics", lambda: lobby_pages(port) is not None)
        assert lobby_pages(port) == 20
        assert scraped(port)["hearts_database_up",] == 1
        at_zero = [("log_lines_total", "error"), ("letters_total", "complained", "yahoo"), ("turns_total", "reply")]
        assert [scraped(port)[f"hearts_{name}", *labels] for name, *labels in at_zero] == [0, 0, 0], (
            "the first increases"
        )
        serving = Counter(process.pid for process in listeners(port))
        assert len(serving) == 1
        for process in listeners(port):
            process.kill()
        wait_until("another process", lambda: lobby_pages(port) is not None)
        assert lobby_pages(port) == 20


def listeners(port):
    """The processes that listen at a port of this machine."""
    found = (one for one in psutil.net_connections("tcp") if one.status == psutil.CONN_LISTEN)
    return [psutil.Process(one.pid) for one in found if one.laddr.port == port and one.pid]


@pytest.fixture
def begin(runtime, monkeypatch):
    """Begins to serve metrics as a process of a kind does, from a port on; as often as it is called."""
    monkeypatch.setattr(figures, "RETRY_SECONDS", 0.05)

    def serve(kind, port):
        monkeypatch.setattr(figures, "REGISTRY", CollectorRegistry())
        settings = runtime.settings.model_copy(update={"metrics_address": f"127.0.0.1:{port - kind}"})
        figures.serve(type(runtime)(settings, runtime.now), kind)

    return serve


@pytest.fixture
def port():
    """A free port; those of the next two processes of a kind are free, too."""
    return next(at for at in iter(free_port, None) if is_free(at + 10) and is_free(at + 20))


def test_several_workers_on_one_machine_each_have_a_port(begin, port):
    for _ in range(3):
        begin(figures.WORKER, port)
    for number in range(3):
        wait_until("its metrics", lambda number=number: lobby_pages(port + 10 * number) is not None)


@pytest.mark.parametrize(
    ("first", "shared", "wanted"),
    [
        pytest.param(9109, False, [*range(9109, 9209, 10)], id="ten processes of a kind"),
        pytest.param(65530, False, [65530], id="no port is higher than the last"),
        pytest.param(9108, True, [9108], id="the processes of a web server have one"),
    ],
)
def test_a_process_has_its_first_port_or_one_ten_higher(monkeypatch, first, shared, wanted):
    if shared:
        monkeypatch.setenv(figures.FOLDER, "x")
    assert figures.ports(first) == wanted


def exported_names():
    """The name of every sample that a process may export."""
    ours = [one for one in vars(metrics).values() if isinstance(one, MetricWrapperBase)]
    described = [family for one in ours for family in one.describe()]
    found = set()
    for family in described:
        parts = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}[family.type]
        found |= {f"{family.name}{part}" for part in parts}
    return found


@pytest.fixture
def known(runtime):
    return exported_names() | {name for name, *_ in from_database(runtime)}


def named_in(expression):
    return set(re.findall(r"\bhearts_\w+", expression))


def rules_of_alerts():
    groups = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_every_metric_of_an_alert_exists(known):
    rules = rules_of_alerts()
    assert all(rule["alert"] and rule["annotations"]["summary"] and named_in(rule["expr"]) <= known for rule in rules)
    assert 'max(hearts_waiting{queue="questions"}) > 0' in {rule["expr"] for rule in rules}
    guide = (ROOT / "docs" / "operations.md").read_text()
    assert [rule["alert"] for rule in rules if f"`{rule['alert']}`" not in guide] == []


@pytest.fixture
def dashboard():
    return json.loads((MONITORING / "dashboard.json").read_text())


def targets_of(panels):
    return [target for panel in panels for target in panel["targets"]]


def test_every_metric_of_the_dashboard_exists(known, dashboard):
    expressions = [target["expr"] for target in targets_of(dashboard["panels"])]
    assert all(named_in(expression) and named_in(expression) <= known for expression in expressions)


def test_each_panel_explains_itself_and_names_existing_curves_and_alerts(dashboard):
    alerts = {rule["alert"] for rule in rules_of_alerts()}
    assert [one["title"] for one in dashboard["panels"] if not one.get("description")] == []
    assert [one["expr"] for one in targets_of(dashboard["panels"]) if not one.get("legendFormat")] == []
    told = " ".join(panel["description"] for panel in dashboard["panels"])
    assert {*re.findall(r"\b(?:[A-Z][a-z]+){2,}\b|Complaints", told)} == alerts


def test_a_dashboard_figure_is_the_last_scrapes_or_none(dashboard):
    stats = [panel for panel in dashboard["panels"] if panel["type"] == "stat"]
    assert all(target["instant"] for target in targets_of(stats)), "else it is the last one of hours"
    fields = [panel["fieldConfig"]["defaults"] for panel in stats]
    assert all(one["noValue"] for one in fields)
    assert all("thresholds" in one or one["color"]["mode"] == "fixed" for one in fields), "else red from 80 on"


def test_no_sample_is_left_out_where_the_dashboard_shows_weeks(dashboard):
    windows = {window for one in targets_of(dashboard["panels"]) for window in re.findall(r"\[(.+?)\]", one["expr"])}
    assert windows <= {"$window", "1h"}
    assert "window" in {variable["name"] for variable in dashboard["templating"]["list"]}


def test_no_panels_of_the_dashboard_overlap(dashboard):
    places = [panel["gridPos"] for panel in dashboard["panels"]]
    cells = [(at["x"] + x, at["y"] + y) for at in places for x in range(at["w"]) for y in range(at["h"])]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_the_guide_and_the_dashboard_leave_out_no_metric(known):
    told = (MONITORING / "dashboard.json").read_text() + (MONITORING / "alerts.yml").read_text()
    families = {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in known}
    assert {name for name in families if name not in told} == set()


def test_how_long_ago_answers_were_read_is_exported(tmp_path):
    runtime = make_runtime(tmp_path / "var", smtp_url="smtp://127.0.0.1:9", reply_domain="in.hearts.localhost")
    assert from_database(runtime)["hearts_seen_seconds", "inbox"] == inf
    way_in.note_read(runtime, runtime.now())
    runtime.now.pass_by(timedelta(minutes=7))
    assert from_database(runtime)["hearts_seen_seconds", "inbox"] == 420
    runtime.database.engine.dispose()


DAY, MOMENT = timedelta(days=1), timedelta(microseconds=1)


def give(runtime, row_class, number, **values):
    with runtime.database.writing() as session:
        session.exec(update(row_class).where(row_class.id == number).values(**values))


def overview_figures(runtime):
    with runtime.database.reading() as session:
        return {figure.name: figure.value for figure in figures.figures(session, runtime.now())}


def test_games_come_by_deadline_and_those_without_one_last(runtime):
    make_due_games(runtime, 5, Level.RULE)
    now = runtime.now()
    for number, due_at in enumerate((None, now + DAY, now - DAY, now - 2 * DAY, now), 1):
        give(runtime, GameRow, number, due_at=due_at)
    give(runtime, GameRow, 4, state=GameState.OVER)
    with runtime.database.reading() as session:
        assert [line.id for line in figures.running_games(session, 9)] == [3, 5, 2, 1]
        assert [line.id for line in figures.running_games(session, 2)] == [3, 5]


def test_a_games_line_informs_the_operator_and_shows_no_card(runtime, table):
    stored = table.stored
    line = figures.line_of(stored.row, stored.table, stored.seats)
    assert (line.id, line.table, line.number, line.turns) == (table.game_id, "Ann's table", 1, 1)
    assert (line.started_at, line.due_at) == (stored.row.started_at, stored.row.due_at)
    assert (line.ended_at, line.paused_at) == (None, None)


def test_players_whose_address_is_silenced_are_counted(runtime):
    start_game(runtime)
    give(runtime, PlayerRow, 1, unreachable_at=runtime.now())
    give(runtime, PlayerRow, 3, unreachable_at=runtime.now(), forgotten_at=runtime.now())
    assert overview_figures(runtime)["players who get no mail"] == 1


@pytest.mark.parametrize(
    ("name", "row_class", "column", "lasts"),
    [
        ("players active within a week", PlayerRow, "seen_at", 7 * DAY),
        ("games ended within a week", GameRow, "ended_at", 7 * DAY),
        ("letters sent within a day", LetterRow, "sent_at", DAY),
    ],
)
def test_a_figure_counts_what_is_younger_than_it_says(runtime, table, name, row_class, column, lasts):
    with runtime.database.writing() as session:
        session.exec(update(row_class).values(**{column: None}))
    for age, counted in ((lasts, 0), (lasts - MOMENT, 1)):
        give(runtime, row_class, 1, **{column: runtime.now() - age})
        assert overview_figures(runtime)[name] == counted


def test_forgotten_players_and_finished_games_do_not_count(runtime, table):
    assert (overview_figures(runtime)["players"], overview_figures(runtime)["games being played"]) == (4, 1)
    give(runtime, PlayerRow, 4, forgotten_at=runtime.now())
    give(runtime, GameRow, table.game_id, ended_at=runtime.now())
    assert (overview_figures(runtime)["players"], overview_figures(runtime)["games being played"]) == (3, 0)
    assert overview_figures(runtime)["tables"] == 1


def test_a_days_turns_are_counted_by_how_they_were_played(runtime):
    make_due_games(runtime, 4, Level.RULE)
    with runtime.database.writing() as session:
        for number, source, age in (
            (1, TurnSource.REPLY, DAY - MOMENT),
            (2, TurnSource.LINK, DAY),
            (3, TurnSource.REPLY, timedelta()),
        ):
            values = {"source": source, "at": runtime.now() - age}
            session.exec(update(TurnRow).where(TurnRow.game_id == number).values(**values))
        session.flush()
        found = [(one.name, one.value) for one in figures.turns_by_source(session, runtime.now())]
    assert found == [("forced", 1), ("reply", 2)]
