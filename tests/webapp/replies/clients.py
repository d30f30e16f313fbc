"""How mail programs write a reply: the typed text, and our mail quoted, each in its own way."""

import base64
import quopri
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.header import Header
from email.message import EmailMessage
from functools import cache
from html import escape
from html.parser import HTMLParser

from tests.webapp.replies.sent import HEARTS, WRITERS

_BLOCKS = {"p", "div", "tr", "h1", "h2", "table", "br", "td", "li"}
_SILENT = {"style", "title", "head", "script"}


class _Flat(HTMLParser):
    """HTML as plain text in the way of clients that make both: a line for each block, links in brackets."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.silent, self.link = "", 0, ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in _SILENT
        if tag in _BLOCKS or (tag == "span" and ("class", "code") in attrs) or "display: block" in str(attrs):
            self.text += "\n"
        if tag == "a":
            self.link = dict(attrs).get("href") or ""

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in _SILENT
        if tag == "a":
            self.text += f" <{self.link}>"
        if tag in _BLOCKS:
            self.text += "\n"

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.text += re.sub(r"\s+", " ", data)


def text_of(sent: EmailMessage) -> str:
    """The plain text of an email of ours."""
    part = sent.get_body(("plain",))
    assert part is not None
    return part.get_content()


def html_of(sent: EmailMessage) -> str:
    part = sent.get_body(("html",))
    assert part is not None
    return part.get_content()


def inner_html(sent: EmailMessage) -> str:
    """The part of our HTML that clients quote: the body without its frame."""
    return html_of(sent).partition("<body")[2].partition(">")[2].partition("</body>")[0]


@cache
def flat(sent: EmailMessage) -> str:
    """Our HTML as a client makes plain text of it."""
    parser = _Flat()
    parser.feed(html_of(sent))
    lines = [line.strip() for line in parser.text.splitlines()]
    kept = [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]
    return "\n".join(kept).strip() + "\n"


def marked(text: str, mark: str = "> ", width: int = 0) -> str:
    """Text as quoted: every line marked, longer ones broken at `width`, the rest of them marked as well."""
    lines = [piece for line in text.splitlines() for piece in _broken(line, width)]
    return "\n".join((mark + line).rstrip() for line in lines)


def carelessly_marked(text: str, mark: str = "> ", width: int = 72) -> str:
    """Quotes as clients do that wrap lines after marking them: the rest of a line has no mark."""
    return "\n".join("\n".join(_broken(mark + line, width)) for line in text.splitlines())


def _broken(line: str, width: int) -> list[str]:
    if not width or len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [line]


def as_html(typed: str, tag: str = "div") -> str:
    """Typed lines in HTML, each a block of its own."""
    return "".join(f"<{tag}>{escape(line) or '<br>'}</{tag}>" for line in typed.splitlines())


Part = tuple[str, str, str, str]  # content type, text, charset, transfer encoding


def part(kind: str, text: str, charset: str = "utf-8", encoding: str = "quoted-printable", more: str = "") -> Part:
    """A part of text; `more` goes behind its charset."""
    return (f'{kind}; charset="{charset}"{more}', text, charset, encoding)


@dataclass(frozen=True)
class Reply:
    """An email on its way to us, which `raw` writes out."""

    parts: Sequence[Part]
    subject: str
    sender: str = f"Bo <{WRITERS['Bo']}>"
    to: str = f"Hearts by Mail <{HEARTS}>"
    head: Sequence[tuple[str, str]] = ()
    kind: str = "multipart/alternative"
    date: str = "Mon, 02 Mar 2026 20:14:07 +0100"
    answers: str = ""
    client: str = field(default="")

    def raw(self) -> bytes:
        """The mail as it arrives, lines ended by CR and LF."""
        head = [*self.head, ("From", self.sender), ("To", self.to), ("Subject", _subject(self.subject))]
        head += [("Date", self.date), ("Message-ID", "<c0ffee.4711.82@mail.example.org>")]
        head += [("In-Reply-To", self.answers), ("References", self.answers)] if self.answers else []
        head += [("MIME-Version", "1.0")]
        written = [_written(part) for part in self.parts]
        text = b"".join(f"{name}: {value}\n".encode("utf-8", "surrogateescape") for name, value in head)
        if len(written) == 1 and not self.kind.startswith("multipart/signed"):
            return _wire(text + written[0])
        line = b"----=_Part_8c1f_7d2e"
        between = b"".join(b"\n--" + line + b"\n" + one for one in written)
        text += f'Content-Type: {self.kind}; boundary="{line.decode()}"\n\n'.encode()
        return _wire(text + between + b"\n--" + line + b"--\n")


def _subject(subject: str) -> str:
    return subject if subject.isascii() else Header(subject, "utf-8").encode()


def _written(part: Part) -> bytes:
    kind, text, charset, encoding = part
    try:
        content = text.encode(charset)
    except (LookupError, UnicodeEncodeError):
        content = text.encode()
    match encoding:
        case "base64":
            content = base64.encodebytes(content)
        case "quoted-printable":
            content = quopri.encodestring(content)
    return f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + content


def _wire(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def reply(sent: EmailMessage, parts: Sequence[Part], prefix: str = "Re: ", **more: object) -> Reply:
    """A reply of Bo's to an email of ours."""
    return Reply(parts, f"{prefix}{sent['Subject']}", answers=str(sent["Message-ID"]), **more)  # type: ignore[arg-type]


