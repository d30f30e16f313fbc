"""Shows the mails that were kept because no relay is set: by address, as HTML, text and source. They can be answered.

Exists only if the settings name no relay, on this machine; any visitor can read all mail, and answer it. So it answers
only to this machine's own names: the name of another site may lead here (DNS rebinding), which could then read the
mails.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_string, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, redirect, request
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar
from werkzeug.wrappers import Response as Redirect

from webapp.core.config import LOOPBACK
from webapp.core.say import say
from webapp.inbox.finding import addressed_by
from webapp.inbox.receiving import receive
from webapp.models import InboundRow, LetterRow, LetterState, PlayerRow
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.replies.authentication import FIELD

# Writes a reply to one of our mails as a mail program would, for the replies that players type at /mailbox.
# The reply is processed like every other incoming mail, quotes and all.


def answer_mail(mail: EmailMessage, typed: str, now: datetime, signed_by: str) -> bytes:
    """A raw mail in which the recipient of `mail` answers `typed` above the quoted text.

    `mail` must have the header fields To, Reply-To and Message-ID. No mail server takes the answer, so that a verdict
    on its sender is signed here, under the name `signed_by`.
    """
    (reader,) = mail["To"].addresses
    answer = EmailMessage()
    answer[FIELD] = f"{signed_by}; dmarc=pass"
    answer["From"] = reader
    answer["To"] = mail["Reply-To"].addresses
    answer["Subject"] = f"Re: {mail['Subject']}"
    answer["Date"] = format_datetime(now)
    answer["Message-ID"] = make_msgid(domain="mailbox.hearts.localhost")
    answer["In-Reply-To"] = mail["Message-ID"]
    answer["References"] = " ".join([*mail.get("References", "").split(), mail["Message-ID"]])
    (sender,) = mail["From"].addresses
    quoted = [f"> {line}".rstrip() for line in _content(mail, "plain").splitlines()]
    begins = f"On {now:%d %B %Y at %H:%M}, {sender.display_name} <{sender.addr_spec}> wrote:"
    answer.set_content("\n".join([*typed.splitlines(), "", begins, *quoted, ""]), cte="quoted-printable")
    return answer.as_bytes()


blueprint = Blueprint("mailbox", __name__, url_prefix="/mailbox")
PARTS = ("html", "text", "source")
Line = tuple[int | None, str | None, str, str]  # of a list of mails: id, subject, when, kind
WAITS_FOR = timedelta(seconds=20)  # how long a page reloads by itself until an answer has been handled
_RECIPIENT = func.coalesce(LetterRow.address, PlayerRow.address)
# A mail contains its style; it may load nothing else, and run nothing.
MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"


@dataclass(frozen=True, slots=True)
class Inbox:
    address: str
    count: int
    newest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxPage(PageContext):
    addresses: Sequence[Inbox]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressPage(PageContext):
    template = "mailbox_address"
    address: str
    letters: Sequence[Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterPage(PageContext):
    template = "mailbox_letter"
    letter: Mapping[str, str | None]
    part: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage(PageContext):
    template = "mailbox_answer"
    address: str
    heading: str
    outcome: str
    letters: Sequence[Line]
    waits: bool


@blueprint.before_request
def check_host() -> None:
    """Refuses a request for any host but this machine, with status 421."""
    try:
        host = urlsplit(f"//{request.host}").hostname
    except ValueError:  # no host at all
        host = None
    if host not in LOOPBACK:
        abort(421)


@blueprint.get("")
def inboxes() -> str:
    """Every address that has got a mail, the latest first."""
    newest = func.max(LetterRow.created_at)
    query = (
        select(_RECIPIENT, func.count(), newest)
        .where(LetterRow.player_id == PlayerRow.id, LetterRow.state == LetterState.KEPT)
        .group_by(_RECIPIENT)
        .order_by(newest.desc())
    )
    with reading() as session:
        lines = [Inbox(address, count, f"{at:%d %B, %H:%M} UTC") for address, count, at in session.exec(query)]
    return page(MailboxPage(addresses=lines))


@blueprint.get("/<address>")
def inbox(address: str) -> str:
    """The mails to an address, the latest first."""
    if "\0" in address:  # which PostgreSQL takes in no text
        abort(404)
    with reading() as session:
        return page(AddressPage(address=address, letters=_lines(session, _kept(address.lower()))))


@blueprint.get("/letters/<int(max=2147483647):letter_id>")
def letter(letter_id: int) -> str:
    message = _message(letter_id)
    mail = _mail(message)
    shown = {
        "subject": mail["Subject"],
        "from": mail["From"],
        "to": mail["To"],
        "date": mail["Date"],
        "text": _content(mail, "plain"),
        "source": message,
        "html_url": f"/mailbox/letters/{letter_id}/html",
        "answer_url": f"/mailbox/letters/{letter_id}/answer" if mail["Reply-To"] else None,
    }
    part = request.args.get("part", PARTS[0])
    return page(LetterPage(letter=shown, part=part if part in PARTS else PARTS[0]))


@blueprint.get("/letters/<int(max=2147483647):letter_id>/html")
def letter_html(letter_id: int) -> Response:
    mail = _mail(_message(letter_id))
    html = _content(mail, "html")
    for part in mail.walk():  # a picture of the mail takes the place of its `cid:` address, as in a mail program
        if part.get_content_maintype() == "image" and part["Content-ID"]:
            data = b64encode(part.get_payload(decode=True) or b"").decode()  # type: ignore[arg-type]
            address = f"cid:{part['Content-ID'].strip('<>')}"
            html = html.replace(address, f"data:{part.get_content_type()};base64,{data}")
    # In the frame of its page a link would open within the frame; it should take the whole window.
    html = html.replace("<head>", '<head><base target="_top">', 1)
    return Response(html, mimetype="text/html", headers={"Content-Security-Policy": MAIL_POLICY})


@blueprint.post("/letters/<int(max=2147483647):letter_id>/answer")
def answer(letter_id: int) -> Redirect:
    """Delivers what was typed as a mail from the letter's recipient to its reply address."""
    mail = _mail(_message(letter_id))
    if not mail["Reply-To"]:
        abort(404)
    raw = answer_mail(mail, request.form.get("answer", ""), runtime().now(), runtime().settings.verdict_authority)
    (reader,), (recipient,) = mail["To"].addresses, mail["Reply-To"].addresses
    return redirect(f"/mailbox/answers/{receive(runtime(), reader.addr_spec, recipient.addr_spec, raw)}", 303)


