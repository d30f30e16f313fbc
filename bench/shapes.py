"""`python -m bench.shapes`: what it costs to read a mail, of forty shapes that make programs slow.

Prints the processor time of each shape at half the size and at the whole one, the dearest first. Reading should take no
more than 0.2 seconds, and twice the size no more than about twice the time.
"""

from collections.abc import Callable
from time import process_time

from bench.printing import say
from webapp.replies.reading import Asked, Envelope, read
from webapp.replies.received import parse_head

OURS = "From: Hearts by Mail <play@hearts.example.org>\nSubject: Your turn\n\n" + "\n".join(
    f"Line {number} of our mail, with the words of a trick." for number in range(120)
)
ASKED = Asked(1, 1, "trick 3", frozenset({"ann@example.org"}), ("QS", "4C"))
ENVELOPE = Envelope("ann@example.org", "r-x@hearts.example.org")
SIZE = 256 * 1024  # bytes, as many as a reply may have
HEAD = "From: ann@example.org\nMessage-ID: <1@example.org>\n"


def plain(line: str) -> Callable[[int], str]:
    return lambda size: f"{HEAD}\n{line * (size // len(line))}"


def html(piece: str, end: str = "") -> Callable[[int], str]:
    count = len(piece) + len(end)
    return lambda size: f"{HEAD}Content-Type: text/html\n\n{piece * (size // count)}{end * (size // count)}"


def header(field: str, letters: str) -> Callable[[int], str]:
    line = f"{field}: {letters * (3900 // len(letters))}\n"
    return lambda size: HEAD + line * (size // len(line)) + "\nQS\n"


def one_field(field: str, letters: str) -> Callable[[int], str]:
    return lambda size: f"{HEAD}{field}: {letters * (size // len(letters))}\n\nQS\n"


def nested(size: int) -> str:
    levels = [f"Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n" for depth in range(size // 60)]
    return HEAD + "".join(levels) + "\nQS\n"


def enclosed(size: int) -> str:
    return HEAD + "Content-Type: message/rfc822\n\n" * (size // 30) + "\nQS\n"


def parts(kind: str, body: str) -> Callable[[int], str]:
    part = f"--b\nContent-Type: {kind}\n\n{body}\n"
    return lambda size: f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n{part * (size // len(part))}--b--\n"


def styled(size: int) -> str:
    rules = "".join(f".a.b{number} {{ color: red }}" for number in range(100))
    elements = "".join(f"<p class='a c{number}' style='color:#{number:06x}'>a" for number in range(size // 46))
    return f"{HEAD}Content-Type: text/html\n\n<style>{rules}</style>{elements}"


SHAPES: dict[str, Callable[[int], str]] = {
    "From fields of brackets": header("From", "(\\"),
    "From fields of quotes": header("From", '"\\'),
    "From fields of letters": header("From", "a"),
    "From fields of addresses": header("From", "a@b,"),
    "verdicts of quotes": header("Authentication-Results", '"a'),
    "verdicts of comments": header("Authentication-Results", "(a"),
    "a long Subject": one_field("Subject", "=?utf-8?q?a?= "),
    "a Subject of blanks": one_field("Subject", "\t"),
    "a Content-Type of parameters": one_field("Content-Type", "text/plain; a=b;"),
    "a Content-Type of parts": one_field("Content-Type", "text/plain; a*0=b;"),
    "a Content-Type of quotes": one_field("Content-Type", 'text/plain; a="\\'),
    "many fields": lambda size: HEAD + "X-A: b\n" * (size // 7) + "\nQS\n",
    "lines like footers": plain("sent from my " + "x" * 200 + "\n"),
    "lines like rules": plain("--- " + "- " * 40 + "x\n"),
    "lines with a colon": plain("On Monday 3 hearts by mail wrote a b c d:\n"),
    "lines like heads": plain("From: a\n"),
    "lines without an end": plain("a "),
    "lines of digits": plain("1 2 3 4\n"),
    "lines of quote marks": plain("> > > > > > x\n"),
    "quoted, unquoted": plain("> a line\nof ours with words\n"),
    "lines of at signs": plain("a@" * 40 + "\n"),
    "lines of references": plain("[image: a <https://b\n"),
    "empty lines": plain("\n"),
    "lines of greetings": plain("hello " * 20 + "\n"),
    "lines of hands": plain("hand 2 QS, hand 3 KS\n"),
    "cards under quoted rows": plain("> 5D 8D JD KD 5D 8D JD KD\nQS\n"),
    "styled elements": styled,
    "deep HTML": html("<div>"),
    "deep tables": html("<table><tr><td>", "</td></tr></table>"),
    "deep quotations": html("<blockquote>a", "</blockquote>"),
    "open tags": html("<a "),
    "entities": html("&amp;&#9824;"),
    "parts in parts": nested,
    "mails in mails": enclosed,
    "many parts": parts("text/plain", "QS"),
    "many parts of HTML": parts("text/html", "<p>QS"),
    "many reports": parts("message/delivery-status", "Action: failed\nStatus: 5.1.1"),
}


def seconds(raw: bytes) -> float:
    """The processor time of what the listener and a worker do with the mail."""
    begun = process_time()
    parse_head(raw)
    read(raw, ENVELOPE, ASKED, OURS, "hearts.example.org")
    return process_time() - begun


def measured(name: str) -> tuple[float, float]:
    """The time at half the size, and at the whole one."""
    half, whole = (SHAPES[name](size).encode() for size in (SIZE // 2, SIZE))
    return seconds(half), seconds(whole)


def main() -> None:
    seconds(SHAPES["lines of digits"](1000).encode())  # compiles and imports
    say(f"{'shape':32}{'half':>9}{'whole':>9}{'times':>7}")
    for half, whole, name in sorted(((*measured(name), name) for name in SHAPES), key=lambda row: -row[1]):
        say(f"{name:32}{half:8.3f}s{whole:8.3f}s{whole / max(half, 0.001):7.1f}")


if __name__ == "__main__":
    main()
