"""The proposals of a host to the other players: another pace, the end of the game, a robot in place of a player.

A new pace begins with the next deal once the mails about it have gone, or as soon as all others agree; a live one only
with them all. The end of a game, and a robot in place of a player, come a day after those mails, clear of the others'
quiet hours, or as soon as half of the others agree. Whoever is away is told, and need not agree. With no other player
there is nothing to propose.

The row of the table keeps the proposals. They end with the game: then a new pace holds, unless it is live.
`play.course` does what they say, `tables.agreeing` makes them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from webapp.games.clock.hours import Hours, deadline
from webapp.games.clock.pace import is_live
from webapp.games.clock.presence import may_disturb_at, plays_themselves, quiet_of
from webapp.models import PaceTimes, PlayerRow, Proposal, Proposed, SeatRow, SeatState, TableRow

LASTS: Final = timedelta(days=1)
_SEATED = (SeatState.HOST, SeatState.ACCEPTED)


def others(table: TableRow, seats: Iterable[SeatRow]) -> list[SeatRow]:
    """The seats of the players who have accepted, without the host."""
    seated = [seat for seat in seats if seat.state in _SEATED]
    return [seat for seat in seated if seat.player_id not in (None, table.host_id)]


def asked(table: TableRow, seats: Iterable[SeatRow]) -> list[SeatRow]:
    """The seats of those among them who are not away."""
    return list(filter(plays_themselves, others(table, seats)))


def agreeing(table: TableRow, seats: Iterable[SeatRow], proposal: Proposal) -> list[SeatRow]:
    """The seats of those among them who agree."""
    return [seat for seat in asked(table, seats) if seat.player_id in proposal.agreed]


def is_agreed(table: TableRow, seats: Sequence[SeatRow], proposal: Proposal) -> bool:
    """Whether enough of the others agree."""
    # Players who are away can't hold the others up, and a host can't agree for them.
    agreed, all_asked = len(agreeing(table, seats, proposal)), len(asked(table, seats))
    return agreed > 0 and agreed >= (all_asked if proposal.what is Proposed.PACE else all_asked / 2)


def ends_at(players: Iterable[PlayerRow], now: datetime) -> datetime:
    """When a proposal of `now` takes effect by itself: these players see it for a day, which begins with the mail and
    ends in nobody's night.
    """
    # A day that begins at night would be over before they have had it.
    found = [(may_disturb_at(player, now), Hours(player.time_zone, quiet_of(player))) for player in players]
    return max((deadline(at, LASTS, hours) for at, hours in found), default=now)


def is_due(proposal: Proposal, now: datetime) -> bool:
    """Whether it takes effect by itself now."""
    return proposal.ends_at is not None and proposal.ends_at <= now


def needs_all(proposal: Proposal) -> bool:
    """Whether it only ever takes effect if all the others agree: a live pace does."""
    pace = proposal.pace
    return pace is not None and any(is_live(timedelta(seconds=one)) for one in (pace.pass_seconds, pace.play_seconds))


def of_key(table: TableRow, key: str) -> Proposal | None:
    """The table's proposal of that key; None if it is over."""
    return next((one for one in table.proposals or () if one.key == key), None)


def similar(table: TableRow, proposal: Proposal) -> Proposal | None:
    """The table's proposal about the same, which `proposal` would replace; None if there is none."""
    return next((one for one in table.proposals or () if (one.what, one.seat) == (proposal.what, proposal.seat)), None)


def put(table: TableRow, proposal: Proposal) -> None:
    """Keeps a proposal, in place of one about the same."""
    drop(table, proposal)
    table.proposals = [*(table.proposals or ()), proposal]


def agree(table: TableRow, proposal: Proposal, player_id: int) -> Proposal:
    """Notes that the player agrees. Returns the proposal with that."""
    agreed = replace(proposal, agreed=proposal.agreed | {player_id})
    put(table, agreed)
    return agreed


def drop(table: TableRow, proposal: Proposal) -> None:
    """Ends a proposal, or one about the same; does nothing if there is none."""
    _keep(table, [one for one in table.proposals or () if (one.what, one.seat) != (proposal.what, proposal.seat)])


def forget_seat(table: TableRow, seat: SeatRow) -> None:
    """Ends the proposal to give the seat to a robot: it has another player now."""
    _keep(table, [one for one in table.proposals or () if one.seat != seat.seat])


def for_next_deal(table: TableRow) -> Proposal | None:
    """The new pace that begins with the next deal, unless it needs the others to agree; None if there is none."""
    return next((one for one in table.proposals or () if one.pace is not None and not needs_all(one)), None)


def end_with_game(table: TableRow) -> None:
    """Ends all proposals; a new pace holds from the next game on, unless it needed the others to agree."""
    # Nobody objected while they could; what all had to agree to was not agreed.
    if (proposal := for_next_deal(table)) and proposal.pace:
        begin(table, proposal.pace)
    _keep(table, [])


def begin(table: TableRow, pace: PaceTimes) -> None:
    """Gives the table another pace."""
    table.pass_seconds, table.play_seconds, table.vacation_days = (
        pace.pass_seconds,
        pace.play_seconds,
        pace.vacation_days,
    )


def pace_of_table(table: TableRow) -> PaceTimes:
    """The pace that holds, outside of live play."""
    return PaceTimes(table.pass_seconds, table.play_seconds, table.vacation_days)


def _keep(table: TableRow, proposals: list[Proposal]) -> None:
    if table.proposals:
        table.proposals = proposals or None
