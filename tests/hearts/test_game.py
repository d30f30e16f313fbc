"""A game as a fold: its stages, whose turn it is, passing, and how it ends."""

import random

import pytest

from hearts.cards import Cards, parse_code
from hearts.deal import deal
from hearts.game import (
    IllegalTurn,
    apply,
    moon_scores,
    new_game,
    replay,
    replay_hand,
    why_not_pass,
)
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play
from tests.hearts.builders import game_after, random_games, rules_of, shot


@pytest.mark.parametrize("options", [{"passing": "left"}, {"players": 3}, {"moon": "choice"}, {"preset": "partners"}])
def test_a_single_hand_awaits_the_same_seats_as_its_game(options):
    played, rules = [], rules_of(**options)
    for _, turn, game in random_games(rules, random.Random(7), 3):
        played = [turn] if isinstance(turn, Deal) else [*played, turn]
        if game.to_act:
            alone = replay_hand(rules, game.hand, played)
            awaited = (game.stage, game.to_act, game.hand, game.trick, game.on_table, game.allowed_mask)
            assert (alone.stage, alone.to_act, alone.hand, alone.trick, alone.on_table, alone.allowed_mask) == awaited


def test_every_player_is_awaited_to_pass_in_any_order():
    rules = rules_of(passing="right", pass_count=2)
    game = apply(new_game(rules), deal(rules, Seat(0), random.Random(1)))
    dealt = game.held
    given = [Cards.of(list(held)[:2]) for held in dealt]
    assert (game.stage, game.to_act) == ("pass", (0, 1, 2, 3))
    for seat, waiting in ((2, (0, 1, 3)), (0, (1, 3)), (3, (1,))):
        game = apply(game, Pass(Seat(seat), given[seat]))
        assert (game.stage, game.to_act) == ("pass", waiting)
        assert game.held == dealt
    game = apply(game, Pass(Seat(1), given[1]))
    assert game.stage == "play"
    assert game.held == tuple(dealt[seat] - given[seat] + given[(seat + 1) % 4] for seat in range(4))


def test_without_a_pass_the_play_begins_at_once():
    rules = rules_of(passing="none")
    game = apply(new_game(rules), deal(rules, Seat(0), random.Random(1)))
    assert (game.stage, len(game.to_act), game.trick, game.hand) == ("play", 1, 1, 1)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("QS KS", "Exactly 3 cards are passed, not 2."),
        ("QS KS AS 2S", "Exactly 3 cards are passed, not 4."),
        ("", "Exactly 3 cards are passed, not 0."),
        ("QS KS 2C", "2♣ is not in your hand."),
        ("QS QS KS", "Q♠ is not in your hand."),
    ],
)
def test_an_illegal_pass_is_refused(cards, sentence):
    game = game_after(rules=rules_of(passing="left"), s0="QS KS AS 2S", s1="2C")
    refused = str(why_not_pass(game, Seat(0), Cards.parse(cards)))
    assert refused.replace("\ufe0e", "") == sentence
    with pytest.raises(IllegalTurn) as refusal:
        apply(game, Pass(Seat(0), Cards.parse(cards)))
    of_seat = (
        sentence.removesuffix(".")
        .replace("Exactly", "exactly")
        .replace("your", "its")
        .translate({0x2663: "C", 0x2660: "S"})
    )
    assert str(refusal.value) == f"seat 0 may not pass {Cards.parse(cards)}: {of_seat}"


def test_a_pass_from_a_finished_or_unknown_seat_is_refused():
    game = game_after(rules=rules_of(passing="left"), s0="QS KS AS 2S")
    passed = apply(game, Pass(Seat(0), Cards.parse("QS KS AS")))
    with pytest.raises(IllegalTurn, match="seat 0 may not pass 2S QS KS: it passed already"):
        apply(passed, Pass(Seat(0), Cards.parse("QS KS 2S")))
    for seat in (-1, 4):
        with pytest.raises(IllegalTurn, match="there is no such seat"):
            apply(game, Pass(Seat(seat), Cards.parse("QS KS 2S")))


def test_no_card_is_played_before_everybody_has_passed():
    game = game_after(rules=rules_of(passing="left"), s0="2C")
    with pytest.raises(IllegalTurn, match="seat 0 may not play 2C: no card is played now"):
        apply(game, Play(Seat(0), parse_code("2C")))


def test_applying_a_turn_does_not_change_the_game_before():
    for game, turn, after in random_games(rules_of(passing="left"), random.Random(2), 1):
        assert apply(game, turn) == after != game


def test_the_shooter_is_awaited_if_the_rules_give_the_choice():
    game = shot()
    assert (game.stage, game.to_act, game.scores) == ("moon", (0,), ())
    assert {choice: score.points for choice, score in moon_scores(game).items()} == {
        "add": (0, 26, 26, 26),
        "subtract": (-26, 0, 0, 0),
    }
    assert apply(game, Moon(Seat(0), MoonChoice.SUBTRACT)).totals == (-26, 0, 0, 0)
    with pytest.raises(IllegalTurn, match="seat 1 may not choose how a moon counts"):
        apply(game, Moon(Seat(1), MoonChoice.ADD))
    with pytest.raises(IllegalTurn, match="hand 1 is not finished"):
        apply(game, deal(game.rules, Seat(0), random.Random(1)))


def test_a_moon_choice_that_is_not_due_is_refused():
    with pytest.raises(IllegalTurn, match="no choice of its own is due"):
        apply(game_after("2C 3C"), Moon(Seat(0), MoonChoice.ADD))
    assert moon_scores(game_after("2C 3C")) == {}


def test_no_hand_is_dealt_after_the_end():
    game = apply(shot(target=26), Moon(Seat(0), MoonChoice.ADD))
    assert (game.stage, game.to_act, game.totals, game.winners) == ("over", (), (0, 26, 26, 26), (0,))
    with pytest.raises(IllegalTurn, match="the game ended with hand 1"):
        apply(game, deal(game.rules, Seat(0), random.Random(1)))


def test_a_deal_out_of_turn_is_refused():
    game = apply(shot(), Moon(Seat(0), MoonChoice.ADD))
    assert game.stage == "deal"
    with pytest.raises(IllegalTurn, match="seat 3 may not deal: it is the deal of seat 0"):
        apply(game, deal(game.rules, Seat(3), random.Random(1)))
    assert apply(game, deal(game.rules, Seat(0), random.Random(1))).hand == 2


def test_after_an_extra_hand_the_end_is_decided_anew():
    rules = rules_of(tie_break="extra-hand", target=10, fifty_bonus=True)
    rng = random.Random(4)
    ties = 0
    for _ in range(300):
        for game, _, after in random_games(rules, rng, 12):
            if len(after.scores) > len(game.scores):
                tied = max(after.totals) >= 10 and after.totals.count(min(after.totals)) > 1
                assert (after.stage == "over") == (max(after.totals) >= 10 and not tied)
                ties += tied
    assert ties


def test_replaying_the_turns_gives_the_same_game():
    rules = rules_of(passing="left-right-across-keep")
    steps = list(random_games(rules, random.Random(3), 3))
    assert replay(rules, [turn for _, turn, _ in steps]) == steps[-1][2]
