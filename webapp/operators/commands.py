"""The commands of `hearts-by-mail`, for operators at a terminal: thin, over functions of the rooms below."""

from pathlib import Path

import click
from flask import Flask
from flask.cli import AppGroup, with_appcontext
from sqlalchemy import make_url
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col, select

from hearts.record import record_text
from webapp import acts
from webapp import acts as noted
from webapp.core.data_folder import opener
from webapp.core.database import damage
from webapp.core.runtime import exit_if_unreachable
from webapp.core.say import Refused, say_many
from webapp.forms.fields import read_name
from webapp.games import book
from webapp.games.asked.whose_turn import awaited
from webapp.games.record import store
from webapp.games.record.finished import proved_record
from webapp.games.record.store import TableGame
from webapp.models import GameRow, OperatorAct, PlayerRow, SeatRow, TableRow
from webapp.operators import figures
from webapp.operators.doctor import examine
from webapp.operators.figures import GameLine
from webapp.operators.health import queues
from webapp.operators.mail_commands import mail
from webapp.operators.mail_servers import State
from webapp.operators.terminal import FAILED, here, moment, noted_by, refuse
from webapp.players import forgetting, own_data, renaming
from webapp.tables import hosting

# The command `acts`.

ACTS_LISTED = 50


@click.command("acts", help="List what operators have done, the newest first.")
@click.option("--most", default=ACTS_LISTED, show_default=True, help="How many at most.")
@with_appcontext
def list_acts(most: int) -> None:
    with here().database.reading() as session:
        for row in noted.newest(session, most):
            click.echo(f"{moment(row.at)}  {row.by}: {row.act.value}  {noted.about_text(row)}".rstrip())


# The commands `migrate`, `backup` and `restore`.


@click.command(help="Bring the database to this version's tables.")
@with_appcontext
def migrate() -> None:
    from webapp.migrations import CommandError, upgrade  # Alembic is not needed to serve pages

    settings = here().settings
    exit_if_unreachable(settings)
    try:
        upgrade(settings.database)
    except CommandError as error:
        refuse(str(error), FAILED)
    except DatabaseError as error:
        if sentence := damage(error, make_url(settings.database).database):
            refuse(f"{sentence}.", FAILED)
        raise
    book.reckon_missing(here().database)


@click.command(help="Copy the database and the keys to FOLDER, which is empty or new, while everything runs.")
@click.argument("folder", type=click.Path(path_type=Path))
@with_appcontext
def backup(folder: Path) -> None:
    from webapp.operators.backup import back_up
    from webapp.operators.backup_contents import BackupError

    try:
        contents = back_up(here(), folder)
    except BackupError as error:
        refuse(str(error), FAILED)
    click.echo(f"{folder} is a whole backup, of version {contents.version}: {', '.join(contents.files)}.")
    click.echo("Keep it as safe as the keys: it opens every seat.")


@click.command(help="Put the backup in FOLDER into an empty database, and bring that to this version's tables.")
@click.argument("folder", type=click.Path(path_type=Path))
@with_appcontext
def restore(folder: Path) -> None:
    from webapp.operators.backup import restore
    from webapp.operators.backup_contents import BackupError

    try:
        contents, advice = restore(here(), folder)
    except BackupError as error:
        refuse(str(error), FAILED)
    click.echo(f"Everything is as it was at {contents.made_at:%Y-%m-%d %H:%M} UTC.")
    click.echo("Players who are asked for a turn have a full deadline from now on.")
    click.echo("Links, sign-ins and answers that players got or gave since then open and change nothing any more.")
    click.echo("Some players may have signed out everywhere, taken a move of their games back, muted us or deleted")
    click.echo("their data since then. They have to do so again: tell your players.")
    for sentence in advice:
        click.echo(sentence, err=True)


# The commands `doctor`, which looks for what can be wrong with the data, and `stats`.


@click.command(help="Look for faults in the data, and say what to do. Status 1 if there are any.")
@click.option(
    "--fix",
    is_flag=True,
    help="Mend the faults that are safe to mend: clocks that stand still, and letters left over.",
)
@noted_by
@with_appcontext
def doctor(*, fix: bool, by: str) -> None:
    runtime = here()
    states = set()
    for finding in examine(runtime, runtime.now(), fix_by=by if fix else None):
        click.echo(str(finding))
        states.add(finding.state)
    if State.MISSING in states:
        raise SystemExit(FAILED)


@click.command(help="Show figures of games, players and mail, and of what waits.")
@with_appcontext
def stats() -> None:
    runtime = here()
    now = runtime.now()
    with runtime.database.reading() as session:
        for figure in figures.figures(session, now):
            click.echo(f"{figure.value:>10}  {figure.name}")
        for figure in figures.turns_by_source(session, now):
            click.echo(f"{figure.value:>10}  of these turns: {figure.name}")
        for queue in queues(session, now):
            click.echo(f"{queue.waiting:>10}  waiting: {queue.name}, the oldest for {queue.oldest:.0f} s")


# The commands `hearts-by-mail games …`: lists, shows, pauses, ends and exports games.

GAMES_LISTED = 50

games = AppGroup("games", help="Look after games. GAME is a game's number here, or its table's code (then the newest).")


