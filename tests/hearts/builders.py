"""Games to test with: from a line of cards, or random from a seed."""

import random

from hearts.cards import Cards, parse_code, rank
from hearts.cycle import apply_to_hand, new_cycle
from hearts.deal import cards_each, deal, dealer_after, pack
from hearts.game import Stage, apply, legal, new_game
from hearts.rules import preset_rules
from hearts.seats import Seat, right
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play


def rules_of(preset="classic", **options):
    """The rules of a preset, nothing passed unless said otherwise."""
    return preset_rules(preset, **{"passing": "none", **options})


def options_of(rules):
    return {name: getattr(rules, name) for name in type(rules).__slots__}


def codes(cards):
    return list(map(str, (Cards.of([card]) for card in cards)))


def game_after(plays="", *, rules=None, leader=1, **held):
    """A game in which `plays` were played from a lead by `leader`.

    The cards of the first trick belong to those who play them; `s0="AC 2H"` deals cards to a seat; the rest fills up.
    The seat before `leader` deals, so that `leader` is also eldest.
    """
    rules = rules or rules_of()
    *hands, kitty = map(Cards.of, _filled(rules, _wanted(rules, plays.split(), leader, held)))
    game = apply(new_game(rules), Deal(right(Seat(leader), rules.players), tuple(hands), kitty))
    for code in plays.split():
        game = apply(game, Play(game.to_act[0], parse_code(code)))
    return game


def _wanted(rules, plays, leader, held):
    """By seat and for the kitty, the cards that must be there."""
    wanted = [list(Cards.parse(held.get(f"s{seat}", ""))) for seat in range(rules.players)]
    for place, code in enumerate(plays[: rules.players]):
        hand = wanted[(leader + place) % rules.players]
        if parse_code(code) not in hand:
            hand.append(parse_code(code))
    return [*wanted, list(Cards.parse(held.get("kitty", "")))]


def _filled(rules, hands):
    left = pack(rules)
    for hand in hands:
        left -= Cards.of(hand)
    rest = sorted(left, key=lambda card: card % 13)
    random.Random(1).shuffle(rest)
    each = cards_each(rules)
    for hand in hands[:-1]:
        while len(hand) < each:
            hand.append(rest.pop())
    return [*hands[:-1], hands[-1] + rest]


def top_heavy(rules, dealer, rng):
    """A deal that gives the seat left of the dealer most of the highest cards."""
    cards = sorted(pack(rules), key=lambda card: (-rank(card) + rng.random() * rng.choice((1, 3, 5)), card))
    each, players = cards_each(rules), rules.players
    held = [Cards.of(cards[place * each : (place + 1) * each]) for place in range(players)]
    turned = tuple(held[(seat - dealer - 1) % players] for seat in range(players))
    return Deal(dealer, turned, Cards.of(cards[players * each :]))


def random_turn(game, rng, dealer):
    """A random legal turn; `dealer` deals next."""
    match game.stage:
        case Stage.DEAL:
            return deal(game.rules, dealer, rng)
        case Stage.PASS:
            seat = rng.choice(game.to_act)
            return Pass(seat, Cards.of(rng.sample(list(game.held[seat]), game.rules.pass_count)))
        case Stage.PLAY:
            seat = game.to_act[0]
            return Play(seat, rng.choice(list(legal(game, seat))))
        case Stage.MOON:
            return Moon(game.to_act[0], rng.choice(list(MoonChoice)))


def random_games(rules, rng, hands):
    """Every game on the way through up to `hands` random hands, as (game, turn, game after it)."""
    game = new_game(rules)
    dealer = Seat(rng.randrange(rules.players))
    while game.stage is not Stage.OVER and not (game.stage is Stage.DEAL and game.hand == hands):
        turn = random_turn(game, rng, dealer)
        if isinstance(turn, Deal):
            dealer = dealer_after(dealer, rules)
        after = apply(game, turn)
        yield game, turn, after
        game = after


def random_cycles(rules, at_once, rng, hands):
    """Every cycle on the way through up to `hands` random hands, as (cycle, hand's number, turn, cycle after it).

    The choice of the open hand that goes on next is random, too.
    """
    cycle = new_cycle(rules, at_once)
    dealer = Seat(rng.randrange(rules.players))
    while cycle.stage is not Stage.OVER and not (cycle.stage is Stage.DEAL and cycle.next_hand > hands):
        if cycle.stage is Stage.DEAL:
            number, turn = cycle.next_hand, deal(rules, dealer, rng)
            dealer = dealer_after(dealer, rules)
        else:
            game = rng.choice(cycle.open_hands)
            number, turn = game.hand, random_turn(game, rng, dealer)
        after = apply_to_hand(cycle, number, turn)
        yield cycle, number, turn, after
        cycle = after


def shot(**options):
    """A hand in which seat 0 took every trick, up to its choice."""
    rules = rules_of(moon="choice", first_trick_points=True, **options)
    game = game_after(
        rules=rules,
        leader=0,
        s0="2C AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
        s1="2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
        s2="2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
        s3="2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    )
    while game.stage is Stage.PLAY:
        game = apply(game, Play(game.to_act[0], next(iter(legal(game, game.to_act[0])))))
    return game
