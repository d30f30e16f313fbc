"""Signs of life: of several, the last one counts."""

from datetime import timedelta

from webapp.health import heartbeats

MINUTE = timedelta(minutes=1)


def test_the_last_of_several_signs_of_life_counts(either_runtime):
    late, early = either_runtime.now(), either_runtime.now() - MINUTE
    with either_runtime.database.writing() as session:
        for at in (early, late, early):
            heartbeats.note_alive(session, heartbeats.WORKER, at)
        assert heartbeats.last_seen(session) == {heartbeats.WORKER: late}
