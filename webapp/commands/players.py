"""The commands `hearts-by-mail players …`: shows, renames, exports and forgets players."""

from pathlib import Path

import click
from flask.cli import AppGroup, with_appcontext
from sqlmodel import Session, select

from webapp import acts
from webapp.commands.terminal import FAILED, here, moment, noted_by, refuse
from webapp.core.data_folder import opener
from webapp.core.refusal import Refused
from webapp.forms.fields import read_name
from webapp.models import OperatorAct, PlayerRow, SeatRow, TableRow
from webapp.players import forgetting, own_data, renaming

players = AppGroup("players", help="Look after players. PLAYER is a player's number here, or their address.")


@players.command("show", help="Show what is known of a player, and where they sit. No cards.")
@click.argument("player")
@with_appcontext
def show(player: str) -> None:
    with here().database.reading() as session:
        row = _player(session, player)
        seats = session.exec(select(SeatRow, TableRow).join(TableRow).where(SeatRow.player_id == row.id)).all()
    click.echo(f"{row.id}  {row.name} <{row.address}>  {row.time_zone}")
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
def export(player: str, file: Path, by: str) -> None:
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
