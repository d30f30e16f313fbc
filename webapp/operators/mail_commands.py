"""The commands `hearts-by-mail mail …`: checks mail, shows what waits to be sent, and holds or retries it."""

import json
import sys
from pathlib import Path
from typing import Any

import click
from flask.cli import AppGroup, with_appcontext

from webapp.core.addresses import AddressInvalid
from webapp.core.runtime import Runtime
from webapp.core.say import ENGLISH, LANGUAGES, say_many
from webapp.forms.fields import BadField, read_address
from webapp.inbox.finding import addressed_by
from webapp.models import InboundRow
from webapp.operators.mail_servers import State
from webapp.operators.terminal import FAILED, here, moment, noted_by, refuse
from webapp.outbox import holding
from webapp.replies.reading import Asked, Envelope, read
from webapp.replies.received import addresses, fields, parse_mail

LISTED = 50
mail = AppGroup("mail", help="Look into the mail of this service.")


@mail.command("read", help="Show how an inbound mail is interpreted, as a line of JSON, without acting on it.")
@click.argument("file")
@click.option("--asked", metavar="JSON", help="The question that the mail answers, if its address names none.")
def read_mail(file: str, asked: str | None) -> None:
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        refuse(f"{file} cannot be read: {error.strerror}")
    click.echo(json.dumps(reading_of(here(), raw, asked), ensure_ascii=False))


@mail.command("show", help="Print a mail that came for the operators, by its NUMBER in the log, as it came.")
@click.argument("number", type=int)
@with_appcontext
def show(number: int) -> None:
    runtime = here()
    with runtime.database.reading() as session:
        row = session.get(InboundRow, number)
    if row is None or row.raw is None or not runtime.postmark.is_role(row.recipient):
        refuse("There is no such mail, or it is deleted by now.")
    click.echo(row.raw.decode("utf-8", "replace"))


@mail.command("check", help="Check what mail needs to leave, to arrive and to be answered, and say what is missing.")
@click.option("--to", "address", metavar="ADDRESS", help="Send a test mail there as well, on the way of all others.")
@with_appcontext
def check_mail(address: str | None) -> None:
    from webapp.operators.mail_check import check, resolver_here, try_out

    runtime = here()
    states = set()
    try:
        to = None if address is None else read_address(address)
    except BadField as error:
        refuse(str(error))
    for finding in check(runtime, resolver_here(), runtime.now()):
        click.echo(str(finding))
        states.add(finding.state)
    if to is not None:
        finding = try_out(runtime, to)
        click.echo(str(finding))
        states.add(finding.state)
    if State.MISSING in states:
        raise SystemExit(1)


@mail.command("queue", help="List the letters that are due or were tried, or with --failed those that were given up.")
@click.option("--failed", is_flag=True, help="Those that the relay refused for good, newest first.")
@with_appcontext
def show_queue(*, failed: bool) -> None:
    runtime = here()
    with runtime.database.reading() as session:
        if since := holding.held_since(session):
            click.echo(f"Sending is held since {moment(since)}; go on with: hearts-by-mail mail resume")
        if down := holding.down_text(session, runtime.now()):
            click.echo(f"{down[:1].upper()}{down[1:]}.")
        found = holding.failed(session, LISTED) if failed else holding.waiting(session, runtime.now(), LISTED)
    for letter in found:
        line = f"{letter.id:>8}  {letter.kind.value:<15} {moment(letter.created_at)}  {holding.tried_text(letter)}"
        click.echo(line.rstrip())
    letters = say_many(len(found), "{number} letter", "{number} letters")
    click.echo(f"{letters}{', and perhaps more' if len(found) == LISTED else ''}.")


@mail.command("retry", help="Queue letters again that were given up: those of these NUMBERS.")
@click.argument("numbers", type=int, nargs=-1, required=True)
@noted_by
@with_appcontext
def retry(numbers: tuple[int, ...], by: str) -> None:
    runtime = here()
    with runtime.database.writing() as session:
        queued = holding.retry(session, numbers, by, runtime.now())
    runtime.bell.deliver()
    for number in numbers:
        click.echo(f"{number:>8}  {'queued again' if number in queued else 'is no letter that was given up'}")
    if len(queued) < len(set(numbers)):
        raise SystemExit(FAILED)


@mail.command(
    "hold", help="Send no mail from now on, until `mail resume`. Deadlines move by as long as questions wait."
)
@noted_by
@with_appcontext
def hold(by: str) -> None:
    runtime = here()
    with runtime.database.writing() as session:
        holding.hold(session, by, runtime.now())
    click.echo("No mail is sent. Letters wait, and go after: hearts-by-mail mail resume")


@mail.command("resume", help="Send mail again after `mail hold`.")
@noted_by
@with_appcontext
def resume(by: str) -> None:
    runtime = here()
    with runtime.database.writing() as session:
        holding.resume(session, by, runtime.now())
    runtime.bell.deliver()
    click.echo("Mail is sent again.")


def reading_of(runtime: Runtime, raw: bytes, asked_json: str | None = None) -> dict[str, Any]:
    """How we interpret the mail in `raw`, in the form of `Reading.mapping`.

    Takes the envelope from the mail's headers. The recipient's address says what the mail answers; `asked_json`
    overrules it. Exits with a message if `asked_json` is not the JSON of an `Asked`.
    """
    head = parse_mail(raw)
    named = [value for name in ("Delivered-To", "X-Original-To", "To") for value in fields(head, name)]
    recipient = next((address for value in named for address in sorted(addresses(value))), "")
    asked, answered = asked_by_recipient(runtime, recipient)
    if asked_json is not None:
        asked = _asked(asked_json)
    # As the last server recorded it; if none did, that of the From header.
    sender = next((address for value in fields(head, "From") for address in sorted(addresses(value))), "unknown")
    if recorded := fields(head, "Return-Path"):
        sender = next(iter(addresses(recorded[0])), "")
    return read(raw, Envelope(sender, recipient), asked, answered, runtime.settings.verdict_authority).mapping()


def asked_by_recipient(runtime: Runtime, recipient: str) -> tuple[Asked | None, str | None]:
    """Returns the question of our mail with the reply address `recipient`, and its text; each None if there is none."""
    try:
        with runtime.database.reading() as session:
            to = addressed_by(session, runtime, recipient)
            return to.asked, to.letter.message
    except (AddressInvalid, LookupError):
        return None, None


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
            language=LANGUAGES[LANGUAGES.index(values.get("language", ENGLISH))],
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        refuse('--asked takes JSON like {"seat": 1, "hand": 2, "what": "trick 5", "addresses": ["bo@example.org"]}')
