"""Code of all commands: this process's runtime, the operator's name, moments as text, aborting with a message."""

import os
import pwd
from datetime import UTC, datetime
from typing import NoReturn

import click
from flask import current_app

from webapp.core.runtime import Runtime

FAILED, USAGE_ERROR = 1, 2  # exit statuses
LONGEST_BY = 60


def here() -> Runtime:
    """The runtime of this process."""
    runtime: Runtime = current_app.extensions["runtime"]
    return runtime


def moment(at: datetime | None) -> str:
    """A moment as operators read it, in UTC; a dash for None."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if at else "-"


def refuse(sentence: str, status: int = USAGE_ERROR) -> NoReturn:
    """Ends the command with a sentence on standard error."""
    click.echo(sentence, err=True)
    raise SystemExit(status)


def account() -> str:
    """The name of the account of the operating system that runs the command; its number, if it has no name."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"account {os.getuid()}"


def _checked_name(_context: click.Context, _option: click.Parameter, name: str) -> str:
    if not 0 < len(name.strip()) <= LONGEST_BY or not name.isprintable():
        raise click.BadParameter(f"It has 1 to {LONGEST_BY} characters.")
    return name.strip()


# For commands that change something: who is noted for it.
noted_by = click.option(
    "--by",
    default=account,
    envvar="SUDO_USER",
    show_default="your account, also through sudo",
    callback=_checked_name,
    help="Who does this, for `acts`.",
)
