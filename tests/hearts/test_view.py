"""The view of one seat."""

import random

import pytest

from hearts.cards import Cards, parse_code
from hearts.deal import deal
from hearts.game import Stage, apply, new_game
from hearts.play import Trick
from hearts.rules import preset_rules
from hearts.seats import Seat, every_seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from hearts.view import view
from tests.hearts.builders import game_after, random_games, rules_of, shot


def passing():
    """A game whose hand 1 is passed to the left, and the cards that each seat will pass."""
    rules = rules_of(passing="left")
    game = apply(new_game(rules), deal(rules, Seat(2), random.Random(5)))
    return game, [Cards.of(list(held)[:3]) for held in game.held]


def test_before_the_first_deal_a_view_is_empty():
    seen = view(new_game(rules_of()), Seat(1))
    assert (seen.hand, seen.dealer, seen.stage, seen.direction) == (0, None, "deal", "keep")
    assert not any((seen.held, seen.legal, seen.plays, seen.tricks, seen.passed, seen.to_act))


def test_a_seat_sees_its_dealt_hand():
    game, _ = passing()
    seen = view(game, Seat(1))
    assert (seen.held, seen.hand, seen.dealer, seen.direction) == (game.held[1], 1, 2, "left")
    assert (seen.stage, seen.to_act, seen.passed) == ("pass", (0, 1, 2, 3), ())
    assert {seen.given, seen.received, seen.leader, seen.trick, seen.kitty} == {None}


def test_passed_cards_leave_at_once_and_arrive_after_all_passes():
    game, given = passing()
    for seat in (0, 1, 2):
        game = apply(game, Pass(Seat(seat), given[seat]))
    seen = view(game, Seat(1))
    assert (seen.given, seen.received, seen.held) == (given[1], None, game.held[1] - given[1])
    assert (seen.passed, seen.to_act) == ((0, 1, 2), (3,))
    assert view(game, Seat(3)).given is None


def test_passed_and_received_cards_stay_in_view():
    game, given = passing()
    dealt = game.held
    for seat in every_seat(4):
        game = apply(game, Pass(seat, given[seat]))
    seen = view(game, Seat(1))
    assert (seen.given, seen.received) == (given[1], given[0])
    assert seen.held == dealt[1] - given[1] + given[0]


def test_without_a_pass_no_cards_are_given_or_received():
    seen = view(game_after("2C 3C"), Seat(1))
    assert (seen.direction, seen.given, seen.received, seen.passed) == ("keep", None, None, ())


def test_a_view_shows_the_current_trick_and_those_before():
    game = game_after("2C 3C 4C AC")
    lead = next(iter(game.held[0] & Cards(game.allowed_mask)))
    seen = view(apply(game, Play(Seat(0), lead)), Seat(2))
    assert seen.tricks == (Trick(Seat(1), tuple(map(parse_code, ("2C", "3C", "4C", "AC"))), Seat(0)),)
    assert seen.trick == Trick(Seat(0), (lead,), None)
    assert seen.plays == (*seen.tricks[0].cards, lead)
    assert seen.leader == 1
    assert view(game, Seat(2)).trick is None


def test_a_view_names_the_leader_only_once_play_begins():
    game = game_after()
    assert view(game, Seat(0)).leader is None
    assert view(game, Seat(0)).to_act == (1,)


def test_a_view_has_legal_cards_and_reasons_against_the_others():
    game = game_after("2C 3C 4C", s0="5C QS AH")
    seen = view(game, Seat(0))
    assert set(seen.legal) | set(seen.refusals) == set(seen.held)
    assert str(seen.refusals[parse_code("QS")]) == "You must follow clubs."
    assert not view(game, Seat(1)).legal
    assert not view(game, Seat(1)).refusals


def test_a_view_counts_the_points_taken_so_far():
    rules = rules_of(first_trick_points=True)
    game = game_after("2C 3C QS AC", rules=rules, s3="QS 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD")
    assert view(game, Seat(2)).taken == (13, 0, 0, 0)
    assert view(game, Seat(2)).broken is False


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_only_the_player_entitled_to_the_kitty_sees_it(seat):
    rules = preset_rules("kitty", kitty="first-trick")
    game = game_after("2C 3C 4C AC", rules=rules, kitty="AH KH QH 6C")
    seen = view(game, Seat(seat))
    assert seen.kitty == (Cards.parse("AH KH QH 6C") if seat == 0 else None)
    assert seen.taken == ((3, 0, 0, 0) if seat == 0 else (0, 0, 0, 0))
    assert view(game_after("2C 3C 4C", rules=rules, kitty="AH KH QH 6C"), Seat(seat)).kitty is None


def test_without_a_kitty_a_view_shows_none():
    rules = preset_rules("cancellation", players=8, passing="none")
    *_, (_, _, game) = random_games(rules, random.Random(1), 1)
    assert all(view(game, seat).kitty is None for seat in every_seat(8))


def test_the_shooter_sees_the_result_of_each_choice():
    game = shot()
    assert view(game, Seat(0)).moon[MoonChoice.SUBTRACT].points == (-26, 0, 0, 0)
    assert view(game, Seat(0)).moon[MoonChoice.ADD].totals == (0, 26, 26, 26)
    assert not view(game, Seat(1)).moon


def test_after_a_hand_its_tricks_and_scores_stay_in_view():
    game = apply(shot(), Moon(Seat(0), MoonChoice.ADD))
    seen = view(game, Seat(2))
    assert (seen.stage, seen.hand, len(seen.tricks), seen.totals) == ("deal", 1, 13, (0, 26, 26, 26))
    assert seen.scores == game.scores
    assert seen.taken == (26, 0, 0, 0)
    assert not seen.held


def test_at_the_end_a_view_names_the_winners():
    game = apply(shot(target=20), Moon(Seat(0), MoonChoice.ADD))
    seen = view(game, Seat(3))
    assert (seen.stage, seen.winners, seen.to_act) == (Stage.OVER, (0,), ())
