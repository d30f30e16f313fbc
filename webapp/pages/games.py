"""Shows all of a player's tables on one page: the games that wait for the player first, then those in which they may do
something, other running ones, the tables that have not begun, and those that are over.

Only for players who are signed in: a link opens one thing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from flask import Blueprint, request
from sqlmodel import Session, and_, col, func, or_, select

from hearts.view import view
from webapp.core.say import say
from webapp.core.tokens import ConfirmLink, InvitationLink
from webapp.games.asked.due import Due
from webapp.games.asked.running import NextGame, RunningGame, next_game, running_at, table_seats_of
from webapp.games.clock import proposals
from webapp.games.record.links import play_link, preferences_link, seat_link
from webapp.games.record.seats import (
    is_accepted,
    is_lent,
    is_offered,
    is_stand_in_asked,
    own_name,
    owner_name,
    table_name,
)
from webapp.models import GameRow, GameState, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.operators.probes import sentences
from webapp.pages.at_table import Place
from webapp.pages.common import PageContext, page, reading, required_sign_in, runtime, signed_in_as
from webapp.presentation.phrasing import Timestamp, listed, number_word, timestamp
from webapp.presentation.present import TurnSheet, turn_sheet
from webapp.presentation.sheets import deadline_of, summary_of
from webapp.presentation.summary import mail_setting
from webapp.presentation.turn_text import awaited_sentence, who_acts

blueprint = Blueprint("games", __name__)
OVER_AT_FIRST = 20  # how many games that are over the page shows, unless asked for all
SeatsByTable = Mapping[int, tuple[SeatRow, ...]]


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand being played, as its player sees it; `link` leads to it where others are played at the same time."""

    sheet: TurnSheet
    link: str = ""

    @property
    def state(self) -> str:
        return say("Your turn") if self.sheet.is_mine else who_acts(self.sheet)


@dataclass(frozen=True, slots=True)
class GameLine:
    """One table in the list, with the link that a tap on it follows."""

    name: str
    others: str  # "with Bo, Cy and Di"
    sentence: str
    link: str
    table_link: str = ""  # empty if `link` leads to the table
    deadline: Timestamp | None = None
    hands: Sequence[HandLine] = ()


@dataclass(slots=True)
class MyGames:
    """The lists of the page. `has_older`: there are more games that are over."""

    waiting: list[GameLine] = field(default_factory=list)
    may_act: list[GameLine] = field(default_factory=list)  # without waiting for the player
    running: list[GameLine] = field(default_factory=list)
    joining: list[GameLine] = field(default_factory=list)
    invitations: list[GameLine] = field(default_factory=list)
    gathering: list[GameLine] = field(default_factory=list)
    over: list[GameLine] = field(default_factory=list)
    has_older: bool = False

    @property
    def is_empty(self) -> bool:
        lists = (self.waiting, self.may_act, self.running, self.joining, self.invitations, self.gathering, self.over)
        return not any(lists)


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesPage(PageContext):
    games: MyGames
    preferences_link: str
    mail_setting: str
    down: Sequence[str] = ()


@blueprint.get("/games")
def show() -> str:
    player = required_sign_in().player
    with reading() as session:
        games = _my_games(session, player, runtime().now(), shows_all=request.args.get("all") == "yes")
    link, down = runtime().signer.local_url(preferences_link(player)), sentences(runtime(), player)
    return page(GamesPage(games=games, preferences_link=link, mail_setting=mail_setting(player), down=down))


def next_game_of(seat: SeatRow) -> NextGame | None:
    """Another game that waits for the player of the seat, if they are signed in: a link alone shows no other table."""
    player = signed_in_as(seat.player_id)
    if player is None:
        return None
    with reading() as session:
        return next_game(session, runtime().signer, player.id, seat.table_id)


