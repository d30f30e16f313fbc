"""A game at a live pace, its players' presence, and the mails that they get."""

from datetime import timedelta

from hearts.game import Stage
from tests.cast import NAMES, letters, start_game
from tests.playing import BO
from webapp.models import LetterState

LIVE = timedelta(seconds=15)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
FIRST = timedelta(minutes=5)
KEPT, QUEUED, SUPERSEDED = LetterState.KEPT, LetterState.QUEUED, LetterState.SUPERSEDED


def live_game(runtime, here=(), pace=LIVE, names=NAMES, robots=0, rules=None):
    """A game at a live pace; the players of the seats `here` are present at its first question."""
    table = start_game(runtime, names, robots, rules, pace)
    if here:
        table.beats(here)
    return table


def wait(runtime, time):
    runtime.now.pass_by(time)


def time_left(table):
    """How long the awaited player still has."""
    return table.due_at - table.runtime.now()


def mails(table, seat, *kinds):
    """The player's letters within the game that have not been superseded."""
    mine = [
        one
        for one in letters(table.runtime)
        if (one.seat, one.game_id) == (seat, table.game_id) and one.state is not SUPERSEDED
    ]
    return [one for one in mine if not kinds or one.kind in kinds]


def play_until(table, seat=BO):
    """Lets all players before the player play at once, until the player is asked for a card."""
    while (game := table.game).stage is not Stage.PLAY or seat not in game.to_act:
        table.play_first()
