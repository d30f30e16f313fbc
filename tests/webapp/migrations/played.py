"""A game that is over and one in the middle of a hand, played by every way there is, and what people do around them."""

from datetime import timedelta
from itertools import cycle

from hearts.game import Stage
from hearts.rules import preset_rules
from tests.answers import mail, send
from tests.cast import NAMES, letters, load, play_first, seats, start_game
from webapp import service
from webapp.core.runtime import Parts
from webapp.core.tokens import PlayLink
from webapp.games import talk
from webapp.models import LetterKind, Way
from webapp.players import preferences
from webapp.robots import reviews
from worker import postman

WAYS = (Way.LINK, Way.PAGE, Way.REPLY)
LATE = timedelta(days=3)
CARDS = 22  # until the running game is in the middle of a trick
DI = 3


def play(parts: Parts) -> None:
    """Fills an empty database of the newest version."""
    over = start_game(parts, NAMES[:3], robots=1, rules=preset_rules("classic", target=10))
    postman.deliver(parts)  # once, for some mails that are composed: each is large
    while load(parts, over).game.stage is not Stage.OVER:
        _play(parts, over, 4)
        parts.now.pass_by(LATE)
        service.play_for_absent(parts, over)
    reviews.review_of(parts, over, 1)

    running = start_game(parts)
    table_id = load(parts, running).row.table_id
    for seat, line in enumerate(("Good luck, everybody", "Viel Glück – ♥", "Thank you")):
        talk.say(parts, PlayLink(table_id, seat, seats(parts, table_id)[seat].player_id or 0), line, parts.now())
    preferences.set_away(parts, table_id, DI, away=True, now=parts.now())
    _play(parts, running, CARDS)
    letter = letters(parts, LetterKind.TURN)[-1]
    send(parts, letter, mail("Bo", "Q♠, please", Message_ID="<1@home>"))


def _play(parts: Parts, game_id: int, turns: int) -> None:
    """Plays so many turns of people; robots play for themselves and for who is away."""
    for _, way in zip(range(turns), cycle(WAYS), strict=False):
        service.play_for_absent(parts, game_id)
        if load(parts, game_id).game.stage is Stage.OVER:
            return
        play_first(parts, game_id, way)