# Programs: from the typed text and the mail in hand to the reply.


def gmail_web(
    typed: str, sent: EmailMessage, says: str = "On Mon, Mar 2, 2026 at 7:00 PM", verb: str = "wrote:"
) -> Reply:
    """Gmail in the browser: HTML, and plain text made of it."""
    by = f"{says} Hearts by Mail <{HEARTS}> {verb}"
    text = f"{typed}\n\n{_wrapped(by)}\n\n{marked(flat(sent), width=76)}\n"
    html = (
        f'<div dir="ltr">{as_html(typed)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{says} Hearts by Mail &lt;<a href="mailto:{HEARTS}">{HEARTS}</a>&gt; {verb}'
        f'<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
        f'rgb(204,204,204);padding-left:1ex">{inner_html(sent)}</blockquote></div>'
    )
    return reply(sent, [part("text/plain", text, encoding="base64"), part("text/html", html)])


def _wrapped(text: str, width: int = 78) -> str:
    return "\n".join(_broken(text, width))


def gmail_below(typed: str, sent: EmailMessage) -> Reply:
    """Gmail, the answer typed below the quotation."""
    by = f"On Mon, 2 Mar 2026 at 19:00, Hearts by Mail <{HEARTS}> wrote:"
    text = f"{_wrapped(by)}\n\n{marked(flat(sent), width=76)}\n\n{typed}\n"
    html = (
        f'<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(by)}<br></div>'
        f'<blockquote class="gmail_quote">{inner_html(sent)}</blockquote></div>{as_html(typed)}</div>'
    )
    return reply(sent, [part("text/plain", text), part("text/html", html)])


def apple_mac(
    typed: str, sent: EmailMessage, by: str = "On 2. Mar 2026, at 19:00, Hearts by Mail <{}> wrote:"
) -> Reply:
    """Apple Mail: the line about who wrote is marked as well."""
    by = by.format(HEARTS)
    text = f"{typed}\n\n> {by}\n> \n{marked(flat(sent))}\n\n"
    html = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="'
        f'overflow-wrap: break-word;">{as_html(typed)}<br id="lineBreakAtBeginningOfMessage"><div><br>'
        f'<blockquote type="cite"><div>{escape(by)}</div><br class="Apple-interchange-newline"><div>'
        f"{inner_html(sent)}</div></blockquote></div><br></body></html>"
    )
    return reply(sent, [part("text/plain", text), part("text/html", html)])


def apple_phone(
    typed: str,
    sent: EmailMessage,
    by: str = "On 2. Mar 2026, at 19:00, Hearts by Mail <{}> wrote:",
    foot: str = "Sent from my iPhone",
) -> Reply:
    """Mail on an iPhone, with its footer and an invisible sign at the start of the quotation."""
    text = f"{typed}\n\n{foot}\n\n> {by.format(HEARTS)}\n> \n{marked(chr(0xFEFF) + flat(sent))}\n"
    html = (
        f'<html><body dir="auto">{as_html(typed)}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{foot}</div>'
        f'<div dir="ltr"><br><blockquote type="cite">{escape(by.format(HEARTS))}<br><br></blockquote></div>'
        f'<blockquote type="cite"><div dir="ltr">{chr(0xFEFF)}{inner_html(sent)}</div></blockquote></body></html>'
    )
    return reply(sent, [part("text/plain", text, encoding="base64"), part("text/html", html, encoding="base64")])


HEAD_WORDS = ("From", "Sent", "To", "Subject")


