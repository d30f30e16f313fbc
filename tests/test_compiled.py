"""What the databases and sites of a test process compile, they share: to compile it anew takes most of a short test."""

import pytest
from sqlalchemy import event
from sqlalchemy.engine.interfaces import CacheStats
from sqlmodel import select

from tests.cast import make_runtime
from webapp.models import PlayerRow
from webapp.site import make_site


@pytest.fixture(params=["sqlite", "postgresql"])
def two(request, tmp_path):
    """Two runtimes, each with a database of the same kind."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    found = [make_runtime(tmp_path / name, url) for name in ("one", "other")]
    yield found
    for runtime in found:
        runtime.database.engine.dispose()


def test_a_statement_that_one_database_has_compiled_is_compiled_for_all(two):
    used = []
    for runtime in two:
        with runtime.database.reading() as session:
            engine = session.get_bind().engine
            event.listen(engine, "before_cursor_execute", lambda *noted: used.append(noted[4].cache_hit))
            session.exec(select(PlayerRow.id, PlayerRow.name, PlayerRow.address).where(PlayerRow.id == 17)).all()
    assert used[-1] is CacheStats.CACHE_HIT


@pytest.mark.parametrize("two", ["sqlite"], indirect=True)
def test_an_url_rule_is_compiled_once_for_all_sites(two):
    one, other = ({rule.rule: rule for rule in make_site(runtime).url_map.iter_rules()} for runtime in two)
    assert len(one) > 50
    assert all(rule._parts is other[path]._parts for path, rule in one.items())
