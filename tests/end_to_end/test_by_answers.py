"""A whole game by mails and replies alone, on real processes: nobody opens a link once everybody sits at the table."""

from collections.abc import Iterator

import pytest

from scripts.run import is_taken
from tests.end_to_end.correspondents import BY_OTHER_MEANS, Correspondent, by_smtp, play_by_answers, sources_of
from tests.end_to_end.players import A_DAY, Inboxes, links
from tests.end_to_end.service import Service
from tests.servers import MailServer, wait_until


@pytest.fixture
def service(sqlite_service: Service) -> Service:
    return sqlite_service


@pytest.fixture
def players(service: Service) -> Iterator[list[Correspondent]]:
    cast = [Correspondent(name, post=by_smtp(inbox_port(service))) for name in ("Ann", "Bo")]
    yield cast
    for player in cast:
        player.browser.close()


def inbox_port(service: Service) -> int:
    return int(service.environment["INBOX_URL"].rpartition(":")[2])


def test_a_game_is_played_by_replying_to_mails(
    service: Service, mail_server: MailServer, players: list[Correspondent]
) -> None:
    ann, bo = players
    before, said = sources_of(service), len(service.log.read_text(errors="replace"))
    inboxes = Inboxes(mail_server)
    paces = {"pass_time": A_DAY, "play_time": A_DAY}
    ann.open_table(service.address, [bo], 2, asks_ahead=True, preset="classic", target="10", **paces)
    finals = play_by_answers(service, inboxes, players)

    ways = sources_of(service) - before
    assert not BY_OTHER_MEANS & ways.keys()
    typed = [words for player in players for words in player.typed]
    assert [mail for mail in inboxes.read if "Before your turn" in mail.subject], "who follows is asked at once"
    # A card that was chosen ahead may be barred, or the only one, when the turn comes.
    assert 0 <= len(typed) - ways["reply"] - ways["ahead"] <= 2
    assert {mail.to for mail in finals} == {player.address for player in players}
    assert not [mail for mail in inboxes.read if mail.message["Auto-Submitted"] == "auto-replied"], (
        "all were understood"
    )

    log = service.log.read_text(errors="replace")
    assert "Traceback" not in log[said:]
    addresses = {mail.message["Reply-To"].addresses[0].username for mail in inboxes.read if mail.message["Reply-To"]}
    secrets = addresses | {player.address for player in players} | {link for mail in finals for link in links(mail)}
    assert [secret for secret in secrets if secret in log] == []


def test_replies_that_came_while_no_worker_ran_are_processed_later(
    service: Service, mail_server: MailServer, players: list[Correspondent]
) -> None:
    ann, _ = players
    typed, came = sources_of(service)["reply"], len(service.rows()["inbound"])
    inboxes = Inboxes(mail_server)
    ann.open_table(service.address, [], 3, preset="classic", target="50", pass_time=A_DAY)
    ann.read(inboxes.next())
    asked = inboxes.next()
    service.kill("worker")
    service.kill("scheduler")
    ann.read(asked)  # stored, and acknowledged
    assert len(service.rows()["inbound"]) == came + 1
    service.kill("inbox")
    service.start_again("scheduler")
    service.start_again("worker")
    wait_until("her pass is played", lambda: sources_of(service)["reply"] == typed + 1)
    service.start_again("inbox")
    wait_until("answers are taken again", lambda: is_taken("127.0.0.1", inbox_port(service)))
    ann.read(inboxes.next())
    wait_until("her card is played", lambda: sources_of(service)["reply"] == typed + 2)
    service.check()
