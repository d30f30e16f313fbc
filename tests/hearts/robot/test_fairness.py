"""The robot is fair: it knows only its view, and its chance comes only from a seed."""

import random

from hearts.cards import Cards
from hearts.deal import Direction, receiver
from hearts.game import Game, Stage, apply, new_game
from hearts.robot import Level, bits, choose, consider, search
from hearts.robot.compiled import numbers, roll, small_numbers
from hearts.robot.knowledge import knowledge
from hearts.robot.prices import prices
from hearts.robot.reading import position
from hearts.robot.sampling import deal_unseen
from hearts.seats import Seat
from hearts.turns import Deal, Pass, Play
from hearts.view import View, view
from tests.every import of_every
from tests.hearts.robot.tables import any_rules, dealt, step

SEEDS = range(120)


class Bounded(list[int]):
    """A list without negative indexes, as the compiled loop has none: it takes pointers, and checks no bounds."""

    def __getitem__(self, index: int) -> int:
        assert index >= 0
        return super().__getitem__(index)

    def __setitem__(self, index: int, value: int) -> None:
        assert index >= 0
        super().__setitem__(index, value)


def awaited(rng: random.Random) -> tuple[Game, View]:
    """A random game at some pass or play of its first hand, and the view of an awaited seat."""
    game = dealt(new_game(any_rules(rng)), rng)
    for _ in range(rng.randrange(60)):
        after = step(game, rng)
        if after.stage not in (Stage.PASS, Stage.PLAY):
            break
        game = after
    return game, view(game, rng.choice(game.to_act))


def in_order(seen: View) -> list[Play]:
    """The plays of the hand, each with its seat."""
    players = seen.rules.players
    tricks = [*seen.tricks, *([seen.trick] if seen.trick else [])]
    return [Play(Seat((it.leader + place) % players), card) for it in tricks for place, card in enumerate(it.cards)]


def drawn_holdings(seen: View, rng: random.Random) -> list[Cards]:
    """By seat, and then left over: the robot's draw of everybody's cards after the pass."""
    knows = knowledge(position(seen))
    state = list(knows.state)
    state[bits.RANDOM] = rng.getrandbits(40)
    deal_unseen(state, knows.rules, knows.known, list(knows.unseen), knows.groups, [0] * bits.WORK)
    slots = range(seen.rules.players + 1)
    held = [Cards(state[bits.HELD + slot] | state[bits.TWICE + slot] << 52) for slot in slots]
    for play in in_order(seen):
        held[play.seat] += Cards.of([play.card])
    return held


def passes_that_fit(seen: View, held: list[Cards], rng: random.Random) -> list[Pass]:
    """By giver: a pass that could have come before these holdings, the seat's own as they were."""
    passes = []
    for giver in map(Seat, range(seen.rules.players)):
        to = receiver(giver, seen.direction, seen.rules.players)
        some = Cards.of(rng.sample(list(held[to]), seen.rules.pass_count))
        known = seen.given if giver == seen.seat else seen.received if to == seen.seat else None
        passes.append(Pass(giver, known or some))
    return passes


def other_world(seen: View, rng: random.Random) -> Game:
    """A game with other unseen cards that looks the same from the seat, if the robot knows all that it could."""
    held = drawn_holdings(seen, rng)
    *players, kitty = held
    turns: list[Pass | Play] = []
    if seen.stage is Stage.PASS:
        turns += [Pass(seat, Cards.of(rng.sample(list(players[seat]), seen.rules.pass_count))) for seat in seen.passed]
    elif seen.direction is not Direction.KEEP:
        passes = passes_that_fit(seen, players, rng)
        for given in passes:
            to = receiver(given.seat, seen.direction, len(players))
            players[to] -= given.cards
        for given in passes:
            players[given.seat] += given.cards
        turns += passes
    game = apply(new_game(seen.rules), Deal(seen.dealer, tuple(players), kitty))
    for turn in [*turns, *in_order(seen)]:
        game = apply(game, turn)
    return game


@of_every(SEEDS)
def test_an_imagined_deal_is_legal_and_fits_the_robots_view(seed: int):
    rng = random.Random(seed)
    _, seen = awaited(rng)
    for _ in range(5):
        assert view(other_world(seen, rng), seen.seat) == seen


@of_every(SEEDS)
def test_deals_that_differ_in_unseen_cards_get_the_same_choice(seed: int):
    rng = random.Random(seed)
    _, seen = awaited(rng)
    other = view(other_world(seen, rng), seen.seat)
    assert consider(other, playouts=100, seed=seed) == consider(seen, playouts=100, seed=seed)
    assert choose(other, rng) == choose(seen, rng)


def test_imagined_deals_differ_from_each_other():
    rng = random.Random(1)
    different = sum(other_world(seen, rng).held != game.held for game, seen in (awaited(rng) for _ in range(20)))
    assert different > 10


@of_every(SEEDS[:20])
def test_a_choice_is_reproduced_by_playouts_and_seed(seed: int):
    rng = random.Random(seed)
    _, seen = awaited(rng)
    asked = iter([False, False, True])
    first = consider(seen, playouts=10**6, seed=seed, stop=lambda: next(asked, True))
    assert consider(seen, level=first.level, playouts=first.playouts, seed=first.seed) == first


@of_every(SEEDS[:30])
def test_the_interpreted_and_the_compiled_loop_agree(seed: int):
    rng = random.Random(seed)
    _, seen = awaited(rng)
    knows = knowledge(position(seen))
    knows.state[bits.RANDOM] = seed
    some = Cards.of(list(seen.held.faces())[: seen.rules.pass_count])
    faces = [card * 2 for card in seen.legal] or [some.mask * 2]
    arms = [arm + shoots for arm in faces for shoots in (0, 1)]
    lists = [knows.state, knows.rules, knows.known, knows.unseen, knows.groups, prices(), arms]
    lists += [[0] * size for size in (search.RESULTS * len(arms), bits.WORK, bits.STATE, bits.STATE)]
    arrays = [small_numbers(values) if place == 5 else numbers(values) for place, values in enumerate(lists)]
    roll(*arrays, 3)
    lists = [Bounded(values) for values in lists]
    search.roll(*lists, 3)
    assert [list(map(int, array)) for array in arrays] == lists


def test_another_seed_may_lead_to_another_choice():
    rng = random.Random(3)
    views = [awaited(rng)[1] for _ in range(20)]
    assert any(len({consider(seen, playouts=60, seed=seed).turn for seed in range(4)}) > 1 for seen in views)


def test_the_rule_level_needs_no_seed():
    rng = random.Random(4)
    _, seen = awaited(rng)
    assert consider(seen, level=Level.RULE, seed=1).turn == choose(seen, random.Random(2))
