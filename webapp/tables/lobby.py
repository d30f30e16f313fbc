"""The lobby: lists the tables with open seats, as strangers see them, and lets a player take an open seat.

A player can take a seat only with a proved address: by the link that we mailed there, or by being signed in. The same
holds for a seat that the host's link by messenger fills (`messenger`). `seating` opens and fills seats.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlmodel import Session, col, exists, func, or_, select

from webapp.core.addresses import sharing
from webapp.core.runtime import Runtime
from webapp.core.say import say
from webapp.core.tokens import JoinLink, LinkInvalid
from webapp.games.asked.running import table_seats_of
from webapp.games.book import Diligence, diligence_of
from webapp.games.clock.pace import LIVE_PACES, plays_live
from webapp.games.clock.presence import note_seen
from webapp.games.record import sealed
from webapp.games.record.links import check_player
from webapp.games.record.rows import READY, table_seats
from webapp.games.record.seats import owner_id, owner_name, shown_as
from webapp.models import LetterKind, LetterRow, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import about_accounts, bounces
from webapp.presentation.sheets import summary_of
from webapp.presentation.summary import TableSummary
from webapp.results.book import diligence_text
from webapp.tables import seating

LISTED_FOR = timedelta(days=14)
LISTED_AT_MOST = 25  # live tables, and as many by mail
OF_ONE_HOST = 2  # of each


class Closed(StrEnum):
    """Why a player can have no seat at a table."""

    FULL = "full"
    BEGUN = "begun"
    OLD = "old"  # the host has taken back the link by which they came, or it has expired
    REFUSED = "refused"  # the host has refused this player


class NoOpenSeat(Exception):
    """The table has no open seat for this player, or none any more.

    `why` is for somebody who came by the link that the host sends (`is_by_link`).
    """

    def __init__(self, why: Closed = Closed.FULL, *, is_by_link: bool = False) -> None:
        super().__init__(why)
        self.why, self.is_by_link = why, is_by_link


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table as strangers see it: with the host's first name; of other players only whether they will play."""

    table_id: int
    code: str
    host_name: str
    summary: TableSummary
    is_live: bool
    is_open: bool  # whether anybody may take a seat now
    host_diligence: str = ""  # how much the host has played here, and how often late


def open_tables(session: Session, now: datetime) -> list[OpenTable]:
    """The tables with an open seat: live ones first, then those by mail, the newest of each; a few of each host.

    Four queries in all.
    """
    live = [int(pace.total_seconds()) for pace in LIVE_PACES]
    plays_live = or_(col(TableRow.pass_seconds).in_(live), col(TableRow.play_seconds).in_(live))
    is_open = (col(SeatRow.state) == SeatState.OPEN, col(SeatRow.by_link).is_(False))
    has_open = exists().where(col(SeatRow.table_id) == TableRow.id, *is_open)
    is_fresh = col(TableRow.confirmed_at) > now - LISTED_FOR
    newest = (col(TableRow.confirmed_at).desc(), col(TableRow.id).desc())
    of_host = func.row_number().over(partition_by=(col(TableRow.host_id), plays_live), order_by=newest)
    listed = select(col(TableRow.id), plays_live.label("live"), of_host.label("of_host"))
    each = listed.where(TableRow.state == TableState.INVITING, is_fresh, has_open).subquery()
    few = select(each.c.id, func.row_number().over(partition_by=each.c.live, order_by=each.c.id.desc()).label("place"))
    few_ids = few.where(each.c.of_host <= OF_ONE_HOST).subquery()
    shown = select(TableRow).where(col(TableRow.id).in_(select(few_ids.c.id).where(few_ids.c.place <= LISTED_AT_MOST)))
    found = session.exec(shown.order_by(plays_live.desc(), *newest)).all()
    ids = [table.id for table in found]
    seats = table_seats_of(session, ids)
    hosts = diligence_of(session, {table.host_id for table in found})
    return [
        open_table(table, seats[table_id], hosts[table.host_id]) for table, table_id in zip(found, ids, strict=True)
    ]


def open_table(table: TableRow, seats: Sequence[SeatRow], of_host: Diligence | None = None) -> OpenTable:
    """The table as strangers see it. `seats` are all its seats, in order."""
    seen = []
    for seat in seats:  # only the first name of a host, and no name of any other player
        if owner_id(seat) == table.host_id:
            name = owner_name(seat).split()[0]
        else:
            name = seat.name if seat.player_id is None else say("Player {number}", number=seat.seat + 1)
        seen.append(shown_as(seat, name))
    host = next(stranger for stranger, seat in zip(seen, seats, strict=True) if owner_id(seat) == table.host_id)
    summary = summary_of(table, seen)
    is_open = table.state is TableState.INVITING and summary.open_seats > 0
    diligence = diligence_text(host.name, of_host) if of_host else ""
    return OpenTable(table.id, table.code, host.name, summary, plays_live(table), is_open, diligence)


