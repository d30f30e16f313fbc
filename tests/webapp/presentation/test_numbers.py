"""Numbers of each player at the end of a game: their statistics."""

from hearts.score import lowest_sides
from hearts.turns import MoonChoice
from tests.samples.cast import CAST, CROWD
from tests.samples.games import CLASSIC, ELEVEN, PARTNERS, finished_game
from tests.webapp.presentation.scored import line
from webapp.presentation.numbers import PlayerNumbers, numbers


def test_the_statistics_of_a_player_add_up_their_hands() -> None:
    scores = [
        line(
            number=1,
            taken=(13, 6, 4, 3),
            queens=(1, 0, 0, 0),
            tricks_won=(5, 3, 3, 2),
            points=(13, 6, 4, 3),
            totals=(13, 6, 4, 3),
        ),
        line(
            number=2,
            taken=(0, 26, 0, 0),
            queens=(0, 1, 0, 0),
            tricks_won=(1, 10, 1, 1),
            moon=1,
            moon_choice=MoonChoice.ADD,
            points=(26, 0, 26, 26),
            totals=(39, 6, 30, 29),
        ),
    ]
    bo, di, cy, ann = numbers(CLASSIC, CAST, scores)
    assert bo == PlayerNumbers("Bo", 1, 13, 32, 1, 1, "3.0", 0, 6)
    assert di == PlayerNumbers("Di", 1, 3, 3, 0, 0, "14.5", 3, 26)
    assert (cy.name, cy.hands_won, ann.name, ann.queens, ann.average) == ("Cy", 0, "Ann", 1, "19.5")


def test_partners_share_the_statistics_of_their_side_and_no_others() -> None:
    game = finished_game(PARTNERS)
    people = {one.name: one for one in numbers(PARTNERS, CAST, game.scores)}
    for one, other in (("Ann", "Cy"), ("Bo", "Di")):
        shared = [(found.hands_won, found.moons, found.average, found.best) for found in (people[one], people[other])]
        assert shared[0] == shared[1]
    assert people["Ann"].tricks != people["Cy"].tricks
    assert sum(one.tricks for one in people.values()) == 13 * len(game.scores)


def test_every_hand_has_a_winner() -> None:
    game = finished_game(ELEVEN)
    won = sum(one.hands_won for one in numbers(ELEVEN, CROWD, game.scores))
    assert won == sum(len(lowest_sides(score.points)) for score in game.scores)


def test_there_are_no_statistics_before_the_first_hand() -> None:
    assert numbers(CLASSIC, CAST, ()) == ()
