"""Scoring a hand: a row for each rule."""

import pytest

from hearts.cards import Cards, parse_code
from hearts.play import Trick
from hearts.score import (
    hand_score,
    is_over,
    kitty_collector,
    lowest_sides,
    outcome,
    smart_choice,
)
from hearts.turns import Deal, MoonChoice
from tests.hearts.builders import rules_of

EVERYTHING = ["2H 3H 4H 5H", "6H 7H 8H 9H", "TH JH QH KH", "AH QS 2C 3C"]
"""Tricks that hold every penalty card of one pack."""


def come_to(options, *tricks, before=None, kitty=""):
    """The outcome of a hand of tricks, each a winner (`-` for nobody) and its cards: `"0: QS 2H 3H 4H"`."""
    rules = rules_of(**options)
    split = [trick.split(": ") for trick in tricks]
    won = [None if winner == "-" else int(winner) for winner, _ in split]
    plays = [parse_code(code) for _, cards in split for code in cards.split()]
    before = before or (0,) * rules.sides
    return outcome(rules, 3, before, Deal(2, (), Cards.parse(kitty)), plays, won)


def score(options, *tricks, before=None, kitty="", choice=None):
    return hand_score(come_to(options, *tricks, before=before, kitty=kitty), choice)


def all_to(seat, *others):
    return [*(f"{seat}: {cards}" for cards in EVERYTHING), *others]


NOTHING = "1: 4C 5C 6C 7C"
PLAIN = ["0: QS 2H 3H 4C", "1: 4H 5C 6C 7C", "3: 5H 6H 7H 8H", "0: 9H TH JH QH", "3: KH AH 8C 9C"]
EXTRA = {"tie_break": "extra-hand"}
TWO_PACKS = {"packs": 2, "players": 6, "opening": "eldest"}


@pytest.mark.parametrize(
    ("options", "tricks", "points"),
    [
        pytest.param({}, PLAIN, (19, 1, 0, 6), id="1 for each heart and queen_points for each QS"),
        pytest.param({"queen_points": 0}, PLAIN, (6, 1, 0, 6), id="queen_points 0"),
        pytest.param({"partnership": True}, PLAIN, (19, 7), id="a side's points are the sum over its seats"),
        pytest.param(
            {"no_tricks_bonus": -5}, PLAIN, (19, 1, -5, 6), id="no_tricks_bonus for each seat that won no trick"
        ),
        pytest.param(
            {"no_tricks_bonus": -5, "partnership": True},
            PLAIN,
            (14, 7),
            id="no_tricks_bonus for a seat whose partner won some",
        ),
        pytest.param({"no_tricks_bonus": -5}, all_to(0, NOTHING), (0, 26, 26, 26), id="no bonus if there was a moon"),
        pytest.param(
            {"jack_points": -10}, [*PLAIN, "2: JD 2D 3D 4D"], (19, 1, -10, 6), id="jack_points to the side that took JD"
        ),
        pytest.param({"jack_points": -5}, all_to(0, "1: JD 2D 3D 4D"), (0, 21, 26, 26), id="jack_points, moon or not"),
        pytest.param(
            {"jack_points": -10}, all_to(0, "0: JD 2D 3D 4D"), (-10, 26, 26, 26), id="jack_points to the shooter"
        ),
        pytest.param({"jack_points": 0}, [*PLAIN, "2: JD 2D 3D 4D"], (19, 1, 0, 6), id="jack_points 0"),
        pytest.param(
            {"jack_points": -10, "queen_points": 0},
            ["1: 2H 3H 4H 5H", "1: 6H 7H 8H 9H", "1: TH JH QH KH", "1: AH QD KD AD", "2: JD QS 2D 3D"],
            (13, 0, 3, 13),
            id="JD is no penalty card: another may take it; nor is a QS that is worth nothing",
        ),
        pytest.param({}, all_to(2), (26, 26, 0, 26), id="add: it scores 0, every other side the pack total"),
        pytest.param(
            {"moon": "subtract"}, all_to(2), (0, 0, -26, 0), id="subtract: minus the pack total, the others 0"
        ),
        pytest.param(
            {"queen_points": 0}, all_to(2), (13, 13, 0, 13), id="the pack total is 13 where QS is worth nothing"
        ),
        pytest.param(
            {"partnership": True},
            ["0: 2H 3H 4H 5H", "2: 6H 7H 8H 9H", "0: TH JH QH KH", "2: AH QS 2C 3C", "1: 4C 5C 6C 7C"],
            (0, 26),
            id="a side of two holds every penalty card",
        ),
        pytest.param({"sun": True}, all_to(2), (52, 52, 0, 52), id="sun: a side that wins every trick counts double"),
        pytest.param({"sun": True, "moon": "subtract"}, all_to(2), (0, 0, -52, 0), id="sun, subtracted"),
        pytest.param({"sun": True}, all_to(2, NOTHING), (26, 26, 0, 26), id="no sun where another won a trick"),
        pytest.param({"sun": False}, all_to(2), (26, 26, 0, 26), id="sun false"),
        pytest.param(
            {"sun": True, "partnership": True},
            ["0: 2H 3H 4H 5H", "2: 6H 7H 8H 9H", "0: TH JH QH KH", "2: AH QS 2C 3C"],
            (0, 52),
            id="the sun of two partners",
        ),
        pytest.param(
            TWO_PACKS,
            ["0: QS QS 2H 2H AD KD", "-: 3H 3H 4H 4H 2C 2D", "1: 3C 5C 6C 7C 8C 5H"],
            (28, 5, 0, 0, 0, 0),
            id="the winner of the next trick collects set-aside cards too",
        ),
        pytest.param(
            TWO_PACKS,
            ["0: QS 2C 3C 4C 5C 6C", "-: 3H 3H 4H 4H 2C 2D"],
            (13, 0, 0, 0, 0, 0),
            id="cards set aside by the last trick",
        ),
    ],
)
def test_a_hand_scores_its_points(options, tricks, points):
    assert score(options, *tricks).points == points