@games.command("list", help="List the running games, those first that have been due longest.")
@click.option("--most", default=GAMES_LISTED, show_default=True, help="How many at most.")
@with_appcontext
def list_games(most: int) -> None:
    with here().database.reading() as session:
        lines = figures.running_games(session, most)
    for line in lines:
        click.echo(_text(line))
    games = say_many(len(lines), "{number} game", "{number} games")
    click.echo(f"{games}{', and perhaps more' if len(lines) == most else ''}.")


@games.command("show", help="Show one game: its players, whom it waits for, and its scores. No cards.")
@click.argument("game")
@with_appcontext
def show_game(game: str) -> None:
    with here().database.reading() as session:
        stored = _stored(session, game)
    click.echo(_text(figures.line_of(stored.row, stored.table, stored.seats)))
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
        hosting.pause_as_operator(runtime, _table_id(game), paused=not off, by=by, now=runtime.now())
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
    hosting.end_game_as_operator(runtime, _table_id(game), runtime.now(), by=by)
    click.echo("The game has ended.")


@games.command("export", help="Write the record of a GAME to standard output.")
@click.argument("game")
@click.option("--all", "everything", is_flag=True, help="The hand in play, too. THIS SHOWS EVERYBODY'S CARDS.")
@noted_by
@with_appcontext
def export_game(game: str, by: str, *, everything: bool) -> None:
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
    state = "over" if line.ended_at else "paused" if line.paused_at else "playing"
    turns = say_many(line.turns, "{number} turn", "{number} turns")
    return f"{line.id:>8}  {line.table}  game {line.number}, {turns}  {state}, due {moment(line.due_at)}"


def _stored(session: Session, game: str) -> TableGame:
    """The game of that number, or the newest of the table with that code. Ends the command if there is none."""
    found: int | None = None
    if game.isdecimal():
        found = session.exec(select(GameRow.id).where(GameRow.id == int(game))).first()
    of_table = select(GameRow.id).join(TableRow).where(TableRow.code == game.upper())
    found = found or session.exec(of_table.order_by(col(GameRow.number).desc()).limit(1)).first()
    try:
        if found is None:
            raise LookupError(game)
        return store.load(session, found)
    except LookupError:
        refuse(f"There is no game {game}.", FAILED)


def _table_id(game: str) -> int:
    with here().database.reading() as session:
        return _stored(session, game).table.id


# The commands `hearts-by-mail players …`: shows, renames, exports and forgets players.

players = AppGroup("players", help="Look after players. PLAYER is a player's number here, or their address.")


@players.command("show", help="Show what is known of a player, and where they sit. No cards.")
@click.argument("player")
@with_appcontext
def show_player(player: str) -> None:
    with here().database.reading() as session:
        row = _player(session, player)
        seats = session.exec(select(SeatRow, TableRow).join(TableRow).where(SeatRow.player_id == row.id)).all()
    click.echo(f"{row.id}  {row.name} <{row.address}>  {row.time_zone}  {row.language}")
    click.echo(f"since {moment(row.created_at)}, last active {moment(row.seen_at)}")
    if row.unreachable_at:
        click.echo(f"nothing is sent to this address since {moment(row.unreachable_at)}")
    if row.forgotten_at:
        click.echo(f"forgotten at {moment(row.forgotten_at)}")
    for seat, table in seats:
        click.echo(f"table {table.code} ({table.state.value}), seat {seat.seat} ({seat.state.value}) as {seat.name}")


@players.command("rename", help="Give a player another NAME, at all their tables and in their games.")
@click.argument("player")
@click.argument("name")
@noted_by
@with_appcontext
def rename(player: str, name: str, by: str) -> None:
    try:
        renaming.rename(here(), _player_id(player), read_name(name), here().now(), by=by)
    except Refused as error:
        refuse(str(error), FAILED)
    click.echo("Renamed.")


@players.command("export", help="Write all that is kept of a player to FILE, as they can have it themselves.")
@click.argument("player")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@noted_by
@with_appcontext
def export_player(player: str, file: Path, by: str) -> None:
    runtime = here()
    with runtime.database.reading() as session:
        row = _player(session, player)
        content = own_data.file_of(session, row)
    try:
        with open(file, "xb", opener=opener) as new:
            with runtime.database.writing() as session:
                acts.note_act(session, OperatorAct.EXPORT, by, runtime.now(), player_id=row.id)
            new.write(content)
    except OSError as error:
        refuse(f"{file} cannot be written: {error.strerror}", FAILED)
    click.echo(f"{file} holds all that is kept of them.")


@players.command("forget", help="Delete all that is kept of a player, as they can themselves. It cannot be undone.")
@click.argument("player")
@click.confirmation_option(prompt="Forget this player for ever?")
@noted_by
@with_appcontext
def forget(player: str, by: str) -> None:
    try:
        forgetting.forget(here(), _player_id(player), here().now(), by=by)
    except Refused as error:
        refuse(str(error), FAILED)
    click.echo("Forgotten.")


def _player(session: Session, player: str) -> PlayerRow:
    """The player of that number or address. Ends the command if there is none."""
    by = PlayerRow.id == int(player) if player.isdecimal() else PlayerRow.address == player.strip().lower()
    found = session.exec(select(PlayerRow).where(by)).first()
    return found or refuse("There is no such player.", FAILED)


def _player_id(player: str) -> int:
    with here().database.reading() as session:
        return _player(session, player).id


COMMANDS = (migrate, backup, restore, mail, games, players, list_acts, doctor, stats)


def register(app: Flask) -> None:
    """Adds the commands to `app`."""
    for command in COMMANDS:
        app.cli.add_command(command)
