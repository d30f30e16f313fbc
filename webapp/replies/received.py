"""A mail as it came in: its head and its body in letters, however it is written. Nothing here raises.

Sources: RFC 5322 and 2045 for the shape, RFC 2047 for words in the head. Python's newer header classes refuse some
heads that are about; so the old ones take the mail apart, and the words are decoded here.
"""

import codecs
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser

from webapp.replies.lines import Line, flowed_lines, html_lines, plain_lines

Mail = Message

LONGEST_FIELD = 4000  # letters of a field that are looked at
DEEPEST = 20  # parts within parts; nobody writes such a mail

# What Python decodes although it is no charset of text (its own escapes, names of hosts) is not among them.
_CHARSETS = re.compile(r"utf|iso|cp\d|koi8|mac|euc|gb|big5|shift|hz|johab|ascii|latin|tis|kz|ptcp")
# These need their own decoder, since as bytes they may look like something else.
_STATEFUL = re.compile(r"utf-?(?:7|16|32)|iso2022|hz")
_QUOTED_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|\([^()]*\)')
_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]@]+@[^\s<>,;:\"()@]+")
_TOO_BROKEN = (LookupError, ValueError, TypeError, AttributeError, AssertionError)


def opened(raw: bytes) -> Mail:
    """The mail in `raw`. Where its body is nested too deeply, the head alone."""
    raw = raw.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n")
    try:
        return message_from_bytes(raw)
    except RecursionError:
        mail = BytesHeaderParser().parsebytes(raw.partition(b"\r\n\r\n")[0])
        del mail["Content-Type"]
        mail.set_payload("")
        return mail


def fields(mail: Mail, name: str) -> list[str]:
    """Every field of the head by that name, the topmost first, unfolded, encoded words as they were written."""
    wanted = name.lower()
    return [_letters(str(value)) for field, value in mail.raw_items() if field.lower() == wanted]


def field(mail: Mail, name: str) -> str:
    """The topmost field by that name, its encoded words decoded; empty where there is none."""
    return next((_decoded_words(value) for value in fields(mail, name)), "")


def addresses(value: str) -> set[str]:
    """The mail addresses in a field, lower case; what looks like one within a quoted name or a comment is none."""
    bare = value
    while (less := _QUOTED_OR_COMMENT.sub(" ", bare)) != bare:
        bare = less
    return {found.lower().rstrip(".") for found in _ADDRESS.findall(bare)}


def content_type(part: Mail) -> str:
    """The type of a part, as in "text/plain"; that as well where the part names none, or one that is none."""
    named = re.match(r"[\w.+-]+/[\w.+-]+", part.get_content_type())
    return named[0] if named else "text/plain"


def leaves(mail: Mail) -> Iterator[Mail]:
    """Every part that is not made of parts, in order; other mails enclosed are such parts, and are not looked into."""
    waiting = [mail]
    while waiting:
        part = waiting.pop()
        if inner := _inner(part):
            waiting += reversed(inner)
        else:
            yield part


def body_lines(mail: Mail, depth: int = 0) -> list[Line]:
    """The lines that a reader is shown: of alternatives the plain text, else the HTML; attachments are not read."""
    inner = _inner(mail)
    if not inner:
        return part_lines(mail) if _is_shown(mail) else []
    if depth == DEEPEST:
        return []
    shown = [(content_type(part), body_lines(part, depth + 1)) for part in inner]
    if content_type(mail) != "multipart/alternative":
        return [line for _, lines in shown for line in lines]
    told = [(kind, lines) for kind, lines in shown if any(line.text for line in lines)]
    plain = [lines for kind, lines in told if kind == "text/plain"]
    return next(iter(plain or [lines for _, lines in reversed(told)]), [])


def versions(mail: Mail) -> list[list[Line]]:
    """The lines of every text part by itself: one mail in plain text and in HTML says the same twice."""
    return [part_lines(part) for part in leaves(mail) if _is_shown(part)]


def part_lines(part: Mail) -> list[Line]:
    """The lines of one part of text."""
    text = part_text(part)
    if content_type(part) == "text/html":
        return html_lines(text)
    if _parameter(part, "format") == "flowed":
        return flowed_lines(text, delsp=_parameter(part, "delsp") == "yes")
    return plain_lines(text)


def part_text(part: Mail) -> str:
    """The text of one part, whatever its charset is or says that it is."""
    try:
        content = part.get_payload(decode=True)
    except _TOO_BROKEN:
        return "…"  # something is there, but it cannot be read
    return decoded(content, _parameter(part, "charset")) if isinstance(content, bytes) else ""


def decoded(content: bytes, charset: str = "") -> str:
    """Bytes as letters: by their charset if that is known and true, else by what they look like.

    UTF-8 comes first, since bytes that are good UTF-8 are hardly ever anything else, whatever the mail says.
    """
    name = _codec(charset)
    for guess in (_by_first_bytes(content), name if _STATEFUL.match(name) else "", "utf-8", name, "cp1252"):
        try:
            if guess:
                return content.decode(guess).removeprefix("\ufeff")
        except UnicodeError:
            continue
    return content.decode("latin-1")


def _codec(charset: str) -> str:
    """Python's name for a charset; empty where it knows none."""
    try:
        name = codecs.lookup(charset.strip(" '\"")).name
    except (LookupError, ValueError):
        return ""
    return name if _CHARSETS.match(name) else ""


def _by_first_bytes(content: bytes) -> str:
    """The charset that a byte order mark, or the zeros between letters, give away."""
    # That of UTF-32 begins like that of UTF-16.
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" not in content[:200]:
        return ""
    even, odd = content[:200:2].count(0), content[1:200:2].count(0)
    return "utf-16-be" if even > odd else "utf-16-le"


def blocks(part: Mail) -> list[Mail]:
    """What a part has below itself, be it parts, a mail, or groups of fields."""
    # Asked for the payload of a leaf, Python would decode it, and fail over an odd charset.
    inner = part.get_payload() if part.is_multipart() else []
    return [below for below in inner if isinstance(below, Message)] if isinstance(inner, list) else []


def _inner(part: Mail) -> list[Mail]:
    """The parts that a part is made of; none where it is text, or another mail."""
    return blocks(part) if content_type(part).startswith("multipart/") else []


def _is_shown(part: Mail) -> bool:
    try:
        attached = part.get_content_disposition() == "attachment"
    except _TOO_BROKEN:
        attached = False
    # A body that says it has parts, and has none, is read as it stands rather than lost.
    is_text = content_type(part) in ("text/plain", "text/html") or content_type(part).startswith("multipart/")
    return is_text and not attached


def _parameter(part: Mail, name: str) -> str:
    """A parameter of the content type, lower case; empty where there is none or it cannot be read."""
    try:
        value = part.get_param(name, "")
    except _TOO_BROKEN:
        return ""
    return str(value[2] if isinstance(value, tuple) else value).lower()


def _letters(value: str) -> str:
    """A raw field: bytes beyond ASCII are kept by the parser as surrogates."""
    whole = " ".join(decoded(value.encode("utf-8", "surrogateescape")).split())
    return whole if len(whole) <= LONGEST_FIELD else whole[:LONGEST_FIELD] + "…"


def _decoded_words(value: str) -> str:
    try:
        pieces = decode_header(value)
    except (HeaderParseError, *_TOO_BROKEN):
        return value
    return "".join(piece if isinstance(piece, str) else decoded(piece, name or "") for piece, name in pieces)
