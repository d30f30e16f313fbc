"""`hearts-by-mail host`: from a mailbox and its password to a running service and a first link, in a few questions.

It finds the mailbox's servers, tries sending and fetching, writes the settings file, starts everything, and mails the
host a link that signs them in. Nothing is written before both ways work. A password is asked for, or comes from a file
or a command; no option takes it, because every user of a machine may read the options of its processes.
"""

import os
import secrets
import sys
from pathlib import Path

import click

from webapp.core import data_folder
from webapp.core.config import NO_PAGES, BadSetting, Settings, read_settings
from webapp.core.data_folder import make_file, make_folder
from webapp.core.runtime import Runtime
from webapp.forms.fields import BadField, read_address
from webapp.operators import mail_loop
from webapp.operators.mail_check import check_listener, check_relay, resolver_here
from webapp.operators.mail_servers import Finding, NoAutoconfig, Server, Servers, State, by_autoconfig, by_dns, by_name
from webapp.outbox import about_accounts
from webapp.tables.seating import player_at

from . import run

HELP = "Set up a service with a mailbox: find its servers, try them, write the settings, and start everything."
NAME = "Hearts by Mail"
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")  # of the authorities that OpenSSL trusts


@click.command(help=HELP)
@click.option("--address", metavar="ADDRESS", help="The mailbox that sends our mail and gets the answers.")
@click.option("--password-file", type=click.Path(exists=True, dir_okay=False), help="The file with its password.")
@click.option("--password-command", metavar="COMMAND", help="A command that prints its password, as for mbsync.")
@click.option("--imap", metavar="HOST[:PORT]", help="The server to fetch from, if its domain does not name it.")
@click.option("--smtp", metavar="HOST[:PORT]", help="The server to send by, if its domain does not name it.")
@click.option("--login", metavar="NAME", help="The name to log in with, if that is not the mailbox's address.")
@click.option("--autoconfig", type=click.Path(exists=True, dir_okay=False), help="A file of Mozilla's autoconfig form.")
@click.option("--to", metavar="ADDRESS", help="Your own address. We mail your first link there.")
@click.option(
    "--base-url",
    metavar="URL",
    help="Where others open the pages, such as https://hearts.example.org; empty: all play by mail alone.",
)
@click.option("--start/--no-start", default=True, help="Start everything when the settings are written.")
def host(
    address: str | None,
    password_file: str | None,
    password_command: str | None,
    imap: str | None,
    smtp: str | None,
    login: str | None,
    autoconfig: str | None,
    to: str | None,
    base_url: str | None,
    *,
    start: bool,
) -> None:
    folder = Path(os.environ["DATA_DIR"])
    file = folder / data_folder.NAME
    if file.exists():
        stop(f"{file} exists already. `hearts-by-mail run` starts the service with it. To set up anew, move it away.")
    mailbox = _address("Address of the mailbox for the games", address)
    servers = _servers(mailbox, imap, smtp, autoconfig)
    if login:
        servers = servers.for_user(login)
    password = _password(mailbox, password_file, password_command)
    own = _address("Your own address, for your first link", to, default=mailbox)
    pages = (
        base_url
        if base_url is not None
        else click.prompt(
            "Address of the pages for others, such as https://hearts.example.org (empty: all play by mail alone)",
            default="",
            show_default=False,
        )
    )
    settings = _tried(_settings(mailbox, servers, password, pages) | {"OPERATOR_ADDRESS": own}, folder)
    make_folder(folder)
    make_file(file, data_folder.file_content({**_given(), **_with_keys(settings, folder)}))
    data_folder.load(folder)
    click.echo(f"The settings are in {file}.")
    mail_first_link(own)
    click.echo(f"Once the service runs, it mails {own} a link that signs you in.")
    if start:
        sys.exit(run.main())


def mail_first_link(address: str) -> None:
    """Makes the database ready, and queues the mail with the link that signs the host in."""
    release = run.start({run.FIRST: run.read_procfile()[run.FIRST]}, os.environ)
    if release[run.FIRST].wait():
        stop("We could not prepare the database. Its messages stand above.")
    runtime = Runtime(read_settings())
    with runtime.database.writing() as session:
        now = runtime.now()
        name = address.partition("@")[0]
        about_accounts.queue_sign_in(session, runtime, player_at(session, address, name, now), now)
    runtime.database.engine.dispose()


def stop(sentence: str) -> None:
    """Ends the command with status 1 and a sentence on standard error."""
    click.echo(sentence, err=True)
    sys.exit(1)


def _address(question: str, given: str | None, default: str | None = None) -> str:
    """The address that the option gives, or else that the host types."""
    if given is not None:
        try:
            return read_address(given)
        except BadField as error:
            stop(f"{given}: {error}")
    while True:
        try:
            return read_address(click.prompt(question, default=default))
        except BadField as error:
            click.echo(str(error))


