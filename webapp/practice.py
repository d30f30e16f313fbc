"""A practice hand: a newcomer plays a hand with three robots, without signing up. Its only state is in its link.

The link holds the name of the deal and the newcomer's choices; everything else, the robots' turns included, follows
from these. The name gives away no card, because the deal is drawn from the name and a secret key together.
"""

import hashlib
import hmac
import random
import secrets
import string
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hearts.cards import Card, Cards
from hearts.deal import deal
from hearts.game import Game, IllegalTurn, Stage, apply, legal, new_game
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
_LETTERS: Final = string.ascii_letters  # one for each of the 52 cards, in order
_DRAWN, _MARK = 9, 3  # bytes of a name: the random ones, and those that identify its key


@dataclass(frozen=True, slots=True)
class PracticeHand:
    """The hand of a link: either the newcomer has to choose, or the hand is scored."""

    link: PracticeLink
    game: Game
    asked: tuple[Game, ...]  # the game at each of the newcomer's choices so far
    forced: tuple[Card, ...]  # the cards that they had to play since the last choice

    @property
    def score(self) -> HandScore | None:
        """The hand's score; None while it is being played."""
        return self.game.scores[-1] if self.game.scores else None


def new_hand(keys: Sequence[str], draw: Callable[[int], bytes] = secrets.token_bytes) -> PracticeLink:
    """A fresh hand. `keys` are the secret keys, newest first; `draw` returns that many random bytes."""
    drawn = draw(_DRAWN)
    return PracticeLink(urlsafe_b64encode(drawn + _mark(keys[0], drawn)).decode(), "")


def hand_of(keys: Sequence[str], link: PracticeLink) -> PracticeHand:
    """The hand of the link, the same each time.

    Raises LinkInvalid if the key with which it was dealt is gone, and LinkExpired if the choices no longer fit, because
    a newer version of the robots plays differently.
    """
    chance = random.Random(_secret(keys, link.deal))
    game, forced = _go_on(apply(new_game(RULES), deal(RULES, Seat(chance.randrange(RULES.players)), chance)))
    asked = []
    cards = [Card(_LETTERS.index(letter)) for letter in link.chosen]
    turns: list[Pass | Play] = [Pass(YOU, Cards.of(cards[: RULES.pass_count]))] if cards else []
    turns += [Play(YOU, card) for card in cards[RULES.pass_count :]]
    for turn in turns:
        asked.append(game)
        try:
            game, forced = _go_on(apply(game, turn))
        except IllegalTurn:
            raise LinkExpired from None
    return PracticeHand(link, game, tuple(asked), forced)


def after(hand: PracticeHand, turn: Pass | Play) -> PracticeLink:
    """The link of the hand after the newcomer's turn. Raises IllegalTurn if the rules refuse that."""
    apply(hand.game, turn)
    cards = turn.cards if isinstance(turn, Pass) else (turn.card,)
    return PracticeLink(hand.link.deal, hand.link.chosen + "".join(_LETTERS[card] for card in cards))


def from_the_start(link: PracticeLink) -> PracticeLink:
    """The link of the same deal before any choice."""
    return PracticeLink(link.deal, "")


def _go_on(game: Game) -> tuple[Game, tuple[Card, ...]]:
    """The game at the newcomer's next choice or at its end, and the cards that they had to play on the way."""
    forced = []
    while turn := _turn_without_choice(game):
        game = apply(game, turn)
        if isinstance(turn, Play) and turn.seat == YOU:
            forced.append(turn.card)
    return game, tuple(forced)


def _turn_without_choice(game: Game) -> Pass | Play | None:
    """A robot's turn, or the newcomer's only card; None if they have a choice, and after the hand."""
    robot = next((seat for seat in game.to_act if seat in ROBOTS), None)
    if robot is not None:
        turn = by_rule(game, robot)
        assert isinstance(turn, Pass | Play)  # under these rules a moon leaves nothing to choose
        return turn
    cards = list(legal(game, YOU)) if game.stage is Stage.PLAY else []
    return Play(YOU, cards[0]) if len(cards) == 1 else None


def _mark(key: str, drawn: bytes) -> bytes:
    """Identifies the key of a deal, so that practice hands go on after a key rotation."""
    return hmac.digest(key.encode(), b"mark of a practice deal" + drawn, hashlib.sha256)[:_MARK]


def _secret(keys: Sequence[str], name: str) -> bytes:
    """The seed of the deal, which nobody can compute without the key. Raises LinkInvalid if that key is gone."""
    named = urlsafe_b64decode(name)
    drawn, mark = named[:_DRAWN], named[_DRAWN:]
    for key in keys:
        if hmac.compare_digest(_mark(key, drawn), mark):
            return hmac.digest(key.encode(), b"cards of a practice deal" + drawn, hashlib.sha256)
    raise LinkInvalid
