"""The counters of mail that anybody can cause: in Redis where that is the broker, else in the database."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis

from tests.cast import dump
from tests.runtimes import make_runtime
from tests.webapp.pages.causing_mail import ask_sign_in, browser, guest, invite, invited_at_once, state

DAY = timedelta(days=1)


@pytest.fixture
def with_redis(tmp_path, valkey_url):
    made = make_runtime(tmp_path / "redis", broker_url=valkey_url)
    yield made
    made.database.engine.dispose()


def test_redis_as_the_broker_counts_for_all_processes(with_redis, valkey_url):
    runtime = with_redis
    runtime.now.at = datetime.now(UTC)  # Redis has a clock of its own
    assert invited_at_once(runtime, 6) == [303] * 3 + [429] * 3
    refused = invite(runtime, "Evz", guest("Bo"))
    assert refused.status_code == 429
    assert timedelta() < timedelta(seconds=int(refused.headers["Retry-After"])) <= DAY
    assert dump(runtime)["limit_count"] == []
    with Redis.from_url(valkey_url) as redis:
        keys = [key.decode() for key in redis.keys("LIMITS*")]
        assert all(redis.ttl(key) > 0 for key in keys)
    assert keys
    assert all(re.fullmatch(r"LIMITS:LIMITER/\w+/[0-9a-f]{32}/\d+/1/(?:hour|day)", key) for key in keys)


def test_the_database_counts_while_redis_does_not_answer(tmp_path):
    runtime = make_runtime(tmp_path / "var", broker_url="redis://127.0.0.1:1/0")
    for number in range(3):
        assert ask_sign_in(browser(runtime), number).status_code == 200
    assert [used for _, used, _ in state(runtime)["limit_count"]] == [1, 1, 1]
    runtime.database.engine.dispose()
