"""The rules of a table as sections of plain sentences, in the order in which a player needs them; and lessons in them.

Every sentence follows from `Rules` alone; `templates/house_rules.txt` has them, and which ones apply.
`webapp.forms.options` has the texts of the form in which a host chooses the rules.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hearts.cards import FACES, HEARTS, QUEEN_OF_SPADES, Cards, Suit, card_text, in_suit, rank, suit
from hearts.deal import cards_each, direction, kitty_size, one_round, pack
from hearts.game import Stage
from hearts.rules import PRESETS, Rules, rules_mapping
from hearts.score import HandScore
from hearts.seats import Seat
from hearts.view import View
from webapp.core.say import later, say, say_many
from webapp.core.templates import TEMPLATES, Environments
from webapp.presentation.faces import face, said
from webapp.presentation.phrasing import listed, number_word, some_cards, some_points
from webapp.presentation.tricks import trick_points

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


# Lessons in Classic Hearts for a beginner, one line at a time and each once in a hand; and a comment on the result.
# They depend only on the player's own view or the finished hand's score. Other modules explain which cards are legal.

MOON_LOOMS = 15  # points; a player who has these, while nobody else has any, may be shooting the moon
_QUEEN: Final = rank(QUEEN_OF_SPADES)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One line, and when it applies."""

    applies: Callable[[View], bool]
    text: str


def lesson_after(earlier: Iterable[View], now: View) -> str | None:
    """The most useful line for the player who sees `now`; None if all that apply were shown at `earlier` choices."""
    shown: set[str] = set()
    for seen in earlier:
        if lesson := _first(seen, shown):
            shown.add(lesson.text)
    lesson = _first(now, shown)
    return say(lesson.text) if lesson else None


def outcome_text(score: HandScore, seat: Seat) -> str:
    """A sentence or two to the player of `seat` about the result of a finished Classic hand."""
    mine = score.points[seat]
    if score.moon is not None:
        if score.moon == seat:
            return say("You shot the moon! All the points were yours, so they count for everybody else.")
        return say("Somebody took every point and shot the moon. It happens to the best.")
    if not mine:
        return say("Not a single point: nobody can do better.")
    if mine == min(score.points):
        return say_many(
            mine,
            "You took {number} point, and nobody had fewer: well played.",
            "You took {number} points, and nobody had fewer: well played.",
        )
    if score.queens[seat]:
        return say_many(
            mine,
            "You took {number} point, most of them for the queen of spades. Everybody catches her at times.",
            "You took {number} points, most of them for the queen of spades. Everybody catches her at times.",
        )
    if mine == max(score.points):
        return say_many(
            mine,
            "You took {number} point, more than anybody else. The next hand can only be better.",
            "You took {number} points, more than anybody else. The next hand can only be better.",
        )
    return say_many(
        mine, "You took {number} point: neither first nor last.", "You took {number} points: neither first nor last."
    )


def _first(seen: View, shown: set[str]) -> Lesson | None:
    return next((lesson for lesson in LESSONS if lesson.text not in shown and lesson.applies(seen)), None)


def _follows(seen: View) -> bool:
    return seen.trick is not None and bool(_of_led(seen))


def _is_void(seen: View) -> bool:
    return seen.trick is not None and not _of_led(seen)


def _of_led(seen: View) -> Cards:
    assert seen.trick is not None
    return seen.held & in_suit(suit(seen.trick.cards[0]))


def _leads(seen: View) -> bool:
    return seen.stage is Stage.PLAY and seen.trick is None


def _may_catch_queen(seen: View) -> bool:
    """Whether spades are led, the player must follow with a higher one than the queen, and the queen may still come."""
    follows = _follows(seen) and seen.trick is not None and suit(seen.trick.cards[0]) is Suit.SPADES
    waits = seen.trick is not None and len(seen.trick.cards) < seen.rules.players - 1
    is_about = QUEEN_OF_SPADES not in seen.plays and QUEEN_OF_SPADES not in seen.held
    return follows and waits and is_about and any(rank(card) > _QUEEN for card in _of_led(seen))


def _plays_last_for_nothing(seen: View) -> bool:
    if not _follows(seen) or seen.trick is None or len(seen.trick.cards) < seen.rules.players - 1:
        return False
    return not trick_points(seen.rules, seen.trick) and QUEEN_OF_SPADES not in seen.legal


# The first one that applies is shown, so the more important ones come first.
LESSONS: Final = (
    Lesson(
        lambda seen: seen.stage is Stage.PASS,
        later(
            "The lowest score wins. Each heart costs a point, the queen of spades thirteen: pass high cards, above all "
            "spades and hearts."
        ),
    ),
    Lesson(
        lambda seen: _follows(seen) and seen.trick is not None and QUEEN_OF_SPADES in seen.trick.cards,
        later(
            "The winner of this trick takes the queen of spades, and with her thirteen points: stay below if you can."
        ),
    ),
    Lesson(
        lambda seen: seen.taken[seen.seat] >= MOON_LOOMS and seen.taken[seen.seat] == sum(seen.taken),
        later("All the points so far are yours. Take all 26 and you shoot the moon: they count for everybody else."),
    ),
    Lesson(
        _may_catch_queen,
        later("The queen of spades is still about: your king or ace may win her, and thirteen points."),
    ),
    Lesson(
        lambda seen: _is_void(seen) and not seen.tricks,
        later(
            "You cannot win this trick. Hearts and the queen of spades must wait for the next one: give away another "
            "high card."
        ),
    ),
    Lesson(
        _is_void,
        later("You cannot win this trick: give away the queen of spades, a heart, or a high card."),
    ),
    Lesson(
        lambda seen: _follows(seen) and not seen.tricks,
        later(
            "Follow the suit that was led while you have it; its highest card wins. Nobody may give you points on "
            "the first trick, so a high one does no harm."
        ),
    ),
    Lesson(
        _plays_last_for_nothing,
        later("You play last, and nothing here costs a point: win it with a high card, and that is out of your way."),
    ),
    Lesson(
        _follows,
        later("Only the highest of the suit that was led wins: a low card keeps you clear of what others throw in."),
    ),
    Lesson(
        lambda seen: _leads(seen) and not seen.broken and bool(seen.held & HEARTS),
        later("You lead, and all must follow your suit. Hearts may be led only after somebody has given one away."),
    ),
    Lesson(
        _leads,
        later("You lead, and all must follow your suit: a low card often leaves the trick to somebody else."),
    ),
    Lesson(
        # From the middle of the hand on, the cards that are still out can be counted.
        lambda seen: len(seen.tricks) >= cards_each(seen.rules) // 2 and QUEEN_OF_SPADES in seen.plays,
        later("The queen of spades is gone. From here on only hearts cost anything."),
    ),
)
