"""Waiting: a game waits for nobody whom no mail asks, but while its clock stands behind a mail that is unread."""

import pytest
from sqlmodel import col, select, update

from tests.cast import start_game
from tests.chaos.checks import waiting
from tests.chaos.checks.planted import left_by, queue_mails
from tests.chaos.relay import MoodyRelay
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, LetterState, Pause, PlayerRow, Stands, TableRow


@pytest.mark.parametrize(("paused", "read", "faults"), [(False, False, True), (True, True, True), (True, False, False)])
def test_only_a_paused_game_waits_behind_an_unread_mail(
    runtime: Runtime, relay: MoodyRelay, *, paused: bool, read: bool, faults: bool
) -> None:
    table = start_game(runtime)
    queue_mails(runtime)
    with runtime.database.writing() as session:
        gone = {"state": LetterState.SENT, "sent_at": runtime.now(), "next_at": None, "asked": []}
        session.exec(update(LetterRow).where(col(LetterRow.kind) == LetterKind.TURNS).values(**gone))
        for player in session.exec(select(PlayerRow)):
            player.turns_at, player.seen_at = None, runtime.now() if read else None
        if paused:
            row = session.get_one(TableRow, table.table_id)
            row.pause = Pause(why=Stands.PLAYERS, since=runtime.now())
    found = [fault for fault in waiting.check(left_by(runtime, relay)) if "no letter has asked" in fault]
    assert bool(found) is faults
