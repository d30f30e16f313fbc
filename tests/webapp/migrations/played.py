"""Finished games, of which one is packed, and one in its second hand, with turns of every source, and what people do
around them.
"""

from datetime import timedelta
from itertools import cycle

from hearts.game import Stage
from hearts.rules import preset_rules
from tests.answers import mail, send
from tests.cast import NAMES, address, letters, load, play_first, play_hand, seat_link, seats, start_game
from webapp import due_games
from webapp.core.runtime import Runtime
from webapp.core.tokens import InvitationLink, PlayLink
from webapp.forms.opening import NewSeat
from webapp.games import packed, shares, talk
from webapp.models import GameRow, LetterKind, TurnSource
from webapp.players import preferences
from webapp.robots import reviews
from webapp.tables import seating, stand_ins
from worker import postman

WAYS = (TurnSource.LINK, TurnSource.PAGE, TurnSource.REPLY)
LATE = timedelta(days=3)
SHORT = preset_rules("classic", target=10)
CARDS = 22  # until the running game is in the middle of a trick
CY, DI = 2, 3


def play(runtime: Runtime) -> None:
    """Fills an empty database of the newest version."""
    over = start_game(runtime, NAMES[:3], robots=1, rules=SHORT)
    postman.deliver(runtime)  # once, for some mails that are composed: each is large
    while load(runtime, over).game.stage is not Stage.OVER:
        _play(runtime, over, 4)
        runtime.now.pass_by(LATE)
        due_games.play_for_absent(runtime, over)
    reviews.review_of(runtime, over, 1)
    _share(runtime, over)

    side_by_side = start_game(runtime, at_once=4)
    _play(runtime, side_by_side, 10)

    running = start_game(runtime)
    play_hand(runtime, running)  # of its first hand a game has no checkpoint
    table_id = load(runtime, running).row.table_id
    for seat, line in enumerate(("Good luck, everybody", "Viel Glück – ♥", "Thank you")):
        talk.say(runtime, PlayLink(table_id, seat, _player(runtime, table_id, seat)), line, runtime.now())
    preferences.set_away(runtime, table_id, DI, away=True, now=runtime.now())
    _lend(runtime, table_id, CY)
    _play(runtime, running, CARDS)
    letter = letters(runtime, LetterKind.TURN)[-1]
    send(runtime, letter, mail("Bo", "Q♠, please", Message_ID="<1@home>"))
    _pack(runtime)


def _pack(runtime: Runtime) -> None:
    """Plays a game that ended long ago, and packs it."""
    old = start_game(runtime, rules=SHORT)
    play_hand(runtime, old)
    with runtime.database.writing() as session:
        session.get_one(GameRow, old).ended_at = runtime.now() - 2 * packed.AFTER
    packed.pack_old(runtime, runtime.now())


def _share(runtime: Runtime, game_id: int) -> None:
    """Ann shares the result, with the names of the others; Bo has stopped sharing it."""
    ann, bo = (seat_link(runtime, load(runtime, game_id).row.table_id, seat) for seat in (0, 1))
    shares.share(runtime, ann, game_id, runtime.now(), names=True)
    shares.share(runtime, bo, game_id, runtime.now(), names=False)
    shares.stop(runtime, game_id, bo.player_id, runtime.now())


def _lend(runtime: Runtime, table_id: int, number: int) -> None:
    """The player of the seat is away, and Eve plays for them."""
    stand_ins.ask(runtime, _player(runtime, table_id, number), table_id, NewSeat("Eve", address("Eve")), runtime.now())
    eve = seats(runtime, table_id)[number].offered_to or 0
    seating.accept(runtime, InvitationLink(table_id, number, eve), "Eve", "UTC", runtime.now())


def _player(runtime: Runtime, table_id: int, number: int) -> int:
    return seats(runtime, table_id)[number].player_id or 0


def _play(runtime: Runtime, game_id: int, turns: int) -> None:
    """Plays that many turns of people; robots play for themselves and for away players."""
    for _, way in zip(range(turns), cycle(WAYS), strict=False):
        due_games.play_for_absent(runtime, game_id)
        if load(runtime, game_id).game.stage is Stage.OVER:
            return
        play_first(runtime, game_id, way)