def outlook(
    typed: str,
    sent: EmailMessage,
    words: Sequence[str] = HEAD_WORDS,
    moment: str = "Monday, March 2, 2026 7:00 PM",
    prefix: str = "RE: ",
    charset: str = "utf-8",
) -> Reply:
    """Outlook on a desktop: a head of four lines, and our mail below it without a mark."""
    head = (f"Hearts by Mail <{HEARTS}>", moment, f"Bo <{WRITERS['Bo']}>", str(sent["Subject"]))
    block = "\n".join(f"{word}: {value}" for word, value in zip(words, head, strict=True))
    text = f"{typed}\n\n{block}\n\n{flat(sent)}\n"
    rows = "<br>".join(f"<b>{word}:</b> {escape(value)}" for word, value in zip(words, head, strict=True))
    html = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0cm;}</style>'
        '</head><body lang="EN-US" link="#0563C1"><div class="WordSection1">'
        + "".join(
            f'<p class="MsoNormal">{escape(line) or "<o:p>&nbsp;</o:p>"}<o:p></o:p></p>' for line in typed.splitlines()
        )
        + '<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;'
        f'padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">{rows}<o:p></o:p></p></div></div>'
        f"{inner_html(sent)}</div></body></html>"
    )
    return reply(sent, [part("text/plain", text, charset), part("text/html", html, charset)], prefix)


def outlook_web(typed: str, sent: EmailMessage, foot: str = "") -> Reply:
    """Outlook on the web and on phones: a rule above the head."""
    head = f"From: Hearts by Mail <{HEARTS}>\nSent: Monday, March 2, 2026 7:00 PM\nTo: Bo <{WRITERS['Bo']}>\n"
    head += f"Subject: {sent['Subject']}\n"
    below = f"{foot}\n" if foot else ""
    text = f"{typed}\n\n{below}{'_' * 32}\n{head}\n{flat(sent)}"
    html = (
        f'<html><body dir="ltr"><div class="elementToProof" style="font-family: Aptos;">{as_html(typed)}</div>'
        f'<div id="ms-outlook-mobile-signature">{escape(foot)}</div><div id="appendonsend"></div>'
        f'<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">'
        f"{as_html(head)}</div>{inner_html(sent)}</body></html>"
    )
    return reply(sent, [part("text/plain", text, "utf-8", "base64"), part("text/html", html, "utf-8", "base64")])


def thunderbird(
    typed: str, sent: EmailMessage, by: str = "On 02.03.26 19:00, Hearts by Mail wrote:", sign: str = ""
) -> Reply:
    """Thunderbird as many set it up: plain text, flowed, the answer below."""
    quoted = marked(text_of(sent), "> ")
    text = f"{by}\n{quoted}\n\n{typed}\n{sign}"
    return reply(sent, [part("text/plain", text, "UTF-8", "8bit", "; format=flowed")])


def thunderbird_html(typed: str, sent: EmailMessage, by: str = "On 3/2/26 7:00 PM, Hearts by Mail wrote:") -> Reply:
    """Thunderbird with HTML, the answer above."""
    html = (
        f'<!DOCTYPE html><html><head></head><body>{as_html(typed, "p")}<div class="moz-cite-prefix">{by}<br></div>'
        f'<blockquote type="cite" cite="mid:x@hearts.example">{inner_html(sent)}</blockquote></body></html>'
    )
    return reply(sent, [part("text/html", html, "UTF-8", "8bit")])


def yahoo(typed: str, sent: EmailMessage, by: str = "On Monday, March 2, 2026 at 07:00:00 PM GMT+1") -> Reply:
    """Yahoo: indented instead of marked."""
    says = f"{by}, Hearts by Mail <{HEARTS}> wrote:"
    text = f" {typed}\n\n    {says}  \n \n {textwrap.indent(flat(sent), '  ')}  \n"
    html = (
        f'<html><head></head><body><div class="ydp8b1yahoo-style-wrap">{as_html(typed)}</div>'
        f'<div id="ydp1yahoo_quoted_3" class="ydp1yahoo_quoted"><div style="font-size:13px;color:#26282a;"><div>'
        f"{escape(says)}</div><div><br></div>{inner_html(sent)}</div></div></body></html>"
    )
    return reply(sent, [part("text/plain", text), part("text/html", html)])


def samsung(typed: str, sent: EmailMessage, rule: str = "-------- Original message --------") -> Reply:
    """The mail program of Samsung's phones: HTML only in effect, its text is a rest."""
    head = f"From: Hearts by Mail <{HEARTS}>\nDate: 02/03/2026 19:00 (GMT+01:00)\nTo: Bo <{WRITERS['Bo']}>\n"
    head += f"Subject: {sent['Subject']}\n"
    html = (
        f'<html><body dir="auto">{as_html(typed)}<div><br></div><div id="composer_signature"><div dir="auto" '
        f'style="font-size:12px">Sent from my Galaxy</div></div><div><br></div><div style="font-size:100%;color'
        f':#000000"><!-- originalMessage --><div>{rule}</div>{as_html(head)}</div>{inner_html(sent)}</body></html>'
    )
    return reply(sent, [part("text/html", html, encoding="base64")])