@blueprint.get("/answers/<int(max=2147483647):inbound_id>")
def answered(inbound_id: int) -> str:
    """The page that shows what came of an answer, and the mails since; it reloads by itself until there are any."""
    with reading() as session:
        row = session.get(InboundRow, inbound_id)
        if row is None:
            abort(404)
        player = addressed_by(session, runtime(), row.recipient).player
        since = _kept(player.address).where(col(LetterRow.sent_at) > row.received_at)
        letters = _lines(session, since)
    is_read = row.handled_at is not None
    return page(
        AnswerPage(
            address=player.address,
            heading=say("Your answer was read") if is_read else say("Your answer is on its way"),
            outcome=row.outcome or say("A worker will read it in a moment."),
            letters=letters,
            waits=not (is_read and letters) and runtime().now() - row.received_at < WAITS_FOR,
        )
    )


def _message(letter_id: int) -> str:
    """The source of a kept mail. Aborts with status 404 if there is none."""
    with reading() as session:
        row = session.get(LetterRow, letter_id)
    if row is None or row.state is not LetterState.KEPT or row.message is None:
        abort(404)
    return row.message


def _mail(message: str) -> EmailMessage:
    return message_from_string(message, policy=policy.default)


def _content(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    return str(part.get_content()) if part else ""


def _kept(address: str) -> SelectOfScalar[LetterRow]:
    """The mails to an address, the latest first."""
    return (
        select(LetterRow)
        .where(LetterRow.player_id == PlayerRow.id, address == _RECIPIENT)
        .where(LetterRow.state == LetterState.KEPT)
        .order_by(col(LetterRow.sent_at).desc(), col(LetterRow.id).desc())
        .limit(200)
    )


def _lines(session: Session, query: SelectOfScalar[LetterRow]) -> list[Line]:
    return [(row.id, row.subject, f"{row.sent_at:%H:%M:%S}", row.kind.value) for row in session.exec(query)]
