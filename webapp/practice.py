"""A practice hand: a newcomer plays three robots at once. It is kept nowhere but in the address of its page.

The address holds what the deal is called and what the newcomer chose; all else, the robots' turns too, follows from
that. The name of a deal gives away no card: the deal is drawn from the name and a key of this service together.
"""

import hashlib
import hmac
import random
import secrets
import string
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hearts.cards import Card, Cards
from hearts.deal import deal
from hearts.game import Game, IllegalTurn, Stage, apply, legal
from hearts.rules import preset_rules
from hearts.score import HandScore
from hearts.seats import Seat, every_seat
from hearts.turns import Pass, Play
from webapp.core.tokens import LinkExpired, LinkInvalid, PracticeLink
from webapp.forms.opening import ROBOT_NAMES
from webapp.robots.thinking import by_rule

RULES: Final = preset_rules("classic")
YOU: Final = Seat(0)
ROBOTS: Final = frozenset(every_seat(RULES.players)) - {YOU}
NAMES: Final = ("You", *ROBOT_NAMES[: len(ROBOTS)])
_LETTERS: Final = string.ascii_letters  # one for each of the 52 cards, in their order
_DRAWN, _MARK = 9, 3  # bytes: what is drawn for a name, and what tells which key belongs to it


@dataclass(frozen=True, slots=True)
class PracticeHand:
    """A hand as its link leaves it: the newcomer is asked for something, or the hand is scored."""

    link: PracticeLink
    game: Game
    asked: tuple[Game, ...]  # as it stood at each of her choices so far
    forced: tuple[Card, ...]  # what she had to play since the last of them

    @property
    def score(self) -> HandScore | None:
        """None while the hand is played."""
        return self.game.scores[-1] if self.game.scores else None


def new_hand(keys: Sequence[str], draw: Callable[[int], bytes] = secrets.token_bytes) -> PracticeLink:
    """A hand that nobody has seen yet. `keys` are those of the settings, newest first; `draw` gives so many bytes."""
    drawn = draw(_DRAWN)
    return PracticeLink(urlsafe_b64encode(drawn + _mark(keys[0], drawn)).decode(), "")


def hand_of(keys: Sequence[str], link: PracticeLink) -> PracticeHand:
    """The hand of the link, the same each time.

    Raises LinkInvalid where the key that it was dealt with is gone, and LinkExpired where it no longer goes on as it
    did, because the robots have learned to play differently since.
    """
    chance = random.Random(_secret(keys, link.deal))
    game, forced = _go_on(apply(Game(RULES), deal(RULES, Seat(chance.randrange(RULES.players)), chance)))
    asked = []
    for turn in _decisions(link.chosen):
        asked.append(game)
        try:
            game, forced = _go_on(apply(game, turn))
        except IllegalTurn:
            raise LinkExpired from None
    return PracticeHand(link, game, tuple(asked), forced)


def after(hand: PracticeHand, turn: Pass | Play) -> PracticeLink:
    """The link of the hand as it goes on after the newcomer's turn. Raises IllegalTurn where the rules refuse it."""
    apply(hand.game, turn)
    cards = turn.cards if isinstance(turn, Pass) else (turn.card,)
    return PracticeLink(hand.link.deal, hand.link.chosen + "".join(_LETTERS[card] for card in cards))


def from_the_start(link: PracticeLink) -> PracticeLink:
    """The same cards once more."""
    return PracticeLink(link.deal, "")


def _decisions(chosen: str) -> Iterator[Pass | Play]:
    cards = [Card(_LETTERS.index(letter)) for letter in chosen]
    if cards:
        yield Pass(YOU, Cards.of(cards[: RULES.pass_count]))
    yield from (Play(YOU, card) for card in cards[RULES.pass_count :])


def _go_on(game: Game) -> tuple[Game, tuple[Card, ...]]:
    """Everything up to the newcomer's next choice, and the cards that she had to play on the way."""
    forced = []
    while turn := _turn_without_choice(game):
        game = apply(game, turn)
        if isinstance(turn, Play) and turn.seat == YOU:
            forced.append(turn.card)
    return game, tuple(forced)


def _turn_without_choice(game: Game) -> Pass | Play | None:
    """A robot's turn, or the newcomer's only card; None where she has a choice, and after the hand."""
    robot = next((seat for seat in game.to_act if seat in ROBOTS), None)
    if robot is not None:
        turn = by_rule(game, robot)
        assert isinstance(turn, Pass | Play)  # a moon of these rules leaves nothing to choose
        return turn
    cards = list(legal(game, YOU)) if game.stage is Stage.PLAY else []
    return Play(YOU, cards[0]) if len(cards) == 1 else None


def _mark(key: str, drawn: bytes) -> bytes:
    """Tells which of several keys belongs to a deal, so that hands go on after a new key came."""
    return hmac.digest(key.encode(), b"mark of a practice deal" + drawn, hashlib.sha256)[:_MARK]


def _secret(keys: Sequence[str], name: str) -> bytes:
    """What the deal is drawn from: nobody comes by it without the key. Raises LinkInvalid where there is none."""
    named = urlsafe_b64decode(name)
    drawn, mark = named[:_DRAWN], named[_DRAWN:]
    for key in keys:
        if hmac.compare_digest(_mark(key, drawn), mark):
            return hmac.digest(key.encode(), b"cards of a practice deal" + drawn, hashlib.sha256)
    raise LinkInvalid
