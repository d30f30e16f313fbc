"""A letter that is owed, composed: the row in, the whole message out, in plain text and HTML.

Nothing is sent from here. What it says comes from `contents`, the words from `templates/mail/`.
"""

from email.message import EmailMessage
from functools import cache
from pathlib import Path

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, PlayerRow
from worker.attachments import enclose
from worker.contents import Words, contents
from worker.headers import empty_message, set_headers

TEMPLATES = Path(__file__).parent.parent / "templates"


def compose(runtime: Runtime, session: Session, letter: LetterRow) -> EmailMessage | None:
    """The mail that `letter` owes; None where what it asks for is over already."""
    player = session.get_one(PlayerRow, letter.player_id)
    words = contents(runtime, session, letter, player)
    if words is None:
        return None
    message = empty_message(letter.address or player.address)
    set_headers(message, runtime, session, letter, player)
    message["Subject"] = subject_of(letter.kind, words)
    # Quoted-printable: no relay re-encodes it, so that signatures hold and no line is too long.
    message.set_content(_rendered(letter.kind, "body.txt", words), cte="quoted-printable")
    html = _inliner().inline(_rendered(letter.kind, "body.html", words))
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    enclose(message, words.get("enclosed", ()))
    return message


def subject_of(kind: LetterKind, words: Words) -> str:
    """What a mail with these words is about, in one line."""
    return " ".join(_rendered(kind, "subject.txt", words).split())


def _rendered(kind: LetterKind, part: str, words: Words) -> str:
    return _templates().get_template(f"mail/{kind.value}/{part}").render(words)


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _inliner() -> css_inline.CSSInliner:
    # What cannot be inlined (dark mode, small screens) stays in the head.
    return css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True)