def _my_games(session: Session, player: PlayerRow, now: datetime, *, shows_all: bool) -> MyGames:
    mine = MyGames()
    found, over = _not_over(session, player), _over(session, player, shows_all=shows_all)
    seats = table_seats_of(session, [seat.table_id for *_, seat in found] + [seat.table_id for _, seat, _ in over])
    running = [(game, table, seat) for game, table, seat in found if game and seat.player_id == player.id]
    for one in running_at(session, running, seats):
        if one.due:
            lines = mine.waiting
        elif _may_choose(one) or one.mine.away or one.table.rests or _may_agree(one, player):
            lines = mine.may_act
        else:
            lines = mine.running
        lines.append(replace(_what_to_do(one, player, now), hands=_hands(one, player, now)))
    oldest = now - ConfirmLink.ttl  # the host's link to an older table has expired
    for _, table, seat in found:
        may_confirm = table.host_id == player.id and table.created_at > oldest
        if seat.stands_in_for == player.id:  # a friend plays it: the link leads to the button that brings them back
            name, others, _ = _line_of(table, seat, seats[seat.table_id])
            link = runtime().signer.local_url(seat_link(seat, player.id))
            sentence = say("{name} plays for you until you are back.", name=own_name(seat))
            mine.may_act.append(GameLine(name, others, sentence, link))
        elif is_offered(seat, player.id):
            (mine.joining if is_accepted(seat) else mine.invitations).append(_offer(table, seat, seats, player))
        elif table.state is TableState.INVITING or (table.state is TableState.UNCONFIRMED and may_confirm):
            lines = mine.invitations if _is_invited(table, seat) else mine.gathering
            lines.append(_to_begin(table, seat, seats, player))
    mine.has_older = not shows_all and len(over) > OVER_AT_FIRST
    shown = over if shows_all else over[:OVER_AT_FIRST]
    for table, seat, ended_at in shown:
        name, others, own_table = _line_of(table, seat, seats[seat.table_id])
        if ended_at is None:
            sentence = say("It never began.")
        else:
            sentence = say("It ended {when}.", when=timestamp(ended_at, now, player.time_zone).relative)
        mine.over.append(GameLine(name, others, sentence, own_table))
    return mine


def _not_over(session: Session, player: PlayerRow) -> Sequence[tuple[GameRow | None, TableRow, SeatRow]]:
    """The tables that are not over, newest first, each with its running game and the seat that concerns the player.

    They have the seat, or somebody plays it for them, or it is offered to them and somebody else still has it.
    """
    is_own = and_(
        SeatRow.player_id == player.id, SeatRow.state != SeatState.DECLINED, TableRow.state != TableState.OVER
    )
    concerns = or_(is_own, col(SeatRow.stands_in_for) == player.id, col(SeatRow.offered_to) == player.id)
    is_running = and_(col(GameRow.table_id) == TableRow.id, col(GameRow.state) == GameState.PLAYING)
    query = (
        select(GameRow, TableRow, SeatRow)
        .select_from(SeatRow)
        .join(TableRow, col(TableRow.id) == SeatRow.table_id)
        .outerjoin(GameRow, is_running)
        .where(concerns)
        .order_by(col(TableRow.created_at).desc())
    )
    return session.exec(query).all()


def _over(session: Session, player: PlayerRow, *, shows_all: bool) -> list[tuple[TableRow, SeatRow, datetime | None]]:
    """The tables that play no game any more, each with the end of its last game, latest first.

    Unless `shows_all`, at most one more than OVER_AT_FIRST.
    """
    ended_at = select(func.max(GameRow.ended_at)).where(GameRow.table_id == TableRow.id).correlate(TableRow)
    at = ended_at.scalar_subquery()  # of the player's tables alone; grouped, it would be of all games
    query = (
        select(TableRow, SeatRow, at)
        .join(SeatRow, col(SeatRow.table_id) == TableRow.id)
        .where(SeatRow.player_id == player.id, SeatRow.state != SeatState.DECLINED, TableRow.state == TableState.OVER)
        .order_by(func.coalesce(at, TableRow.created_at).desc(), col(TableRow.id).desc())
    )
    return list(session.exec(query if shows_all else query.limit(OVER_AT_FIRST + 1)))


def _may_choose(game: RunningGame) -> bool:
    return game.may_choose and not game.is_played


def _may_agree(game: RunningGame, player: PlayerRow) -> bool:
    """Whether the host proposes something that the player has not agreed to."""
    is_asked = any(seat.player_id == player.id for seat in proposals.asked(game.table, game.seats))
    return is_asked and any(player.id not in proposal.agreed for proposal in game.table.proposals or ())


def _hands(game: RunningGame, player: PlayerRow, now: datetime) -> tuple[HandLine, ...]:
    """The hands being played, those that wait for the player first."""
    lines = []
    for hand, clock in sorted(game.shown, key=lambda one: (game.seat not in one[0].to_act, one[0].hand)):
        deadline = deadline_of(replace(game, clock=clock), player.time_zone, now)
        link = runtime().signer.local_url(play_link(game.mine)) + Place(hand=hand.hand).query
        sheet = turn_sheet(view(hand, game.seat), game.names, (), deadline)
        lines.append(HandLine(sheet, link if game.row.at_once > 1 else ""))
    return tuple(lines)


