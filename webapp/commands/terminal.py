"""What all commands share: this process's runtime, moments as text, and how a command ends that cannot go on."""

from datetime import UTC, datetime
from typing import NoReturn

import click
from flask import current_app

from webapp.core.runtime import Runtime

FAILED, USAGE_ERROR = 1, 2  # exit statuses


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
