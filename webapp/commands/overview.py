"""The commands `doctor`, which looks for what can be wrong with the data, and `stats`."""

import click
from flask.cli import with_appcontext

from webapp.check.doctor import examine
from webapp.check.mail_records import State
from webapp.commands.terminal import FAILED, here, noted_by
from webapp.health import overview
from webapp.health.queues import queues


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
        for figure in overview.figures(session, now):
            click.echo(f"{figure.value:>10}  {figure.name}")
        for figure in overview.turns_by_source(session, now):
            click.echo(f"{figure.value:>10}  of these turns: {figure.name}")
        for queue in queues(session, now):
            click.echo(f"{queue.waiting:>10}  waiting: {queue.name}, the oldest for {queue.oldest:.0f} s")
