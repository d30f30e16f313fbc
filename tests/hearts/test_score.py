"""Scoring a hand: a row for each rule."""

import pytest

from hearts.cards import Cards, parse_code
from hearts.play import Trick
from hearts.score import hand_score, is_over, kitty_collector, lowest_sides, outcome, smart_choice
from hearts.turns import Deal, MoonChoice
from tests.hearts.builders import rules_of
from tests.hearts.positions import cards, named, numbers, table, value

TWO_PACKS = {"packs": 2, "players": 6, "opening": "eldest"}


def tricks(text):
    """Tricks won one after another, each a winner (None for nobody) and its cards."""
    return [(None if winner == "-" else int(winner), cards(won)) for winner, won in named(text)]


def come_to(options, won, *, before=None, kitty=""):
    """The outcome of a hand of tricks; those that a seat won in a row may stand together."""
    rules = rules_of(**options)
    winners = [winner for winner, codes in won for _ in codes.split()[:: rules.players]]
    plays = [parse_code(code) for _, codes in won for code in codes.split()]
    before = before or (0,) * rules.sides
    return outcome(rules, 3, before, Deal(2, (), Cards.parse(kitty)), plays, winners)


def score(options, won, *, before=None, kitty="", choice=None):
    return hand_score(come_to(options, won, before=before, kitty=kitty), choice)


def all_to(seat):
    return [(seat, cards("2H-AH QS 2C 3C"))]


@table("points", won=tricks, points=numbers)
def test_a_hand_scores_its_points(options, won, points):
    assert score(options, won).points == points


@table("smart", before=numbers, way=str)
def test_smart_counts_the_moon_the_better_way_for_the_shooter(options, before, way):
    result = score({"moon": "smart", **options}, all_to(0), before=before)
    assert result.moon_choice == way
    worth = 52 if options.get("sun") else 26
    assert result.points == ((0, worth, worth, worth) if way == "add" else (-worth, 0, 0, 0))


def test_smart_includes_the_jack():
    options = {"moon": "smart", "jack_points": -10}
    won = [*all_to(0), (3, "JD 2D 3D 4D")]
    assert score(options, won, before=(60, 30, 40, 83)).moon_choice == "add"
    assert score(options, won, before=(60, 30, 40, 84)).moon_choice == "subtract"


def test_the_shooter_chooses_how_the_moon_counts():
    hand = come_to({"moon": "choice"}, all_to(1))
    assert hand.shooter == 1
    assert hand_score(hand, MoonChoice.ADD).points == (26, 0, 26, 26)
    assert hand_score(hand, MoonChoice.SUBTRACT).points == (0, -26, 0, 0)
    with pytest.raises(ValueError, match="has not said"):
        hand_score(hand)


def test_an_overdue_choice_becomes_smart():
    ahead = come_to({"moon": "choice"}, all_to(0), before=(20, 30, 40, 90))
    behind = come_to({"moon": "choice"}, all_to(0), before=(60, 30, 40, 90))
    assert smart_choice(ahead.rules, hand_score(ahead, MoonChoice.ADD)) == "add"
    assert smart_choice(behind.rules, hand_score(behind, MoonChoice.ADD)) == "subtract"


@pytest.mark.parametrize(("last", "shooter"), [("0: 4C-7C", 0), ("2: 4C-7C", 2), ("1: 4C-7C", 2)])
def test_the_partner_with_the_later_last_trick_chooses(last, shooter):
    won = tricks(f"0: 2H-5H; 2: 6H-9H; 0: TH-KH; 2: AH QS 2C 3C; {last}")
    assert come_to({"moon": "choice", "partnership": True}, won).shooter == shooter


@table("fifty", won=tricks, before=numbers, totals=numbers)
def test_a_total_of_exactly_fifty_earns_the_bonus(options, won, before, totals):
    result = score({"fifty_bonus": True, **options}, won, before=before)
    assert result.totals == totals
    assert result.points == (19, 1, 0, 6)
    assert score(options, won, before=before).fifties == ()


@table("end", hand=int, totals=numbers, over=value, lowest=numbers)
def test_the_game_ends_at_its_target_or_last_hand(options, hand, totals, over, lowest):
    assert is_over(rules_of(**options), hand, totals) is over
    assert lowest_sides(totals) == lowest


KITTY_TRICKS = tricks("1: 2C-5C; 2: 2D-4D QS; 0: 5D-7D 2H; 3: 8D-TD 3H")


@pytest.mark.parametrize(
    ("kitty", "collector"),
    [("off", None), ("first-trick", 1), ("first-points", 2), ("first-heart", 0), ("last-trick", 3)],
)
def test_the_kitty_goes_to_the_pile_that_the_rules_name(kitty, collector):
    result = score({"kitty": kitty}, KITTY_TRICKS, kitty="AH KH QH 6C")
    plain = [1, 0, 13, 1]
    assert list(result.taken) == [points + 3 * (seat == collector) for seat, points in enumerate(plain)]


def test_a_worthless_queen_does_not_make_a_penalty_trick():
    result = score({"kitty": "first-points", "queen_points": 0}, KITTY_TRICKS, kitty="AH KH QH 6C")
    assert result.taken == (4, 0, 0, 1)


def test_the_kitty_waits_until_it_is_won():
    won = [Trick(0, tuple(map(parse_code, codes.split())), winner) for winner, codes in KITTY_TRICKS]
    due = {"first-trick": 1, "first-points": 2, "first-heart": 3, "last-trick": 4}
    for kitty, number in due.items():
        rules = rules_of(kitty=kitty)
        for played in range(5):
            collector = kitty_collector(rules, won[:played], finished=played == 4)
            assert (collector is not None) == (played >= number)


def test_with_two_packs_the_first_trick_won_takes_the_kitty():
    won = tricks("-: 2C 2C 3D 3D 4C 5C; 3: 6C-TC JD; 1: QC-AC 5D 6D 2H")
    result = score({**TWO_PACKS, "jack_points": -5}, won, kitty="AH JD")
    assert result.taken == (0, 1, 0, 1, 0, 0)
    assert result.points == (0, 1, 0, -9, 0, 0)


def test_with_two_packs_both_jacks_count():
    assert score({**TWO_PACKS, "jack_points": -10}, [(3, "JD JD 2C 3C 4C 5C")]).points == (0, 0, 0, -20, 0, 0)


def test_a_score_sheet_says_who_took_what():
    won = tricks("0: QS 2H 3H 4C; 1: 4H 5C-7C; 3: 5H-8H; 0: 9H-QH; 3: KH AH 8C 9C; 2: JD 2D-4D")
    result = score({"fifty_bonus": True}, won, before=(31, 0, 0, 0))
    assert (result.number, result.dealer) == (3, 2)
    assert (result.taken, result.tricks_won) == ((19, 1, 0, 6), (2, 1, 1, 2))
    assert (result.queens, result.jacks) == ((1, 0, 0, 0), (0, 0, 1, 0))
    assert (result.moon, result.moon_choice, result.sun) == (None, None, False)
    assert (result.points, result.fifties, result.totals) == ((19, 1, 0, 6), (0,), (0, 1, 0, 6))
