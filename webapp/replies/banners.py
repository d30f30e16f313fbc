"""Drops the banner that a mail gateway puts on top of mail from outside, such as "[EXTERNAL EMAIL]": nobody typed it.

Known are its usual forms in many languages. Others are known because they recur: the latest mails of several players
begin with the same lines (`webapp.inbox.finding`).
"""

import re
from collections.abc import Sequence, Set
from typing import Final

from webapp.core.say import ENGLISH
from webapp.replies.grammar import is_answer, is_greeting
from webapp.replies.lines import Line

MOST_LINES: Final = 8  # at the top of a mail, of which some may be empty
LONGEST: Final = 500  # letters of a line
WRAPPED: Final = 45  # letters of a line that may go on in the next one

_WARNS = (
    r"\b(?:caution|warning|attention|alert|notice|beware|careful|achtung|vorsicht|warnung|hinweis|prudence|avertissement|"
    r"cuidado|precaución|atención|advertencia|aviso|atenção|attenzione|avviso|avvertenza|let op|waarschuwing|uwaga|"
    r"ostrzeżenie|внимание|осторожно|увага|varning|obs|advarsel|huomio|varoitus|upozornění|pozor|figyelem|atenție|dikkat|"
    r"προσοχή|تنبيه)\b|注意|警告|주의|경고"
)
_MAILS = (
    r"\b(?:e-?mails?|mails?|messages?|nachricht|courriel|correo|mensaje|mensagem|messaggio|bericht|wiadomość|письмо|"
    r"сообщение|лист|meddelande|meddelelse|besked|melding|viesti|zpráva|üzenet|mesaj|μήνυμα|رسالة)\b|邮件|郵件|メール|메일"
)
_OUTSIDE = (
    r"\b(?:extern\w*|ext|outside|außerhalb|extérieure?|exterior|externí|fuera|fora|estern[oaie]|esterno|buiten\w*|"
    r"zewnętrzn\w+|spoza|внешн\w+|извне|зовнішн\w+|utanför|udenfor|utenfor|ulkopuol\w+|ulkoi\w+|külső|dış\w*|"
    r"εξωτερικ\w+|خارجية|خارجي)\b|外部|社外|외부"
)
_BANNER = re.compile(rf"(?=.{{0,80}}?(?:{_WARNS}|{_MAILS}))(?=.{{0,300}}?(?:{_OUTSIDE}))", re.IGNORECASE)
_OPEN, _CLOSE = r"[\[(<{*#|=【「]", r"[\])>}*#|=】」]"
_TAG = re.compile(
    rf"[^\w\s]{{0,4}}\s?{_OPEN}+\s*(?:(?:{_WARNS})\W{{1,3}})?(?:{_OUTSIDE}).{{0,30}}?{_CLOSE}+[:\s]*(?P<rest>.*)",
    re.IGNORECASE,
)
_MARKED = re.compile(r"\w+BannerStart|\w+BannerEnd|.*aka\.ms/LearnAboutSenderIdentification.*", re.IGNORECASE)
_ADVISES = re.compile(
    r"\b(?:click|links?|attachments?|sender|recogni[sz]e|phishing|klick\w*|anhänge?n?|absenders?|cliqu\w+|liens?|"
    r"pièces? jointes?|expéditeur|clic|enlaces?|adjuntos?|remitente|clique|anexos?|remetente|clicca\w*|allegati|"
    r"mittente|klik\w*|bijlagen?|afzender|załącznik\w*|nadawc\w*|ссылк\w+|вложени\w+|отправител\w+|länkar|bilagor|"
    r"avsändare\w*|afsender\w*|liitte\w*|lähettäjä\w*)\b|リンク|添付|链接|附件",
    re.IGNORECASE,
)
_BORDER = re.compile(r"[-_=*~#+\s]{3,}")
_BEGINS_QUOTATION = re.compile(r"[-_]{3,}|\*?[^\W\d_][^:：@<>]{0,24}[:：]\*?(?: |$)|.*[:：]$")


def without_banner(lines: Sequence[Line], recurring: Set[str], language: str = ENGLISH) -> Sequence[Line]:
    """The lines below the banner of a gateway, if there is one; `recurring` are lines that others' mails have there.

    `language`: that in which the answer is read.
    """
    below, above = 0, ""  # the place below the last line that is a gateway's, and the line above
    for at, line in enumerate(lines[:MOST_LINES]):
        text = line.text
        tagged = _TAG.fullmatch(text[:LONGEST])
        if tagged and (is_answer(tagged["rest"], language) or is_greeting(tagged["rest"])):
            return [Line(tagged["rest"]), *lines[at + 1 :]]
        if text and (is_answer(text, language) or is_greeting(text)):
            break
        is_rest = below and not line.marked and (_ADVISES.search(text[:LONGEST]) or _goes_on(above))
        is_border = _BORDER.fullmatch(text) and (
            (below and above) or any(_is_banner(one.text, recurring) for one in lines[at + 1 : at + 3])
        )
        if text and not (_is_banner(text, recurring) or is_rest or is_border):
            break
        below, above = (at + 1 if text else below), text
    return lines[below:]


def top_lines(lines: Sequence[Line]) -> Sequence[str]:
    """The lines at the top of a mail above an answer that may be those of a gateway; empty if no answer is below."""
    texts = [line.text for line in lines[:MOST_LINES] if line.text and not line.marked]
    answers = [at for at, text in enumerate(texts) if is_answer(text)]
    return [text for text in texts[: answers[0]] if not _BEGINS_QUOTATION.match(text)] if answers else []


def _is_banner(text: str, recurring: Set[str]) -> bool:
    text = text[:LONGEST]
    return text in recurring or any(form.match(text) for form in (_BANNER, _MARKED, _TAG))


def _goes_on(above: str) -> bool:
    """Whether a line is so long, and ends so, that the next one may be its rest."""
    return len(above) >= WRAPPED and not above.endswith((".", "!", "?", "]", ")", "*"))
