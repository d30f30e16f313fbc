"""A newcomer who plays a practice hand, by chance or as a robot would."""

from hearts.cards import Cards
from hearts.game import Stage, legal
from hearts.turns import Pass, Play
from webapp.practice import RULES, YOU, after, hand_of
from webapp.robots.thinking import by_rule


def turn_of_chance(game, chance):
    """A pass or a card of the newcomer, whichever is asked for."""
    if game.stage is Stage.PASS:
        return Pass(YOU, Cards.of(chance.sample(list(game.held[YOU]), RULES.pass_count)))
    return Play(YOU, chance.choice(list(legal(game, YOU))))


def played_out(keys, link):
    """The hand at its end; the newcomer plays as a robot would."""
    while (hand := hand_of(keys, link)).score is None:
        link = after(hand, by_rule(hand.game, YOU))
    return hand
