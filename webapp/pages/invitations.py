"""Shows an invitation to a table, or to another game there, with both answers, and accepts or declines it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from flask import Blueprint, abort, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from webapp.core.say import Refused, say
from webapp.core.tokens import AgainLink, InvitationLink
from webapp.forms.fields import LONGEST_ECHO, TIME_ZONES, BadField, read_name, read_time_zone
from webapp.games.book import games_of
from webapp.games.clock.pace import plays_live
from webapp.games.fair import Shuffle, shuffle_of
from webapp.games.record import links, store
from webapp.games.record.links import seat_link
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import is_lent, is_offered, is_promised, is_stand_in_asked, owner_name
from webapp.models import GameRow, GameState, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.pages import language, ways_in
from webapp.pages.at_table import play_link
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.presentation.faces import Face, example
from webapp.presentation.sheets import summary_of, zone_of
from webapp.presentation.summary import TableSummary
from webapp.results.book import lead_text
from webapp.results.result import LastGame, last_game_of
from webapp.tables import again, seating
from webapp.tables.again import AnotherGame, AnotherGameState

blueprint = Blueprint("invitations", __name__)


# Shows an invitation, on one page with both answers, and accepts or declines it.


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationPage(PageContext):
    table: TableSummary
    host_name: str
    your_name: str
    invited_as: str
    company: str
    example: Sequence[Face] = field(default_factory=example)  # cards that the reader might hold
    stand_in_for: str | None = None
    is_played: bool = False  # the seat is somebody's until the hand is over
    time_zones: Sequence[str] = TIME_ZONES
    time_zone: str
    shuffle: Shuffle | None = None  # None: the reader gives no words for it
    error: str | None = None
    name_error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationJoining(PageContext):
    name: str | None
    plays_on: str | None  # who has the seat until the hand is over
    host_name: str
    table: TableSummary
    shuffle: Shuffle | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationAnswered(PageContext):
    answer: str
    table: TableSummary
    asker: str | None = None  # whose stand-in they do not want to be
    plays_for: str | None = None
    table_link: str | None = None
    play_link: str | None = None
    enter_action: str | None = None
    shuffle: Shuffle | None = None


@blueprint.get("/invitation/<token>")
def ask(token: str) -> str:
    link = runtime().signer.read(InvitationLink, token)
    seat, zone = _seat(link)
    if _has_taken(seat, link) or is_promised(seat, link.player_id):
        return _answered_page(link)
    return _question_page(link, _name(seat, link), zone)


@blueprint.post("/invitation/<token>")
def answer(token: str) -> AnyResponse | str | tuple[str, int]:
    link = runtime().signer.read(InvitationLink, token)
    seat, zone = _seat(link)
    name = request.form.get("name", _name(seat, link))
    try:
        match request.form.get("answer"):
            case "accept":
                zone = read_time_zone(request.form.get("time_zone", zone))
                _accept(link, name, zone)
            case "enter" if _has_taken(seat, link) and _is_live(link):
                return redirect(play_link(seat) or request.path, 303)
            case "decline":
                seating.decline(runtime(), link, runtime().now())
            case _:
                raise BadField(say("Choose whether you will play."))
    except _BadName as error:
        return _question_page(link, name[:LONGEST_ECHO], zone, name_error=str(error)), 400
    except Refused as error:
        return _question_page(link, name[:LONGEST_ECHO], zone, error=str(error)), 400
    language.keep_for(link.player_id)
    asker = seat.name if is_stand_in_asked(seat) else None
    return _answered_page(link, has_come=not _has_taken(seat, link), asker=asker)


class _BadName(BadField):
    """The name is invalid or taken; the page shows the message at its field."""


def _accept(link: InvitationLink, name: str, zone: str) -> None:
    words = request.form.get("shuffle", "")
    try:
        seating.accept(runtime(), link, read_name(name), zone, runtime().now(), words)
    except Refused as error:
        raise _BadName(*error.args) from None


def _has_taken(seat: SeatRow, link: InvitationLink) -> bool:
    return seat.state is SeatState.ACCEPTED and seat.player_id == link.player_id


def _is_live(link: InvitationLink) -> bool:
    with reading() as session:
        return plays_live(session.get_one(TableRow, link.table_id))


def _name(seat: SeatRow, link: InvitationLink) -> str:
    """The name under which the host has invited the player of the link."""
    return seat.offered_name or seat.name if is_offered(seat, link.player_id) else seat.name


def _seat(link: InvitationLink) -> tuple[SeatRow, str]:
    """The seat to which the link invites, and the player's time zone as far as we know it."""
    with reading() as session:
        seat = seating.invited_seat(session, link)
        return seat, session.get_one(PlayerRow, link.player_id).time_zone