def _servers(address: str, imap: str | None, smtp: str | None, autoconfig: str | None) -> Servers:
    """The servers of the mailbox: those of the options, of the file, of the DNS, or that the host types."""
    found = Servers(imap and _named(imap, address, sends=False), smtp and _named(smtp, address, sends=True))
    if autoconfig:
        try:
            found = found.or_else(by_autoconfig(Path(autoconfig).read_text(encoding="utf-8"), address))
        except (NoAutoconfig, UnicodeError) as error:
            stop(f"{autoconfig} cannot be used. {error}")
    if not (found.fetching and found.sending):
        found = found.or_else(by_dns(address, resolver_here()))
    domain = address.rpartition("@")[2]
    fetching = found.fetching or _typed("Server to fetch mail from (IMAP)", f"imap.{domain}", address, sends=False)
    sending = found.sending or _typed("Server to send mail by (SMTP)", f"smtp.{domain}", address, sends=True)
    click.echo(f"We fetch mail from {fetching}, and send it by {sending}.")
    return Servers(fetching, sending)


def _named(text: str, address: str, *, sends: bool) -> Server:
    try:
        return by_name(text, address, sends=sends)
    except ValueError:
        stop(f"{text} names no server. Write one as imap.example.org, or imap.example.org:993.")


def _typed(question: str, default: str, address: str, *, sends: bool) -> Server:
    while True:
        try:
            return by_name(click.prompt(question, default=default), address, sends=sends)
        except ValueError:
            click.echo("Write a server as imap.example.org, or imap.example.org:993.")


def _password(address: str, file: str | None, command: str | None) -> dict[str, str]:
    """The setting that gives the password."""
    if file:
        return {"INBOX_PASSWORD_FILE": str(Path(file).absolute())}
    if command:
        return {"INBOX_PASSWORD_COMMAND": command}
    return {"INBOX_PASSWORD": click.prompt(f"Password of {address} (it stays in the settings file)", hide_input=True)}


def _settings(address: str, servers: Servers, password: dict[str, str], base_url: str) -> dict[str, str]:
    assert servers.fetching is not None
    assert servers.sending is not None
    local, _, domain = address.partition("@")
    settings = {
        "MAIL_FROM": f"{NAME} <{address}>",
        "SMTP_URL": servers.sending.url,
        "INBOX_URL": servers.fetching.url,
        "REPLY_MAILBOX": f"{local}+@{domain}",
        **password,
    }
    if not base_url:
        return settings | {"BASE_URL": NO_PAGES}
    proxies = "1" if base_url.startswith("https:") else "0"  # which speaks HTTPS for us
    return settings | {"BASE_URL": base_url, "TRUSTED_PROXIES": proxies, "SECRET_KEYS": secrets.token_urlsafe(48)}


def _given() -> dict[str, str]:
    """The settings that this command found in its environment, so that they hold when the service starts without it."""
    names = [name.upper() for name in Settings.model_fields if name != "data_dir"]
    return {name: value for name in (*names, *CERTIFICATES) if (value := os.environ.get(name))}


def _with_keys(settings: dict[str, str], folder: Path) -> dict[str, str]:
    """The settings with the keys that the data directory has, so that older links and answers still work, or new ones.

    Where others open the pages, the settings must name them; else each process finds them there.
    """
    if settings["BASE_URL"] == NO_PAGES:
        return settings
    kept = read_settings(data_dir=folder, base_url="")
    kept.push_key()
    return settings | {"SECRET_KEYS": ",".join(kept.keys()), "VAPID_KEY": str(kept.own_push_key.absolute())}


def _tried(settings: dict[str, str], folder: Path) -> dict[str, str]:
    """The settings once mail has gone out and come back: a provider may take no mail to a signed address."""
    checked = _checked(settings, folder)
    for check in (check_relay, check_listener):
        _say(check(checked))
    click.echo("We send two emails to the mailbox, and delete them when they come in. That takes a minute at most.")
    try:
        tried = mail_loop.try_loop(checked)
    except mail_loop.FAILURES as error:
        _say(mail_loop.finding_of(checked, error))
        raise
    if not tried.keeps_plus:
        settings = {**settings, "REPLY_MAILBOX": checked.mailbox_address}
    for finding in mail_loop.findings_of(_checked(settings, folder), tried):
        _say(finding)
    return settings


def _checked(settings: dict[str, str], folder: Path) -> Settings:
    try:
        return read_settings(data_dir=folder, **{name.lower(): value for name, value in settings.items()})
    except BadSetting as error:
        stop(str(error))


def _say(finding: Finding) -> None:
    """Prints what was found; ends the command if the service cannot work so."""
    if finding.state in (State.MISSING, State.UNKNOWN):
        stop(f"{finding.text[:1].upper()}{finding.text[1:]}. Nothing was written.")
    click.echo(str(finding))
