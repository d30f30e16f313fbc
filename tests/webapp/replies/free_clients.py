"""How the free mail programs of desktops, terminals and web servers write a reply, each by its default settings.

Half of them quote our HTML as they render it, not the text part. `clients` has the programs of providers and phones.
"""

import re
from collections.abc import Callable
from email.message import EmailMessage
from textwrap import indent

from tests.webapp.replies.clients import Reply, as_html, flat, inner_html, marked, part, reply, text_of
from tests.webapp.replies.sent import HEARTS

CARD = re.compile(r"((?:10|[2-9JQKA])[♣♦♠♥])\ufe0e?\s+[2-9TJQKA][CDSH]\b(?: <\S+>)?\s*")
ROW = re.compile(r"(?:(?:10|[2-9JQKA])[♣♦♠♥]|[2-9TJQKA][CDSH]| )+")
FLOWED = "; format=flowed"


def in_rows(sent: EmailMessage, shown: str) -> str:
    """Our HTML as Emacs and text browsers make text of it: the cards of a row stand beside each other.

    `shown` is what of a card: "{symbol} {code}", or one of the two.
    """
    rows: list[str] = []
    for line in re.sub(r" ?<https\S+>", "", flat(sent)).replace("\ufe0e", "").splitlines():
        if rows and ROW.fullmatch(line) and ROW.fullmatch(rows[-1]):
            rows[-1] += f" {line}"
        else:
            rows.append(line)
    pair = re.compile(r"((?:10|[2-9JQKA])[♣♦♠♥]) ([2-9TJQKA][CDSH])\b")
    return pair.sub(lambda card: shown.format(symbol=card[1], code=card[2]), "\n".join(rows))


def _plain(sent: EmailMessage, text: str, more: str = "", encoding: str = "8bit") -> Reply:
    return reply(sent, [part("text/plain", text, "UTF-8", encoding, more)])


def _without_signature(text: str) -> str:
    return text.partition("\n-- \n")[0].rstrip()


def roundcube(typed: str, sent: EmailMessage) -> Reply:
    """Roundcube: the cursor is below the quotation, and no blank line between them."""
    quoted = marked(text_of(sent).rstrip(), width=72)
    return _plain(sent, f"On 2026-03-02 19:00, Hearts by Mail wrote:\n{quoted}\n{typed}\n")


def roundcube_without_signature(typed: str, sent: EmailMessage) -> Reply:
    """Roundcube where it leaves out what is below the mark of a signature, and the line on who wrote is German."""
    quoted = marked(_without_signature(text_of(sent)), width=72)
    text = f"Am 02.03.2026 19:00, schrieb Hearts by Mail:\n{quoted}\n{typed}\n"
    return _plain(sent, text, FLOWED)


def roundcube_of_html(typed: str, sent: EmailMessage) -> Reply:
    """Roundcube where it shows the HTML, and so lists its links below."""
    listed = "Links:\n------\n[1] https://hearts.example/how-we-play/7F3K\n[2] https://hearts.example/seat/eyJ0YW"
    quoted = marked(f"{flat(sent)}\n{listed}", width=72)
    return _plain(sent, f"On 2026-03-02 19:00, Hearts by Mail wrote:\n{quoted}\n{typed}\n", encoding="quoted-printable")


def roundcube_html(typed: str, sent: EmailMessage) -> Reply:
    """Roundcube's HTML editor."""
    html = (
        f'<html><body style="font-family: Verdana">{as_html(typed, "p")}<p id="reply-intro">On 2026-03-02 19:00, '
        f'Hearts by Mail wrote:</p><blockquote type="cite" style="padding: 0 0.4em; border-left: #1010ff 2px solid">'
        f'<div id="replybody1">{inner_html(sent)}</div></blockquote></body></html>'
    )
    quoted = marked(f"{flat(sent)}\nLinks:\n------\n[1] https://hearts.example/seat/eyJ0YW")
    text = f"{typed}\n\nOn 2026-03-02 19:00, Hearts by Mail wrote:\n\n{quoted}\n"
    return reply(sent, [part("text/plain", text), part("text/html", html)])


def gnus(typed: str, sent: EmailMessage) -> Reply:
    """Gnus: the cursor is between the line on who wrote and the quotation, which follows at once."""
    return _plain(sent, f"Hearts by Mail <{HEARTS}> writes:\n\n{typed}\n{marked(text_of(sent))}\n")


def gnus_of_html(typed: str, sent: EmailMessage) -> Reply:
    return _plain(sent, f"Hearts by Mail <{HEARTS}> writes:\n\n{typed}\n{marked(flat(sent))}\n")


def rmail(typed: str, sent: EmailMessage) -> Reply:
    """Rmail: as Gnus, and it quotes its own button above each part."""
    quoted = marked(f"[1:text/plain Show]\n{text_of(sent)}\n[2:text/html Hide]\n{flat(sent)}")
    return _plain(sent, f'"Hearts by Mail" <{HEARTS}> writes:\n\n{typed}\n{quoted}\n')


def mu4e(typed: str, sent: EmailMessage) -> Reply:
    return _plain(sent, f"{typed}\n\nHearts by Mail <{HEARTS}> writes:\n\n{marked(flat(sent))}\n", FLOWED)


