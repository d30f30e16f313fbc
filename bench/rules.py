"""Measures the speed of the rules: `python -m bench.rules`.

It plays random hands of four players, with `legal` before each move and `apply` to validate it, and the same hands in
OpenSpiel's `hearts`, driven from Python, in the same run: first with given moves, then with a random player in both.
Finally it loads and folds the record of a game of 600 turns, and measures the memory for that.
"""

import random
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import islice
from statistics import median
from typing import Any

import pyspiel

from hearts.cards import FACES, Card, Cards, rank, suit
from hearts.check import record_turns
from hearts.deal import deal, dealer_after
from hearts.game import Game, Stage, apply, legal, new_game, replay
from hearts.record import parse_record, record_of, record_text
from hearts.rules import Passing, Rules
from hearts.seats import Seat, every_seat
from hearts.turns import Deal, Pass, Play, Turn

HANDS = 400
ROUNDS = 15
TURNS = 600
RULES = Rules(passing=Passing.LEFT, target=500)
NUMBER_OF_PLAYS = 52
PLAYS = [[Play(seat, card) for card in FACES] for seat in every_seat(4)]
# OpenSpiel counts cards by rank, then by suit in the order clubs, diamonds, hearts, spades.
ACTION = [4 * rank(card) + (0, 1, 3, 2)[suit(card)] for card in FACES]
TO_THE_LEFT = 1


def random_turns(rng: random.Random) -> Iterator[Turn]:
    """The turns of a random game, hand after hand."""
    game, dealer = new_game(RULES), Seat(0)
    while game.stage is not Stage.OVER:
        turn = random_turn(game, dealer, rng)
        dealer = dealer_after(turn.dealer, RULES) if isinstance(turn, Deal) else dealer
        yield turn
        game = apply(game, turn)


def random_turn(game: Game, dealer: Seat, rng: random.Random) -> Turn:
    if game.stage is Stage.DEAL:
        return deal(RULES, dealer, rng)
    seat = game.to_act[0]
    if game.stage is Stage.PASS:
        return Pass(seat, Cards.of(rng.sample(list(game.held[seat]), 3)))
    return PLAYS[seat][rng.choice(list(legal(game, seat)))]


def actions_of(hand: list[Turn]) -> list[int]:
    """The same hand for OpenSpiel: the direction of the pass, the deal card by card, the passes, the plays."""
    dealt, *passes = hand[:5]
    assert isinstance(dealt, Deal)
    cards: list[Card] = [card for round_of_cards in zip(*dealt.held, strict=True) for card in round_of_cards]
    cards += [card for turn in passes if isinstance(turn, Pass) for card in turn.cards]
    cards += [turn.card for turn in hand if isinstance(turn, Play)]
    return [TO_THE_LEFT, *(ACTION[card] for card in cards)]


def our_hands(hands: list[list[Turn]]) -> None:
    for hand in hands:
        game = new_game(RULES)
        for turn in hand[:-NUMBER_OF_PLAYS]:
            game = apply(game, turn)
        for turn in hand[-NUMBER_OF_PLAYS:]:
            legal(game, game.to_act[0])
            game = apply(game, turn)


def their_hands(spiel: Any, hands: list[list[int]]) -> None:
    for hand in hands:
        state = spiel.new_initial_state()
        for action in hand[:-NUMBER_OF_PLAYS]:
            state.apply_action_with_legality_check(action)
        for action in hand[-NUMBER_OF_PLAYS:]:
            state.legal_actions()
            state.apply_action_with_legality_check(action)


def our_random_player(hands: list[list[Turn]], rng: random.Random) -> None:
    for hand in hands:
        game = new_game(RULES)
        for turn in hand[:-NUMBER_OF_PLAYS]:
            game = apply(game, turn)
        for _ in range(NUMBER_OF_PLAYS):
            seat = game.to_act[0]
            game = apply(game, PLAYS[seat][rng.choice(list(legal(game, seat)))])


def their_random_player(spiel: Any, hands: list[list[int]], rng: random.Random) -> None:
    for hand in hands:
        state = spiel.new_initial_state()
        for action in hand[:-NUMBER_OF_PLAYS]:
            state.apply_action_with_legality_check(action)
        for _ in range(NUMBER_OF_PLAYS):
            state.apply_action_with_legality_check(rng.choice(state.legal_actions()))


def seconds(work: Callable[[], object]) -> float:
    """The processor time of `work`, which other processes disturb less than wall-clock time."""
    started = time.process_time()
    work()
    return time.process_time() - started


def compare(name: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    rounds = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
    our_speed, their_speed = (HANDS / median(times) for times in zip(*rounds, strict=True))
    ratio = median(their_time / our_time for our_time, their_time in rounds)
    say(f"{name:42} {our_speed:8,.0f}  OpenSpiel {their_speed:8,.0f}  ratio {ratio:.2f}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def hands_a_second() -> None:
    rng = random.Random(1)
    hands = [list(islice(random_turns(rng), 5 + NUMBER_OF_PLAYS)) for _ in range(HANDS)]
    actions = list(map(actions_of, hands))
    spiel = pyspiel.load_game("hearts")
    say(f"Full hands a second, every move validated (median of {ROUNDS} rounds of {HANDS} hands)")
    compare("the same hands, moves given", lambda: our_hands(hands), lambda: their_hands(spiel, actions))
    compare(
        "the same deals, moves chosen at random",
        lambda: our_random_player(hands, rng),
        lambda: their_random_player(spiel, actions, rng),
    )


def long_game() -> None:
    turns = list(islice(random_turns(random.Random(2)), TURNS))
    text = record_text(record_of(RULES, ("Ann", "Bo", "Cy", "Di"), turns))
    load = median(seconds(lambda: record_turns(parse_record(text))) for _ in range(ROUNDS))
    fold = median(seconds(lambda: replay(RULES, turns)) for _ in range(ROUNDS))
    tracemalloc.start()
    replay(RULES, record_turns(parse_record(text)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    say(f"A game of {len(turns)} turns ({len(text) / 1024:.0f} KiB of record)")
    say(f"load and check its record {load * 1000:.1f} ms, fold its turns {fold * 1000:.1f} ms")
    say(f"peak memory of both {peak / 1024:.0f} KiB")


if __name__ == "__main__":
    hands_a_second()
    long_game()
