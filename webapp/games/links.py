"""Links to seats and players: made with the number that their owner has now, and checked against it.

| what happens                                        | what dies                                                     |
|-----------------------------------------------------|---------------------------------------------------------------|
| the address changes, or a sign-out everywhere       | links to the preferences, and those that only pages make      |
| the games are taken back, or a move is refused      | all of these, and every link in a mail                        |
| the seat becomes somebody else's                    | every link to it, for its player is another one               |

What moves the numbers on is `company.access`.
"""

from sqlmodel import Session

from webapp.core.tokens import (
    AgainLink,
    ConfirmLink,
    HostLink,
    InvitationLink,
    JoinLink,
    LinkExpired,
    LinkInvalid,
    PlayLink,
    PreferencesLink,
    SeatLink,
    SeatLost,
    UnsubscribeLink,
)
from webapp.models import PlayerRow, SeatRow, TableRow

OfSeat = SeatLink | PlayLink | AgainLink
OfPlayer = InvitationLink | JoinLink | UnsubscribeLink | PreferencesLink


def seat_link(seat: SeatRow, player_id: int | None = None) -> SeatLink:
    """The way to the seat's own table page; for `player_id` if that is named, who may have lost the seat."""
    return SeatLink(seat.table_id, seat.seat, player_id or seat.player_id or 0, seat.links)


def again_link(seat: SeatRow, number: int, player_id: int | None = None) -> AgainLink:
    """The way to agree to another game after game `number`; for `player_id` likewise."""
    return AgainLink(seat.table_id, seat.seat, player_id or seat.player_id or 0, number, seat.links)


def play_link(seat: SeatRow) -> PlayLink:
    """The way to follow the game, for a player who has come to play."""
    return PlayLink(seat.table_id, seat.seat, seat.player_id or 0, seat.visits)


def host_link(table: TableRow, seat: SeatRow) -> HostLink:
    """The way to the settings of the table, whose host has `seat`."""
    return HostLink(seat.table_id, table.host_id, seat.visits)


def preferences_link(player: PlayerRow) -> PreferencesLink:
    """The way to the player's preferences."""
    return PreferencesLink(_id(player), player.generation)


def check_seat(link: OfSeat, seat: SeatRow | None) -> SeatRow:
    """The seat of the link.

    Raises LinkInvalid where there is none, SeatLost where it is somebody else's, LinkExpired where its player ended it.
    """
    if seat is None:
        raise LinkInvalid
    if seat.player_id != link.player_id:
        raise SeatLost(link.table_id)
    number = (link.visits, seat.visits) if isinstance(link, PlayLink) else (link.links, seat.links)
    if number[0] != number[1]:
        raise LinkExpired
    return seat


def check_player(link: OfPlayer, player: PlayerRow | None) -> PlayerRow:
    """The player of the link. Raises LinkInvalid where there is none, LinkExpired where they have ended it."""
    if player is None:
        raise LinkInvalid
    number = (link.generation, player.generation) if isinstance(link, PreferencesLink) else (link.links, player.links)
    if number[0] != number[1]:
        raise LinkExpired
    return player


def check_confirm(session: Session, link: ConfirmLink) -> TableRow:
    """The table of the link. Raises LinkInvalid where there is none, LinkExpired where its host ended the link."""
    table = session.get(TableRow, link.table_id)
    if table is None:
        raise LinkInvalid
    if session.get_one(PlayerRow, table.host_id).links != link.links:
        raise LinkExpired
    return table


def check_host(session: Session, link: HostLink) -> TableRow:
    """The table of the link. Raises LinkInvalid where its host is another player, LinkExpired where they ended it."""
    table, seat = session.get(TableRow, link.table_id), session.get(SeatRow, (link.table_id, 0))
    if table is None or seat is None or table.host_id != link.player_id:
        raise LinkInvalid
    if seat.visits != link.visits:
        raise LinkExpired
    return table


def _id(player: PlayerRow) -> int:
    assert player.id is not None
    return player.id
