"""The proposals of a host, as text for one player of the table: on pages, and in the mail about each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from webapp.core.say import say, say_many
from webapp.games.clock import proposals
from webapp.games.record.seats import owner_name
from webapp.models import PaceTimes, Proposal, Proposed, SeatRow, TableRow
from webapp.presentation.phrasing import listed, timestamp
from webapp.presentation.sheets import summary_of


@dataclass(frozen=True, slots=True)
class ProposalLine:
    """A proposal as one player reads it. `key` names it in a form."""

    key: str
    heading: str
    sentence: str
    note: str = ""  # who agrees
    may_agree: bool = False
    pace: str = ""  # that holds
    new_pace: str = ""


def proposal_lines(
    table: TableRow, seats: Sequence[SeatRow], reader: int | None, zone: str, now: datetime
) -> list[ProposalLine]:
    """The table's proposals for the player of that id."""
    return [proposal_line(table, seats, one, reader, zone, now) for one in table.proposals or ()]


def proposal_line(
    table: TableRow, seats: Sequence[SeatRow], proposal: Proposal, reader: int | None, zone: str, now: datetime
) -> ProposalLine:
    agreeing = [seat for seat in proposals.agreeing(table, seats, proposal) if seat.player_id != reader]
    names = [seat.name for seat in agreeing]
    is_asked = any(seat.player_id == reader for seat in proposals.asked(table, seats))
    agree = say_many(len(names), "{names} agrees.", "{names} agree.", names=listed(names))
    notes = [agree] if names else []
    notes += [say("You agree.")] if is_asked and reader in proposal.agreed else []
    ends = timestamp(proposal.ends_at, now, zone).text if proposal.ends_at else ""
    seat = seats[proposal.seat] if proposal.seat is not None else None
    heading, sentence = _words(proposal, owner_name(seats[0]), seat, reader, ends)
    return ProposalLine(
        proposal.key,
        heading,
        sentence,
        " ".join(notes),
        is_asked and reader not in proposal.agreed,
        *(
            (_pace_text(table, seats, proposals.pace_of_table(table)), _pace_text(table, seats, proposal.pace))
            if proposal.pace
            else ()
        ),
    )


def _words(proposal: Proposal, host: str, seat: SeatRow | None, reader: int | None, ends: str) -> tuple[str, str]:
    """The heading, and what is proposed, with when it takes effect."""
    if proposals.needs_all(proposal):
        return say("A live game?"), say(
            "{host} proposes another pace. It begins once all the others agree, and not before.", host=host
        )
    if proposal.what is Proposed.PACE:
        return say("Another pace"), say(
            "{host} chose another pace. It begins with the next hand, or once all the others agree.", host=host
        )
    if seat is None:
        return say("The end of the game?"), say(
            "{host} proposes to end the game. It ends on {time}, or once half of the other players agree. The hand "
            "being played would not count.",
            host=host,
            time=ends,
        )
    if reader is not None and seat.player_id == reader:
        return say("A robot for your seat?"), say(
            "{host} proposes that a robot takes your seat, with its points. It does on {time}, or once half of the "
            "players but {host} agree.",
            host=host,
            time=ends,
        )
    return say("A robot for the seat of {name}?", name=seat.name), say(
        "{host} proposes that a robot takes the seat of {name}, with its points. It does on {time}, or once half of "
        "the players but {host} agree.",
        host=host,
        name=seat.name,
        time=ends,
    )


def _pace_text(table: TableRow, seats: Sequence[SeatRow], pace: PaceTimes) -> str:
    """The time that a player has to answer at that pace."""
    times = {"pass_seconds": pace.pass_seconds, "play_seconds": pace.play_seconds}
    row = TableRow(**{**dict(table), **times, "vacation_days": pace.vacation_days})
    summary = summary_of(row, seats)
    return f"{summary.pace_sentence} {summary.vacation}".rstrip()
