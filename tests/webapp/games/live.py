"""A game at a live pace, its players' presence, and the mails that they get."""

from datetime import timedelta

from hearts.game import Stage
from tests.cast import NAMES, letters, load, start_game
from tests.playing import BO, beat, miss_deadline, play_first
from webapp.models import LetterState

LIVE = timedelta(seconds=15)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
FIRST = timedelta(minutes=5)
KEPT, QUEUED, SUPERSEDED = LetterState.KEPT, LetterState.QUEUED, LetterState.SUPERSEDED


def live_game(runtime, here=(), pace=LIVE, names=NAMES, robots=0, rules=None):
    """A game at a live pace; the players of the seats `here` are present at its first question. Returns its id."""
    game_id = start_game(runtime, names, robots, rules, pace)
    if here:
        arrive(runtime, game_id, here)
    return game_id


def arrive(runtime, game_id, here=range(4)):
    for seat in here:
        beat(runtime, game_id, seat)


def play_at_deadline(runtime, game_id):
    """Plays for those who have not played at the deadline. Returns how many turns that is."""
    return miss_deadline(runtime, game_id)


def wait(runtime, time):
    runtime.now.pass_by(time)


def time_left(runtime, game_id):
    """How long the awaited player still has."""
    return load(runtime, game_id).row.due_at - runtime.now()


def seat_of(runtime, game_id, seat=BO):
    return load(runtime, game_id).seats[seat]


def mails(runtime, seat, game_id, *kinds):
    """The player's letters within the game that have not been superseded."""
    mine = [
        one for one in letters(runtime) if (one.seat, one.game_id) == (seat, game_id) and one.state is not SUPERSEDED
    ]
    return [one for one in mine if not kinds or one.kind in kinds]


def play_until(runtime, game_id, seat=BO):
    """Lets all players before the player play at once, until the player is asked for a card."""
    while (game := load(runtime, game_id).game).stage is not Stage.PLAY or seat not in game.to_act:
        play_first(runtime, game_id)