def notmuch(typed: str, sent: EmailMessage) -> Reply:
    """notmuch reply: the answer is typed below a line on the part that it has not quoted."""
    by = f"On Mon, 02 Mar 2026, Hearts by Mail <{HEARTS}> wrote:"
    return _plain(sent, f"{by}\n{marked(text_of(sent).rstrip())}\nNon-text part: text/html\n{typed}\n")


def alpine(typed: str, sent: EmailMessage) -> Reply:
    by = "On Mon, 2 Mar 2026, Hearts by Mail wrote:"
    return _plain(sent, f"{typed}\n\n{by}\n\n{marked(flat(sent), width=72)}\n", FLOWED)


def neomutt(typed: str, sent: EmailMessage) -> Reply:
    """neomutt, aerc and mblaze: the answer above."""
    by = "On Mon, Mar 02, 2026 at 06:00:00PM +0000, Hearts by Mail wrote:"
    return _plain(sent, f"{typed}\n\n{by}\n{marked(text_of(sent), '> ')}\n")


def claws(typed: str, sent: EmailMessage) -> Reply:
    """Claws and Sylpheed: the answer below, after a blank line."""
    by = f"On Mon, 02 Mar 2026 18:00:00 +0000\nHearts by Mail <{HEARTS}> wrote:"
    return _plain(sent, f"{by}\n\n{marked(text_of(sent).rstrip(), width=72)}\n\n{typed}\n")


def evolution(typed: str, sent: EmailMessage) -> Reply:
    by = "On Mon, 2026-03-02 at 18:00 +0000, Hearts by Mail wrote:"
    html = (
        f'<html><body><div>{as_html(typed)}</div><div>{by}</div><blockquote type="cite" style="margin:0 0 0 .8ex; '
        f'border-left:2px #729fcf solid;padding-left:1ex">{inner_html(sent)}</blockquote></body></html>'
    )
    return reply(sent, [part("text/plain", f"{typed}\n{by}\n{marked(flat(sent))}\n"), part("text/html", html)])


def geary(typed: str, sent: EmailMessage) -> Reply:
    by = f"On Mon, Mar 2 2026 at 06:00:00 PM +00:00:00, Hearts by Mail <{HEARTS}> wrote:"
    html = f"<div>{as_html(typed)}</div><br>{by}<br><blockquote type='cite'>{inner_html(sent)}</blockquote>"
    text = f"{typed}\n\n{by}\n{marked(flat(sent), width=72)}\n"
    return reply(sent, [part("text/plain", text, more=FLOWED), part("text/html", html)])


def kmail(typed: str, sent: EmailMessage) -> Reply:
    by = "On Monday, 2 March 2026 19:00:00 Central European Standard Time Hearts by Mail wrote:"
    return _plain(sent, f"{by}\n{marked(text_of(sent).rstrip())}\n\n{typed}\n")


def mailx(typed: str, sent: EmailMessage) -> Reply:
    """mailx and mailutils: the quotation is indented by a tab, head and all."""
    head = f"\tFrom: Hearts by Mail <{HEARTS}>\n\tSubject: {sent['Subject']}"
    return _plain(sent, f"{typed}\n\nHearts by Mail <{HEARTS}> wrote:\n\n{head}\n\n{indent(text_of(sent), chr(9))}\n")


def raw_mailx(typed: str, sent: EmailMessage) -> Reply:
    """BSD mailx and mailutils: they quote the parts as they came, still encoded, with the lines between them."""
    parts = sent.as_string().partition("\n\n")[2]
    return _plain(sent, f"{typed}\n\nHearts by Mail <{HEARTS}> wrote:\n\n{indent(parts, chr(9))}\n")


def without_blanks(typed: str, sent: EmailMessage) -> Reply:
    """A program that shows our HTML with symbols alone, and without blanks between its elements: a row is one word."""
    by = "On Mon, Mar 02, 2026 at 06:00:00PM +0000, Hearts by Mail wrote:"
    shown = CARD.sub(r"\1", flat(sent))
    return _plain(sent, f"{typed}\n\n{by}\n{marked(shown)}\n")


def nmh(typed: str, sent: EmailMessage) -> Reply:
    """nmh: no quotation at all, unless its user asks for one."""
    return _plain(sent, f"{typed}\n")


FREE_CLIENTS: dict[str, Callable[[str, EmailMessage], Reply]] = {
    "Roundcube": roundcube,
    "Roundcube, signature left out": roundcube_without_signature,
    "Roundcube, HTML as text": roundcube_of_html,
    "Roundcube HTML": roundcube_html,
    "Gnus": gnus,
    "Gnus, HTML as text": gnus_of_html,
    "Rmail": rmail,
    "mu4e": mu4e,
    "notmuch": notmuch,
    "Alpine": alpine,
    "neomutt": neomutt,
    "Claws": claws,
    "Evolution": evolution,
    "Geary": geary,
    "KMail": kmail,
    "mailx": mailx,
    "mailx, parts as they came": raw_mailx,
    "cards without blanks": without_blanks,
    "nmh": nmh,
}
