"""The result of a game: places, queens and moons as the scores have them, and what is said about them."""

from collections.abc import Sequence

import pytest

from hearts.seats import sides
from tests.samples.cast import CAST, CROWD
from tests.samples.finished import stored_game
from tests.samples.games import CLASSIC, ELEVEN, OMNIBUS, PARTNERS
from webapp.presentation.result import _moments, result_of
from webapp.presentation.scoresheet import SideLine


@pytest.mark.parametrize(
    ("rules", "names"),
    [(CLASSIC, CAST), (ELEVEN, CROWD), (PARTNERS, CAST), (OMNIBUS, CAST)],
    ids=["four", "eleven", "teams", "omnibus"],
)
def test_each_side_adds_its_players_queens_moons_and_totals(rules, names):
    stored = stored_game(rules, names)
    scores, lines = stored.game.scores, {line.name: line for line in result_of(stored).lines}
    for side, team in enumerate(sides(rules.players, partnership=rules.partnership)):
        line = lines[" and ".join(names[seat] for seat in team)]
        assert line.total == stored.game.totals[side]
        assert line.queens == sum(score.queens[seat] for score in scores for seat in team)
        assert line.moons == sum(score.moon == side for score in scores)
        assert line.is_winner is (side in stored.game.winners)
    assert [line.place for line in result_of(stored).lines] == sorted(line.place for line in lines.values())


def said(*counts: tuple[int, int], teams: Sequence[tuple[str, ...]] = tuple((name,) for name in CAST)) -> list[str]:
    """Returns the sentences on players with these counts of queens taken and moons shot."""
    lines = [SideLine(names, "", 0, 1, False, None, *two) for names, two in zip(teams, counts, strict=False)]
    return list(_moments(lines))


@pytest.mark.parametrize(
    ("counts", "sentences"),
    [
        pytest.param([(3, 0), (1, 0), (0, 0)], ["Ann took the queen of spades most often: 3 times."], id="most"),
        pytest.param([(1, 0), (0, 0)], ["Ann took the queen of spades once."], id="the only one"),
        pytest.param([(2, 0), (2, 0), (0, 0)], ["Ann and Bo took the queen of spades 2 times each."], id="two"),
        pytest.param([(2, 0), (2, 0)], [], id="all alike"),
        pytest.param([(0, 0), (0, 0)], [], id="no queens"),
        pytest.param([(0, 1), (0, 2)], ["Ann shot the moon once.", "Bo shot the moon 2 times."], id="moons"),
        pytest.param([(0, 1)] * 4, ["4 players shot the moon."], id="many moons"),
    ],
)
def test_what_happened_is_said_in_a_sentence_each(counts, sentences):
    assert said(*counts) == sentences


def test_teams_that_are_alike_are_not_joined_by_another_and():
    assert said((2, 0), (2, 0), (0, 0), teams=[("Ann", "Cy"), ("Bo", "Di"), ("Eve", "Emil")]) == []
