"""The result of a game: places, queens and moons as the scores have them, and what is said about them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hearts.cards import parse_card
from hearts.review import Opinion
from hearts.seats import Seat, every_seat, sides
from hearts.turns import Pass, Play
from hearts.words import Sentence
from tests.samples.cast import CAST, CROWD
from tests.samples.finished import stored_game
from tests.samples.games import CLASSIC, ELEVEN, OMNIBUS, PARTNERS
from tests.samples.rendering import line
from webapp.games.record.finished import finished_hand
from webapp.models import TurnSource
from webapp.presentation.scoresheet import SideLine
from webapp.results.relive import scene
from webapp.results.result import _moments, own_game, result_of


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


ME = Seat(0)


def game(*sources, seed=3):
    """A finished game, in which the first cards of ME came about in these ways, and the others by ME's choice."""
    stored, ways = stored_game(CLASSIC, CAST, seed), iter(sources)
    records = tuple(
        one._replace(source=next(ways, TurnSource.PAGE) if is_card_of(one, ME) else TurnSource.PAGE)
        for one in stored.records
    )
    return replace(stored, records=records)


def is_card_of(record, seat):
    return isinstance(record.turn, Play) and record.turn.seat == seat


def texts(stored, seat=ME, opinions=None):
    return [one.text for one in own_game(stored, seat, opinions or {})]


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        pytest.param((), "You chose all {all} cards that left you a choice.", id="all"),
        pytest.param(
            (TurnSource.REPLY, TurnSource.LINK, TurnSource.AHEAD),
            "You chose all {all} cards that left you a choice.",
            id="in any way",
        ),
        pytest.param(
            (TurnSource.FORCED, TurnSource.CLAIM), "You chose all {less2} cards that left you a choice.", id="no choice"
        ),
        pytest.param(
            (TurnSource.TIMEOUT,), "You chose {less1} of {all} cards. The other one was played for you.", id="late once"
        ),
        pytest.param(
            (TurnSource.TIMEOUT, TurnSource.AWAY, TurnSource.FORCED),
            "You chose {less3} of {less1} cards. The other 2 were played for you.",
            id="late, and away",
        ),
    ],
)
def test_the_cards_that_left_a_choice_are_counted(sources, said):
    stored = game(*sources)
    cards = sum(is_card_of(one, ME) for one in stored.records)
    assert texts(stored)[0] == said.format(all=cards, less1=cards - 1, less2=cards - 2, less3=cards - 3)


@pytest.mark.parametrize("seed", range(3))
def test_the_costliest_trick_is_the_one_with_most_points(seed):
    stored = game(seed=seed)
    hands = [finished_hand(stored, score.number) for score in stored.game.scores if score.moon is None]
    for seat in every_seat(4):
        tricks = [
            (points(trick), hand, trick) for hand in hands for trick in hand.games[-1].tricks if trick.winner == seat
        ]
        (found,) = [one for one in own_game(stored, seat, {}) if one.text.startswith("Trick")]
        assert f"cost you {max(one[0] for one in tricks)} point" in found.text
        shown = scene(finished_hand(stored, found.hand), found.step)
        assert found.text.startswith(f"{shown.heading} of hand {found.hand} cost you")
        assert [place.name for place in shown.places if place.wins] == [CAST[seat]], "the trick is shown at its end"
        assert shown.points in found.text


def points(trick):
    return sum(13 if one == parse_card("QS") else one // 13 == parse_card("2H") // 13 for one in trick.cards)


def best_pass(seeds=range(40)):
    """A game whose first player has passed cards to an opponent who took them, with what is said of it."""
    for seed in seeds:
        stored = game(seed=seed)
        found = [one for one in own_game(stored, ME, {}) if one.text.startswith("Your best pass")]
        if found and "Q♠" in found[0].text:
            return stored, found[0]
    raise AssertionError


def test_the_best_pass_is_one_whose_receiver_took_it():
    stored, found = best_pass()
    hand = finished_hand(stored, found.hand)
    (passed,) = [one.turn for one in hand.records if isinstance(one.turn, Pass) and one.turn.seat == ME]
    assert parse_card("QS") in passed.cards
    taker = CAST[hand.score.queens.index(1)]
    assert f"in hand {found.hand}: " in found.text
    assert f" to {taker}, who took " in found.text
    assert scene(hand, found.step).heading == "The pass"


def test_a_pass_that_the_robot_blames_is_not_praised():
    stored, found = best_pass()
    hand = finished_hand(stored, found.hand)
    (turn,) = [n for n, one in enumerate(hand.records, 1) if isinstance(one.turn, Pass) and one.turn.seat == ME]
    blamed = Opinion(turn, 0, ME, "AS KS QS", "2C 3C 4C", 9.0, 6.0, 3.0, Sentence("Keep them."))
    assert found in own_game(stored, ME, {found.hand: [replace(blamed, cost=0.9)]})
    assert found not in own_game(stored, ME, {found.hand: [blamed]})


def reviewed(stored, *costs):
    """Opinions on the first card of ME in each hand, with these costs; 0 for the other hands."""
    found = {}
    for score in stored.game.scores:
        hand = finished_hand(stored, score.number)
        turn = next(n for n, one in enumerate(hand.records, 1) if is_card_of(one, ME))
        cost = costs[score.number - 1] if score.number <= len(costs) else 0.0
        found[score.number] = (Opinion(turn, 1, ME, "KS", "3S", 3.0 + cost, 3.0, cost, Sentence("Duck.")),)
    return found


def test_the_dearest_card_is_told_once_all_hands_are_reviewed():
    stored = game()
    opinions = reviewed(stored, 1.0, 6.2)
    found = own_game(stored, ME, opinions)[-1]
    assert found.text.replace("\ufe0e", "") == (
        "Your dearest card, in trick 1 of hand 2: K♠. The robot would have played 3♠, and expects 6 points less."
    )
    assert scene(finished_hand(stored, 2), found.step).heading == "Trick 1"
    assert "dearest" not in " ".join(texts(stored, opinions=reviewed(stored, 5.9, 6.2))), "neither clearly cost more"
    del opinions[1]
    assert "dearest" not in " ".join(texts(stored, opinions=opinions)), "the hand left out may have cost more"


def test_nobody_is_told_of_a_game_that_others_played():
    stored = game()
    seats = [line(name="Eve", seat=0, state="accepted", player_id=9), *stored.seats[1:]]
    names = list(CAST)
    row = line(**{**stored.row.said, "names": names})
    assert own_game(replace(stored, row=row, seats=seats), ME, {}) == ()