def two_packs(*last):
    hearts = [f"{rank}H {rank}H" for rank in "23456789TJQKA"]
    return [f"4: {' '.join(hearts[start : start + 3])}" for start in (0, 3, 6, 9)] + ["4: AH AH QS QS 2C 3C", *last]


@pytest.mark.parametrize(
    ("tricks", "points"),
    [
        pytest.param(
            two_packs(), (104, 104, 104, 104, 0, 104), id="with two packs the pack total is 52, and double with sun"
        ),
        pytest.param(two_packs("-: 9D 9D 9C 9C 2D 3D"), (52, 52, 52, 52, 0, 52), id="an unwon trick prevents the sun"),
        pytest.param(
            [*two_packs()[:-1], "-: AH AH QS QS 2C 3C"],
            (0, 0, 0, 0, 24, 0),
            id="unwon cards prevent the moon",
        ),
    ],
)
def test_a_moon_with_two_packs_scores_its_points(tricks, points):
    assert score({**TWO_PACKS, "sun": True}, *tricks).points == points


@pytest.mark.parametrize(
    ("options", "before", "way"),
    [
        pytest.param({}, (80, 30, 40, 50), "add", id="add, unless adding would end the game: here it does not"),
        pytest.param({}, (60, 30, 40, 90), "subtract", id="adding ends the game and leaves the shooter above another"),
        pytest.param({}, (20, 30, 40, 90), "add", id="adding ends the game, and the shooter wins"),
        pytest.param({}, (56, 30, 40, 90), "add", id="adding ends the game in a shared win: not above another"),
        pytest.param({}, (57, 30, 40, 90), "subtract", id="one point above another side's total"),
        pytest.param(
            {"tie_break": "extra-hand"}, (57, 30, 30, 90), "add", id="a tie that brings an extra hand does not end it"
        ),
        pytest.param({"tie_break": "extra-hand"}, (57, 30, 31, 90), "subtract", id="extra-hand, but no tie for lowest"),
        pytest.param(
            {"fifty_bonus": True}, (40, 24, 60, 74), "add", id="judged after fifty_bonus, which saves the game"
        ),
        pytest.param({}, (40, 24, 60, 74), "add", id="without fifty_bonus it ends, but the shooter is lowest"),
        pytest.param({}, (60, 24, 60, 74), "subtract", id="without fifty_bonus it ends, and the shooter is not lowest"),
        pytest.param({"fifty_bonus": True}, (60, 24, 60, 74), "add", id="50 off the total that reached the target"),
        pytest.param({"sun": True}, (65, 10, 40, 60), "subtract", id="judged with the sun"),
        pytest.param({"sun": False}, (65, 10, 40, 60), "add", id="and without it"),
        pytest.param({}, (100, 50, 40, 90), "subtract", id="the shooter's own total ends the game"),
        pytest.param({"hands": 4}, (30, 3, 4, 5), "add", id="a hand before the last one"),
        pytest.param({"hands": 3}, (30, 3, 4, 5), "subtract", id="adding in the last hand would lose the game"),
        pytest.param({"hands": 3}, (28, 3, 4, 5), "add", id="adding in the last hand wins the game"),
        pytest.param({"hands": 3}, (31, 4, 4, 30), "subtract", id="the last hand, others share the win"),
        pytest.param({**EXTRA, "hands": 3}, (31, 4, 4, 30), "add", id="the last hand, but a tie brings one more"),
    ],
)
def test_smart_counts_the_moon_the_better_way_for_the_shooter(options, before, way):
    options = {"moon": "smart", **options}
    result = score(options, *all_to(0), before=before)
    assert result.moon_choice == way
    worth = 52 if options.get("sun") else 26
    assert result.points == ((0, worth, worth, worth) if way == "add" else (-worth, 0, 0, 0))


