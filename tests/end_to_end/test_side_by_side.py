"""Hands side by side by mail, to the end of a game, on PostgreSQL and Valkey. On SQLite: `test_by_answers.py`."""

import json
from contextlib import closing

from tests.end_to_end.browsing import Browser
from tests.end_to_end.conftest import SHORT_PACE
from tests.end_to_end.players import Inboxes, Player
from tests.end_to_end.service import Service
from tests.end_to_end.sheets import is_final, record_link
from tests.servers import Mail, MailServer, wait_until

ROBOTS = 2


def test_hands_side_by_side_are_played_to_the_end(postgres_service: Service, mail_server: MailServer) -> None:
    """A hand for each direction of the pass is played at once."""
    with closing(Browser()) as bos, closing(Browser()) as cys:
        bo, cy = players = [Player("Bo", browser=bos), Player("Cy", browser=cys)]
        inboxes, pace = Inboxes(mail_server), str(SHORT_PACE)
        paces = {"pass_time": pace, "play_time": pace}
        bo.open_table(postgres_service.address, [cy], ROBOTS, target="10", **paces)
        finals: list[Mail] = []
        while len(finals) < len(players):
            wait_until("another email", lambda: postgres_service.check() or inboxes.has_more)
            mail = inboxes.next()
            finals += [mail] if is_final(mail) else []
            next(player for player in players if player.address == mail.to).read(mail)
        mails = inboxes.read
        (record,) = {bo.browser.download(record_link(mail)) for mail in finals}
        hands, at_once = json.loads(record)["hands"], json.loads(record)["at_once"]
        assert (at_once, len(hands) % 4) == (4, 0)
        after_round = [mail.subject for mail in mails if "Hands 1 to 4 are over" in mail.subject]
        assert bool(after_round) is (len(hands) > 4), "the last hands are on the final sheet"
        asked = [
            mail for mail in mails if ("trick" in mail.subject or "turns" in mail.subject) and "Re" not in mail.subject
        ]
        assert len(asked) <= 15 * len(hands), "where all waits, two people answer some twenty times a hand"
