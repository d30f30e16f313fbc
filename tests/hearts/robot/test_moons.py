"""When somebody is about to shoot the moon, the robot gives up a point or two to stop it."""

import random
from collections.abc import Callable, Iterator

from hearts.cards import FACES, Cards
from hearts.game import Game, Stage, apply
from hearts.robot import bits, choose, consider
from hearts.robot.policy import pick
from hearts.robot.reading import position, replayed, table_numbers
from hearts.rules import Passing, Rules
from hearts.seats import Seat
from hearts.turns import Deal, Play, Turn
from hearts.view import View, view
from tests.hearts.robot.tables import dealt

Player = Callable[[View], Turn]
POSITIONS = 40
PLAYOUTS = 2000


def by_rule(seen: View, flag: int, value: int) -> Turn:
    """The rule player's turn, told to shoot, or not to stop those who do."""
    if seen.stage is not Stage.PLAY:
        return choose(seen, random.Random(0))
    place = position(seen)
    rules = table_numbers(place)
    state = replayed(place, rules)
    state[flag + seen.seat] = value
    return Play(seen.seat, pick(state, rules))


def shooter(seen: View) -> Turn:
    return by_rule(seen, bits.SHOOTS, 1)


def careless(seen: View) -> Turn:
    return by_rule(seen, bits.STOPS, 0)


def robot(seen: View) -> Turn:
    return consider(seen, playouts=PLAYOUTS, seed=1).turn


def shoots(game: Game, after_it: Seat, players: dict[Seat, Player]) -> bool:
    """Whether a seat that is after the moon gets it, all others without a player of their own being careless."""
    hands = len(game.scores)
    while len(game.scores) == hands:
        seat = game.to_act[0]
        player = shooter if seat == after_it else players.get(seat, careless)
        game = apply(game, player(view(game, seat)))
    return game.scores[-1].moon == after_it


def threats(rng: random.Random) -> Iterator[tuple[Game, Seat]]:
    """Games in which the seat at turn has a card that stops the moon, which else comes off; and who shoots."""
    while True:
        game, after_it = dealt(Game(Rules(passing=Passing.NONE)), rng), Seat(rng.randrange(4))
        while game.stage is Stage.PLAY:
            seen = view(game, game.to_act[0])
            taken = seen.taken[after_it]
            near = taken == sum(seen.taken) >= 14 and seen.seat != after_it and seen.trick and len(seen.legal) > 1
            if near and shoots(game, after_it, {}) and may_be_stopped(game, seen, after_it):
                yield game, after_it
                break
            game = apply(game, (shooter if seen.seat == after_it else careless)(seen))


def may_be_stopped(game: Game, seen: View, after_it: Seat) -> bool:
    return not all(shoots(apply(game, Play(seen.seat, card)), after_it, {}) for card in seen.legal)


def test_the_robot_stops_a_moon_that_only_it_can_stop():
    rng = random.Random(1)
    positions = [found for found, _ in zip(threats(rng), range(POSITIONS), strict=False)]
    stopped = sum(not shoots(game, after_it, {game.to_act[0]: robot}) for game, after_it in positions)
    assert stopped >= 0.95 * POSITIONS


def test_the_robot_shoots_when_the_cards_are_there():
    rules = Rules(passing=Passing.NONE)
    top = 0
    for seed in range(6):
        game = with_the_top_cards(rules, random.Random(seed))
        hands = len(game.scores)
        while len(game.scores) == hands:
            seat = game.to_act[0]
            game = apply(game, robot(view(game, seat)) if seat == 0 else choose(view(game, seat), random.Random(0)))
        top += game.scores[-1].moon == 0
    assert top >= 5


def with_the_top_cards(rules: Rules, rng: random.Random) -> Game:
    """Seat 0 leads with the top of every suit."""
    mine = Cards.parse("AC KC 2C AD AS KS QS JS AH KH QH JH TH")
    rest = [card for card in FACES if card not in mine]
    rng.shuffle(rest)
    held = (mine, *(Cards.of(rest[place * 13 : place * 13 + 13]) for place in range(3)))
    return apply(Game(rules), Deal(Seat(3), held, Cards()))
