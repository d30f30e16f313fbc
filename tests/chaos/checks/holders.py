"""The holders of seats, by the rows of their game; and by the players' notes, whether they might see its cards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hearts.turns import Deal
from tests.chaos.checks.aftermath import Aftermath
from webapp.games.record.store import TableGame
from webapp.models import GameState

ENDLESS = 10**9


@dataclass(frozen=True, slots=True)
class Tenure:
    """A player has had a seat since the game had `after` records, until it had `until`; None is a robot."""

    player_id: int | None
    after: int
    until: int


def tenures(left: Aftermath, stored: TableGame, seat: int) -> Sequence[Tenure]:
    """The players who have had the seat in that game, in order."""
    found, after = [], 0
    for change in stored.row.earlier or ():
        if change.seat == seat:
            found.append(Tenure(change.player, after, change.turns))
            after = change.turns
    return [*found, Tenure(_last_holder(left, stored, seat), after, ENDLESS)]


def holder(left: Aftermath, stored: TableGame, seat: int, number: int) -> int | None:
    """The player who had the seat when the game got the record of that number; None: a robot."""
    return next(one.player_id for one in tenures(left, stored, seat) if one.after < number <= one.until)


def has_then(left: Aftermath, stored: TableGame, seat: int, player_id: int, turns: int) -> bool:
    """Whether the player had the seat, if only for a moment, while the game had so many records."""
    return any(one.player_id == player_id and one.after <= turns <= one.until for one in tenures(left, stored, seat))


def may_see(left: Aftermath, stored: TableGame, seat: int, hand: int, player_id: int, turns: int) -> bool:
    """Whether the player may see what the seat holds in that hand, once the game has `turns` records.

    They have it then, and had it when it was dealt, or those who had it in between have handed it on.
    """
    dealt = _number_of_deal(stored, hand)
    since = [one for one in tenures(left, stored, seat) if one.until >= dealt and one.after <= turns]
    mine = [place for place, one in enumerate(since) if one.player_id == player_id and one.until >= turns]
    return any(all(_is_handed_on(left, *pair) for pair in _pairs(since[: place + 1])) for place in mine)


def _pairs(chain: Sequence[Tenure]) -> Iterator[tuple[int | None, int | None]]:
    return ((one.player_id, other.player_id) for one, other in pairwise(chain))


def _is_handed_on(left: Aftermath, one: int | None, other: int | None) -> bool:
    """Whether the one has asked the other to play for them, or gets their cards back."""
    asks = {
        left.player_at(deed.player)
        for deed in left.notes.deeds
        if deed.place == "preferences/away" and deed.chosen == ("friend",)
    }
    return one == other or one in asks or (one is not None and other in asks)


def _last_holder(left: Aftermath, stored: TableGame, seat: int) -> int | None:
    """The player at the end of the game; after it, the seat may have gone to somebody else."""
    row = stored.seats[seat]
    if stored.row.state is GameState.PLAYING or stored.names[seat] == row.name:
        return row.player_id
    return left.player_at(f"{stored.names[seat].lower()}@example.org")


def _number_of_deal(stored: TableGame, hand: int) -> int:
    return next(one.number for one in stored.records if one.hand == hand and isinstance(one.turn, Deal))
