"""A game of each preset, all at once on one service, by people who only read their mails, and robots."""

import json
import time
from collections.abc import Iterator

import pytest

from tests.end_to_end.players import Inboxes, Player
from tests.end_to_end.service import Service
from tests.end_to_end.test_by_mail import A_DAY, is_final, record_link, replay_lines, totals
from tests.servers import MailServer

# How many people and robots play each; with three and seven there are hands of seventeen and of seven cards. Every
# turn of a person is a mail, a page and an answer; those of robots cost little.
TABLES = {
    "classic": (1, 6),
    "traditional": (1, 4),
    "rulebook": (1, 2),
    "quick": (1, 3),
    "club": (1, 3),
    "partners": (2, 2),
    "omnibus": (1, 4),
    "kitty": (1, 3),
    "cancellation": (2, 9),
}
TARGET = "10"
# With eleven players, hands often end with several at no points: a tie would take many more hands.
WISHES = {"cancellation": {"tie_break": "shared"}}
GAME_SECONDS = 400


@pytest.fixture
def tables() -> Iterator[dict[str, list[Player]]]:
    names = {preset: ("Ann", "Bo")[:people] for preset, (people, _) in TABLES.items()}
    cast = {preset: [Player(f"{name}-{preset}") for name in people] for preset, people in names.items()}
    yield cast
    for players in cast.values():
        for player in players:
            player.browser.close()


@pytest.mark.parametrize("service", ["PostgreSQL and Valkey"], indirect=True)
def test_a_game_of_each_preset_is_finished_by_mail(
    service: Service, mail_server: MailServer, tables: dict[str, list[Player]], tmp_path
) -> None:
    inboxes = Inboxes(mail_server)
    for preset, (host, *guests) in tables.items():
        preferences = {"target": TARGET, "pass_time": A_DAY, "play_time": A_DAY, **WISHES.get(preset, {})}
        host.open_table(service.address, guests, TABLES[preset][1], preset=preset, **preferences)
    by_address = {player.address: player for players in tables.values() for player in players}

    finals = []
    deadline = time.monotonic() + GAME_SECONDS
    while len(finals) < len(by_address):
        service.check()
        assert time.monotonic() < deadline, f"{len(finals)} of {len(by_address)} are at the end"
        mail = inboxes.next()
        by_address[mail.to].read(mail)
        finals += [mail] if is_final(mail) else []

    for preset, players in tables.items():
        own = [mail for mail in finals if mail.to in {player.address for player in players}]
        record = players[0].browser.download(record_link(own[0]))
        (tmp_path / "record.json").write_bytes(record)
        over = replay_lines(tmp_path / "record.json")[-1]
        assert over["over"], preset
        assert json.loads(record)["rules"]["preset"] == preset
        assert len(own) == len(players)
        for mail in own:
            assert sorted(totals(mail).values()) == sorted(over["totals"]), preset
