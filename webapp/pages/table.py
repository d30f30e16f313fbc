"""Makes the table page of a seat: the game, the people, and what each of them may do there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flask import request

from hearts.seats import Seat
from webapp.core.tokens import SeatLink
from webapp.games.asked.whose_turn import first_asked
from webapp.games.following import news_of
from webapp.games.record import store
from webapp.games.record.guests import READY
from webapp.games.record.live import plays_live
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import is_lent, owner_name
from webapp.games.talk import recent_lines
from webapp.models import GameState, PlayerRow, SeatRow, TableRow, TableState
from webapp.outbox.delivery import last_mails, unreachable_seats
from webapp.pages import ways_in
from webapp.pages.again import AgainText, again_text_on_table
from webapp.pages.common import reading, runtime, signed_in
from webapp.pages.following import Follow
from webapp.pages.free_seats import HostTools, host_tools
from webapp.pages.guest_list import GuestList, PlayNow, guest_list, play_now_line
from webapp.pages.host import host_link
from webapp.pages.last_mails import MailLines, mail_lines
from webapp.pages.table_game import TableGamePage, with_game
from webapp.presentation.away import absence_sentence
from webapp.presentation.clock_text import GO_ON, LiveLine, live_line, pause_note
from webapp.presentation.proposal_text import ProposalLine, proposal_lines
from webapp.presentation.sheets import blank_score_sheet, summary_of, talk_sheet_of, zone_of
from webapp.presentation.shuffle import Shuffle, shuffle_of
from webapp.presentation.summary import TableSummary
from webapp.tables import seating
from webapp.tables.offers import offer_of

OPEN = (TableState.INVITING, TableState.PLAYING)


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage(TableGamePage):
    follow: Follow
    table: TableSummary
    again: AgainText | None = None
    pause: str = ""  # what is said of a pause that anybody at the table may end
    go_on: str = GO_ON
    proposals: Sequence[ProposalLine] = ()
    proposal_error: str | None = None
    live: LiveLine | None = None
    absence: str = ""  # empty: the reader is not away
    away_link: str | None = None
    plays_for: str | None = None
    guests: GuestList | None = None
    play_now: PlayNow | None = None
    host: HostTools | None = None
    reminded: bool = False  # the host has just sent a reminder
    remind_error: str | None = None
    host_error: str | None = None
    host_typed: Mapping[str, str] = field(default_factory=dict)  # the invalid form for one of the seats
    mail: MailLines | None = None
    mail_error: str | None = None
    shuffle: Shuffle | None = None  # None: the game has no seal
    fair_link: str = ""
    words_action: str | None = None  # of the form by which the reader gives words; None: they have given some
    player_links: Mapping[int, str] = field(default_factory=dict)  # by seat
    book_link: str | None = None  # None: no game is over


def table_page(token: str) -> TablePage:
    """The page. Raises LinkInvalid, SeatLost if another player has the seat, LinkExpired if the link was ended."""
    link, address, now = runtime().signer.read(SeatLink, token), f"/seat/{token}", runtime().now()
    with reading() as session:
        newest = store.load_newest(session, link.table_id)  # with it come the table, the seat and its player
        stored = newest and first_asked(newest, Seat(link.seat))
        seat, game = seating.own_seat(session, link), stored.row if stored else None
        table = session.get_one(TableRow, link.table_id)
        seats = stored.seats if stored else table_seats(session, link.table_id)
        zone, is_signed_in = zone_of(session, seat), _is_signed_in(seat)
        said, summary = recent_lines(session, table, now), summary_of(table, seats)
        version = news_of(table, game, seats, link.seat, said[-1].id if said else None, now)["version"]
        mails = last_mails(session, seats, now)
        unreachable = unreachable_seats(session, seats, mails)
        way_in, shuffle = ways_in.way_in(seat), shuffle_of(session, seats, link.seat, link.player_id)
        page = TablePage(
            reader=link.player_id,
            kind="table",
            follow=Follow(address, version, plays_live(table), is_player=False),
            table=summary,
            score=blank_score_sheet(table, seats),
            again=again_text_on_table(session, seat, game, summary) if game else None,
            pause=pause_note(table.pause, now, zone),
            proposals=proposal_lines(table, seats, link.player_id, zone, now),
            host_link=host_link(table, seat) if is_signed_in else None,
            play_link=way_in,
            mailed="mailed" in request.args,
            reminded="reminded" in request.args,
            absence=absence_sentence(seat, session.get_one(PlayerRow, link.player_id), now),
            away_link=f"{address}/away" if table.state in OPEN and not plays_live(table) else None,
            plays_for=owner_name(seat) if is_lent(seat) else None,
            offer=offer_of(session, seat),
            live=live_line(table, seats, seat, now) if table.is_together else None,
            host=host_tools(token, link, table, seats, unreachable),
            guests=guest_list(table, seats, seat),
            play_now=play_now_line(session, table, seats, seat),
            talk=talk_sheet_of(said, table, seats, seat, zone, now),
            shuffle=shuffle,
            words_action=f"{way_in}/words" if way_in and shuffle and not shuffle.words and not is_lent(seat) else None,
            fair_link=f"{address}/fair",
            player_links={
                seat.seat: f"{address}/player/{seat.player_id}"
                for seat in seats
                if seat.player_id is not None and seat.state in READY
            },
            book_link=f"{address}/book" if game and (game.number > 1 or game.state is GameState.OVER) else None,
            mail=mail_lines(session, seat, table, seats, mails.get(seat.seat), zone, now),
        )
        return with_game(page, session, stored, seat, token, unreachable) if stored else page


def _is_signed_in(seat: SeatRow) -> bool:
    """Whether the player of the seat is signed in with this browser."""
    player = signed_in()
    return player is not None and player.id == seat.player_id
