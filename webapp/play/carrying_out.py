"""Carries out what a host has proposed and the others have seen or agreed on."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from webapp.core.runtime import Runtime
from webapp.games import rating
from webapp.games.clock import proposals
from webapp.games.clock.clocks import set_wake
from webapp.games.record import changing
from webapp.games.record.changing import OpenGame, Transaction
from webapp.games.record.store import TableGame
from webapp.models import GameState, PlayerRow, Proposal, SeatRow, TableRow
from webapp.outbox import about_tables
from webapp.play import course


def carry_out(
    transaction: Transaction,
    table: TableRow,
    seats: Sequence[SeatRow],
    game: OpenGame | None,
    proposal: Proposal,
    *,
    is_agreed: bool = True,
) -> None:
    """Carries out the proposal at the table; `game` is the one that it plays. The end of none does nothing."""
    proposals.drop(table, proposal)
    if proposal.pace is not None:
        proposals.begin(table, proposal.pace)
        if game is not None:
            course.clock_changed(game)
    elif proposal.seat is not None:
        course.give_to_robot(transaction, seats[proposal.seat])
    elif game is not None:
        # A host among robots has ended the game by a tap of their own, and needs no mail about it.
        is_host_alone = not proposals.others(table, seats)
        why = about_tables.PROPOSED
        if table.has_strangers and not is_agreed and game.stored.cycle.scores:
            # A host who ends a game that goes badly has left it: the others share the win.
            left = {seat.player_id: 1 for seat in proposals.others(table, seats) if seat.player_id}
            rating.rate(transaction.session, left | {table.host_id: 2})
        course.close(game, why, told=table.host_id if is_host_alone else None)


def run_due(runtime: Runtime, loaded: TableGame, now: datetime) -> bool:
    """Carries out the proposals of the game's table that take effect now, or puts each off until the others have seen
    it for a day: its mails may have waited. Returns whether there were any.
    """
    if not _due(loaded, now):
        return False
    with changing.game(runtime, loaded.id, now, wakes_for_games=False) as game:
        # One by one, and looked at anew: one that ends the game leaves nothing for the next.
        while game.row.state is GameState.PLAYING and (due := _due(game.stored, now)):
            ends_at = _seen_until(game, due[0])
            if ends_at > now:
                proposals.put(game.table, replace(due[0], ends_at=ends_at))
                set_wake(game.stored, now)
            else:
                carry_out(game.transaction, game.table, game.seats, game, due[0], is_agreed=False)
    return True


def _seen_until(game: OpenGame, proposal: Proposal) -> datetime:
    others = proposals.others(game.table, game.seats)
    players = [game.session.get_one(PlayerRow, seat.player_id) for seat in others]
    # Its day begins when its last mail went: one that waited for the morning has told nobody.
    told_at = about_tables.told_at(game.session, game.table.id, proposal)
    return proposals.ends_at(players, told_at or game.now)


def _due(stored: TableGame, now: datetime) -> list[Proposal]:
    return [one for one in stored.table.proposals or () if proposals.is_due(one, now)]
