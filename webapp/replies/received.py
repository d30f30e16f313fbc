"""Decodes a received mail, its header fields and its body, however malformed it is. Nothing here raises.

Sources: RFC 5322 and 2045 for the format, RFC 2047 for encoded words. Python's newer header classes reject some header
fields that occur in practice; so its older ones parse the mail, and this module decodes the words.
"""

import base64
import codecs
import quopri
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from itertools import islice

from webapp.replies.lines import Line, flowed_lines, html_lines, plain_lines

Mail = Message

LARGEST_TEXT = 128 * 1024  # bytes of a part that are read; our longest mail, quoted, is a third of that
MAX_FIELD_LENGTH = 4000  # letters of a field that are read
LARGEST_HEAD = 32 * 1024  # bytes that are read
MAX_CONTENT_FIELD = 200  # bytes that are left of a field on the content that is longer
MOST_FIELDS = 10  # of one name that are read
MOST_PARTS = 200
MAX_DEPTH = 20  # parts within parts; no real mail is nested so deeply

# Left out are the codecs of Python that are no charsets of text, such as its own escapes and host names.
_CHARSETS = re.compile(r"utf|iso|cp\d|koi8|mac|euc|gb|big5|shift|hz|johab|ascii|latin|tis|kz|ptcp")
# These are decoded as declared, because their bytes may look like another charset.
_STATEFUL = re.compile(r"utf-?(?:7|16|32)|iso2022|hz")
# Begins only where a word does: else each letter of a long one would be tried.
_ADDRESS = re.compile(r"(?<![^\s<>,;:\"()\[\]@])[^\s<>,;:\"()\[\]@]+@[^\s<>,;:\"()@]+")
_CONTENT_FIELD = re.compile(rb"^content-[a-z-]{1,30}:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_TOO_BROKEN = (LookupError, ValueError, TypeError, AttributeError, AssertionError)


def parse_mail(raw: bytes) -> Mail:
    """The mail in `raw`; only its header if its body has too many parts, or is nested too deeply."""
    raw = _CONTENT_FIELD.sub(_shortened, raw.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n"))
    head = _head(raw)
    if len(head) > LARGEST_HEAD:
        raw = head[:LARGEST_HEAD].rpartition(b"\n")[0] + raw[len(head) :]
    if raw.count(b"\n--") <= MOST_PARTS or b"multipart" not in raw.lower():
        with suppress(RecursionError):
            return message_from_bytes(raw)
    mail = parse_head(raw)
    del mail["Content-Type"]
    mail.set_payload("")
    return mail


def _shortened(found: re.Match[bytes]) -> bytes:
    """A field on the content, cut if it is so long that the library would read it for seconds."""
    return found[0] if len(found[0]) <= MAX_FIELD_LENGTH else found[0][:MAX_CONTENT_FIELD].replace(b"\n", b" ")


def without_attachments(raw: bytes) -> bytes:
    """The mail without the content of parts that are no text, line by line: pictures may be of any size."""
    kept: list[bytes] = []
    is_head, is_left_out, kind = True, False, b""
    for line in raw.splitlines(keepends=True):
        if line.startswith(b"--"):
            is_head, is_left_out, kind = True, False, b""
        elif is_head and line.lower().startswith(b"content-type:"):
            kind = line.partition(b":")[2].strip().lower()
        elif is_head and not line.strip():
            is_head, is_left_out = False, bool(kind) and not kind.startswith((b"text/", b"multipart/", b"message/"))
        elif is_left_out:
            continue
        kept.append(line)
    return b"".join(kept)


def parse_head(raw: bytes) -> Mail:
    """The header of the mail in `raw` alone, which costs the same whatever its body is."""
    return BytesHeaderParser().parsebytes(_head(raw[:LARGEST_HEAD].removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n")))


def _head(raw: bytes) -> bytes:
    return re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]


def fields(mail: Mail, name: str) -> list[str]:
    """The header fields of that name, the topmost first, unfolded but not decoded; of many, the first MOST_FIELDS."""
    wanted = name.lower()
    found = (value for field, value in mail.raw_items() if field.lower() == wanted)
    texts: list[str] = []
    for value in islice(found, MOST_FIELDS):
        # The parser keeps non-ASCII bytes as surrogates. A field is never UTF-16, which zeros in it would be taken for.
        raw = str(value).encode("utf-8", "surrogateescape").replace(b"\0", b"")
        whole = " ".join(decoded(raw).split())
        texts.append(whole if len(whole) <= MAX_FIELD_LENGTH else whole[:MAX_FIELD_LENGTH] + "…")
    return texts


def field(mail: Mail, name: str) -> str:
    """The topmost header field of that name, decoded; empty if there is none."""
    value = next(iter(fields(mail, name)), "")
    try:
        pieces = decode_header(value)
    except (HeaderParseError, *_TOO_BROKEN):
        return value
    return "".join(piece if isinstance(piece, str) else decoded(piece, charset or "") for piece, charset in pieces)


def date_of(mail: Mail) -> datetime | None:
    """When the mail was written, as its topmost Date says; None if it has none that can be read."""
    for value in fields(mail, "Date"):
        try:
            sent = parsedate_to_datetime(value)
            return (sent if sent.tzinfo else sent.replace(tzinfo=UTC)).astimezone(UTC)
        except (*_TOO_BROKEN, ArithmeticError):
            return None
    return None


def storable(text: str) -> str:
    """The text without what a database cannot store: zeros, and codes that are no characters."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def addresses(value: str) -> set[str]:
    """The mail addresses in a field, in lower case; not those within a quoted name or a comment."""
    return {found.lower().rstrip(".") for found in _ADDRESS.findall(uncommented(value))}


def uncommented(value: str) -> str:
    """A field without its quoted strings and comments (RFC 5322, 3.2), which may be nested; one not closed stays."""
    kept: list[str] = []
    begun: list[int] = []  # where in `kept` the open comments begin; or one quoted string
    is_quoted = is_escaped = False
    for letter in value:
        kept.append(letter)
        if is_escaped:
            is_escaped = False
        elif letter == "\\":
            is_escaped = is_quoted or bool(begun)
        elif is_quoted and letter == '"':
            is_quoted = False
            kept[begun.pop() :] = " "
        elif is_quoted:
            continue
        elif letter == '"' and not begun:
            is_quoted = True
            begun.append(len(kept) - 1)
        elif letter == "(":
            begun.append(len(kept) - 1)
        elif letter == ")" and begun:
            kept[begun.pop() :] = " "
    return "".join(kept)


def content_type(part: Mail) -> str:
    """The type of a part, as in "text/plain", which is also the default for a missing or invalid type."""
    named = re.match(r"[\w.+-]+/[\w.+-]+", part.get_content_type())
    return named[0] if named else "text/plain"


def leaves(mail: Mail) -> Iterator[Mail]:
    """Every part that is not a multipart, in order. An attached mail is one such part; its own parts do not count."""
    waiting = [mail]
    while waiting:
        part = waiting.pop()
        if inner := _inner(part):
            waiting += reversed(inner)
        else:
            yield part


def body_lines(mail: Mail, depth: int = 0) -> list[Line]:
    """The lines that a reader sees: of alternatives the plain text, else the HTML; attachments are left out."""
    inner = _inner(mail)
    if not inner:
        return part_lines(mail) if _is_shown(mail) else []
    if depth == MAX_DEPTH:
        return []
    shown = [(content_type(part), body_lines(part, depth + 1)) for part in inner]
    if content_type(mail) != "multipart/alternative":
        return [line for _, lines in shown for line in lines]
    filled = [(kind, lines) for kind, lines in shown if any(line.text for line in lines)]
    plain = [lines for kind, lines in filled if kind == "text/plain"]
    return next(iter(plain or [lines for _, lines in reversed(filled)]), [])


def versions(mail: Mail) -> list[list[Line]]:
    """The lines of each text part separately, because plain text and HTML repeat each other.

    Of HTML there are two: as a reader sees it, and with what its styles hide, which some programs quote.
    """
    shown = [part for part in leaves(mail) if _is_shown(part)]
    hidden = (html_lines(part_text(part), whole=True) for part in shown if content_type(part) == "text/html")
    return [*map(part_lines, shown), *hidden]


def part_lines(part: Mail) -> list[Line]:
    """The lines of one text part."""
    text = part_text(part)
    if content_type(part) == "text/html":
        return html_lines(text)
    if _parameter(part, "format") == "flowed":
        return flowed_lines(text, delsp=_parameter(part, "delsp") == "yes")
    return plain_lines(text)


def part_text(part: Mail) -> str:
    """The text of one part, even if its charset is missing, unknown or wrong."""
    try:
        content = part.get_payload(decode=True)
    except _TOO_BROKEN:
        return "…"  # there is content, but it cannot be read
    return decoded(content[:LARGEST_TEXT], _parameter(part, "charset")) if isinstance(content, bytes) else ""


def transfer_decoded(text: str, encoding: str) -> bytes:
    """The bytes of a text that was encoded for its way as `encoding` says; as they are if it says nothing known."""
    raw = text.encode("utf-8", "surrogateescape")
    match encoding.strip().lower():
        case "base64":
            return base64.b64decode(raw + b"==")
        case "quoted-printable":
            return quopri.decodestring(raw)
    return raw


def decoded(content: bytes, charset: str = "") -> str:
    """Decodes bytes with their charset if that is known and fits, and else with one that fits; `storable`.

    UTF-8 is tried first: bytes that are valid UTF-8 are hardly ever anything else, whatever the mail declares.
    """
    name = _codec(charset)
    for guess in (_by_first_bytes(content), name if _STATEFUL.match(name) else "", "utf-8", name, "cp1252"):
        try:
            if guess:
                return storable(content.decode(guess).removeprefix("\ufeff"))
        except UnicodeError:
            continue
    return storable(content.decode("latin-1"))


def _codec(charset: str) -> str:
    """Python's codec for a charset; empty if it has none."""
    try:
        name = codecs.lookup(charset.strip(" '\"")).name
    except (LookupError, ValueError):
        return ""
    return name if _CHARSETS.match(name) else ""


def _by_first_bytes(content: bytes) -> str:
    """The charset that a byte order mark, or the zeros between letters, reveal; empty if there are none."""
    # The mark of UTF-32 begins like that of UTF-16.
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" not in content[:200]:
        return ""
    even, odd = content[:200:2].count(0), content[1:200:2].count(0)
    return "utf-16-be" if even > odd else "utf-16-le"


def blocks(part: Mail) -> list[Mail]:
    """Returns the parts of a part: other parts, a mail, or the groups of fields of a delivery report."""
    # On a leaf, get_payload would decode the content, and fail on an unknown charset.
    inner = part.get_payload() if part.is_multipart() else []
    return [below for below in inner if isinstance(below, Message)] if isinstance(inner, list) else []


def _inner(part: Mail) -> list[Mail]:
    """The parts of a multipart; empty for a leaf or an attached mail."""
    return blocks(part) if content_type(part).startswith("multipart/") else []


def _is_shown(part: Mail) -> bool:
    try:
        attached = part.get_content_disposition() == "attachment"
    except _TOO_BROKEN:
        attached = False
    # A body that claims to be a multipart, but has no parts, is read as text rather than lost.
    is_text = content_type(part) in ("text/plain", "text/html") or content_type(part).startswith("multipart/")
    return is_text and not attached


def _parameter(part: Mail, name: str) -> str:
    """A parameter of the content type, in lower case; empty if it is missing or malformed."""
    try:
        value = part.get_param(name, "")
    except _TOO_BROKEN:
        return ""
    return str(value[2] if isinstance(value, tuple) else value).lower()
