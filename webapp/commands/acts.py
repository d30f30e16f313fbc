"""The command `acts`."""

import click
from flask.cli import with_appcontext

from webapp import acts as noted
from webapp.commands.terminal import here, moment

LISTED = 50


@click.command(help="List what operators have done, the newest first.")
@click.option("--most", default=LISTED, show_default=True, help="How many at most.")
@with_appcontext
def acts(most: int) -> None:
    with here().database.reading() as session:
        for row in noted.newest(session, most):
            click.echo(f"{moment(row.at)}  {row.by}: {row.act.value}  {noted.about_text(row)}".rstrip())