def ask_for_seat(
    runtime: Runtime, table_id: int, name: str, address: str, time_zone: str, now: datetime, *, by_link: int = 0
) -> None:
    """Queues a mail to `address` with a link by which its owner can take an open seat at the table.

    `by_link` is the number of the host's link by which they came; 0: they came from the lobby. The caller does not
    learn whether a player has this address, or is at the table already, or is refused. Raises NoOpenSeat.
    """
    with runtime.database.writing() as session:
        table = session.get_one(TableRow, table_id)
        if not open_seats(table, table_seats(session, table_id), by_link):
            raise NoOpenSeat(why_closed(table, by_link), is_by_link=by_link > 0)
        player = seating.player_at(session, address, name, now, time_zone)
        if player.seen_at is None:  # the player has never chosen a time zone themselves
            player.time_zone = time_zone
        about_accounts.queue_join(session, runtime, player, table_id, name, now, by_link=by_link)
    runtime.bell.deliver()


def take_open_seat(
    runtime: Runtime, link: JoinLink, name: str, now: datetime, words: str = "", *, by_mail: bool
) -> SeatRow:
    """Gives the player of the link an open seat under `name`, or the seat to which they are invited. Idempotent.

    `words` are theirs for the shuffle. The game begins when the last seat is taken. `by_mail`: the player came by the
    link that we mailed, which proves that their mail arrives. Raises Refused if somebody at the table has that name,
    NoOpenSeat if no seat is left, LinkInvalid if there is no such table or player, LinkExpired if the player has ended
    the link.
    """
    with seating.change_table(runtime, link.table_id, now, joining=[link.player_id]) as (transaction, table):
        session = transaction.session
        check_player(link, session.get(PlayerRow, link.player_id))
        seats = table_seats(session, link.table_id)
        seat = _seat_for(session, table, seats, link)
        if seat.state in READY:
            return seat
        seating.check_name(name, [other for other in seats if other is not seat])
        table.has_strangers = table.has_strangers or (seat.state is SeatState.OPEN and not seat.by_link)
        seat.player_id, seat.name = link.player_id, name
        seating.take_seat(table, seat)
        sealed.give_words(session, seat, words)
        player = note_seen(session, link.player_id, now)
        player.name = name
        if by_mail:
            bounces.clear(session, player, now)
    return seat


def seat_of_link(session: Session, link: JoinLink) -> SeatRow:
    """The seat that the player of the link has at the table, or would get.

    Raises NoOpenSeat, LinkInvalid, and LinkExpired if the player has ended the link.
    """
    table = session.get(TableRow, link.table_id)
    check_player(link, session.get(PlayerRow, link.player_id))
    if table is None:
        raise LinkInvalid
    return _seat_for(session, table, table_seats(session, link.table_id), link)


def name_asked_for(session: Session, link: JoinLink) -> str:
    """The name under which the player last asked for a seat at this table; their usual name if they have not."""
    asked = (LetterRow.kind == LetterKind.JOIN, LetterRow.player_id == link.player_id)
    names = select(LetterRow.about).where(*asked, LetterRow.table_id == link.table_id)
    newest = session.exec(names.order_by(col(LetterRow.id).desc()).limit(1)).first()
    return newest or session.get_one(PlayerRow, link.player_id).name


def _seat_for(session: Session, table: TableRow, seats: Sequence[SeatRow], link: JoinLink) -> SeatRow:
    """The player's own seat at the table if they have one, or else the first one open to them. Raises NoOpenSeat."""
    own = next((seat for seat in seats if seat.player_id == link.player_id), None)
    if own is not None and own.state in READY:
        return own
    if own is None and _is_refused(session, table, link.player_id):
        raise NoOpenSeat(Closed.REFUSED, is_by_link=link.by_link > 0)
    seat = own or next(iter(open_seats(table, seats, link.by_link)), None)
    if seat is None or table.state is not TableState.INVITING:
        raise NoOpenSeat(why_closed(table, link.by_link), is_by_link=link.by_link > 0)
    return seat


def _is_refused(session: Session, table: TableRow, player_id: int) -> bool:
    """Whether the host has refused somebody who reads the player's mailbox, by whatever spelling of its address."""
    if not table.refused:
        return False
    people = select(PlayerRow.id, PlayerRow.address).where(col(PlayerRow.id).in_([*table.refused, player_id]))
    return player_id in table.refused or any(player_id in group for group in sharing(session.exec(people)))


def why_closed(table: TableRow, by_link: int) -> Closed:
    """Why nobody gets a seat there by the host's link of that number, or (0) from the lobby."""
    if by_link == 0:
        return Closed.FULL
    if by_link != table.link_number:
        return Closed.OLD
    return Closed.BEGUN if table.state in (TableState.PLAYING, TableState.OVER) else Closed.FULL


def open_seats(table: TableRow, seats: Sequence[SeatRow], by_link: int) -> list[SeatRow]:
    """The seats for somebody from the lobby, or who came by the host's link of that number; none by an older link."""
    if table.state is not TableState.INVITING or by_link not in (0, table.link_number):
        return []
    return [seat for seat in seats if seat.state is SeatState.OPEN and seat.by_link == bool(by_link)]