def test_smart_includes_the_jack():
    options = {"moon": "smart", "jack_points": -10}
    tricks = all_to(0, "3: JD 2D 3D 4D")
    assert score(options, *tricks, before=(60, 30, 40, 83)).moon_choice == "add"
    assert score(options, *tricks, before=(60, 30, 40, 84)).moon_choice == "subtract"


def test_the_shooter_chooses_how_the_moon_counts():
    hand = come_to({"moon": "choice"}, *all_to(1))
    assert hand.shooter == 1
    assert hand_score(hand, MoonChoice.ADD).points == (26, 0, 26, 26)
    assert hand_score(hand, MoonChoice.SUBTRACT).points == (0, -26, 0, 0)
    with pytest.raises(ValueError, match="has not said"):
        hand_score(hand)


def test_an_overdue_choice_becomes_smart():
    ahead = come_to({"moon": "choice"}, *all_to(0), before=(20, 30, 40, 90))
    behind = come_to({"moon": "choice"}, *all_to(0), before=(60, 30, 40, 90))
    assert smart_choice(ahead.rules, hand_score(ahead, MoonChoice.ADD)) == "add"
    assert smart_choice(behind.rules, hand_score(behind, MoonChoice.ADD)) == "subtract"


@pytest.mark.parametrize(("last", "shooter"), [("0: 4C 5C 6C 7C", 0), ("2: 4C 5C 6C 7C", 2), ("1: 4C 5C 6C 7C", 2)])
def test_the_partner_with_the_later_last_trick_chooses(last, shooter):
    tricks = ["0: 2H 3H 4H 5H", "2: 6H 7H 8H 9H", "0: TH JH QH KH", "2: AH QS 2C 3C", last]
    assert come_to({"moon": "choice", "partnership": True}, *tricks).shooter == shooter


@pytest.mark.parametrize(
    ("before", "totals"),
    [
        pytest.param((31, 10, 0, 1), (0, 11, 0, 7), id="50 off a total that is now 50"),
        pytest.param((81, 0, 0, 0), (50, 1, 0, 6), id="once a hand: 100 becomes 50"),
        pytest.param((31, 0, 50, 0), (0, 1, 0, 6), id="even if the hand left it unchanged"),
        pytest.param((-69, 0, 0, -6), (-50, 1, 0, 0), id="a positive multiple only"),
        pytest.param((32, 0, 0, 0), (51, 1, 0, 6), id="exactly 50, not over it"),
    ],
)
def test_a_total_of_exactly_fifty_earns_the_bonus(before, totals):
    result = score({"fifty_bonus": True}, *PLAIN, before=before)
    assert result.totals == totals
    assert result.points == (19, 1, 0, 6)
    assert score({}, *PLAIN, before=before).fifties == ()


