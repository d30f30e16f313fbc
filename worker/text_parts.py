"""Gives a message its text and its HTML, in quoted-printable, and makes one text of all.

The library does the same, but parses the headers of each part again and again, encodes character by character, and
writes line by line. Source: RFC 2045.
"""

from binascii import b2a_qp
from email.generator import Generator
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage, Message
from io import StringIO
from typing import Any, Final

_made = HeaderRegistry()
# Headers are values: all messages share these. Nothing in quoted-printable or base64 contains the boundary, which is of
# the form that RFC 2045 advises in 6.7.
_ALTERNATIVE, _PLAIN, _HTML = (
    _made("Content-Type", value)
    for value in (
        'multipart/alternative; boundary="=_text-or-html"',
        'text/plain; charset="utf-8"',
        'text/html; charset="utf-8"',
    )
)
_QUOTED: Final = _made("Content-Transfer-Encoding", "quoted-printable")
_VERSION: Final = _made("MIME-Version", "1.0")


def set_texts(message: EmailMessage, plain: str, html: str) -> None:
    """Gives a message that has no content both forms of its text."""
    message["MIME-Version"] = _VERSION
    message["Content-Type"] = _ALTERNATIVE
    message.set_payload([_part(message, _PLAIN, plain), _part(message, _HTML, html)])


def _part(message: EmailMessage, kind: Any, text: str) -> EmailMessage:
    part = EmailMessage(message.policy)
    part["Content-Type"], part["Content-Transfer-Encoding"] = kind, _QUOTED
    part.set_payload(quoted_printable(text))
    return part


def source(message: EmailMessage) -> str:
    """The message as one text, whose lines end in LF. Each of its parts must be in quoted-printable or base64."""
    text = StringIO()
    _Whole(text, mangle_from_=False).flatten(message)
    return text.getvalue()


class _Whole(Generator):
    """Writes each part as it is. The library splits it at the ends of its lines, to write them as a policy may want."""

    def _handle_text(self, part: Message) -> None:
        payload = part.get_payload()
        assert isinstance(payload, str), "a part without a content"
        self.write(payload)


def quoted_printable(text: str) -> str:
    """The text in lines of 76 characters at most, the last of which has an end, too."""
    return b2a_qp(b"".join(line + b"\n" for line in text.encode().splitlines())).decode("ascii")
