"""A real mail server in the loop, both ways: Postfix takes the mails of the service, and brings it the replies."""

import smtplib
from collections.abc import Iterator

import pytest

from tests.end_to_end.correspondents import BY_OTHER_MEANS, Correspondent, by_smtp, play_by_answers, sources_of
from tests.end_to_end.players import HOURS, Inboxes
from tests.end_to_end.service import EVERY_CARD, SECRET_KEY, Service, change_table, running_service
from tests.mta.postfix import REPLY_DOMAIN, Postfix, running_postfix, why_not
from tests.servers import LONG, MailServer, free_port, wait_until
from webapp.core.addresses import Postmark, Purpose


@pytest.fixture(scope="module")
def mail_server() -> Iterator[MailServer]:
    """The server that receives the players' mails."""
    server = MailServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def inbox_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def postfix(mail_server: MailServer, inbox_port: int) -> Iterator[Postfix]:
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    with running_postfix(int(mail_server.url.rpartition(":")[2]), inbox_port) as running:
        yield running


@pytest.fixture(scope="module")
def service(postfix: Postfix, inbox_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    settings = {
        "SMTP_URL": f"smtp://127.0.0.1:{postfix.relay_port}",
        "REPLY_DOMAIN": REPLY_DOMAIN,
        "SHORTEST_PACE_SECONDS": "1",
    }
    folder = tmp_path_factory.mktemp("service")
    with running_service(folder, **settings, INBOX_URL=f"lmtp://127.0.0.1:{inbox_port}") as running:
        yield running


@pytest.fixture
def players(postfix: Postfix) -> Iterator[list[Correspondent]]:
    cast = [Correspondent(name, post=by_smtp(postfix.mx_port)) for name in ("Ann", "Bo")]
    yield cast
    for player in cast:
        player.browser.close()


def test_a_whole_game_is_played_by_replies_through_postfix(
    service: Service, mail_server: MailServer, postfix: Postfix, players: list[Correspondent]
) -> None:
    ann, bo = players
    inboxes = Inboxes(mail_server)
    ann.open_table(service.address, [bo], 2, preset="classic", target="10", pass_time=HOURS, play_time=HOURS)
    change_table(service, **EVERY_CARD)
    finals = play_by_answers(service, inboxes, players)

    ways = sources_of(service)
    assert not BY_OTHER_MEANS & ways.keys()
    assert ways["reply"] == len(ann.typed) + len(bo.typed)
    assert {mail.to for mail in finals} == {ann.address, bo.address}
    assert all(mail.message["Received"] for mail in inboxes.read), "each went through Postfix"
    assert all(mail.sender.endswith(f"@{REPLY_DOMAIN}") for mail in inboxes.read), "where reports come back to"
    assert postfix.log.count("relay=127.0.0.1[127.0.0.1]") >= ways["reply"] + len(inboxes.read)
    assert "status=bounced" not in postfix.log
    assert "Traceback" not in service.log.read_text(errors="replace")


def test_a_bounce_report_of_postfix_is_understood(
    service: Service, mail_server: MailServer, players: list[Correspondent]
) -> None:
    ann, _ = players
    gone = Correspondent("Gone", post=ann.post)
    mail_server.refuse[gone.address] = "550 5.1.1 no such person"
    inboxes = Inboxes(mail_server)
    ann.open_table(service.address, [gone], 2, preset="classic", target="10", pass_time=HOURS, play_time=HOURS)
    ann.read(inboxes.next())
    wait_until("the report is read", lambda: "bounce" in _taken_for(service))
    states = [row for row in service.rows()["letter"] if "invitation" in row and "bounced" in row]
    assert len(states) == 1
    gone.browser.close()


def test_postfix_itself_refuses_an_address_that_we_have_not_signed(service: Service, postfix: Postfix) -> None:
    """With the line that docs/mail-server.md advises; so nothing bounces to senders who never wrote."""
    genuine = Postmark([SECRET_KEY], REPLY_DOMAIN).address(Purpose.UNSUBSCRIBE, 10**6)
    forged = Postmark(["e" * 40], REPLY_DOMAIN).address(Purpose.REPLY, 1)
    with smtplib.SMTP("127.0.0.1", postfix.strict_port, timeout=LONG) as line:
        line.ehlo()
        line.mail("eve@example.org")
        assert line.rcpt(genuine)[0] == 250
        assert line.rcpt(forged)[0] == 550
        assert line.rcpt("eve@example.org")[0] in (454, 554), "it is no open relay"


def _taken_for(service: Service) -> set[object]:
    return {word for row in service.rows()["inbound"] for word in row}