@pytest.mark.parametrize(
    ("options", "hand", "totals", "over", "lowest"),
    [
        pytest.param({}, 9, (99, 1, 2, 3), False, (1,), id="no total at the target"),
        pytest.param({}, 9, (100, 1, 2, 3), True, (1,), id="at or over the target, the lowest wins"),
        pytest.param({}, 9, (130, 1, 1, 3), True, (1, 2), id="a tie for the lowest: shared win"),
        pytest.param(
            {"tie_break": "extra-hand"}, 9, (130, 1, 1, 3), False, (1, 2), id="extra-hand and a tie for lowest"
        ),
        pytest.param(
            {"tie_break": "extra-hand"}, 9, (130, 1, 2, 2), True, (1,), id="a tie for another place does not matter"
        ),
        pytest.param({"target": 10}, 9, (9, 10, 0, 0), True, (2, 3), id="the target is the table's"),
        pytest.param({"partnership": True}, 9, (100, 99), True, (1,), id="sides of two"),
        pytest.param({}, 9, (-30, 1, 2, 100), True, (0,), id="a total below zero is the lowest"),
        pytest.param({"hands": 4}, 3, (9, 1, 2, 3), False, (1,), id="a hand before the last one"),
        pytest.param({"hands": 4}, 4, (9, 1, 2, 3), True, (1,), id="the last hand, whatever the totals"),
        pytest.param({"hands": 4}, 2, (100, 1, 2, 3), True, (1,), id="the target before the last hand"),
        pytest.param({"hands": 4}, 4, (9, 1, 1, 3), True, (1, 2), id="the last hand, a shared win"),
        pytest.param({**EXTRA, "hands": 4}, 4, (9, 1, 1, 3), False, (1, 2), id="the last hand, tied: one more"),
        pytest.param({**EXTRA, "hands": 4}, 5, (9, 1, 1, 3), False, (1, 2), id="an extra hand, tied again"),
        pytest.param({**EXTRA, "hands": 4}, 5, (9, 1, 2, 3), True, (1,), id="an extra hand that decides"),
        pytest.param({"hands": 40}, 40, (9, 1, 2, 3), True, (1,), id="forty hands"),
    ],
)
def test_the_game_ends_at_its_target_or_last_hand(options, hand, totals, over, lowest):
    assert is_over(rules_of(**options), hand, totals) is over
    assert lowest_sides(totals) == lowest


KITTY_TRICKS = ["1: 2C 3C 4C 5C", "2: 2D 3D 4D QS", "0: 5D 6D 7D 2H", "3: 8D 9D TD 3H"]


@pytest.mark.parametrize(
    ("kitty", "collector"),
    [("off", None), ("first-trick", 1), ("first-points", 2), ("first-heart", 0), ("last-trick", 3)],
)
def test_the_kitty_goes_to_the_pile_that_the_rules_name(kitty, collector):
    result = score({"kitty": kitty}, *KITTY_TRICKS, kitty="AH KH QH 6C")
    plain = [1, 0, 13, 1]
    assert list(result.taken) == [points + 3 * (seat == collector) for seat, points in enumerate(plain)]


def test_a_worthless_queen_does_not_make_a_penalty_trick():
    result = score({"kitty": "first-points", "queen_points": 0}, *KITTY_TRICKS, kitty="AH KH QH 6C")
    assert result.taken == (4, 0, 0, 1)


def test_the_kitty_waits_until_it_is_won():
    tricks = [Trick(0, tuple(map(parse_code, trick[3:].split())), int(trick[0])) for trick in KITTY_TRICKS]
    due = {"first-trick": 1, "first-points": 2, "first-heart": 3, "last-trick": 4}
    for kitty, number in due.items():
        rules = rules_of(kitty=kitty)
        for played in range(5):
            collector = kitty_collector(rules, tricks[:played], finished=played == 4)
            assert (collector is not None) == (played >= number)


def test_with_two_packs_the_first_trick_won_takes_the_kitty():
    tricks = ["-: 2C 2C 3D 3D 4C 5C", "3: 6C 7C 8C 9C TC JD", "1: QC KC AC 5D 6D 2H"]
    result = score({**TWO_PACKS, "jack_points": -5}, *tricks, kitty="AH JD")
    assert result.taken == (0, 1, 0, 1, 0, 0)
    assert result.points == (0, 1, 0, -9, 0, 0)


def test_with_two_packs_both_jacks_count():
    assert score({**TWO_PACKS, "jack_points": -10}, "3: JD JD 2C 3C 4C 5C").points == (0, 0, 0, -20, 0, 0)


def test_a_score_sheet_says_who_took_what():
    result = score({"fifty_bonus": True}, *PLAIN, "2: JD 2D 3D 4D", before=(31, 0, 0, 0))
    assert (result.number, result.dealer) == (3, 2)
    assert (result.taken, result.tricks_won) == ((19, 1, 0, 6), (2, 1, 1, 2))
    assert (result.queens, result.jacks) == ((1, 0, 0, 0), (0, 0, 1, 0))
    assert (result.moon, result.moon_choice, result.sun) == (None, None, False)
    assert (result.points, result.fifties, result.totals) == ((19, 1, 0, 6), (0,), (0, 1, 0, 6))
