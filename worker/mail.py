"""Composes a queued letter: makes of its row the whole message, in plain text and HTML.

`mails` makes the context for the templates in `templates/mail/`; `postman` sends the message.
"""

import re
from collections.abc import Mapping
from email.message import EmailMessage
from functools import cache

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.core.templates import TEMPLATES
from webapp.models import LetterKind, LetterRow, PlayerRow
from worker.attachments import enclose
from worker.headers import empty_message, set_headers, unencoded
from worker.mails import letter_context

Variables = Mapping[str, object]  # of the templates of a mail
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
    if runtime.settings.has_pages:
        message.set_content(_rendered(letter.kind, "body.txt", said), cte="quoted-printable")
        html = _inliner().inline(_rendered(letter.kind, "body.html", said))
        message.add_alternative(html, "html", cte="quoted-printable")
    else:
        message.set_content(text_without_pages(letter.kind, said), cte="quoted-printable")
    enclose(message, context.enclosed)
    return message


def subject_of(kind: LetterKind, said: Variables) -> str:
    """The subject of a mail of this kind, in one line."""
    return " ".join(_rendered(kind, "subject.txt", said).split())


def text_without_pages(kind: LetterKind, said: Variables) -> str:
    """The text of a mail where players have no pages: whatever they must do is an answer."""
    text = mail_templates(has_pages=False).get_template(f"mail/{kind.value}/body.txt").render(said)
    return _GAP.sub("\n\n", text)


def _rendered(kind: LetterKind, part: str, said: Variables) -> str:
    return mail_templates().get_template(f"mail/{kind.value}/{part}").render(said)


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
