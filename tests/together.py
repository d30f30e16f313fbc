"""Playing a slow game live: heartbeats and taps, as the cast makes them."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from tests.cast import load, play_link, seats, table
from tests.playing import beat
from webapp.core.runtime import Runtime
from webapp.tables import agreeing

ANN, BO, CY, DI = range(4)
EVERYBODY = range(4)
MINUTE = timedelta(minutes=1)
HEARTBEAT = timedelta(seconds=30)


def vote(runtime: Runtime, game_id: int, *who: int, wanted: bool = True) -> None:
    for seat in who:
        agreeing.vote_live(runtime, play_link(runtime, game_id, seat), wanted=wanted, now=runtime.now())


def come_together(runtime: Runtime, game_id: int, who: Iterable[int] = EVERYBODY) -> None:
    """Lets all players come and tap, so that the game is live."""
    beats(runtime, game_id, who)
    vote(runtime, game_id, *who)
    assert is_live(runtime, game_id)


def part(runtime: Runtime, game_id: int, seat: int) -> None:
    """Lets the player of `seat` end live play."""
    agreeing.end_live(runtime, play_link(runtime, game_id, seat), runtime.now())
    assert not is_live(runtime, game_id)


def beats(runtime: Runtime, game_id: int, here: Iterable[int] = EVERYBODY) -> None:
    for seat in here:
        beat(runtime, game_id, seat)


def stay(runtime: Runtime, game_id: int, until: datetime, here: Iterable[int] = EVERYBODY) -> None:
    """Time passes while the players of the seats `here` look at the game."""
    while runtime.now() < until:
        runtime.now.pass_by(min(HEARTBEAT, until - runtime.now()))  # type: ignore[attr-defined]
        beats(runtime, game_id, here)


def is_live(runtime: Runtime, game_id: int) -> bool:
    return table(runtime, load(runtime, game_id).row.table_id).is_together


def missed(runtime: Runtime, game_id: int) -> list[int]:
    return [seat.missed for seat in seats(runtime, load(runtime, game_id).row.table_id)]
