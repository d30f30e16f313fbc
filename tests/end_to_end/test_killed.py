"""What was accepted is never lost, whichever process is killed while it is owed."""

import time

import pytest

from tests.end_to_end.players import Inboxes, Player
from tests.end_to_end.service import Service
from tests.end_to_end.test_by_mail import A_DAY
from tests.servers import MailServer

QUIET = 2.0  # seconds in which a mail would have come


def open_table_with_robots(service: Service, ann: Player) -> None:
    robots = {f"seat_{number}_kind": "robot" for number in (1, 2, 3)}
    ann.open_table(service.address, [], **robots, preset="classic", target="50", pass_time=A_DAY, play_time=A_DAY)


@pytest.mark.parametrize(
    ("service", "killed"),
    [
        pytest.param("SQLite and files", ["worker"], id="worker on SQLite"),
        pytest.param("SQLite and files", ["scheduler"], id="scheduler on SQLite"),
        pytest.param("PostgreSQL and Valkey", ["worker"], id="worker on PostgreSQL"),
        pytest.param("PostgreSQL and Valkey", ["worker", "scheduler"], id="both on PostgreSQL"),
    ],
    indirect=["service"],
)
def test_a_game_goes_on_when_what_was_killed_is_started_again(
    service: Service, mail_server: MailServer, killed: list[str]
) -> None:
    ann = Player(f"Ann-without-{'-'.join(killed)}")
    inboxes = Inboxes(mail_server)
    open_table_with_robots(service, ann)
    confirmation = inboxes.next()
    for name in killed:
        service.kill(name)
    ann.read(confirmation)  # the first hand is dealt: her cards are owed to her, and three robots are to pass
    if "worker" in killed:
        time.sleep(QUIET)
        assert not inboxes.has_more, "nobody is there to write"
    for name in killed:
        service.start_again(name)
    mails = [inboxes.next()]
    ann.read(mails[0])  # she passes, and the robots must have
    mails.append(inboxes.next())
    assert "pass" in mails[0].subject
    assert mails[1].subject.startswith("Your turn")
    ann.browser.close()
    service.check()
    assert len({mail.message["Message-ID"] for mail in mails}) == 2
