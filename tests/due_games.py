"""Many games at once, in each of which a player is late."""

import random
from datetime import timedelta

from sqlmodel import insert

from hearts.deal import deal
from hearts.robot import Level
from hearts.rules import preset_rules
from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.models import (
    Clock,
    GameRow,
    GameState,
    PlayerRow,
    SeatRow,
    SeatState,
    TableRow,
    TableState,
    TurnRow,
    TurnSource,
)


def make_due_games(runtime: Runtime, games: int, level: Level, *, each: int | None = None) -> None:
    """Makes that many games on empty tables; in each, a player is late to pass and three robots wait for their turn.

    The player is Ann in all of them, or in the first `each` games, and somebody else in every `each` that follow.
    """
    now = runtime.now()
    rules = preset_rules("classic")
    with runtime.database.writing() as session:
        each = each or games
        people = range(1, -(-games // each) + 1)
        called = [{"id": n, "address": f"ann{n if n > 1 else ''}@example.org", "name": "Ann"} for n in people]
        session.exec(insert(PlayerRow), params=[{**player, "created_at": now} for player in called])
        late_in = {n: 1 + (n - 1) // each for n in range(1, games + 1)}
        about = {"rules": rules, "pass_seconds": 86400, "play_seconds": 86400}
        about |= {"robots": level, "state": TableState.PLAYING, "created_at": now}
        tables = [{"id": n, "code": f"{n:05}", "host_id": player, **about} for n, player in late_in.items()]
        session.exec(insert(TableRow), params=tables)
        robots = [(name, None, SeatState.ROBOT) for name in ("Pip", "Ruby", "Jack")]
        seat_rows = [
            {"table_id": n, "seat": seat, "name": name, "player_id": player, "state": state}
            for n, late in late_in.items()
            for seat, (name, player, state) in enumerate([("Ann", late, SeatState.HOST), *robots])
        ]
        session.exec(insert(SeatRow), params=seat_rows)
        due_at = now - timedelta(hours=1)
        waits = {"state": GameState.PLAYING, "due_at": due_at, "wake_at": now, "started_at": now}
        waits |= {"number": 1, "turns": 1, "clocks": {1: Clock(None, due_at=due_at, first_due_at=due_at)}}
        session.exec(insert(GameRow), params=[{"id": n, "table_id": n, **waits} for n in late_in])
        dealt = {"number": 1, "source": TurnSource.FORCED, "at": now}
        cards = {n: deal(rules, Seat(0), random.Random(n)) for n in late_in}
        session.exec(insert(TurnRow), params=[{"game_id": n, "turn": cards[n], **dealt} for n in late_in])
