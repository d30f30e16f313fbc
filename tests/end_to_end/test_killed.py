"""Killed processes lose nothing that was accepted. On PostgreSQL and Valkey.

On SQLite and files: `test_by_answers.py`.
"""

import time
from contextlib import closing

from tests.end_to_end.browsing import Browser
from tests.end_to_end.players import HOURS, Inboxes, Player
from tests.end_to_end.service import Service
from tests.servers import Mail, MailServer

KILLS = (["worker"], ["worker", "scheduler"])
QUIET = 1.0  # seconds in which a mail would have arrived


def test_a_game_goes_on_when_the_killed_process_is_restarted(
    postgres_service: Service, mail_server: MailServer
) -> None:
    for killed in KILLS:
        with closing(Browser()) as browser:
            ann = Player(f"Ann-without-{'-'.join(killed)}", browser=browser)
            check_game_goes_on(postgres_service, Inboxes(mail_server), ann, killed)


def check_game_goes_on(service: Service, inboxes: Inboxes, ann: Player, killed: list[str]) -> None:
    ann.open_table(service.address, [], 3, preset="classic", target="50", pass_time=HOURS, play_time=HOURS)
    confirmation = next_to(ann, inboxes)
    service.rows_at_rest()  # else a worker that is killed before it notes what it sent has it sent once more
    for name in killed:
        service.kill(name)
    ann.read(confirmation)  # the first hand is dealt: her turn mail is queued, and three robots are to pass
    if "worker" in killed:
        time.sleep(QUIET)
        hers = [mail for mail in inboxes.arrived if mail.to == ann.address]
        assert hers == [confirmation], "no worker is there to send another"
    for name in killed:
        service.start_again(name)
    mails = [next_to(ann, inboxes)]
    ann.read(mails[0])  # she passes, and the robots must have
    mails.append(next_to(ann, inboxes))
    assert "Pass three" in mails[0].subject
    assert "Your turn" in mails[1].subject
    service.check()
    assert len({mail.message["Message-ID"] for mail in mails}) == 2


def next_to(player: Player, inboxes: Inboxes) -> Mail:
    """The next mail to the player: players at a live table of an earlier test may still get theirs."""
    while (mail := inboxes.next()).to != player.address:
        pass
    return mail
