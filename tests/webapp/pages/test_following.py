"""The pages that follow a table: their version, their news, and the sections that the script renews."""

import re
from datetime import timedelta

import pytest

from tests.cast import PACE, open_table, seat_link, seats
from tests.every import of_every
from tests.submitting import soup
from tests.table import Table
from tests.webapp.rendered import PAGES, page_tree
from webapp.core.tokens import InvitationLink
from webapp.games import talk
from webapp.games.clock import arriving
from webapp.models import GameRow, Pause, SeatRow, Stands, TableRow
from webapp.tables import seating

FOLLOWING = [name for name, (template, _) in PAGES.items() if template in ("turn", "pass", "moon", "play", "table")]


def version(client, address):
    answer = client.get(f"{address}/now")
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json["version"]


def change_row(runtime, row, key, **values):
    with runtime.database.writing() as session:
        found = session.get_one(row, key)
        for name, value in values.items():
            setattr(found, name, value)


CHANGES = {
    "a turn": lambda runtime, game: Table(runtime, game).play_first(),
    "a line said": lambda runtime, game: talk.add_line(
        runtime, Table(runtime, game).play_link(2), "Well played", runtime.now()
    ),
    "somebody is here": lambda runtime, _: arriving.note_presence(runtime, 1, 2, 3, runtime.now()),
    "the clock stands": lambda runtime, _: change_row(runtime, TableRow, 1, pause=Pause(Stands.HOST, runtime.now())),
    "another deadline": lambda runtime, game: change_row(
        runtime, GameRow, game, due_at=runtime.now() + timedelta(hours=7)
    ),
    "somebody is away": lambda runtime, _: change_row(runtime, SeatRow, (1, 3), away=True),
    "another name": lambda runtime, _: change_row(runtime, SeatRow, (1, 3), name="Pip"),
    "no talk any more": lambda runtime, _: change_row(runtime, TableRow, 1, talk="none"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_version_changes_whenever_the_page_would(client, runtime, table, table_id, plays, change):
    addresses = [plays[0], runtime.signer.local_url(seat_link(runtime, table_id, 0))]
    before = [version(client, address) for address in addresses]
    change(runtime, table.game_id)
    assert all(version(client, one) != was for one, was in zip(addresses, before, strict=True))


def test_time_and_the_players_own_heartbeats_keep_the_version(client, runtime, plays):
    before = version(client, plays[0])
    runtime.now.pass_by(timedelta(minutes=5))
    client.post(f"{plays[0]}/here")
    assert version(client, plays[0]) == before


def test_a_page_names_its_own_version(client, runtime, table, table_id, plays):
    for address in (
        plays[0],
        runtime.signer.local_url(seat_link(runtime, table_id, 0)),
        runtime.signer.local_url(table.turn_link(0)),
    ):
        follow = soup(client.get(address)).find(id="follow")
        assert follow["data-version"] == version(client, follow["data-page"])


def test_the_time_left_is_given_in_seconds(client, runtime, plays):
    runtime.now.pass_by(PACE - timedelta(seconds=90))
    assert client.get(f"{plays[0]}/now").json["left"] == 90


def test_the_news_contain_no_card_address_or_key(client, runtime, table, plays):
    table.pass_all()
    text = client.get(f"{plays[0]}/now").text
    assert "@" not in text
    assert not re.search(r'"[2-9TJQKA][CDSH]"|[♣♦♠♥]', text)
    assert set(client.get(f"{plays[0]}/now").json) == {
        *("game", "table", "due", "said", "offer", "seats", "here", "version", "left", "live", "proposals")
    }


def test_an_accepted_invitation_changes_the_version_of_the_table_page(client, runtime):
    table_id = open_table(runtime)
    address = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    before = version(client, address)
    seating.accept(
        runtime, InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id), "Bo", "UTC", runtime.now()
    )
    assert version(client, address) != before


@of_every(FOLLOWING)
def test_the_live_sections_have_ids_and_are_not_nested(name):
    live = page_tree(name).xpath("//main//*[@data-live]")
    assert live
    assert all(part.get("id") and not part.xpath("ancestor::*[@data-live]") for part in live)
