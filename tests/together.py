"""Evenings together: votes, heartbeats and sweeps, as the cast and the service make them."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from tests.cast import letters, load, seats, table
from tests.playing import beat
from webapp.core.runtime import Runtime
from webapp.core.tokens import EveningLink
from webapp.evenings import agreeing
from webapp.evenings import meeting as rules
from webapp.models import EveningRow, EveningState, LetterKind

ANN, BO, CY, DI = range(4)
EVERYBODY = range(4)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
HEARTBEAT = timedelta(seconds=30)


def link_of(runtime: Runtime, game_id: int, seat: int) -> EveningLink:
    """The link that mails have for the player of `seat`."""
    row = load(runtime, game_id).seats[seat]
    return EveningLink(row.table_id, seat, row.player_id or 0, row.links)


def newest(runtime: Runtime, game_id: int) -> EveningRow:
    with runtime.database.reading() as session:
        found = rules.newest(session, load(runtime, game_id).row.table_id)
    assert found is not None
    return found


def propose(runtime: Runtime, game_id: int, hours: int = 3, seat: int = ANN) -> list[datetime]:
    """Has the player of `seat` propose that many hours, from tomorrow at 20:00 UTC on. Returns them."""
    tomorrow = runtime.now().replace(hour=20, minute=0, second=0) + timedelta(days=1)
    offered = [tomorrow + HOUR * number for number in range(hours)]
    agreeing.propose(runtime, link_of(runtime, game_id, seat), offered, MINUTE, runtime.now())
    return offered


def vote(runtime: Runtime, game_id: int, seat: int, *hours: datetime) -> None:
    agreeing.vote(runtime, link_of(runtime, game_id, seat), newest(runtime, game_id).id, hours, runtime.now())


def agree(runtime: Runtime, game_id: int, others: Iterable[int] = (BO, CY, DI)) -> datetime:
    """Lets all players agree on an hour, and returns it."""
    first, *_ = propose(runtime, game_id)
    for seat in others:
        vote(runtime, game_id, seat, first)
    return first


def beats(runtime: Runtime, game_id: int, here: Iterable[int] = EVERYBODY) -> None:
    for seat in here:
        beat(runtime, game_id, seat)


def sweep(runtime: Runtime) -> int:
    return agreeing.run_due(runtime, runtime.now())


def come_together(runtime: Runtime, game_id: int, others: Iterable[int] = (BO, CY, DI)) -> None:
    """Lets all players agree on an hour and come, so that the game is live."""
    runtime.now.at = agree(runtime, game_id, others)  # type: ignore[attr-defined]
    beats(runtime, game_id, (ANN, *others))
    sweep(runtime)
    assert is_live(runtime, game_id)


def stay(runtime: Runtime, game_id: int, until: datetime, here: Iterable[int] = EVERYBODY) -> None:
    """Time passes while the players of the seats `here` look at the game."""
    while runtime.now() < until:
        runtime.now.pass_by(min(HEARTBEAT, until - runtime.now()))  # type: ignore[attr-defined]
        beats(runtime, game_id, here)


def is_live(runtime: Runtime, game_id: int) -> bool:
    return table(runtime, load(runtime, game_id).row.table_id).is_together


def missed(runtime: Runtime, game_id: int) -> list[int]:
    return [seat.missed for seat in seats(runtime, load(runtime, game_id).row.table_id)]


def state(runtime: Runtime, game_id: int) -> EveningState:
    """The state of the newest evening."""
    return newest(runtime, game_id).state


def seats_of(runtime: Runtime, kind: LetterKind) -> list[int | None]:
    """The seats to whose players mails of that kind are queued."""
    return [letter.seat for letter in letters(runtime, kind)]