def _what_to_do(game: RunningGame, player: PlayerRow, now: datetime) -> GameLine:
    name, others, own_table = _line_of(game.table, game.mine, game.seats)
    link = runtime().signer.local_url(play_link(game.mine))
    plays_for = [say("You play for {name}.", name=owner_name(game.mine))] if is_lent(game.mine) else []
    if due := game.due:
        sentence, deadline = _your_turn(due, game.waiting), deadline_of(game, player.time_zone, now)
        return GameLine(name, others, " ".join([*plays_for, sentence]), link, own_table, deadline)
    if game.table.rests:
        rest = f"{runtime().signer.local_url(seat_link(game.mine))}/rest"
        return GameLine(
            name, others, say("The game rests, since nobody played. One tap sets it going."), rest, own_table
        )
    if game.mine.away:
        return GameLine(name, others, say("You are away: a robot plays for you at once."), link, own_table)
    sentences = [awaited_sentence(game.hand, game.names, game.seat)]
    if _may_choose(game):
        link += Place(hand=game.hand.hand).query if game.row.at_once > 1 else ""
        sentences.append(say("You may choose your card already."))
    elif _may_agree(game, player):
        link = f"{own_table}#proposed"
        sentences.append(say("{name} proposes something to which you may agree.", name=owner_name(game.seats[0])))
    return GameLine(name, others, " ".join([*plays_for, *sentences]), link, own_table)


def _your_turn(due: Due, waiting: int) -> str:
    """Says what waits for the player in a game; `waiting` counts the hands in which something does."""
    hand, hands, trick = due.hand, number_word(waiting), due.what.removeprefix("trick ")
    match due.what:
        case "pass" if waiting > 1:
            return say("It is your turn in {hands} hands, first in hand {hand}: pass.", hands=hands, hand=hand)
        case "pass":
            return say("It is your turn: pass, hand {hand}.", hand=hand)
        case "moon" if waiting > 1:
            return say("It is your turn in {hands} hands, first in hand {hand}: moon.", hands=hands, hand=hand)
        case "moon":
            return say("It is your turn: moon, hand {hand}.", hand=hand)
        case _ if waiting > 1:
            return say(
                "It is your turn in {hands} hands, first in hand {hand}: trick {trick}.",
                hands=hands,
                hand=hand,
                trick=trick,
            )
        case _:
            return say("It is your turn: trick {trick}, hand {hand}.", trick=trick, hand=hand)


def _offer(table: TableRow, seat: SeatRow, seats: SeatsByTable, player: PlayerRow) -> GameLine:
    """The line of a seat that the player does not have yet; it shows no more than the invitation."""
    name, others, _ = _line_of(table, seat, seats[seat.table_id])
    link = runtime().signer.local_url(InvitationLink(seat.table_id, seat.seat, player.id, player.links))
    sentence = (
        say("You join once the hand being played is over.") if is_accepted(seat) else say("You are offered a seat.")
    )
    if is_stand_in_asked(seat):
        sentence = say("{name} asks you to play for them.", name=seat.name)
    return GameLine(name, others, sentence, link)


def _is_invited(table: TableRow, seat: SeatRow) -> bool:
    return table.state is TableState.INVITING and seat.state is SeatState.INVITED


def _to_begin(table: TableRow, seat: SeatRow, seats: SeatsByTable, player: PlayerRow) -> GameLine:
    name, others, own_table = _line_of(table, seat, seats[seat.table_id])
    if _is_invited(table, seat):
        answer = InvitationLink(seat.table_id, seat.seat, seat.player_id or 0, player.links)
        return GameLine(name, others, say("You are invited."), runtime().signer.local_url(answer), own_table)
    if table.state is TableState.UNCONFIRMED:
        return GameLine(name, others, say("It waits for you to follow the link in our mail."), own_table)
    return GameLine(name, others, summary_of(table, seats[seat.table_id]).waiting_sentence, own_table)


def _line_of(table: TableRow, mine: SeatRow, seats: Sequence[SeatRow]) -> tuple[str, str, str]:
    """Returns the parts of every line: the table's name, the other players, and the link to the player's table page."""
    others = [seat.name for seat in seats if seat is not mine and seat.state is not SeatState.OPEN]
    link = runtime().signer.local_url(seat_link(mine))
    return table_name(seats), say("with {names}", names=listed(others)) if others else "", link
