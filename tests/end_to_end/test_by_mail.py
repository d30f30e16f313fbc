"""Games by mail on real processes: people who only read their mails, follow links and submit the forms they find.

On SQLite and files; on PostgreSQL and Valkey: `test_presets.py` and `test_side_by_side.py`.
"""

import json
import re
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.end_to_end.conftest import SHORT_PACE
from tests.end_to_end.players import HOURS, Inboxes, Player, links
from tests.end_to_end.service import EVERY_CARD, Service, change_table
from tests.end_to_end.sheets import is_final, record_link, replay_lines, totals
from tests.servers import LONG, Mail, MailServer, wait_until

TARGET = 27  # a hand has 26 points, so nobody gets there with the first
ROBOTS = 2
GAME_SECONDS = 300
VISITS = ("HEAD", "GET", "GET")


@pytest.fixture
def service(sqlite_service: Service) -> Service:
    return sqlite_service


@pytest.fixture
def players() -> Iterator[list[Player]]:
    cast = [Player("Ann-by-mail", eager=True), Player("Di-by-mail")]
    yield cast
    for player in cast:
        player.browser.close()


def test_a_whole_game_is_played_by_mail(
    service: Service, mail_server: MailServer, players: list[Player], tmp_path: Path
) -> None:
    ann, *guests = players
    di = players[-1]
    inboxes, said = Inboxes(mail_server), len(service.log.read_text(errors="replace"))
    ann.open_table(
        service.address,
        guests,
        ROBOTS,
        preset="classic",
        target=str(TARGET),
        pass_time=str(SHORT_PACE),
        play_time=str(SHORT_PACE),
    )
    change_table(service, **EVERY_CARD)
    _play_to_the_end(service, inboxes, players, falls_silent=di)
    mails = inboxes.read

    # One record; its replay, each player's score sheets and their final mail agree.
    finals = [mail for mail in mails if is_final(mail)]
    assert sorted(mail.to for mail in finals) == sorted(player.address for player in players)
    (record,) = {ann.browser.download(record_link(mail)) for mail in finals}
    (tmp_path / "record.json").write_bytes(record)
    replayed = replay_lines(tmp_path / "record.json")
    over = replayed[-1]
    hands = [event for event in replayed if event["event"] == "hand"]
    names = json.loads(record)["players"]
    assert (over["event"], over["over"], over["hands"]) == ("game", True, len(hands))
    assert max(over["totals"]) >= TARGET
    for mail in finals:
        assert totals(mail) == dict(zip(names, over["totals"], strict=True))
        assert _winners(mail) == {names[side] for side in over["winners"]}
    for player in players:
        sheets = sorted((mail for mail in mails if mail.to == player.address and _hand_over(mail)), key=_hand_over)
        assert [_hand_over(mail) for mail in sheets] == list(range(1, len(hands))), "the last is on the final sheet"
        for mail, hand in zip(sheets, hands, strict=False):
            assert totals(mail) == dict(zip(names, hand["totals"], strict=True))

    # All answers were heard, and the silent player was played for.
    assert sum(len(player.answered) for player in players) > 13
    notices = [mail for mail in mails if mail.to == di.address and "played for you" in mail.subject]
    assert notices
    _check_each_mail(service, mails)
    _scan(service, a_few_of_each_kind(link for mail in mails for link in links(mail)))
    _check_the_log(service, mails, said)


def test_opening_links_changes_nothing(service: Service, mail_server: MailServer, players: list[Player]) -> None:
    ann, *guests = players
    inboxes = Inboxes(mail_server)
    ann.open_table(service.address, guests, ROBOTS, preset="classic", target="50", pass_time=HOURS, play_time=HOURS)
    change_table(service, **EVERY_CARD)
    # The host confirms, a guest accepts, both pass, and play two cards: before each step a scanner opens every link.
    for mails_of_step in (1, 1, 2, 1, 1):
        waiting = [inboxes.next() for _ in range(mails_of_step)]
        _scan(service, [link for mail in waiting for link in links(mail)])
        for mail in waiting:
            _reader(players, mail).read(mail)
    _scan(service, a_few_of_each_kind(link for mail in inboxes.read for link in links(mail)))
    assert Counter(kind for player in players for kind in player.answered) == {
        "confirmation": 1,
        "invitation": 1,
        "pass": 2,
        "play": 2,
    }


