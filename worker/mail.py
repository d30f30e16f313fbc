"""Composes a queued letter: makes of its row the whole message, in plain text and HTML.

`mails` makes the context for the templates in `templates/mail/`; `postman` sends the message. A kind of mail is written
once, as HTML, and its text is made from that. Only a mail whose text shows other things than its HTML, such as cards
with their links or a table in columns, has a `body.txt` of its own.
"""

import base64
import re
import time
from collections.abc import Mapping, Sequence
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import css_inline
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlmodel import Session, col, or_, select

from webapp.core.addresses import Purpose, address_in_ascii
from webapp.core.config import Settings
from webapp.core.credentials import DkimKey, dkim_key
from webapp.core.names import ISOLATES, bare
from webapp.core.runtime import Runtime
from webapp.core.say import tongue
from webapp.core.templates import TEMPLATES, Environments
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox.letters import unsubscribe_link
from webapp.outbox.turn_mail import Look
from worker.attachments import enclose
from worker.mails import letter_context

# Sets the headers of a mail: sender, recipient, thread, unsubscribing, and what keeps machines from answering.
# Sources: RFC 5322 (Message-ID, References), RFC 3834 (Auto-Submitted), RFC 2369 and 8058 (List-Unsubscribe), RFC 6532
# (addresses with letters beyond ASCII).

LONGEST_NAME = 75  # characters; some providers refuse longer display names, or take them for spam
LONGEST_FIELD = 320  # characters of a From or To with its name, as encoded
IN_REFERENCES = 5  # Message-IDs besides that of the thread's first mail
_NOT_IN_NAMES = frozenset('@:,;<>"\\()[]')
_ON_ITS_WAY = (LetterState.SENT, LetterState.KEPT, LetterState.BOUNCED)


class _MailPolicy(EmailPolicy):
    """Folds long identifiers and links at blanks only; the library would encode them, and nobody could read them."""

    _AT_BLANKS = frozenset({"message-id", "in-reply-to", "references", "list-unsubscribe"})

    def fold(self, name: str, value: str) -> str:
        if name.lower() in self._AT_BLANKS:
            return f"{name}: " + f"{self.linesep} ".join(value.split()) + self.linesep
        folded: str = super().fold(name, value)
        # A text that fills a line by itself: one letter more is better than a first line without any (RFC 5322, 2.1.1).
        return folded.replace(f"{name}:{self.linesep} ", f"{name}: ", 1)


_ASCII, _UTF8 = (_MailPolicy(utf8=utf8) for utf8 in (False, True))


def empty_message(address: str) -> EmailMessage:
    """An empty message to `address`; its headers are UTF-8 only if the address has letters beyond ASCII."""
    return EmailMessage(policy=_ASCII if address_in_ascii(address).isascii() else _UTF8)


def set_headers(
    message: EmailMessage,
    runtime: Runtime,
    session: Session,
    letter: LetterRow,
    player: PlayerRow,
    reply_to: str | None = None,
) -> None:
    """Sets all headers but the subject and those of the content.

    A mail is answered to `reply_to`, else to an address of its own.
    """
    sender = runtime.settings.sender
    message["From"] = _named(sender.display_name, sender.addr_spec)
    message["To"] = _named(player.name, address_in_ascii(letter.address or player.address))
    reply_to = reply_to or runtime.address_in_mail(Purpose.REPLY, letter.id)
    if reply_to:
        message["Reply-To"] = _named(sender.display_name, reply_to)
    message["Date"] = format_datetime(letter.created_at)
    message["Message-ID"] = letter.message_id
    if letter.thread_id:
        earlier = _earlier_in_thread(session, letter)
        message["In-Reply-To"] = (earlier or [letter.thread_id])[-1]
        references = [mail for mail in earlier if mail != letter.thread_id][-IN_REFERENCES:]
        message["References"] = " ".join([letter.thread_id, *references])
    link, has_pages = unsubscribe_link(letter, player), runtime.settings.has_pages
    # With it, the player unsubscribes with one click in their mail program, by a POST or by a mail.
    if link is not None:
        targets = [f"<{runtime.signer.url(link)}>"] if has_pages else []
        if address := runtime.address_in_mail(Purpose.UNSUBSCRIBE, letter.id):
            targets.insert(0, f"<mailto:{address}>")
        message["List-Unsubscribe"] = ", ".join(targets)
        if has_pages:
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    # Nobody would read vacation notes; we want delivery reports, so not "All".
    is_answer = letter.kind is LetterKind.ANSWER
    message["Auto-Submitted"] = "auto-replied" if is_answer else "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, NRN, AutoReply, RN"


