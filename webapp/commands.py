"""The commands of `flask --app webapp`, for operators at a terminal."""

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

import click
from flask import Flask, current_app
from flask.cli import AppGroup, with_appcontext

from webapp.check.mail_records import State
from webapp.core.addresses import AddressInvalid
from webapp.core.runtime import Runtime
from webapp.core.start import exit_if_unreachable
from webapp.forms.fields import BadField, read_address
from webapp.inbox.addressed import addressed_by
from webapp.replies.reading import Asked, Envelope, read
from webapp.replies.received import Mail, addresses, fields, parse_mail

FAILED, USAGE_ERROR = 1, 2  # exit statuses

mail = AppGroup("mail", help="Look into the mails of this service.")


def register(app: Flask) -> None:
    """Adds the commands to `app`."""
    app.cli.add_command(migrate)
    app.cli.add_command(backup)
    app.cli.add_command(restore)
    app.cli.add_command(mail)


@click.command(help="Bring the database to this version's tables.")
@with_appcontext
def migrate() -> None:
    from webapp.migrations import CommandError, upgrade  # Alembic is not needed to serve pages

    settings = _runtime().settings
    exit_if_unreachable(settings)
    try:
        upgrade(settings.database)
    except CommandError as error:
        _refuse(str(error), FAILED)


@click.command(help="Copy the database and the keys to FOLDER, which is empty or new, while everything runs.")
@click.argument("folder", type=click.Path(path_type=Path))
@with_appcontext
def backup(folder: Path) -> None:
    from webapp.backup.contents import BackupError
    from webapp.backup.making import back_up

    try:
        contents = back_up(_runtime(), folder)
    except BackupError as error:
        _refuse(str(error), FAILED)
    click.echo(f"{folder} is a whole backup, of version {contents.version}: {', '.join(contents.files)}.")
    click.echo("Keep it as safe as the keys: it opens every seat.")


@click.command(help="Put the backup in FOLDER into an empty database, and bring that to this version's tables.")
@click.argument("folder", type=click.Path(path_type=Path))
@with_appcontext
def restore(folder: Path) -> None:
    from webapp.backup.contents import BackupError
    from webapp.backup.restoring import restore

    try:
        contents, advice = restore(_runtime(), folder)
    except BackupError as error:
        _refuse(str(error), FAILED)
    click.echo(f"Everything is as it was at {contents.made_at:%Y-%m-%d %H:%M} UTC.")
    click.echo("Players who are asked for a turn have a full deadline from now on.")
    for sentence in advice:
        click.echo(sentence, err=True)


@mail.command("read", help="Say what an inbound mail is taken for, as a line of JSON, and do nothing about it.")
@click.argument("file")
@click.option("--asked", metavar="JSON", help="What the mail answers, where its address does not name that.")
def read_mail(file: str, asked: str | None) -> None:
    click.echo(json.dumps(reading_of(_runtime(), _content(file), asked), ensure_ascii=False))


@mail.command("check", help="Say what mails need to leave, to arrive and to be answered, and what of it is missing.")
@click.option("--to", "address", metavar="ADDRESS", help="Send a test mail there as well, on the way of all others.")
@with_appcontext
def check_mail(address: str | None) -> None:
    from webapp.check.self_check import check, resolver_here, try_out  # no other command needs the DNS library

    runtime = _runtime()
    states = set()
    to = _checked_address(address) if address is not None else None
    for finding in check(runtime, resolver_here(), runtime.now()):
        click.echo(str(finding))
        states.add(finding.state)
    if to is not None:
        finding = try_out(runtime, to)
        click.echo(str(finding))
        states.add(finding.state)
    if State.MISSING in states:
        raise SystemExit(1)


def _checked_address(text: str) -> str:
    try:
        return read_address(text)
    except BadField as error:
        _refuse(str(error))


def _runtime() -> Runtime:
    runtime: Runtime = current_app.extensions["runtime"]
    return runtime


def reading_of(runtime: Runtime, raw: bytes, asked_json: str | None = None) -> dict[str, Any]:
    """How we interpret the mail in `raw`, in the form of `Reading.mapping`.

    Takes the envelope from the mail's headers. The recipient's address says what the mail answers; `asked_json`
    overrules it. Exits with a message if `asked_json` is not the JSON of an `Asked`.
    """
    head = parse_mail(raw)
    recipient = _recipient(head)
    asked, answered = asked_by_recipient(runtime, recipient)
    if asked_json is not None:
        asked = _asked(asked_json)
    return read(raw, Envelope(_sender(head), recipient), asked, answered, runtime.settings.incoming_domain).mapping()


def asked_by_recipient(runtime: Runtime, recipient: str) -> tuple[Asked | None, str | None]:
    """What our mail with the reply address `recipient` asked, and its text; None if there is none, or it is gone."""
    try:
        with runtime.database.reading() as session:
            to = addressed_by(session, runtime, recipient)
            return to.asked, to.letter.message
    except (AddressInvalid, LookupError):
        return None, None


def _recipient(head: Mail) -> str:
    """The address to which the mail was delivered, as far as its headers say; empty if they do not."""
    named = [value for name in ("Delivered-To", "X-Original-To", "To") for value in fields(head, name)]
    return next((address for value in named for address in sorted(addresses(value))), "")


def _sender(head: Mail) -> str:
    """The envelope's sender, as the last server recorded it (Return-Path); that of the From header if none did."""
    for value in fields(head, "Return-Path"):
        return next(iter(addresses(value)), "")
    return next((address for value in fields(head, "From") for address in sorted(addresses(value))), "unknown")


def _asked(text: str) -> Asked:
    try:
        values = json.loads(text)
        return Asked(
            seat=int(values["seat"]),
            hand=int(values["hand"]),
            what=str(values["what"]),
            addresses=frozenset(str(address).lower() for address in values["addresses"]),
            legal=tuple(map(str, values.get("legal", ()))),
            pass_count=int(values.get("pass_count", 3)),
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        _refuse('--asked takes JSON like {"seat": 1, "hand": 2, "what": "trick 5", "addresses": ["bo@example.org"]}')


def _content(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        _refuse(f"{file} cannot be read: {error.strerror}")


def _refuse(sentence: str, status: int = USAGE_ERROR) -> NoReturn:
    click.echo(sentence, err=True)
    raise SystemExit(status)