def test_the_log_does_not_quote_an_unreadable_request(
    service: Service, mail_server: MailServer, players: list[Player]
) -> None:
    ann, *guests = players
    inboxes = Inboxes(mail_server)
    ann.open_table(service.address, guests, ROBOTS, preset="classic", target="50", pass_time=HOURS, play_time=HOURS)
    change_table(service, **EVERY_CARD)
    link = urlsplit(links(inboxes.next())[0])
    with socket.create_connection((link.hostname, link.port), timeout=LONG) as line:
        line.sendall(f"GET {link.path} HTTP/1.1\r\nHost\r\n\r\n".encode())
        assert b" 400 " in line.recv(1000)
    key = link.path.rpartition("/")[2]
    assert key not in service.log.read_text(errors="replace")


def _play_to_the_end(service: Service, inboxes: Inboxes, players: list[Player], falls_silent: Player) -> None:
    """Lets all players answer every email until they have every score sheet, but one only in the first hand."""
    deadline = time.monotonic() + GAME_SECONDS
    over = hands = sheets = 0
    while over < len(players) or sheets < (hands - 1) * len(players):  # workers may send the last two in any order
        wait_until("another email", lambda: service.check() or inboxes.has_more)
        assert time.monotonic() < deadline, f"the game takes too long: {[mail.subject for mail in inboxes.read[-8:]]}"
        mail = inboxes.next()
        over += is_final(mail)
        sheets += _hand_over(mail) is not None
        hands = int(re.search(r"after (\d+) hands?", mail.text)[1]) if is_final(mail) else hands
        falls_silent.silent |= _hand_over(mail) is not None
        _reader(players, mail).read(mail)


def _reader(players: list[Player], mail: Mail) -> Player:
    return next(player for player in players if player.address == mail.to)


def _hand_over(mail: Mail) -> int | None:
    """The hand whose score sheet an email is."""
    found = re.search(r"Hand (\d+) is over", mail.subject)
    return int(found[1]) if found else None


def _winners(mail: Mail) -> set[str]:
    return set(re.findall(r"^ *\d+\. (.+?): .*winner", mail.text, re.MULTILINE))


def a_few_of_each_kind(found: Iterable[str]) -> list[str]:
    """Of the links that lead to different pages, the first and the last two of each kind of page."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for path, link in {urlsplit(link).path: link for link in found}.items():
        kinds[path.split("/")[1]].append(link)
    return [link for kind in kinds.values() for link in dict.fromkeys([kind[0], *kind[-2:]])]


def _scan(service: Service, found: Iterable[str]) -> None:
    """Opens links as the scanners of mail providers do; no row of the database may change."""
    before = service.rows_at_rest()
    with httpx.Client(timeout=LONG) as scanner:
        for link in dict.fromkeys(found):
            for method in VISITS:
                answer = scanner.request(method, link)
                assert answer.status_code < 500, f"{answer.status_code} for {method} {link}"
    assert service.rows_at_rest() == before


def _check_each_mail(service: Service, mails: list[Mail]) -> None:
    ids = defaultdict(set)
    for mail in mails:
        assert mail.text.strip()
        assert mail.html.strip()
        assert mail.message["To"].addresses[0].addr_spec == mail.to
        assert all(link.startswith(f"{service.address}/") for link in links(mail)), mail.subject
        ids[mail.to, mail.subject, mail.text].add(mail.message["Message-ID"])
    assert all(len(same) == 1 for same in ids.values()), "one letter under two Message-IDs"
    letters = Counter(message_id for same in ids.values() for message_id in same)
    assert max(letters.values()) == 1, "two letters under one Message-ID"


def _check_the_log(service: Service, mails: list[Mail], said: int) -> None:
    """The output of the processes holds no key to a seat, no address, and since `said` no trace of an error."""
    log = service.log.read_text(errors="replace")
    keys = {part for mail in mails for link in links(mail) for part in urlsplit(link).path.split("/") if len(part) > 20}
    assert keys
    assert [key for key in keys if key in log] == []
    assert [mail.to for mail in mails if mail.to in log] == []
    assert "Traceback" not in log[said:], log[-4000:]
