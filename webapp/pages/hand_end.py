"""Makes the page that shows a player how a hand has ended, before anything else comes."""

from dataclasses import dataclass, replace
from typing import Final

from sqlmodel import Session

from hearts.seats import Seat
from webapp.games.asked.visit import hands_of
from webapp.games.record.links import relive_link
from webapp.games.record.store import TableGame
from webapp.models import GameState, SeatRow
from webapp.pages.at_table import AtTable, framed, share_link_of, tabs_of
from webapp.pages.common import runtime
from webapp.pages.place import Place
from webapp.pages.waiting import onward
from webapp.presentation.hand_end import HandEnd
from webapp.presentation.sheets import hand_end_of
from webapp.presentation.waiting import Onward

GO_ON: Final = "Go on"
SEE_SCORE: Final = "See the score"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEndPage(AtTable):
    heading: str
    end: HandEnd
    go_on: Onward
    share_link: str | None = None
    relive_link: str | None = None  # None as long as the hand is not counted


def hand_end(session: Session, seat: SeatRow, stored: TableGame, hand: int, now: Place, address: str) -> HandEndPage:
    me, now = Seat(seat.seat), replace(now, at=None)
    end = hand_end_of(stored, me, hand)
    last = max(one.number for one in stored.of_hand(hand))
    shown = now.shown or 0
    is_skipping = any(shown < one.ended < last for one in hands_of(stored, me))  # another end, which comes first
    after = Place(now.shown if is_skipping else max(last, shown))
    usual = Onward(f"{address}{after.query}", SEE_SCORE if stored.row.state is GameState.OVER else GO_ON)
    page = HandEndPage(
        heading=f"Hand {hand} is over",
        says=end.sentence,
        end=end,
        sheet=end.sheet,
        since=end.since,
        kind=f"{stored.row.number} {hand} over",
        go_on=onward(stored, me, address, hand, after) or usual,
        share_link=share_link_of(stored, seat) if end.chart else None,
        relive_link=runtime().signer.local_url(relive_link(seat, stored.id, hand)) if end.chart else None,
        tabs=tabs_of(stored, me, address, now),
    )
    return framed(page, session, stored.table, stored.row, stored.seats, seat, address, now)
