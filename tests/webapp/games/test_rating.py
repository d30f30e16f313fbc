"""The rating of players in the lobby: which games and places count, and that leaving never pays."""

from statistics import mean

import pytest

from bench.rating import leave
from hearts.rules import preset_rules
from tests.cast import start_game
from tests.mailing import player_id
from webapp.games.book import Rating, places_of, rated, rating_of
from webapp.models import BookRow, PlayerRow, TableRow
from webapp.play import course

ANN, BO, CY, DI, EVE = 1, 2, 3, 4, 5
BEGAN = {0: ANN, 1: BO, 2: CY, 3: DI}


def line(player_id, seat, place, *, counts=True, at_end=True):
    row = BookRow(game_id=1, seat=seat, side=seat, player_id=player_id, name="")
    row.place, row.counts, row.at_end = place, counts, at_end
    return row


STAYED = [line(ANN, 0, 1), line(BO, 1, 2), line(CY, 2, 3)]


@pytest.mark.parametrize(
    ("lines", "began", "di"),
    [
        pytest.param([line(DI, 3, 4)], BEGAN, 4, id="she played to the end"),
        pytest.param([line(DI, 3, 1, at_end=False), line(None, 3, 1)], BEGAN, 4, id="she left late, while she led"),
        pytest.param([line(DI, 3, 1, counts=False, at_end=False), line(EVE, 3, 1)], BEGAN, 4, id="she left early"),
        pytest.param([line(DI, 3, 1, counts=False)], BEGAN, 4, id="a robot played for her"),
        pytest.param([line(DI, 3, 1, counts=False)], BEGAN | {3: None}, None, id="she came late"),
        pytest.param([line(DI, 3, 1)], BEGAN | {3: None}, 1, id="she came soon, and played most of it"),
        pytest.param([line(None, 3, 1)], BEGAN | {3: None}, None, id="a robot sat there"),
    ],
)
def test_who_left_is_placed_behind_all_others(lines, began, di):
    found = places_of([*STAYED, *lines], began)
    assert found.get(DI) == di
    assert {one: found[one] for one in (ANN, BO, CY)} == {ANN: 1, BO: 2, CY: 3}
    assert None not in found


def test_a_game_that_was_ended_early_places_nobody():
    assert places_of([line(ANN, 0, None, counts=False), line(BO, 1, None, counts=False)], BEGAN) == {}


def test_a_better_place_raises_the_number():
    first, second, third, last = rated([Rating()] * 4, [1, 2, 2, 4])
    assert first.number > second.number == third.number > last.number
    assert all(one.doubt < Rating().doubt for one in (first, second, last))
    assert (Rating().number, Rating().is_settled, Rating(25, 4.9).is_settled) == (1500, False, True)


def test_leaving_never_pays():
    stayed, left = zip(*(leave(seed) for seed in range(12)), strict=True)
    assert mean(left) < mean(stayed) - 50


def ratings(runtime):
    with runtime.database.reading() as session:
        return [rating_of(session.get_one(PlayerRow, player_id(runtime, name))) for name in ("Ann", "Bo", "Cy", "Di")]


@pytest.mark.parametrize(
    ("strangers", "ended", "is_rated"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_only_games_in_the_lobby_that_were_played_out_count(runtime, strangers, ended, is_rated):
    table = start_game(runtime, rules=preset_rules("quick", target=90 if ended else 10))
    with runtime.database.writing() as session:
        session.get_one(TableRow, table.table_id).has_strangers = strangers
    table.play_hand()
    if ended:
        with table.changing() as game:
            course.close(game, "host")
    assert [one is not None for one in ratings(runtime)] == [is_rated] * 4
