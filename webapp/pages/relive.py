"""Shows finished hands step by step, the proof of their deal, and a table's book. GET shows; a POST asks for more."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, request
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response as AnyResponse

from hearts.seats import Seat
from webapp.core.say import Refused
from webapp.core.tokens import LinkInvalid, PlayLink, ReliveLink, SeatLink
from webapp.forms.fields import LONGEST_ECHO
from webapp.games import talk
from webapp.games.book import games_of, have_played_together, lines_of_player, rating_of
from webapp.games.fair import Dealt, Shuffle, dealt_at_table, shuffle_of
from webapp.games.record import store
from webapp.games.record.finished import finished_hand, proved_deal
from webapp.games.record.links import play_link, seat_link, still_names
from webapp.games.record.rows import READY, table_seats
from webapp.games.record.seats import own_name, table_name
from webapp.games.record.store import TableGame
from webapp.models import DealtRow, GameRow, PlayerRow, Section
from webapp.pages import ways_in
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.pages.limits import Answer
from webapp.presentation.happened import TalkLine, TalkSheet, Unsaid, talk_lines
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import score_sheet_of, trick_talk_of, zone_of
from webapp.presentation.tricks import Step, end_of_trick, steps_of
from webapp.results.book import Book, PlayerSheet, book, player_sheet
from webapp.results.relive import Scene, scene
from webapp.robots import reviews
from webapp.tables import seating

blueprint = Blueprint("relive", __name__)


# Shows a finished hand step by step to anybody who has the link. GET shows; a POST asks for the robot's opinion, or
# says something about a trick.
# The opinion is for the player whom the link names, and on their own turns; what was said is for that player, too. They
# say something only in a browser in which they may play.


@dataclass(frozen=True, slots=True)
class Remark:
    """A line about a trick of the hand, and the step that shows the trick's end."""

    step: int
    trick: int
    line: TalkLine


@dataclass(frozen=True, slots=True, kw_only=True)
class RelivePage(PageContext):
    scene: Scene
    score: ScoreSheet
    table_name: str
    may_ask: bool = False
    reviewed: bool = False  # by the robot, for the reader
    is_proved: bool = False  # a script can check the deal
    result_link: str | None = None  # where the result is shared
    hand_links: Sequence[tuple[int, str]] = ()  # the numbers of all its hands, each with its page
    talk: TalkSheet | None = None  # about the trick that is shown
    remarks: Sequence[Remark] = ()  # about any trick of the hand
    unsaid: Unsaid | None = None


@blueprint.get("/relive/<token>")
def show(token: str) -> str:
    return page(_relive_page(token))


def _relive_page(token: str, unsaid: Unsaid | None = None) -> RelivePage:
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        stored = load(session, link)
        hand = finished_hand(stored, link.hand)
        is_reader = _may_read(stored, link)
        found = reviews.reviews_for(session, stored, Seat(link.seat), link.player_id) if is_reader else {}
        opinions, steps = found.get(link.hand), steps_of(hand)
        shown = scene(hand, asked_step(steps), opinions or ())
        seat = stored.seats[link.seat]
        is_named = still_names(link, seat)
        said = talk.comments(session, stored.table, stored.row.number, link.hand) if is_named else ()
        zone = zone_of(session, seat)
        action = f"/relive/{token}/say?step={shown.step}" if is_named and ways_in.way_in(seat) else None
        is_proved = session.get(DealtRow, (stored.id, link.hand)) is not None
        trick = steps[shown.step - 1].trick
    now = runtime().now()
    lines = talk_lines(said, link.player_id, zone, now)
    remarks = [
        Remark(end_of_trick(steps, row.trick), row.trick, line)
        for row, line in zip(said, lines, strict=True)
        if row.trick is not None
    ]
    return RelivePage(
        scene=shown,
        score=score_sheet_of(stored, hands=link.hand, opinions={link.hand: opinions or ()}),
        table_name=table_name(stored.seats),
        may_ask=is_reader and opinions is None,
        reviewed=opinions is not None,
        is_proved=is_proved,
        talk=trick_talk_of(said, stored.table, seat, zone, now, trick, action) if trick else None,
        remarks=sorted(remarks, key=lambda one: one.trick),
        unsaid=unsaid,
    )


@blueprint.post("/relive/<token>/say")
def add_line(token: str) -> Answer:
    """Says what was tapped or typed about the trick that the step shows."""
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        stored = load(session, link)
    steps, seat = steps_of(finished_hand(stored, link.hand)), stored.seats[link.seat]
    if not still_names(link, seat) or not ways_in.way_in(seat):
        abort(403)
    trick = steps[min(asked_step(), len(steps)) - 1].trick
    text = request.form.get("phrase") or request.form.get("text", "")
    about = talk.Trick(stored.row.number, link.hand, trick)
    try:
        talk.add_line(runtime(), play_link(seat), text, runtime().now(), about)
    except (Refused, talk.TalkLimitReached) as error:
        status = 429 if isinstance(error, talk.TalkLimitReached) else 400
        return page(_relive_page(token, Unsaid(text[:LONGEST_ECHO], str(error)))), status
    return redirect(f"/relive/{token}?step={asked_step()}#talk", 303)


@blueprint.post("/relive/<token>")
def ask(token: str) -> AnyResponse:
    """Has the robot review the hand, once for each hand, for the player whom the link names; shows the step again."""
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        stored = load(session, link)
        finished_hand(stored, link.hand)
        if not _may_read(stored, link):
            abort(403)
    reviews.review_of(runtime(), link.game_id, link.hand)
    return redirect(f"{request.path}?step={asked_step()}", 303)


