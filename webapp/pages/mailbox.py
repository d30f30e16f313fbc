"""The mails that were kept because no relay is set: per address, each as HTML, as text and as source.

Exists only on embedded defaults, on this machine; whoever opens it reads everybody's mail.
"""

from dataclasses import dataclass
from email import message_from_string, policy
from email.message import EmailMessage

from flask import Blueprint, Response, abort, request
from sqlmodel import col, func, select

from webapp.models import LetterRow, LetterState, PlayerRow
from webapp.pages.common import page, parts

blueprint = Blueprint("mailbox", __name__, url_prefix="/mailbox")
PARTS = ("html", "text", "source")
# A mail brings its style along, and may show nothing else and run nothing.
MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"


@dataclass(frozen=True, slots=True)
class Inbox:
    address: str
    count: int
    newest: str


@blueprint.get("")
def inboxes() -> str:
    """Every address that was written to, the latest first."""
    newest = func.max(LetterRow.created_at)
    query = (
        select(PlayerRow.address, func.count(), newest)
        .where(LetterRow.player_id == PlayerRow.id, LetterRow.state == LetterState.KEPT)
        .group_by(PlayerRow.address)
        .order_by(newest.desc())
    )
    with parts().database.reading() as rows:
        lines = [Inbox(address, count, f"{at:%d %B, %H:%M} UTC") for address, count, at in rows.exec(query)]
    return page("mailbox", addresses=lines)


@blueprint.get("/<address>")
def inbox(address: str) -> str:
    query = (
        select(LetterRow)
        .where(LetterRow.player_id == PlayerRow.id, PlayerRow.address == address.lower())
        .where(LetterRow.state == LetterState.KEPT)
        .order_by(col(LetterRow.sent_at).desc(), col(LetterRow.id).desc())
        .limit(200)
    )
    with parts().database.reading() as rows:
        letters = [(row.id, row.subject, f"{row.sent_at:%H:%M:%S}", row.kind.value) for row in rows.exec(query)]
    return page("mailbox_address", address=address, letters=letters)


@blueprint.get("/letters/<int:letter_id>")
def letter(letter_id: int) -> str:
    mail = _mail(letter_id)
    shown = {
        "subject": mail["Subject"],
        "from": mail["From"],
        "to": mail["To"],
        "date": mail["Date"],
        "text": _content(mail, "plain"),
        "source": mail.as_string(),
        "html_url": f"/mailbox/letters/{letter_id}/html",
    }
    part = request.args.get("part", PARTS[0])
    return page("mailbox_letter", letter=shown, part=part if part in PARTS else PARTS[0])


@blueprint.get("/letters/<int:letter_id>/html")
def letter_html(letter_id: int) -> Response:
    headers = {"Content-Security-Policy": MAIL_POLICY}
    # In the frame of its page a link would open within the frame; it should take the whole window.
    html = _content(_mail(letter_id), "html").replace("<head>", '<head><base target="_top">', 1)
    return Response(html, mimetype="text/html", headers=headers)


def _mail(letter_id: int) -> EmailMessage:
    with parts().database.reading() as rows:
        row = rows.get(LetterRow, letter_id)
    if row is None or row.state is not LetterState.KEPT or row.message is None:
        abort(404)
    return message_from_string(row.message, policy=policy.default)


def _content(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    return str(part.get_content()) if part else ""
