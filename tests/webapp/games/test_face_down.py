"""Cards that lie face down: for how long, and which ones."""

from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest

from hearts.game import legal
from hearts.seats import Seat
from hearts.turns import Pass, Play
from tests.cast import load, load_to_change, start_game
from tests.playing import hide_speed, pass_all, waiting_game
from webapp.games.face_down import LONGEST, SHORTEST, is_hidden, random_while
from webapp.games.records import Record
from webapp.games.store import load_running
from webapp.models import TableRow, TurnSource

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
CY = Seat(2)


class Fixed(Random):
    """A chance that always draws the same."""

    def __init__(self, drawn):
        super().__init__()
        self.drawn = drawn

    def random(self):
        return self.drawn


def of_pace(pace):
    return TableRow(play_seconds=int(pace.total_seconds()))


@pytest.mark.parametrize(
    ("pace", "shortest", "longest"),
    [
        pytest.param(DAY, SHORTEST, LONGEST, id="a day"),
        pytest.param(4 * timedelta(hours=1), SHORTEST, LONGEST, id="four hours"),
        pytest.param(timedelta(hours=1), SHORTEST / 4, LONGEST / 4, id="an hour: in proportion"),
        pytest.param(timedelta(seconds=12), timedelta(seconds=0.05), timedelta(seconds=1), id="a trial"),
    ],
)
def test_a_while_is_between_its_bounds_which_a_short_pace_makes_shorter(pace, shortest, longest):
    assert random_while(Fixed(0.0), of_pace(pace)) == shortest
    assert longest * 0.999 < random_while(Fixed(1 - 1e-9), of_pace(pace)) <= longest


def test_a_card_that_has_lain_for_long_is_as_likely_to_be_seen_within_a_minute_as_at_first():
    chance = Random(3)
    drawn = [random_while(chance, of_pace(DAY)) / MINUTE for _ in range(4000)]
    assert 5.3 < sum(drawn) / len(drawn) < 5.8, "the mean that docs/pace.md names"
    left = [sum(one > minute for one in drawn) for minute in range(1, 9)]
    assert all(0.76 < later / earlier < 0.86 for earlier, later in pairwise(left))


@pytest.fixture
def stored(runtime):
    """Bo has led, and Cy is to play."""
    game_id = waiting_game(runtime)
    hide_speed(runtime, game_id)
    return load_to_change(runtime, game_id)


def record(stored, source=TurnSource.PAGE):
    (seat,) = stored.game.to_act
    return Record(Play(seat, next(iter(legal(stored.game, seat)))), source)


@pytest.mark.parametrize("source", TurnSource)
def test_cards_that_players_choose_or_plan_or_must_play_are_hidden_and_no_robots_cards(stored, source):
    robots = {TurnSource.ROBOT, TurnSource.TIMEOUT, TurnSource.ORDER, TurnSource.CLAIM}
    assert is_hidden(stored, record(stored, source)) is (source not in robots)


def test_nothing_is_hidden_at_a_live_pace_or_where_the_host_does_not_want_it(stored):
    stored.table.live_seconds = 30
    assert not is_hidden(stored, record(stored))
    stored.table.live_seconds, stored.table.hides_speed = None, False
    assert not is_hidden(stored, record(stored))


def test_the_only_card_of_a_player_who_is_away_is_not_hidden(stored):
    stored.seats[CY].away = True
    assert not is_hidden(stored, record(stored, TurnSource.FORCED))


def test_passes_the_forced_opening_and_the_last_trick_are_not_hidden(runtime):
    game_id = start_game(runtime)
    hide_speed(runtime, game_id)
    stored = load(runtime, game_id)
    assert not is_hidden(stored, Record(Pass(Seat(0), stored.game.held[0]), TurnSource.PAGE))
    pass_all(runtime, game_id)
    with runtime.database.reading() as session:
        stored = load_running(session, stored.table.id)
    assert [one.source for one in stored.records[-1:]] == [TurnSource.FORCED], "2♣ lies open at once"
    assert stored.row.face_down is None or stored.game.on_table