def _earlier_in_thread(session: Session, letter: LetterRow) -> list[str]:
    """The Message-IDs of the latest mails that were sent in the letter's thread, oldest first."""
    in_thread = or_(LetterRow.message_id == letter.thread_id, LetterRow.thread_id == letter.thread_id)
    found = select(LetterRow.message_id).where(in_thread, LetterRow.player_id == letter.player_id)
    # By its game, too: that is how an index finds the thread.
    found = found.where(LetterRow.game_id == letter.game_id, LetterRow.seat == letter.seat)
    found = found.where(LetterRow.id != letter.id, col(LetterRow.state).in_(_ON_ITS_WAY))
    latest = found.order_by(col(LetterRow.sent_at).desc(), col(LetterRow.id).desc()).limit(IN_REFERENCES)
    return list(session.exec(latest))[::-1]


def unencoded(text: str) -> str:
    """The text of a header as it is: the library would spell out what looks like an encoded word (RFC 2047)."""
    shown = "".join(letter if letter.isprintable() or letter in ISOLATES else " " for letter in text)
    return shown.replace("=?", "= ?")


def _named(name: str, address: str) -> str:
    """The address with a display name that no relay refuses; without a name if the field would be too long."""
    username, _, domain = address.rpartition("@")
    plain = "".join(letter for letter in unencoded(bare(name)) if letter not in _NOT_IN_NAMES)
    plain = " ".join(plain.split())[:LONGEST_NAME].rstrip()
    is_long = len(Header(plain, "utf-8").encode()) + len(address) + 3 > LONGEST_FIELD
    return str(Address(display_name="" if is_long else plain, username=username, domain=domain))


Variables = Mapping[str, object]  # of the templates of a mail
_PARAGRAPHS = frozenset(("h1", "h2", "p"))
_WORD, _SPACES = re.compile(r"\w"), re.compile(r"\s+")
_NAMED_ABOVE = re.compile(r":\n\n.+:\n(?=https?:)")  # a link whose name adds nothing to the sentence above it
_GAP = re.compile(r"\n{3,}")  # where a link is left out


def compose(runtime: Runtime, session: Session, letter: LetterRow, look: Look | None = None) -> EmailMessage | None:
    """The message of the letter; None if what it asks for, or reports, is over already."""
    player = session.get_one(PlayerRow, letter.player_id)
    context = letter_context(runtime, session, letter, player, look)
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
    message["Content-Language"] = tongue().tag  # RFC 3282; at last, else it would go into a part
    return message


def subject_of(kind: LetterKind, said: Variables) -> str:
    """The subject of a mail of this kind, in one line."""
    return " ".join(mail_templates().get_template(f"mail/{kind}/subject.txt").render(said).split())


def html_of(kind: LetterKind, said: Variables) -> str:
    """The HTML of a mail, with its styles inline."""
    html = _inliner().inline(mail_templates().get_template(f"mail/{kind}/body.html").render(said))
    # The styles that stay come first in the head, and a program looks for the charset in its first 1,024 bytes.
    return html.replace("<head>", '<head><meta charset="utf-8">', 1)


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