def load(session: Session, link: ReliveLink) -> TableGame:
    """The game of the link. Raises LinkInvalid if it has no such hand, and there will never be one."""
    try:
        stored = store.load(session, link.game_id)
    except LookupError:
        raise LinkInvalid from None
    if link.hand < 1:
        raise LinkInvalid
    return stored


def _may_read(stored: TableGame, link: ReliveLink) -> bool:
    """Whether the link names a player who played this hand and may read what the robot thinks of it."""
    seat = Seat(link.seat)
    is_theirs = still_names(link, stored.seats[seat]) and stored.has_played(seat, link.hand)
    return is_theirs and reviews.may_read(stored, seat, link.player_id)


def asked_step(steps: Sequence[Step] = ()) -> int:
    """The step that the URL asks for, also as the end of a trick of `steps`; the first if it asks for none, or for no
    number.
    """
    trick = _asked("trick")
    if any(step.trick == trick for step in steps if trick):
        return end_of_trick(steps, trick)
    return _asked("step") or 1


def _asked(name: str) -> int:
    """The number of that name in the URL; 0 if there is none."""
    text = request.args.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0


# Shows why the cards are fair, what a table was dealt beside what chance gives, and what proves the deal of a hand.


@dataclass(frozen=True, slots=True, kw_only=True)
class FairPage(PageContext):
    table_name: str | None = None  # None: the page is for everybody
    shuffle: Shuffle | None = None
    dealt: Sequence[Dealt] = ()


@blueprint.get("/fair")
def show_fairness() -> str:
    return page(FairPage())


@blueprint.get("/seat/<token>/fair")
def show_table(token: str) -> str:
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, link)
        seats = table_seats(session, link.table_id)
        games = session.exec(select(GameRow.id).where(GameRow.table_id == link.table_id).order_by(col(GameRow.number)))
        dealt = dealt_at_table(store.load(session, game_id) for game_id in games.all())
        shuffle = shuffle_of(session, seats, link.seat, link.player_id)
    return page(FairPage(reader=link.player_id, table_name=table_name(seats), shuffle=shuffle, dealt=dealt))


@blueprint.post("/play/<token>/words")
def give_words(token: str) -> AnyResponse:
    """Keeps the words for the shuffle of a player who has given none so far."""
    link = runtime().signer.read(PlayLink, token)
    seat = seating.give_words(runtime(), link, request.form.get("shuffle", ""), runtime().now())
    return redirect(f"{runtime().signer.local_url(seat_link(seat))}#people", 303)


@blueprint.get("/relive/<token>/deal.json")
def deal(token: str) -> Response:
    """The proof of the deal of a finished hand, for the script of its page. Raises HandNotScored."""
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        proved = proved_deal(session, load(session, link), link.hand)
    return Response(json.dumps(proved or abort(404)), mimetype="application/json")


# Shows the book of a table to those who sit there, and what they may see of the games of a player.


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPage(PageContext):
    template = "book"
    table_name: str
    table_link: str
    book: Book
    people: Collection[int] = ()  # the ids of the players who have a page
    years: Sequence[int] = ()  # in which games ended, the newest first; empty if it was one year
    year: int | None = None  # the one that is shown; None: all


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage(PageContext):
    template = "player"
    player: PlayerSheet
    table_name: str
    table_link: str
    is_own: bool
    has_played_together: bool  # the reader has played with them, or is them


@blueprint.get("/seat/<token>/book")
def show_book(token: str) -> str:
    """The book of all years, or of the `year` that is asked for."""
    link, year = runtime().signer.read(SeatLink, token), request.args.get("year", type=int)
    with reading() as session:
        seat = seating.own_seat(session, link)
        games, name = games_of(session, link.table_id), table_name(table_seats(session, link.table_id))
        zone = zone_of(session, seat)
        ids = {line.player_id for game in games for line in game.lines if line.player_id is not None}
        known = select(PlayerRow.id).where(col(PlayerRow.id).in_(ids), col(PlayerRow.forgotten_at).is_(None))
        people = set(session.exec(known).all())
    years = sorted({game.ended_at.year for game in games}, reverse=True)
    if year is not None and year not in years:
        abort(404)
    shown = [game for game in games if year in (None, game.ended_at.year)]
    return page(
        BookPage(
            reader=link.player_id,
            table_name=name,
            table_link=f"/seat/{token}",
            book=book(shown, runtime().now(), zone),
            people=people,
            years=years if len(years) > 1 else (),
            year=year,
        )
    )


@blueprint.get("/seat/<token>/player/<int:player_id>")
def show_player(token: str, player_id: int) -> str:
    """The games of a player who sits or has sat at the table, not of one who is only invited.

    Only those who have played with them see more than how many there were, and how often they were late.
    """
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, link)
        seats, games = table_seats(session, link.table_id), games_of(session, link.table_id)
        names = {line.player_id: line.name for game in games for line in game.lines}
        names |= {seat.player_id: own_name(seat) for seat in seats if seat.state in READY}
        player = session.get(PlayerRow, player_id)
        if player is None or player.forgotten_at is not None or player_id not in names:
            abort(404)
        is_own = player_id == link.player_id
        together = is_own or have_played_together(session, link.player_id, player_id)
        shown = [section for section in Section if together and section not in (player.closed or ())]
        sheet = player_sheet(names[player_id], lines_of_player(session, player_id), shown, rating_of(player))
    return page(
        PlayerPage(
            reader=link.player_id,
            player=sheet,
            table_name=table_name(seats),
            table_link=f"/seat/{token}",
            is_own=is_own,
            has_played_together=together,
        )
    )