def k9(
    typed: str, sent: EmailMessage, by: str = "On March 2, 2026 7:00:00 PM GMT+01:00, Hearts by Mail <{}> wrote:"
) -> Reply:
    """K-9 Mail: plain text, everything marked with one sign."""
    return reply(sent, [part("text/plain", f"{typed}\n\n{by.format(HEARTS)}\n{marked(text_of(sent), '>')}\n")])


def fairemail(typed: str, sent: EmailMessage) -> Reply:
    html = (
        f'<html><body>{as_html(typed, "p")}<br><div fairemail="reference"><p>2 March 2026 at 19:00, Hearts by Mail &lt;'
        f'{HEARTS}&gt;:</p><blockquote style="border-left:3px;">{inner_html(sent)}</blockquote></div></body></html>'
    )
    return reply(sent, [part("text/html", html)])


def proton(typed: str, sent: EmailMessage) -> Reply:
    says = f"On Monday, March 2nd, 2026 at 19:00, Hearts by Mail <{HEARTS}> wrote:"
    foot = "Sent with [Proton Mail](https://proton.me/mail/home) secure email."
    text = f"{typed}\n\n{foot}\n\n{says}\n\n{marked(flat(sent))}\n"
    html = (
        f'<div style="font-family: Arial;">{as_html(typed)}</div><div class="protonmail_signature_block">Sent with '
        f'<a href="https://proton.me/mail/home">Proton Mail</a> secure email.</div><div class="protonmail_quote">'
        f'{escape(says)}<br><blockquote class="protonmail_quote" type="cite">{inner_html(sent)}</blockquote></div>'
    )
    return reply(sent, [part("text/plain", text, encoding="base64"), part("text/html", html, encoding="base64")])


def gmx(typed: str, sent: EmailMessage) -> Reply:
    """GMX and WEB.DE: HTML, a German head."""
    html = (
        f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">{as_html(typed)}<div>&nbsp;'
        '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">'
        '<div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Montag, 02. März 2026 um 19:00 Uhr<br><b>Von:</b>&nbsp;'
        f"&quot;Hearts by Mail&quot; &lt;{HEARTS}&gt;<br><b>An:</b>&nbsp;Bo &lt;{WRITERS['Bo']}&gt;<br>"
        f'<b>Betreff:</b>&nbsp;{sent["Subject"]}</div><div name="quoted-content">{inner_html(sent)}'
        "</div></div></div></div></body></html>"
    )
    return reply(sent, [part("text/html", html, "UTF-8")], "Aw: ")


def mutt(typed: str, sent: EmailMessage) -> Reply:
    """mutt, the answer below what it is about."""
    by = "On Mon, Mar 02, 2026 at 06:00:00PM +0000, Hearts by Mail wrote:"
    return reply(sent, [part("text/plain", f"{by}\n{marked(text_of(sent))}\n\n{typed}\n\n-- \nBo\n", "utf-8", "8bit")])


def fastmail(typed: str, sent: EmailMessage) -> Reply:
    says = "On Mon, 2 Mar 2026, at 7:00 PM, Hearts by Mail wrote:"
    text = f"{typed}\n\n{says}\n{marked(flat(sent))}\n"
    html = (
        f"<!DOCTYPE html><html><head><style>p.MsoNormal{{margin:0}}</style></head><body>{as_html(typed)}"
        f'<div><br></div><div>{says}</div><blockquote type="cite" id="qt">{inner_html(sent)}</blockquote></body></html>'
    )
    return reply(sent, [part("text/plain", text), part("text/html", html)])


def hey(typed: str, sent: EmailMessage) -> Reply:
    """HEY: HTML, the quotation in a blockquote below a line without a colon."""
    html = (
        f'<!DOCTYPE html><html><body><div class="trix-content">{as_html(typed)}</div><br><br>'
        f"<blockquote>On March 2, 2026, Hearts by Mail &lt;{HEARTS}&gt; wrote:<br><br>"
        f"{inner_html(sent)}</blockquote></body></html>"
    )
    return reply(sent, [part("text/html", html)])


CLIENTS: dict[str, Callable[[str, EmailMessage], Reply]] = {
    "Gmail web": gmail_web,
    "Gmail, below": gmail_below,
    "Apple Mail macOS": apple_mac,
    "Apple Mail iOS": apple_phone,
    "Outlook desktop": outlook,
    "Outlook web": outlook_web,
    "Thunderbird": thunderbird,
    "Thunderbird HTML": thunderbird_html,
    "Yahoo": yahoo,
    "Samsung": samsung,
    "K-9": k9,
    "FairEmail": fairemail,
    "Proton": proton,
    "GMX": gmx,
    "mutt": mutt,
    "Fastmail": fastmail,
    "HEY": hey,
}
