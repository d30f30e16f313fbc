"""Provides what the pages have in common that follow a table, and the news for which they ask."""

from dataclasses import dataclass, field

from flask import Response, jsonify

from webapp.core.tokens import LinkInvalid, PlayLink, SeatLink
from webapp.games import following
from webapp.games.following import news
from webapp.games.record import links
from webapp.games.record.rows import newest_rows
from webapp.models import SeatRow
from webapp.pages.common import PageContext, reading, runtime
from webapp.presentation.happened import Happened
from webapp.presentation.present import TurnSheet
from webapp.presentation.talk import TalkSheet, Unsaid
from webapp.tables import seating
from webapp.tables.offers import Offer


@dataclass(frozen=True, slots=True)
class Follow:
    """How a page follows its table, for the script."""

    page: str  # the URL to reload; with /now appended, that of the news, which say whether to reload
    version: str  # of what the page shows
    is_live: bool  # whether all players are expected to be present
    tap_plays: bool = False  # whether one tap plays a card
    is_player: bool = True  # whether the page's reader counts as present
    shows: str = ""  # what follows `page` in the URL to reload: the reader's place in their visit
    goes_on: bool = False  # whether a robot is about to play in front of them

    @property
    def every(self) -> int:
        """Milliseconds between two requests for news."""
        if self.goes_on:
            return following.GOES_ON_POLL_MS
        return following.LIVE_POLL_MS if self.is_live else following.POLL_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowingPage(PageContext):
    """A page of a player's seat, which may follow its table."""

    follow: Follow | None = None
    kind: str = ""  # the script replaces a page of another kind as a whole
    says: str = ""  # to those who hear the page, once the script has loaded it
    sheet: TurnSheet | None = None
    since: Happened = field(default_factory=Happened)
    done: str | None = None  # what was played for the reader, or what they have done
    play_link: str | None = None
    host_link: str | None = None
    offer: Offer | None = None
    talk: TalkSheet | None = None
    unsaid: Unsaid | None = None
    mailed: bool = False  # the reader's turn is on its way to them


def news_response(link: PlayLink | SeatLink) -> Response:
    """The news of the table as JSON, for a page that follows it. Raises SeatLost or LinkExpired."""
    with reading() as session:
        rows = newest_rows(session, link.table_id)
        if rows is None:
            raise LinkInvalid
        seating.own_seat(session, link)
        return jsonify(news(session, rows, link.seat, runtime().now()))


def play_link(seat: SeatRow) -> str | None:
    """The link to the page that follows the game of the seat; None for a robot's seat.

    Only for a visitor who has come to play there: the link may play, and is never mailed.
    """
    if seat.player_id is None:
        return None
    return runtime().signer.local_url(links.play_link(seat))
