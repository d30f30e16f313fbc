"""A whole game by mails and replies alone, on real processes: nobody opens a link once everybody sits at the table."""

from collections.abc import Iterator

import pytest

from scripts.run import is_taken
from tests.end_to_end.correspondents import BY_OTHER_MEANS, Correspondent, by_smtp, play_by_answers, sources_of
from tests.end_to_end.players import Inboxes, links
from tests.end_to_end.service import Service, running_service
from tests.end_to_end.test_by_mail import A_DAY
from tests.servers import MailServer, free_port, wait_until

REPLY_DOMAIN = "in.hearts.example.org"


@pytest.fixture(scope="module")
def inbox_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, mail_server: MailServer, inbox_port: int) -> Iterator[Service]:
    settings = {"SMTP_URL": mail_server.url, "REPLY_DOMAIN": REPLY_DOMAIN}
    with running_service(
        tmp_path_factory.mktemp("service"), **settings, INBOX_URL=f"smtp://127.0.0.1:{inbox_port}"
    ) as running:
        yield running


@pytest.fixture
def players(inbox_port: int) -> Iterator[list[Correspondent]]:
    cast = [Correspondent(name, post=by_smtp(inbox_port)) for name in ("Ann", "Bo")]
    yield cast
    for player in cast:
        player.browser.close()


def test_a_game_is_played_by_replying_to_mails(
    service: Service, mail_server: MailServer, players: list[Correspondent]
) -> None:
    ann, bo = players
    inboxes = Inboxes(mail_server)
    ann.open_table(service.address, [bo], 2, preset="classic", target="10", pass_time=A_DAY, play_time=A_DAY)
    finals = play_by_answers(service, inboxes, players)

    ways = sources_of(service)
    assert not BY_OTHER_MEANS & ways.keys()
    typed = [words for player in players for words in player.typed]
    assert ways["reply"] == len(typed)
    assert {mail.to for mail in finals} == {player.address for player in players}
    assert not [mail for mail in inboxes.read if mail.message["Auto-Submitted"] == "auto-replied"], (
        "all were understood"
    )

    log = service.log.read_text(errors="replace")
    assert "Traceback" not in log
    addresses = {mail.message["Reply-To"].addresses[0].username for mail in inboxes.read if mail.message["Reply-To"]}
    secrets = addresses | {player.address for player in players} | {link for mail in finals for link in links(mail)}
    assert [secret for secret in secrets if secret in log] == []


def test_replies_that_came_while_no_worker_ran_are_processed_later(
    service: Service, mail_server: MailServer, players: list[Correspondent], inbox_port: int
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
    wait_until("answers are taken again", lambda: is_taken("127.0.0.1", inbox_port))
    ann.read(inboxes.next())
    wait_until("her card is played", lambda: sources_of(service)["reply"] == typed + 2)
    service.check()
