"""A game of each kind of table, all at once on one service, by people who only read their mails, and robots."""

import json
import time
from collections.abc import Iterator

import pytest
from sqlmodel import select

from tests.end_to_end.players import HOURS, Inboxes, Player
from tests.end_to_end.service import Service, runtime_of
from tests.end_to_end.sheets import is_final, record_link, replay_lines, totals
from tests.servers import MailServer
from webapp.models import GameRow, ReviewRow, TableRow

# How many people and robots play each: with seven cards to seventeen, in pairs, with a kitty, and with two packs.
# Every turn of a person is a mail, a page and an answer; those of robots cost little. tests/hearts plays every preset.
TABLES = {
    "classic": (1, 6),
    "quick": (1, 3),
    "partners": (2, 2),
    "kitty": (1, 5),
    "cancellation": (2, 9),
}
# Players are eager, so that most games end with their first hand, unless a tie for the lowest total is played off.
WISHES = {"pass_time": HOURS, "play_time": HOURS, "target": "10", "tie_break": "shared"}
GAME_SECONDS = 400
LONGEST = 30  # hands
REVIEWED = "quick"


@pytest.fixture
def tables() -> Iterator[dict[str, list[Player]]]:
    names = {preset: ("Ann", "Bo")[:people] for preset, (people, _) in TABLES.items()}
    cast = {preset: [Player(f"{name}-{preset}", eager=True) for name in people] for preset, people in names.items()}
    yield cast
    for players in cast.values():
        for player in players:
            player.browser.close()


def spare_reviews(service: Service, seen: set[int]) -> None:
    """The robot has no opinions on new games, which would take it seconds for each hand, but on that of one preset."""
    with runtime_of(service) as runtime, runtime.database.writing() as session:
        for game_id, rules in session.exec(select(GameRow.id, TableRow.rules).join(TableRow)).all():
            if game_id not in seen and rules.preset != REVIEWED:
                hands = range(1, LONGEST)
                session.add_all(ReviewRow(game_id=game_id, hand=hand, opinions=[]) for hand in hands)
            seen.add(game_id)


@pytest.mark.timeout(GAME_SECONDS + 200)
def test_a_game_of_each_kind_of_table_ends_by_mail(
    postgres_service: Service, mail_server: MailServer, tables: dict[str, list[Player]], tmp_path
) -> None:
    inboxes, seen = Inboxes(mail_server), set(postgres_service.column("game", "id"))
    for preset, (host, *guests) in tables.items():
        host.open_table(postgres_service.address, guests, TABLES[preset][1], preset=preset, **WISHES)
    by_address = {player.address: player for players in tables.values() for player in players}

    finals = []
    deadline = time.monotonic() + GAME_SECONDS
    while len(finals) < len(by_address):
        postgres_service.check()
        assert time.monotonic() < deadline, f"{len(finals)} of {len(by_address)} are at the end"
        mail = inboxes.next()
        (reader := by_address[mail.to]).read(mail)
        if reader.answered[-1:] in (["confirmation"], ["invitation"]):
            spare_reviews(postgres_service, seen)
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
