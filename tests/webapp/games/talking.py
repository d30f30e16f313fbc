"""The talk of a table: said, stored, and as pages and mails show it."""

import re
from datetime import timedelta
from email.message import EmailMessage

from bs4 import BeautifulSoup
from sqlmodel import select

from tests.answers import player
from tests.cast import leave, letters, seats
from webapp.core.tokens import PlayLink
from webapp.games import talk
from webapp.models import LetterKind, TalkRow
from webapp.outbox import turn_mail
from worker.mail import compose

ANN, BO, CY, DI = range(4)
MINUTE = timedelta(minutes=1)
_QUOTED = re.compile(r" *(.*) \(\w+ \d+ \w+, \d\d:\d\d\)")


def link(table, seat):
    table_id = table.table_id
    return PlayLink(table_id, seat, seats(table.runtime, table_id)[seat].player_id)


def say(table, seat, text):
    talk.add_line(table.runtime, link(table, seat), text, table.runtime.now())


def said(runtime):
    with runtime.database.reading() as session:
        return [row.text for row in session.exec(select(TalkRow).order_by(TalkRow.id))]


def url(table, seat):
    return table.runtime.signer.local_url(link(table, seat))


def mails(runtime, kind, name):
    """The mails of that kind to a player, written as they stand now; those about turns once nobody is on our pages."""
    if kind is LetterKind.TURNS:
        leave(runtime)
        turn_mail.queue_due(runtime, runtime.now())
    with runtime.database.reading() as session:
        found = [one for one in letters(runtime, kind) if one.player_id == player(runtime, name).id]
        return [compose(runtime, session, letter) for letter in found]


def quoted_talk(mail: EmailMessage):
    """The talk that an email quotes, in plain text and in HTML, which must be the same."""
    text = mail.get_body(("plain",)).get_content()
    below = re.split("^(?:SAID AT THE TABLE|SINCE YOU WERE HERE)\n", text, maxsplit=1, flags=re.MULTILINE)[1:]
    lines = [line.strip() for line in "".join(below).partition("\n\n")[0].splitlines() if _QUOTED.fullmatch(line)]
    html = BeautifulSoup(mail.get_body(("html",)).get_content(), "lxml")
    assert [" ".join(line.get_text().split()) for line in html.select("p.said")] == lines
    return [_QUOTED.fullmatch(line)[1] for line in lines]
