"""The commands `hearts-by-mail games …`: lists, shows, pauses, ends and exports games."""

import click
from flask.cli import AppGroup, with_appcontext
from sqlmodel import Session, col, select

from hearts.record import record_text
from webapp import acts
from webapp.commands.terminal import FAILED, here, moment, noted_by, refuse
from webapp.core.refusal import Refused
from webapp.games.asked.whose_turn import awaited
from webapp.games.record import store
from webapp.games.record.finished import proved_record
from webapp.games.record.store import TableGame
from webapp.health import overview
from webapp.health.overview import GameLine
from webapp.models import GameRow, OperatorAct, TableRow
from webapp.presentation.phrasing import counted
from webapp.tables import operating

LISTED = 50

games = AppGroup("games", help="Look after games. GAME is a game's number here, or its table's code (then the newest).")


@games.command("list", help="List the running games, those first that have been due longest.")
@click.option("--most", default=LISTED, show_default=True, help="How many at most.")
@with_appcontext
def list_games(most: int) -> None:
    with here().database.reading() as session:
        lines = overview.running_games(session, most)
    for line in lines:
        click.echo(_text(line))
    click.echo(f"{counted(len(lines), 'game')}{', and perhaps more' if len(lines) == most else ''}.")


@games.command("show", help="Show one game: its players, whom it waits for, and its scores. No cards.")
@click.argument("game")
@with_appcontext
def show(game: str) -> None:
    with here().database.reading() as session:
        stored = _stored(session, game)
    click.echo(_text(overview.line_of(stored.row, stored.table, stored.seats)))
    click.echo(
        f"started {moment(stored.row.started_at)}, wakes {moment(stored.row.wake_at)}, claims {stored.row.claims}"
    )
    for hand in stored.open_hands():
        names = ", ".join(stored.names[seat] for seat in awaited(hand)) or "a robot"
        click.echo(f"hand {hand.game.hand}, {hand.game.stage}: waits for {names} until {moment(hand.clock.due_at)}")
    for seat in stored.seats:
        away = ", away" if seat.away else ""
        click.echo(f"seat {seat.seat}  {seat.name} ({seat.state.value}{away}), missed {seat.missed} in a row")
    for number, score in enumerate(stored.cycle.scores, 1):
        click.echo(f"hand {number}  {' '.join(map(str, score.points))}")


@games.command("pause", help="Stop the clock of a game, as its host can; with --off it goes on.")
@click.argument("game")
@click.option("--off", is_flag=True, help="Let the clock go on, with the time that was left.")
@noted_by
@with_appcontext
def pause(game: str, by: str, *, off: bool) -> None:
    runtime = here()
    try:
        operating.pause(runtime, _table_id(game), paused=not off, by=by, now=runtime.now())
    except Refused as error:
        refuse(str(error), FAILED)
    click.echo("The clock goes on." if off else "The clock stands still.")


@games.command("end", help="End a game early, as its host can. The hand in play is not scored; its players get mail.")
@click.argument("game")
@click.confirmation_option(prompt="End this game for everybody?")
@noted_by
@with_appcontext
def end(game: str, by: str) -> None:
    runtime = here()
    operating.end_game(runtime, _table_id(game), runtime.now(), by=by)
    click.echo("The game has ended.")


@games.command("export", help="Write the record of a GAME to standard output.")
@click.argument("game")
@click.option("--all", "everything", is_flag=True, help="The hand in play, too. THIS SHOWS EVERYBODY'S CARDS.")
@noted_by
@with_appcontext
def export(game: str, by: str, *, everything: bool) -> None:
    runtime = here()
    with runtime.database.reading() as session:
        stored = _stored(session, game)
        record = proved_record(session, stored, unfinished=everything)
    if everything:
        with runtime.database.writing() as session:
            acts.note_act(session, OperatorAct.SHOW_CARDS, by, runtime.now(), game_id=stored.id)
        click.echo("This record shows the cards of a hand in play. Keep it from its players.", err=True)
    click.echo(record_text(record), nl=False)


def _text(line: GameLine) -> str:
    paused = "resting" if line.is_resting else "paused" if line.paused_at else "playing"
    state = "over" if line.ended_at else paused
    turns = counted(line.turns, "turn")
    return f"{line.id:>8}  {line.table}  game {line.number}, {turns}  {state}, due {moment(line.due_at)}"


def _stored(session: Session, game: str) -> TableGame:
    """The game of that number, or the newest of the table with that code. Ends the command if there is none."""
    try:
        return store.load(session, _game_id(session, game))
    except LookupError:
        refuse(f"There is no game {game}.", FAILED)


def _game_id(session: Session, game: str) -> int:
    found: int | None = None
    if game.isdecimal():
        found = session.exec(select(GameRow.id).where(GameRow.id == int(game))).first()
    of_table = select(GameRow.id).join(TableRow).where(TableRow.code == game.upper())
    found = found or session.exec(of_table.order_by(col(GameRow.number).desc()).limit(1)).first()
    if found is None:
        raise LookupError(game)
    return found


def _table_id(game: str) -> int:
    with here().database.reading() as session:
        return _stored(session, game).table.id
