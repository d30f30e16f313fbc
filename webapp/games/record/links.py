"""Links to seats and players: each carries its owner's current counter, and is checked against it.

| event                                               | links that stop working                                       |
|-----------------------------------------------------|---------------------------------------------------------------|
| the address changes, or a sign-out everywhere       | links to the preferences, and those that only pages make      |
| the games are taken back, or a move is refused      | all of these, and every link in a mail                        |
| the seat passes to somebody else                    | every link to it, because it names another player             |
| the seat returns from a stand-in to its owner       | the stand-in's, for the same reason; the owner's work again   |

`accounts.access` increments the counters.
"""

from sqlmodel import Session

from webapp.core.tokens import (
    AgainLink,
    ConfirmLink,
    DeviceLink,
    ForgetLink,
    HostLink,
    InvitationLink,
    JoinLink,
    Link,
    LinkExpired,
    LinkInvalid,
    PlayLink,
    PreferencesLink,
    ReliveLink,
    SeatLent,
    SeatLink,
    SeatLost,
    TurnLink,
    UnsubscribeLink,
)
from webapp.games.record.seats import is_lent
from webapp.models import GameRow, PlayerRow, SeatRow, TableRow

AnySeatLink = SeatLink | PlayLink | TurnLink | AgainLink | ReliveLink
AnyPlayerLink = InvitationLink | JoinLink | UnsubscribeLink | PreferencesLink | DeviceLink | ForgetLink


def seat_link(seat: SeatRow, player_id: int | None = None) -> SeatLink:
    """A link to the seat's table page, for its player, or for `player_id`, who may have lost the seat since."""
    return SeatLink(seat.table_id, seat.seat, player_id or seat.player_id or 0, seat.links)


def again_link(seat: SeatRow, number: int, player_id: int | None = None) -> AgainLink:
    """A link that agrees to another game after game `number`; `player_id` as in `seat_link`."""
    return AgainLink(seat.table_id, seat.seat, player_id or seat.player_id or 0, number, seat.links)


def relive_link(seat: SeatRow, game_id: int, hand: int, player_id: int | None = None) -> ReliveLink:
    """A link to a finished hand that also shows its player what only they are told; `player_id` as in `seat_link`."""
    return ReliveLink(game_id, hand, seat.seat, player_id or seat.player_id or 0, seat.links)


def play_link(seat: SeatRow) -> PlayLink:
    """A link to the page on which the seat's player follows the game and plays."""
    return PlayLink(seat.table_id, seat.seat, seat.player_id or 0, seat.visits)


def host_link(table: TableRow, seat: SeatRow) -> HostLink:
    """A link to the settings of the table, whose host has `seat`."""
    return HostLink(seat.table_id, table.host_id, seat.visits)


def preferences_link(player: PlayerRow) -> PreferencesLink:
    """A link to the player's preferences."""
    return PreferencesLink(player.id, player.generation)


def check_seat(link: AnySeatLink, seat: SeatRow | None) -> SeatRow:
    """The seat of the link.

    Raises LinkInvalid if there is none, SeatLost if somebody else has it now, LinkExpired if its player revoked the
    link, and SeatLent if somebody plays it for the player of the link.
    """
    if seat is None:
        raise LinkInvalid
    if link.player_id not in (seat.player_id, seat.stands_in_for):
        raise SeatLost(seat.table_id)
    number = (link.visits, seat.visits) if isinstance(link, PlayLink) else (link.links, seat.links)
    if number[0] != number[1]:
        raise LinkExpired
    if seat.player_id != link.player_id:
        raise SeatLent(seat.table_id, seat.seat)
    return seat


def still_names(link: ReliveLink, seat: SeatRow) -> bool:
    """Whether the link names the player of the seat, and they have not revoked it; the hand it shows to anybody."""
    try:
        check_seat(link, seat)
    except (LinkInvalid, LinkExpired):
        return False
    return True


class PlayerForgotten(LinkExpired):
    """The link's player is forgotten: we don't know their address any more."""


def check_player(link: AnyPlayerLink, player: PlayerRow | None) -> PlayerRow:
    """The player of the link. Raises LinkInvalid if there is none, LinkExpired if they revoked the link, and
    PlayerForgotten if we know them no longer.
    """
    if player is None:
        raise LinkInvalid
    if player.forgotten_at is not None:
        raise PlayerForgotten
    match link:
        case PreferencesLink(generation=number) | DeviceLink(generation=number) | ForgetLink(generation=number):
            now = player.generation
        case _:
            number, now = link.links, player.links
    if number != now:
        raise LinkExpired
    return player


def check_reader(session: Session, link: Link) -> int:
    """The player of the link, who may act by it. Raises what the other functions do, and LinkInvalid for a link that
    anybody may have.
    """
    match link:
        case SeatLink() | PlayLink() | AgainLink():
            check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))
        case TurnLink():
            game = session.get(GameRow, link.game_id)
            check_seat(link, session.get(SeatRow, (game.table_id, link.seat)) if game else None)
        case ConfirmLink():
            return check_confirm(session, link).host_id
        case HostLink():
            check_host(session, link)
        case InvitationLink() | JoinLink() | UnsubscribeLink() | PreferencesLink() | DeviceLink() | ForgetLink():
            check_player(link, session.get(PlayerRow, link.player_id))
        case _:
            raise LinkInvalid
    return link.player_id


def check_confirm(session: Session, link: ConfirmLink) -> TableRow:
    """The table of the link. Raises LinkInvalid if there is none, LinkExpired if its host revoked the link."""
    table = session.get(TableRow, link.table_id)
    if table is None:
        raise LinkInvalid
    if session.get_one(PlayerRow, table.host_id).links != link.links:
        raise LinkExpired
    return table


def check_host(session: Session, link: HostLink) -> TableRow:
    """The table of the link.

    Raises LinkInvalid if the host is another player, LinkExpired if they revoked the link, and SeatLent while somebody
    plays for them.
    """
    table, seat = session.get(TableRow, link.table_id), session.get(SeatRow, (link.table_id, 0))
    if table is None or seat is None or table.host_id != link.player_id:
        raise LinkInvalid
    if seat.visits != link.visits:
        raise LinkExpired
    if is_lent(seat):
        raise SeatLent(seat.table_id, seat.seat)
    return table