def _question_page(
    link: InvitationLink, name: str, zone: str, *, error: str | None = None, name_error: str | None = None
) -> str:
    with reading() as session:
        seats = table_seats(session, link.table_id)
        row = session.get_one(TableRow, link.table_id)
        table, is_running = summary_of(row, seats), row.state is TableState.PLAYING
        is_stand_in = is_stand_in_asked(seats[link.seat])
        words = request.form.get("shuffle", "")
        shuffle = None if is_stand_in else shuffle_of(session, seats, link.seat, link.player_id, words)
    return page(
        InvitationPage(
            table=table,
            host_name=owner_name(seats[0]),
            stand_in_for=seats[link.seat].name if is_stand_in else None,
            is_played=is_offered(seats[link.seat], link.player_id) and is_running,
            your_name=name,
            company=table.company_of(link.seat),
            invited_as=_name(seats[link.seat], link),
            time_zone=zone,
            shuffle=shuffle,
            error=error,
            name_error=name_error,
        )
    )


def _answered_page(link: InvitationLink, *, has_come: bool = False, asker: str | None = None) -> str:
    """The page that shows what the player has answered.

    `has_come`: the player has just accepted, and may play from this page. A player who uses the link again may do so
    only at a live table, where no other mail would lead them back in time. `asker` asked them to stand in.
    """
    with reading() as session:
        seats = table_seats(session, link.table_id)
        table = session.get_one(TableRow, link.table_id)
        shuffle = shuffle_of(session, seats, link.seat, link.player_id)
    seat = seats[link.seat]
    if is_promised(seat, link.player_id):
        # They have accepted an occupied seat, and get it when the current hand is over.
        return page(
            InvitationJoining(
                name=seat.offered_name,
                plays_on=None if seat.state is SeatState.ROBOT or seat.away else seat.name,
                host_name=owner_name(seats[0]),
                table=summary_of(table, seats),
                shuffle=shuffle and replace(shuffle, words=seat.offered_words or ""),
            )
        )
    accepted = _has_taken(seat, link)
    return page(
        InvitationAnswered(
            answer="accept" if accepted else "decline",
            asker=asker,
            plays_for=owner_name(seat) if accepted and is_lent(seat) else None,
            table=summary_of(table, seats),
            table_link=runtime().signer.local_url(seat_link(seat)) if accepted else None,
            play_link=ways_in.enter(seat) if has_come and accepted else None,
            enter_action=request.path if accepted and plays_live(table) else None,
            shuffle=shuffle if accepted else None,
        )
    )


# Shows a player another game at the same table, and lets them agree to it or decline. GET only shows.


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
        game = seating.game(session, link.table_id, link.number)
        before = store.load(session, game.id) if game else None
        last = last_game_of(session, before, link.player_id, zone_of(session, seat)) if before else None
        text = again_text(another, table)
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
def answer_again(token: str) -> AnyResponse:
    link = runtime().signer.read(AgainLink, token)
    match request.form.get("answer"):
        case "accept":
            again.agree(runtime(), link, runtime().now(), request.form.get("shuffle", ""))
            with reading() as session:
                seat = session.get_one(SeatRow, (link.table_id, link.seat))
            ways_in.enter(seat)  # so that the button to the cards works in this browser
        case "decline":
            with reading() as session:
                again.another_game(session, link)  # raises SeatGone if the seat is theirs no more
                player = session.get_one(PlayerRow, link.player_id)
            invitation = InvitationLink(link.table_id, link.seat, link.player_id, player.links)
            seating.decline(runtime(), invitation, runtime().now())
        case _:
            abort(400)
    return redirect(request.path, 303)


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
            sentence = say("The same table, the same rules. We ask the others, and deal once everybody says yes.")
            return AgainText(say("Another game?"), sentence, say("Play again"), link=link)
        case AnotherGameState.ASKED:
            sentence = say("The same table, the same rules. Will you play?")
            return AgainText(another.agreed, sentence, say("Play again"), may_decline=True, link=link)
        case AnotherGameState.AGREED:
            sentence = f"{table.waiting_sentence} {table.how_it_begins()}"
            return AgainText(say("You play again"), sentence)
        case AnotherGameState.DECLINED:
            return AgainText(
                say("You have declined"),
                say("Should you change your mind, say so."),
                say("I will play after all"),
                link=link,
            )
        case AnotherGameState.CLOSED:
            return AgainText(
                say("This table is closed"), say("{host}, who hosts it, does not play another game.", host=another.host)
            )
        case AnotherGameState.BEGUN:
            sentence = say("Everybody has said yes, and the cards are dealt.")
            return AgainText(say("Game {number} has begun", number=another.number), sentence)
