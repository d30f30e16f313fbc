"""A worker that is killed delays nobody: another takes over its work within seconds. On SQLite and files.

A worker that freezes, and one that is killed while a robot thinks, on PostgreSQL and Valkey: `test_frozen.py`.
"""

from tests.end_to_end.players import Inboxes
from tests.end_to_end.service import Service, runtime_of
from tests.end_to_end.workers import GAMES, TABLE, WITHIN, all_are_sent, copies, hang_with_a_batch, played_for
from tests.servers import MailServer, wait_until


def test_the_letters_of_a_killed_worker_are_sent_long_before_the_deadline(
    sqlite_service: Service, mail_server: MailServer
) -> None:
    inboxes = Inboxes(mail_server)
    with runtime_of(sqlite_service) as runtime:
        games = hang_with_a_batch(sqlite_service, runtime, mail_server)
        sqlite_service.kill("worker")
        mail_server.is_silent = False
        sqlite_service.start_again("worker")
        wait_until("every question went out", lambda: all_are_sent(runtime, games), WITHIN)
        assert set(copies(inboxes).values()) == {1}
        assert len(copies(inboxes)) == len(TABLE) * GAMES
        assert played_for(runtime, games) == []
    sqlite_service.check()
