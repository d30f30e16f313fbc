"""Lessons in Classic Hearts for a beginner, one line at a time and each once in a hand; and a comment on the result.

They depend only on the player's own view or the finished hand's score. Other modules explain which cards are legal.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from hearts.cards import HEARTS, QUEEN_OF_SPADES, Cards, Suit, in_suit, rank, suit
from hearts.deal import cards_each
from hearts.game import Stage
from hearts.score import HandScore
from hearts.seats import Seat
from hearts.view import View
from webapp.core.say import later, say, say_many
from webapp.presentation.tricks import trick_points

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
