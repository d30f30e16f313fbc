"""Composes one letter, and decides in the same transaction what becomes of it: it goes now, it waits, or it goes not.

`postman` hands to the relay what this module returns.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage
from functools import cache
from html.parser import HTMLParser
from typing import NamedTuple

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlmodel import Session

from webapp.core.addresses import Purpose, address_in_ascii
from webapp.core.runtime import Runtime
from webapp.core.templates import TEMPLATES
from webapp.games.clock.presence import may_disturb_at
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox import about_tables, allowance, bounces, leases, letters, turn_mail
from webapp.robots import reviews
from worker import attempts
from worker.attachments import enclose
from worker.batch import Batch
from worker.headers import empty_message, set_headers, unencoded
from worker.mails import letter_context
from worker.notify import Notice, notice_of

# Composes a queued letter: makes of its row the whole message, in plain text and HTML.
# `mails` makes the context for the templates in `templates/mail/`; `postman` sends the message. A kind of mail is
# written once, as HTML, and its text is made from that. Only a mail whose text shows other things than its HTML, such
# as cards with their links or a table in columns, has a `body.txt` of its own.

Variables = Mapping[str, object]  # of the templates of a mail
_PARAGRAPHS = frozenset(("h1", "h2", "p"))
_WORD, _SPACES = re.compile(r"\w"), re.compile(r"\s+")
_NAMED_ABOVE = re.compile(r":\n\n.+:\n(?=https?:)")  # a link whose name adds nothing to the sentence above it
_GAP = re.compile(r"\n{3,}")  # where a link is left out


def compose(runtime: Runtime, session: Session, letter: LetterRow) -> EmailMessage | None:
    """The message of the letter; None if what it asks for, or reports, is over already."""
    player = session.get_one(PlayerRow, letter.player_id)
    context = letter_context(runtime, session, letter, player)
    if context is None:
        return None
    message = empty_message(letter.address or player.address)
    said = context.variables()
    set_headers(message, runtime, session, letter, player, context.reply_to)
    message["Subject"] = unencoded(subject_of(letter.kind, said))
    # No relay re-encodes quoted-printable text, so that signatures hold; and no line of it is too long.
    has_pages = runtime.settings.has_pages
    message.set_content(text_of(letter.kind, said, has_pages=has_pages), cte="quoted-printable")
    if has_pages:
        message.add_alternative(html_of(letter.kind, said), "html", cte="quoted-printable")
    enclose(message, context.enclosed)
    return message


def subject_of(kind: LetterKind, said: Variables) -> str:
    """The subject of a mail of this kind, in one line."""
    return " ".join(mail_templates().get_template(f"mail/{kind}/subject.txt").render(said).split())


def html_of(kind: LetterKind, said: Variables) -> str:
    """The HTML of a mail, with its styles inline."""
    return _inliner().inline(mail_templates().get_template(f"mail/{kind}/body.html").render(said))


def text_of(kind: LetterKind, said: Variables, *, has_pages: bool = True) -> str:
    """The plain text of a mail; where players have no pages, all of it, and whatever they must do is an answer."""
    templates = [f"mail/{kind}/body.txt", f"mail/{kind}/body.html"]
    template = mail_templates(has_pages=has_pages).select_template(templates)
    written = template.render(said)
    return _GAP.sub("\n\n", written) if template.name == templates[0] else text_from(written)


def text_from(html: str) -> str:
    """The HTML of a mail as plain text: its paragraphs, each with its links below it, and its foot as a signature."""
    reader = _Reader()
    reader.feed(html)
    brand, *content = reader.content
    text = "\n\n".join([*content, f"-- \n{brand}", *reader.foot])
    return _NAMED_ABOVE.sub(":\n", text) + "\n"


class _Reader(HTMLParser):
    """Reads what the paragraphs and headings of a mail say; nothing else in it is for a reader of plain text."""

    def __init__(self) -> None:
        super().__init__()
        self.content: list[str] = []
        self.foot: list[str] = []
        self._into = self.content
        self._pieces: list[tuple[str, str | None]] = []  # words, with the link that they are
        self._link: str | None = None
        self._is_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self._is_code = values.get("class") == "code"  # of a card, whose face stands beside it
        if values.get("class") == "foot":
            self._into = self.foot
        if tag in _PARAGRAPHS:
            self._pieces = []
        elif tag == "a":
            self._link = values["href"]
        elif tag == "br":
            self._pieces.append(("\n", None))

    def handle_endtag(self, tag: str) -> None:
        self._is_code = False
        if tag == "a":
            self._link = None
        elif tag in _PARAGRAPHS and (text := _paragraph(self._pieces)):
            self._into.append(text.upper() if tag == "h2" else text)

    def handle_data(self, data: str) -> None:
        if not self._is_code:
            self._pieces.append((_SPACES.sub(" ", data), self._link))


def _paragraph(pieces: Sequence[tuple[str, str | None]]) -> str:
    """A paragraph with its links below it; if it consists of links, each is a paragraph with a name."""
    links = [(words, link) for words, link in pieces if link]
    if any(_WORD.search(words) for words, link in pieces if not link):
        lines = "".join(words for words, _ in pieces).split("\n")
        return "\n".join([*(" ".join(line.split()) for line in lines), *(link for _, link in links)])
    return "\n\n".join(f"{words}:\n{link}" for words, link in links)


@cache
def mail_templates(*, has_pages: bool = True) -> Environment:
    """The environment of the templates of all mails, which may mention pages only where it `has_pages`."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # else it looks for changes of nine files for each mail
    )
    made.globals["has_pages"] = has_pages
    return made


