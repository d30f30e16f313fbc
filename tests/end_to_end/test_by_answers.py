"""A whole game by mails and replies alone, on real processes: nobody opens a link once everybody sits at the table."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from scripts.run import is_taken
from tests.end_to_end.browsing import Form
from tests.end_to_end.correspondents import BY_OTHER_MEANS, Correspondent, by_smtp, play_by_answers, sources_of
from tests.end_to_end.players import HOURS, Inboxes, links
from tests.end_to_end.service import EVERY_CARD, Service, change_table
from tests.end_to_end.sheets import is_final
from tests.servers import Mail, MailServer, wait_until

A_DAY = str(24 * 3600)  # as the form says it; a table with spare days has no faster pace


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
    paces = {"pass_time": HOURS, "play_time": HOURS}
    ann.open_table(service.address, [bo], 2, preset="classic", target="10", **paces)
    change_table(service, **EVERY_CARD)
    finals = play_by_answers(service, inboxes, players)

    ways = sources_of(service) - before
    assert not BY_OTHER_MEANS & ways.keys()
    typed = [words for player in players for words in player.typed]
    assert len(typed) == ways["reply"]
    assert {mail.to for mail in finals} == {player.address for player in players}
    unclear = [mail.text for mail in inboxes.read if mail.message["Auto-Submitted"] == "auto-replied"]
    assert unclear == [], "all were understood"

    log = service.log.read_text(errors="replace")
    assert "Traceback" not in log[said:]
    addresses = {mail.message["Reply-To"].addresses[0].username for mail in inboxes.read if mail.message["Reply-To"]}
    secrets = addresses | {player.address for player in players} | {link for mail in finals for link in links(mail)}
    assert [secret for secret in secrets if secret in log] == []


def test_a_game_with_every_feature_on_is_finished_by_mail(service: Service, mail_server: MailServer) -> None:
    """Hands side by side, and spare days; Eve plays for Cy."""
    with ExitStack() as rooms:
        players = [Correspondent(name, post=by_smtp(inbox_port(service))) for name in ("Ann", "Bo", "Cy", "Di", "Eve")]
        for player in players:
            rooms.callback(player.browser.close)
        ann, bo, cy, di, eve = players
        before, said = sources_of(service), len(service.log.read_text(errors="replace"))
        inboxes = Inboxes(mail_server)
        times = {"pass_time": A_DAY, "play_time": A_DAY, "vacation_days": "3"}
        ann.open_table(service.address, [bo, cy, di], preset="classic", target="10", **times)
        once = {cy.address: lambda player, mail: asks_to_stand_in(player, mail, eve, mail_server)}
        finals: set[str] = set()
        while finals < {player.address for player in (ann, bo, cy, di)}:
            service.check()
            mail = inboxes.next()
            finals |= {mail.to} if is_final(mail) else set()
            reader = next(player for player in players if player.address == mail.to)
            if "/turn/" in mail.text and mail.to in once:  # the passes of all hands
                once.pop(mail.to)(reader, mail)
            has_stand_in = reader is cy and cy.address not in once
            if is_asked(mail) and not has_stand_in:
                reader.read(mail)
        ways = sources_of(service) - before
        assert ways["plan"] > 0 < ways["reply"]
        assert "timeout" not in ways, "nobody missed anything"
        assert [mail for mail in inboxes.read if mail.to == eve.address and is_asked(mail)], "the seat's turns are hers"
        assert "Traceback" not in service.log.read_text(errors="replace")[said:]


def is_asked(mail: Mail) -> bool:
    """Whether the reader of an email is asked for something."""
    return any(path in mail.text for path in ("/confirm/", "/invitation/", "/turn/"))


def asks_to_stand_in(player: Correspondent, mail: Mail, friend: Correspondent, mail_server: MailServer) -> None:
    """Names a friend, for which the player has to sign in first."""
    player.browser.submit(own_form(player, mail, "/sign-in"))

    def found() -> list[str]:
        mine = [one for one in mail_server.mails if one.to == player.address]
        return [link for one in mine for link in links(one) if "/sign-in/" in link]

    wait_until("a link to sign in", found)
    page = player.browser.open(found()[-1])
    player.browser.submit(next(form for form in page.forms if "/sign-in/" in form.action))
    form = own_form(player, mail, "/away")
    page = player.browser.submit(form.fill(answer="friend", name=friend.name, address=friend.address))
    assert page.status == 200, page.text


def own_form(player: Correspondent, mail: Mail, path: str) -> Form:
    """The form for it on the player's page "Away", to which each email about a table has a link."""
    page = player.browser.open(next(link for link in links(mail) if link.endswith("/away")))
    return next(form for form in page.forms if form.action.endswith(path))


def test_replies_that_came_while_no_worker_ran_are_processed_later(
    service: Service, mail_server: MailServer, players: list[Correspondent]
) -> None:
    ann, _ = players
    typed, came = sources_of(service)["reply"], len(service.rows()["inbound"])
    inboxes = Inboxes(mail_server)
    ann.open_table(service.address, [], 3, preset="classic", target="50", pass_time=HOURS, play_time=HOURS)
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
