"""The commands `migrate`, `backup` and `restore`."""

from pathlib import Path

import click
from flask.cli import with_appcontext
from sqlalchemy import make_url
from sqlalchemy.exc import DatabaseError

from webapp.commands.terminal import FAILED, here, refuse
from webapp.core.database import damage
from webapp.core.runtime import exit_if_unreachable


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


@click.command(help="Copy the database and the keys to FOLDER, which is empty or new, while everything runs.")
@click.argument("folder", type=click.Path(path_type=Path))
@with_appcontext
def backup(folder: Path) -> None:
    from webapp.backup.contents import BackupError
    from webapp.backup.making import back_up

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
    from webapp.backup.contents import BackupError
    from webapp.backup.restoring import restore

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
