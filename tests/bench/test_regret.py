"""Regret is what a choice costs more than the best one."""

from dataclasses import replace

from bench.passes import first_passes
from bench.regret import regret
from hearts.cards import Cards, parse_code
from hearts.game import Stage
from hearts.robot.reading import Position
from hearts.turns import Pass, Play


def on_lead(cards: str) -> Position:
    (place,) = first_passes(1, 1)
    held = Cards.parse(cards)
    return replace(place, stage=Stage.PLAY, held=held, legal=held)


def test_a_card_has_the_regret_of_its_equivalents():
    place = on_lead("2C 3C 9D")
    found = {str(parse_code("3C")): 2.0, str(parse_code("9D")): 5.0}
    regrets = [regret(place, found, Play(place.seat, parse_code(card))) for card in ("2C", "3C", "9D")]
    assert regrets == [0.0, 0.0, 3.0]


def test_a_dropped_pass_costs_as_much_as_the_worst_searched():
    (place,) = first_passes(1, 1)
    one, two, three, *_ = (Cards.of(list(place.held)[start : start + 3]) for start in range(4))
    found = {str(one.mask): 1.0, str(two.mask): 4.0}
    assert [regret(place, found, Pass(place.seat, given)) for given in (one, two, three)] == [0.0, 3.0, 3.0]
