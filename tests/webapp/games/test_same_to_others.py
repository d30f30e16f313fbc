"""The others see the same whether a player thinks, sleeps, or has chosen ahead."""

import re
from datetime import timedelta

import pytest

from tests.cast import NAMES, PACE, letters, seat_link
from tests.mailing import set_preferences
from tests.playing import waiting_game
from tests.sites import site_of
from tests.table import ask_all
from tests.webapp.chosen_ahead import choose, due
from tests.webapp.tables.hosted import ANN, BO, CY, DI
from webapp.models import PlayerRow
from webapp.players import ahead

TOKENS = re.compile(r"/[\w-]+\.[\w-]+\.[\w-]+")


@pytest.fixture
def waiting(runtime):
    """A game in which Cy is asked, and Di follows."""
    table = waiting_game(runtime)
    table.play_for_absent()
    ask_all(runtime)
    return table


def seen_by_others(table):
    """Everything that Ann, Bo and Cy can get: pages and their sizes, news, versions, and mails with their times."""
    client, table_id, found = site_of(table.runtime).test_client(), table.table_id, []
    for seat in (ANN, BO, CY):
        follow = table.runtime.signer.local_url(table.play_link(seat))
        for path in (follow, f"{follow}/now", table.runtime.signer.local_url(seat_link(table.runtime, table_id, seat))):
            response = client.get(path)
            found.append((seat, TOKENS.sub("", response.text), len(response.data)))
    mine = [one for one in letters(table.runtime) if one.seat != DI]
    mails = [(one.seat, one.kind, one.state, one.next_at, one.created_at, one.turns, one.message) for one in mine]
    return found, mails, table.due_at


def chooses_ahead(table):
    choose(table, DI, table.following_cards(DI)[0])


def takes_back(table):
    chooses_ahead(table)
    ahead.take_back(table.runtime, table.play_link(DI), due(table), table.runtime.now())


def sleeps(table):
    with table.runtime.database.writing() as session:
        player = session.get_one(PlayerRow, table.seats[DI].player_id)
        player.quiet_from, player.quiet_to = 1, 6


@pytest.mark.parametrize("act", [chooses_ahead, takes_back, sleeps])
def test_nobody_else_learns_whether_a_player_has_chosen(runtime, waiting, act):
    before = seen_by_others(waiting)
    act(waiting)
    waiting.play_for_absent()
    assert seen_by_others(waiting) == before


@pytest.mark.parametrize("act", [None, chooses_ahead], ids=["thinks", "has chosen"])
def test_the_next_deadline_is_the_same_whoever_has_chosen(runtime, waiting, act):
    for name in NAMES:
        set_preferences(runtime, name, quiet=None)
    if act:
        act(waiting)
    runtime.now.pass_by(timedelta(hours=2))
    waiting.play_first()
    assert waiting.stored.row.due_at == runtime.now() + PACE