def mail_templates(*, has_pages: bool = True) -> Environment:
    """The environment of the templates of all mails, in the language that is spoken; `has_pages` if there are any."""
    return _environments(has_pages).spoken()


@cache
def _environments(has_pages: bool) -> Environments:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # else it looks for changes of nine files for each mail
    )
    made.globals |= {"has_pages": has_pages, "tongue": tongue}
    return Environments(made)


@cache
def _inliner() -> css_inline.CSSInliner:
    # Rules that cannot be inlined (dark mode, small screens) stay in the head.
    return css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True)


# Signs outgoing mails with DKIM if no relay does it for us: needs DKIM_KEY.
# Each attempt to send makes new signatures, so that the stored message stays as it was composed. A mail has one by each
# key: not every receiver can verify those by Ed25519. Sources: RFC 6376, RFC 8463 (Ed25519).

# The headers that a reader sees, those of the thread, and (as RFC 8058 demands) those for unsubscribing.
SIGNED = (
    *(b"from", b"to", b"subject", b"date", b"message-id", b"in-reply-to", b"references", b"reply-to"),
    *(b"list-unsubscribe", b"list-unsubscribe-post", b"mime-version", b"content-type"),
)
_FIELD = b"DKIM-Signature: v=1; a=%b-sha256; c=relaxed/relaxed; d=%b; s=%b;\r\n t=%d; h=%b;\r\n bh=%b;\r\n b="
_LINE = 72  # characters of the signature in a line
_END_OF_FIELD = re.compile(rb"\r\n(?![ \t])")
_BLANKS = re.compile(rb"[ \t]{2,}|\t")  # all but single spaces, which stay


def signed(settings: Settings, content: bytes) -> bytes:
    """The message, whose lines end in CRLF, with a DKIM signature by each key on top; unchanged without keys."""
    if not settings.dkim_keys:
        return content
    head, _, body = content.partition(b"\r\n\r\n")
    of_name = {field.partition(b":")[0].lower(): field for field in _END_OF_FIELD.split(head)}  # we write none twice
    # The signature names headers that the mail lacks, too: nobody can add one on the way.
    fields = b"".join(_relaxed_field(of_name[name]) + b"\r\n" for name in SIGNED if name in of_name)
    # The body in the relaxed form of section 3.4.4.
    relaxed = _BLANKS.sub(b" ", body).replace(b" \r\n", b"\r\n").rstrip(b" \r\n")
    of_body = base64.b64encode(sha256(relaxed + b"\r\n" if relaxed else b"").digest())
    found = (
        _signature(_key(file), settings.sender.domain, selector, fields, of_body)
        for selector, file in settings.dkim_keys.items()
    )
    return b"".join([*found, content])


def _signature(key: DkimKey, domain: str, selector: str, fields: bytes, of_body: bytes) -> bytes:
    """The field of a signature, with its end of line. `of_body` is the hash of the body."""
    algorithm = b"ed25519" if isinstance(key, Ed25519PrivateKey) else b"rsa"
    about = (algorithm, domain.encode(), selector.encode(), time.time(), b":".join(SIGNED), of_body)
    field = _FIELD % about
    text = fields + _relaxed_field(field)
    if isinstance(key, Ed25519PrivateKey):
        made = key.sign(sha256(text).digest())  # section 3 of RFC 8463: what is signed is a hash
    else:
        made = key.sign(text, PKCS1v15(), SHA256())
    signature = base64.b64encode(made)
    lines = (signature[at : at + _LINE] for at in range(0, len(signature), _LINE))
    return field + b"\r\n ".join(lines) + b"\r\n"


def _relaxed_field(field: bytes) -> bytes:
    """A field in the relaxed form of section 3.4.2, without its end of line."""
    name, _, value = field.partition(b":")
    return name.lower() + b":" + _BLANKS.sub(b" ", value.replace(b"\r\n", b"")).strip()


@cache
def _key(file: Path) -> DkimKey:
    return dkim_key(file.read_bytes())
