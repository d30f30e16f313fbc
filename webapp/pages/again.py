"""Another game at the same table: GET tells how it stands, POST agrees or declines."""

from dataclasses import dataclass

from flask import Blueprint, abort, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response

from webapp.core.tokens import AgainLink, InvitationLink
from webapp.games import links
from webapp.games.store import table_seats
from webapp.models import GameRow, GameState, PlayerRow, SeatRow, TableRow
from webapp.pages.common import page, runtime
from webapp.presentation.sheets import summary_of
from webapp.presentation.summary import TableSummary
from webapp.tables import again, seating
from webapp.tables.again import Stand, Standing

blueprint = Blueprint("again", __name__)


@dataclass(frozen=True, slots=True)
class AgainTold:
    """How another game stands, told to one player. `button` is empty where there is nothing to agree to."""

    heading: str
    sentence: str
    button: str = ""
    may_decline: bool = False
    link: str = ""  # of its page


@blueprint.get("/again/<token>")
def show(token: str) -> str:
    link = runtime().signer.read(AgainLink, token)
    with runtime().database.reading() as session:
        standing = again.standing(session, link)
        seats = table_seats(session, link.table_id)
        table = summary_of(session.get_one(TableRow, link.table_id), seats)
    table_link = runtime().signer.local_url(links.seat_link(seats[link.seat]))
    return page("again", again=told(standing, table), table=table, table_link=table_link)


@blueprint.post("/again/<token>")
def answer(token: str) -> Response:
    link = runtime().signer.read(AgainLink, token)
    match request.form.get("answer"):
        case "accept":
            again.agree(runtime(), link, runtime().now())
        case "decline":
            seating.decline(runtime(), _invitation(link), runtime().now())
        case _:
            abort(400)
    return redirect(request.path, 303)


def _invitation(link: AgainLink) -> InvitationLink:
    """What declines for the player of the link, if it is theirs still. Raises SeatGone, LinkInvalid or LinkExpired."""
    with runtime().database.reading() as session:
        again.standing(session, link)
        player = session.get_one(PlayerRow, link.player_id)
    return InvitationLink(link.table_id, link.seat, link.player_id, player.links)


def told_on_table(session: Session, seat: SeatRow, game: GameRow, table: TableSummary) -> AgainTold | None:
    """What the table page of a seat says of another game; None while one is being played."""
    if game.state is not GameState.OVER:
        return None
    again_link = links.again_link(seat, game.number)
    return told(again.standing(session, again_link), table, runtime().signer.local_url(again_link))


def told(standing: Standing, table: TableSummary, link: str = "") -> AgainTold:
    """How it stands in words."""
    match standing.stand:
        case Stand.OPEN:
            sentence = "The same table, the same rules. The others are asked, and the cards are dealt once all agree."
            return AgainTold("Another game?", sentence, "Play again", link=link)
        case Stand.ASKED:
            sentence = "The same table, the same rules. Will you play?"
            return AgainTold(f"{standing.agreed} to play again", sentence, "Play again", may_decline=True, link=link)
        case Stand.AGREED:
            sentence = f"{table.waiting_sentence} Then the first hand is dealt, and your cards come by mail."
            return AgainTold("You play again", sentence)
        case Stand.DECLINED:
            return AgainTold(
                "You have declined", "Should you change your mind, say so.", "I will play after all", link=link
            )
        case Stand.CLOSED:
            return AgainTold("This table is closed", f"{standing.host}, who hosts it, does not play another game.")
        case Stand.BEGUN:
            sentence = "Everybody agreed. Your cards come by mail."
            return AgainTold(f"Game {standing.number} has begun", sentence)
