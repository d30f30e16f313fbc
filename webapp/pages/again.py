"""Shows a player another game at the same table, and lets them agree to it or decline. GET only shows."""

from dataclasses import dataclass, replace

from flask import Blueprint, abort, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response

from webapp.core.tokens import AgainLink, InvitationLink
from webapp.games.book import games_of
from webapp.games.record import links, store
from webapp.games.record.rows import table_seats
from webapp.models import GameRow, GameState, PlayerRow, SeatRow, TableRow
from webapp.pages import ways_in
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.presentation.book import lead_text
from webapp.presentation.fair import Shuffle, shuffle_of
from webapp.presentation.own_game import LastGame, last_game_of
from webapp.presentation.sheets import summary_of, zone_of
from webapp.presentation.summary import TableSummary
from webapp.tables import again, seating
from webapp.tables.again import AnotherGame, AnotherGameState

blueprint = Blueprint("again", __name__)


@dataclass(frozen=True, slots=True)
class AgainText:
    """A page's text on another game, for one player. `button` is empty if there is nothing to agree to."""

    heading: str
    sentence: str
    button: str = ""
    may_decline: bool = False
    link: str = ""  # of its page
    lead: str = ""  # of all games of the table


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainPage(PageContext):
    again: AgainText
    table: TableSummary
    table_link: str
    last: LastGame | None = None  # the game before
    cards_link: str | None = None  # once the game has begun
    shuffle: Shuffle | None = None  # None: there is nothing to agree to


@blueprint.get("/again/<token>")
def show(token: str) -> str:
    link = runtime().signer.read(AgainLink, token)
    with reading() as session:
        another = again.another_game(session, link)
        seats = table_seats(session, link.table_id)
        table, seat = summary_of(session.get_one(TableRow, link.table_id), seats), seats[link.seat]
        last, text = _last_game(session, link, seat), again_text(another, table)
        shuffle = shuffle_of(session, seats, link.seat, link.player_id) if text.button else None
    table_link = runtime().signer.local_url(links.seat_link(seat))
    is_begun = another.state is AnotherGameState.BEGUN
    return page(
        AgainPage(
            again=text,
            table=table,
            table_link=table_link,
            shuffle=shuffle,
            last=last,
            cards_link=(ways_in.page_to_follow(seat) or table_link) if is_begun else None,
        )
    )


@blueprint.post("/again/<token>")
def answer(token: str) -> Response:
    link = runtime().signer.read(AgainLink, token)
    match request.form.get("answer"):
        case "accept":
            again.agree(runtime(), link, runtime().now(), request.form.get("shuffle", ""))
            with reading() as session:
                seat = session.get_one(SeatRow, (link.table_id, link.seat))
            ways_in.enter(seat)  # so that the button to the cards works in this browser
        case "decline":
            seating.decline(runtime(), _invitation(link), runtime().now())
        case _:
            abort(400)
    return redirect(request.path, 303)


def _last_game(session: Session, link: AgainLink, seat: SeatRow) -> LastGame | None:
    """The game of the link."""
    game = seating.game(session, link.table_id, link.number)
    if game is None:
        return None
    return last_game_of(session, store.load(session, game.id), link.player_id, zone_of(session, seat))


def _invitation(link: AgainLink) -> InvitationLink:
    """The invitation link by which the player declines, if the seat is still theirs.

    Raises SeatGone, LinkInvalid or LinkExpired.
    """
    with reading() as session:
        again.another_game(session, link)
        player = session.get_one(PlayerRow, link.player_id)
    return InvitationLink(link.table_id, link.seat, link.player_id, player.links)


def again_text_on_table(session: Session, seat: SeatRow, game: GameRow, table: TableSummary) -> AgainText | None:
    """Returns the text on another game for the table page of a seat; None while the table plays one."""
    if game.state is not GameState.OVER:
        return None
    again_link = links.again_link(seat, game.number)
    text = again_text(again.another_game(session, again_link), table, runtime().signer.local_url(again_link))
    return replace(text, lead=lead_text(games_of(session, seat.table_id)))


def again_text(another: AnotherGame, table: TableSummary, link: str = "") -> AgainText:
    """Returns the text on another game; `link` leads to the page on which the player answers."""
    match another.state:
        case AnotherGameState.OPEN:
            sentence = "The same table, the same rules. We ask the others, and deal once everybody says yes."
            return AgainText("Another game?", sentence, "Play again", link=link)
        case AnotherGameState.ASKED:
            sentence = "The same table, the same rules. Will you play?"
            return AgainText(another.agreed, sentence, "Play again", may_decline=True, link=link)
        case AnotherGameState.AGREED:
            sentence = f"{table.waiting_sentence} {table.how_it_begins()}"
            return AgainText("You play again", sentence)
        case AnotherGameState.DECLINED:
            return AgainText(
                "You have declined", "Should you change your mind, say so.", "I will play after all", link=link
            )
        case AnotherGameState.CLOSED:
            return AgainText("This table is closed", f"{another.host}, who hosts it, does not play another game.")
        case AnotherGameState.BEGUN:
            sentence = "Everybody has said yes, and the cards are dealt."
            return AgainText(f"Game {another.number} has begun", sentence)