@cache
def _inliner() -> css_inline.CSSInliner:
    # Rules that cannot be inlined (dark mode, small screens) stay in the head.
    return css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True)


class Outgoing(NamedTuple):
    """A letter as the relay gets it. `is_new`: no earlier attempt can have delivered it."""

    letter: LetterRow
    sender: str
    address: str
    content: bytes
    is_new: bool


class Composed(NamedTuple):
    """A letter as it goes out: a mail, unless it must wait or nobody needs it, and a notice to its reader's devices."""

    mail: Outgoing | None = None
    notice: Notice | None = None


def compose_letter(runtime: Runtime, batch: Batch, letter_id: int) -> Composed:
    """Composes a letter of the batch, if it is still queued and nobody else has locked it."""
    reviews.prepare(runtime, letter_id, batch.kinds[letter_id])  # a robot may think: before anything is locked
    with runtime.database.writing() as session:
        if KINDS[batch.kinds[letter_id]].is_question:  # the lock order is players, then their letters
            bounces.lock_player(session, session.get_one(LetterRow, letter_id))
        now = runtime.now()
        for letter in leases.held_letters(session, [letter_id], batch.by, even_locked=False):
            batch.begin(letter)
            return _composed(runtime, session, letter, now)
    return Composed()


def _composed(runtime: Runtime, session: Session, letter: LetterRow, now: datetime) -> Composed:
    player = session.get_one(PlayerRow, letter.player_id)
    is_question = KINDS[letter.kind].is_question
    if is_question and not turn_mail.still_goes(session, runtime, letter, player, now):
        return Composed()
    notice = notice_of(runtime, session, letter)
    if (notice and notice.replaces_mail) or _has_to_wait(session, runtime, letter, player, now):
        return Composed(None, notice)
    return Composed(_outgoing(runtime, session, letter, player, now), notice)


def _has_to_wait(session: Session, runtime: Runtime, letter: LetterRow, player: PlayerRow, now: datetime) -> bool:
    """Whether the letter cannot go now, which is then recorded in its row."""
    if player.unreachable_at and letter.address is None and not KINDS[letter.kind].proves_address:
        letter.state, letter.next_at = LetterState.WITHHELD, None
        about_tables.queue_returned(session, runtime, letter, now)
        attempts.count(letter, "withheld", player.address)
        return True
    if letters.hold_back(session, letter, now):
        return True
    if until := attempts.waits_for_domain(session, letter, letter.address or player.address, now):
        leases.put_off(letter, until)
        return True
    return False


def _outgoing(
    runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow, now: datetime
) -> Outgoing | None:
    """The letter as the relay gets it; None if nobody needs it, or its address has had enough mails for a day.

    Stores its text: later attempts send the same, as this one may have arrived.
    """
    message = compose(runtime, session, letter)
    if message is None:
        letter.state, letter.next_at = LetterState.SUPERSEDED, None
        return None
    address = address_in_ascii(letter.address or player.address)
    if until := allowance.take(session, runtime, letter, address, now):
        leases.put_off(letter, until if KINDS[letter.kind].at_once else may_disturb_at(player, until))
        return None
    if is_new := letter.message is None:
        letter.subject, letter.message = message["Subject"], message.as_string()
    assert letter.message is not None
    # It is already ASCII, or UTF-8 if the address is. To parse it here would fold the lines again.
    content = letter.message.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    return Outgoing(letter, _envelope_sender(runtime, letter), address, content, is_new)


def _envelope_sender(runtime: Runtime, letter: LetterRow) -> str:
    """The address for reports about this letter: one of its own if `inbox` takes mails, else that of MAIL_FROM."""
    if runtime.settings.reply_domain:
        return runtime.postmark.address(Purpose.BOUNCE, letter.id)
    return runtime.settings.sender.addr_spec
