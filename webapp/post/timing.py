"""When a letter goes: by its kind, and by what its player wishes.

Source: the service's promises about mail. The hours themselves are for `clock` and `presence`.
"""

from datetime import datetime
from typing import NamedTuple

from webapp.models import Frequency, LetterKind, LetterState, PlayerRow
from webapp.post.presence import may_disturb_at

# Somebody waits for these at this moment, or they must not wait.
AT_ONCE = frozenset(
    {
        LetterKind.CONFIRM,
        LetterKind.INVITATION,
        LetterKind.SIGN_IN,
        LetterKind.NEW_ADDRESS,
        LetterKind.ADDRESS_CHANGED,
        LetterKind.ANSWER,
        LetterKind.TRIAL,
    }
)
TOLD_TOGETHER = frozenset(
    {
        LetterKind.PASS,
        LetterKind.TURN,
        LetterKind.MOON,
        LetterKind.PLAYED_FOR_YOU,
        LetterKind.SCORE_SHEET,
    }
)


class When(NamedTuple):
    """How a new letter waits: owed from a moment on, or held for a digest."""

    state: LetterState
    at: datetime | None


def is_told_at_once(player: PlayerRow) -> bool:
    """Whether each of the player's turns comes in a mail of its own."""
    return player.frequency is Frequency.EVERY


def when(kind: LetterKind, player: PlayerRow, now: datetime) -> When:
    """How a letter that comes to be owed to `player` at `now` waits."""
    if kind in AT_ONCE:
        return When(LetterState.OWED, now)
    if kind in TOLD_TOGETHER and not is_told_at_once(player):
        return When(LetterState.HELD, None)
    return When(LetterState.OWED, may_disturb_at(player, now))
