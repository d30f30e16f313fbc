"""Composes a queued letter: makes of its row the whole message, in plain text and HTML.

`mail_context` makes the context for the templates in `templates/mail/`; `postman` sends the message.
"""

from email.message import EmailMessage
from functools import cache

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.core.template_folder import TEMPLATES
from webapp.models import LetterKind, LetterRow, PlayerRow
from worker.attachments import enclose
from worker.headers import empty_message, set_headers, unencoded
from worker.mail_context import Context, letter_context


def compose(runtime: Runtime, session: Session, letter: LetterRow) -> EmailMessage | None:
    """The message of the letter; None if what it asks for, or reports, is over already."""
    player = session.get_one(PlayerRow, letter.player_id)
    context = letter_context(runtime, session, letter, player)
    if context is None:
        return None
    message = empty_message(letter.address or player.address)
    set_headers(message, runtime, session, letter, player, context.get("reply_to"))
    message["Subject"] = unencoded(subject_of(letter.kind, context))
    html = _inliner().inline(_rendered(letter.kind, "body.html", context))
    # No relay re-encodes quoted-printable text, so that signatures hold; and no line of it is too long.
    message.set_content(_rendered(letter.kind, "body.txt", context), cte="quoted-printable")
    message.add_alternative(html, "html", cte="quoted-printable")
    enclose(message, context.get("enclosed", ()))
    return message


def subject_of(kind: LetterKind, context: Context) -> str:
    """The subject of a mail of this kind, in one line."""
    return " ".join(_rendered(kind, "subject.txt", context).split())


def _rendered(kind: LetterKind, part: str, context: Context) -> str:
    return mail_templates().get_template(f"mail/{kind.value}/{part}").render(context)


@cache
def mail_templates() -> Environment:
    """The environment of the templates of all mails."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # else it looks for changes of nine files for each mail
    )


@cache
def _inliner() -> css_inline.CSSInliner:
    # Rules that cannot be inlined (dark mode, small screens) stay in the head.
    return css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True)
