"""The others see the same whether a player thinks, sleeps, or has chosen ahead."""

import re
from datetime import timedelta

import pytest

from tests.cast import NAMES, PACE, letters, load, play_link, seat_link
from tests.mailing import set_preferences
from tests.playing import ask_all, following_cards, play_first, waiting_game
from tests.sites import site_of
from tests.webapp.chosen_ahead import choose, due
from tests.webapp.tables.hosted import ANN, BO, CY, DI, table_of
from webapp.models import PlayerRow
from webapp.play import due_games
from webapp.players import ahead

TOKENS = re.compile(r"/[\w-]+\.[\w-]+\.[\w-]+")


@pytest.fixture
def waiting(runtime):
    """A game in which Cy is asked, and Di follows."""
    game_id = waiting_game(runtime)
    due_games.play_for_absent(runtime, game_id)
    ask_all(runtime)
    return game_id


def seen_by_others(runtime, game_id):
    """Everything that Ann, Bo and Cy can get: pages and their sizes, news, versions, and mails with their times."""
    client, table_id, found = site_of(runtime).test_client(), table_of(runtime, game_id), []
    for seat in (ANN, BO, CY):
        follow = runtime.signer.local_url(play_link(runtime, game_id, seat))
        for path in (follow, f"{follow}/now", runtime.signer.local_url(seat_link(runtime, table_id, seat))):
            response = client.get(path)
            found.append((seat, TOKENS.sub("", response.text), len(response.data)))
    mine = [one for one in letters(runtime) if one.seat != DI]
    mails = [(one.seat, one.kind, one.state, one.next_at, one.created_at, one.turns, one.message) for one in mine]
    return found, mails, load(runtime, game_id).row.due_at


def chooses_ahead(runtime, game_id):
    choose(runtime, game_id, DI, following_cards(runtime, game_id, DI)[0])


def takes_back(runtime, game_id):
    chooses_ahead(runtime, game_id)
    ahead.take_back(runtime, play_link(runtime, game_id, DI), due(runtime, game_id), runtime.now())


def sleeps(runtime, game_id):
    with runtime.database.writing() as session:
        player = session.get_one(PlayerRow, load(runtime, game_id).seats[DI].player_id)
        player.quiet_from, player.quiet_to = 1, 6


@pytest.mark.parametrize("act", [chooses_ahead, takes_back, sleeps])
def test_nobody_else_learns_whether_a_player_has_chosen(runtime, waiting, act):
    before = seen_by_others(runtime, waiting)
    act(runtime, waiting)
    due_games.play_for_absent(runtime, waiting)
    assert seen_by_others(runtime, waiting) == before


@pytest.mark.parametrize("act", [None, chooses_ahead], ids=["thinks", "has chosen"])
def test_the_next_deadline_is_the_same_whoever_has_chosen(runtime, waiting, act):
    for name in NAMES:
        set_preferences(runtime, name, quiet=None)
    if act:
        act(runtime, waiting)
    runtime.now.pass_by(timedelta(hours=2))
    play_first(runtime, waiting)
    assert load(runtime, waiting).row.due_at == runtime.now() + PACE
