"""The rules of a table as sections of plain sentences, in the order in which a player needs them.

Every sentence follows from `Rules` alone; `templates/house_rules.txt` has them, and which ones apply.
`webapp.forms.options` has the texts of the form in which a host chooses the rules.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hearts.cards import FACES, Cards, card_text
from hearts.deal import cards_each, direction, kitty_size, one_round, pack
from hearts.rules import PRESETS, Rules, rules_mapping
from webapp.core.say import later, say, say_many
from webapp.core.templates import TEMPLATES, Environments
from webapp.presentation.faces import face, said
from webapp.presentation.phrasing import listed, number_word, some_cards, some_points

# The cards that a pack may lack, as they stand behind "without".
_WITHOUT: Final = {
    "2C": later("the two of clubs"),
    "3C": later("the three of clubs"),
    "4C": later("the four of clubs"),
    "2D": later("the two of diamonds"),
    "3D": later("the three of diamonds"),
}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the sentences under it."""

    heading: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


def how_we_play(rules: Rules) -> tuple[Section, ...]:
    """The complete rules, from the aim to the end of the game."""
    # The directions of the pass repeat after one to four hands; twelve hands show after how many.
    ways = [direction(rules, hand) for hand in range(1, 17)]
    repeat = next(length for length in (1, 2, 3, 4) if ways[length : length + 12] == ways[:12])
    written = (
        _environments()
        .spoken()
        .get_template("house_rules.txt")
        .render(
            r=rules,
            players=number_word(rules.players),
            each=cards_each(rules),
            size=len(pack(rules)),
            over=kitty_size(rules),
            removed=[say(_WITHOUT[card_text(card)]) for card in Cards.of(FACES) - pack(rules)],
            passed=some_cards(rules.pass_count),
            ways=" ".join(ways[:repeat]),
            lowest_club=face(next(card for card in FACES if card in pack(rules))).name,
        )
    )
    sections = [section.splitlines() for section in written.split("# ")[1:]]
    made = ((heading, tuple(filter(None, map(str.strip, lines)))) for heading, *lines in sections)
    return tuple(Section(heading, sentences) for heading, sentences in made if sentences)


def in_short(rules: Rules) -> str:
    """The rules in one sentence.

    >>> in_short(Rules(sun=True))
    'Classic for four players, to 100 points, with house rules.'
    """
    label, players, length = said(PRESETS[rules.preset].label), number_word(rules.players), length_text(rules)
    if has_house_rules(rules):
        return say("{game} for {word} players, {length}, with house rules.", game=label, word=players, length=length)
    return say("{game} for {word} players, {length}.", game=label, word=players, length=length)


def goal_text(rules: Rules) -> str:
    """Says in one sentence what the game is about.

    >>> goal_text(Rules())
    'The lowest score wins: each heart you take costs a point, the queen of spades thirteen.'
    """
    match rules.partnership, rules.queen_points > 0:
        case False, True:
            return say("The lowest score wins: each heart you take costs a point, the queen of spades thirteen.")
        case False, False:
            return say("The lowest score wins: each heart you take costs a point.")
        case True, True:
            return say("The team with the lower score wins: each heart costs a point, the queen of spades thirteen.")
        case _:
            return say("The team with the lower score wins: each heart costs a point.")


def length_text(rules: Rules) -> str:
    """How long a game is: "to 100 points", "one round of four hands" or "six hands"."""
    if not rules.hands:
        return say_many(rules.target, "to {number} point", "to {number} points")
    word = number_word(rules.hands)
    if rules.hands == one_round(rules):
        return say_many(rules.hands, "one round of one hand", "one round of {word} hands", word=word)
    return say_many(rules.hands, "one hand", "{word} hands", word=word)


def has_house_rules(rules: Rules) -> bool:
    """Whether anything except the length of the game differs from the preset."""
    return bool(rules_mapping(rules).keys() - {"preset", "players", "target", "hands"})


@cache
def _environments() -> Environments:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, lstrip_blocks=True, autoescape=False
    )
    made.globals.update(some_points=some_points, listed=listed, number_word=number_word)
    return Environments(made)
