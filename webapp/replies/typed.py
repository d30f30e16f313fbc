"""Finds what the sender typed: the lines of a reply without those that the mail program quoted and those we sent.

Every mail program quotes in its own way, and this does not depend on knowing them all. A line counts as typed only
where no quotation can be: above everything quoted, or below lines that are marked as quoted. Unmarked lines below our
own text are never read. In doubt a line counts as quoted: we may ask for an answer again, but must not play a card that
nobody typed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise, takewhile
from typing import Final

from webapp.core.say import ENGLISH
from webapp.replies.grammar import is_answer, is_greeting, parse_answer
from webapp.replies.lines import MOST_LINES, Line

# Drops the banner that a mail gateway puts on top of mail from outside, such as "[EXTERNAL EMAIL]": nobody typed it.
# Known are its usual forms in many languages. Others are known because they recur: the latest mails of several players
# begin with the same lines (`webapp.inbox.finding`).

MOST_BANNER_LINES: Final = 8  # at the top of a mail, of which some may be empty
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
    for at, line in enumerate(lines[:MOST_BANNER_LINES]):
        text = line.text
        tagged = _TAG.fullmatch(text[:LONGEST])
        if tagged and (is_answer(tagged["rest"], language) or is_greeting(tagged["rest"])):
            return [Line(tagged["rest"]), *lines[at + 1 :]]
        if text and (is_answer(text, language) or is_greeting(text)):
            break
        # A line that is so long, and ends so, may go on in the next one.
        may_go_on = len(above) >= WRAPPED and not above.endswith((".", "!", "?", "]", ")", "*"))
        is_rest = below and not line.marked and (_ADVISES.search(text[:LONGEST]) or may_go_on)
        is_border = _BORDER.fullmatch(text) and (
            (below and above) or any(_is_banner(one.text, recurring) for one in lines[at + 1 : at + 3])
        )
        if text and not (_is_banner(text, recurring) or is_rest or is_border):
            break
        below, above = (at + 1 if text else below), text
    return lines[below:]


def top_lines(lines: Sequence[Line]) -> Sequence[str]:
    """The lines at the top of a mail above an answer that may be those of a gateway; empty if no answer is below."""
    texts = [line.text for line in lines[:MOST_BANNER_LINES] if line.text and not line.marked]
    answers = [at for at, text in enumerate(texts) if is_answer(text)]
    return [text for text in texts[: answers[0]] if not _BEGINS_QUOTATION.match(text)] if answers else []


def _is_banner(text: str, recurring: Set[str]) -> bool:
    text = text[:LONGEST]
    return text in recurring or any(form.match(text) for form in (_BANNER, _MARKED, _TAG))


LONGEST_FOOTER = 120  # letters
MOST_ANSWER_LINES = 8
LINES_TO_KNOW, WORDS_TO_KNOW = 3, 4  # of a quotation that are compared with our mail to know the place
LINES_OF_HAND = 40  # of a quotation in which a row of cards is looked for
LEAST_ROW = 2  # cards beside each other by which a row of our mail may be known
LONGEST_CARD = 4  # letters, with a comma
BRAND = "hearts by mail"

_LABEL = re.compile(r"\*?[^\W\d_][^:：@<>]{0,24}[:：]\*?(?: |$)")
_RULE = re.compile(r"_{5,}|-{5,}|={5,}|[-_=*]{2,} ?[^-_=*].{0,80}?[-_=*]{2,}")
_FOOTERS: Final = re.compile(
    r"(?:sent|written) (?:from|with|via|on|using) (?:my |the )?.{2,60}|get outlook for .{2,60}"
    r"|(?:von|mit) mein\w* .{2,40} gesendet|gesendet (?:von|mit|über) .{2,60}|diese nachricht wurde von mein.{5,80}"
    r"|envoyé (?:de|depuis|à partir de|avec) .{2,60}|télécharge[rz] outlook .{2,60}"
    r"|enviado (?:desde|do|com|a partir|con) .{2,60}|obtener outlook .{2,60}|inviato da .{2,60}"
    r"|verzonden (?:vanaf|met|via) .{2,60}|verstuurd vanaf .{2,60}|sendt fra .{2,60}|skickat från .{2,60}"
    r"|отправлено (?:с|из) .{2,60}|.{2,40}から送信|.{0,20}發自我的.{2,40}|wysłane z .{2,60}|lähetetty .{2,60}"
    r"|.{0,24}\b(?:iphon|ipad).{0,24}|从 outlook 获取|.{2,40}\boutlook (?:\w{1,5} )?(?:ios|android)\b.{0,40}"
    r"|yahoo mail: search, organize, conquer|outlook für (?:ios|android) beziehen.{0,40}|non-text part: [\w./+-]+",
    re.IGNORECASE,
)
_RULE_WITHIN = re.compile(r"(?<!-)-{4,} ?[^\W\d_][^-]{0,40}-{4,}")  # "-------- Original message --------From: …"
_FOOTER_BEHIND = re.compile(
    r"(?<=\S)\s?(?=(?:sent|written) (?:from|with|via|on|using)\b|get outlook|gesendet (?:von|mit|über)\b|von mein"
    r"|envoyé (?:de|depuis|à|avec)\b|enviado (?:desde|do|com|a|con)\b|inviato da\b|verzonden (?:vanaf|met|via)\b"
    r"|verstuurd vanaf|sendt fra|skickat från|отправлено (?:с|из)\b|wysłane z|lähetetty)",
    re.IGNORECASE,
)
_ARMOUR = re.compile(r"-----begin pgp signed message-----|hash: [\w, -]+", re.IGNORECASE)
_SEAL = re.compile(r"-----begin pgp signature-----", re.IGNORECASE)
_ADDRESS = re.compile(r"(?<!\S)\S+@\S+")
_REFERENCE = re.compile(r"<?(?:https?|mailto):\S*>?|\[(?:image|cid):[^\]]*\]")
# The mark of a signature, or a line of a program's list of the links in our HTML: nothing of ours goes on behind them.
_WHOLE = re.compile(r"--|\[\d{1,3}\] ?<?(?:https?|mailto):\S+>?")
_APART = re.compile(r" ([,.;:!?])")


@dataclass(frozen=True, slots=True)
class Typed:
    """The lines that the sender typed, and whether anything was quoted."""

    lines: tuple[str, ...]
    quotes: bool


class AnsweredMail:
    """Our mail that was answered, in each of its versions; it knows whether a line or a run of words comes from it.

    Its language is that of its reader, in which answers are read.
    """

    def __init__(self, versions: Iterable[Sequence[Line]], names: Iterable[str] = (), language: str = ENGLISH) -> None:
        self.language = language
        keys = [[key for line in version if (key := _key(line.text))] for version in versions]
        self._neighbours = {pair for version in keys for pair in pairwise(version)}
        self._lines = {key for version in keys for key in version}
        # Words are separated by blanks; `_ends` keeps the line breaks. So a fragment is found across lines, too.
        self._words = [" ".join(version) for version in keys]
        self._ends = ["".join(f" {key}\n" for key in version) for version in keys]
        self._rows = [row for words in self._words for row in _rows(words.split(), language)]
        self.names = frozenset({BRAND, *(name.lower() for name in names if name)})

    def has_line(self, above: str, text: str, below: str) -> bool:
        """Whether a line is from the mail. One that is a valid answer must also have the same neighbour there."""
        key = _key(text)
        if is_answer(text, self.language):
            return (_key(above), key) in self._neighbours or (key, _key(below)) in self._neighbours
        return key in self._lines or key.startswith(BRAND) or (key.count(" ") > 2 and self.has_words(key))

    def has_words(self, text: str) -> bool:
        """Whether the mail has these words in sequence, regardless of line breaks."""
        return any(f" {_key(text)} " in f" {words} " for words in self._words)

    def ends_with(self, text: str) -> bool:
        """Whether `text` stands at the end of a line of the mail. Not a single word, which may do so by chance."""
        return " " in _key(text) and any(f" {_key(text)}\n" in ends for ends in self._ends)

    def ends_row(self, before: str | None, row: Sequence[str], card: str | None) -> bool:
        """Whether the mail has a row of these cards, and nowhere goes on with `card` behind them.

        It has it behind the word `before`, or, where nothing above is quoted, as a whole row. A card that the mail does
        not show is none that it asks for, so another mail may be quoted.
        """
        is_known, is_shown = False, card is None
        for word, cards in self._rows:
            is_shown |= card in cards
            for at in range(len(cards) - len(row) + 1):
                if cards[at : at + len(row)] == tuple(row):
                    if cards[at + len(row) :][:1] == (card,):
                        return False
                    is_known |= not at and (word == before if before else len(cards) == len(row))
        return is_known and is_shown


def typed_lines(lines: Sequence[Line], ours: AnsweredMail, recurring: Set[str] = frozenset()) -> Typed:
    """The lines of a body that the sender typed, in order, without blank ones; none of the `recurring` ones on top."""
    lines = [*_unglued(without_banner(lines[:MOST_LINES], recurring, ours.language), ours.language), Line("")]
    introductions = _introductions(lines, ours)
    found: list[str] = []
    quotes = any(line.marked and line.text for line in lines)
    above: list[str] = []  # the quoted lines right above, the nearest last
    row: list[str] = []  # more of them: as many as a hand may take
    is_broken = False  # whether the mail program has wrapped the last of them
    for at, line in enumerate(lines):
        if line.marked:
            above, is_broken = [*above[1 - LINES_TO_KNOW :], line.text], False
            row = [*row[1 - LINES_OF_HAND :], line.text]
        elif not line.text:
            above = []
        elif at in introductions:
            quotes = True
        elif above and (is_broken or _goes_on(above, row, line.text, ours)):  # up to a blank line
            above, is_broken = [*above[:-1], f"{above[-1]} {line.text}"], True
        elif above and _ends_row(row, line.text, ours):
            found.append(line.text)
            above, row = [], []
        elif line.text == "--" or _SEAL.fullmatch(line.text):
            break
        elif _is_footer(line.text) or _ARMOUR.fullmatch(line.text):
            continue
        elif _begins_quotation(lines, at, ours):
            quotes = True
            break
        else:
            found.append(line.text)
            above, row = [], []
    return Typed(tuple(found), quotes)


def _unglued(lines: Sequence[Line], language: str) -> Iterator[Line]:
    """The lines, where a program has lost the breaks between an answer, its own footer and the quotation."""
    for line in lines:
        rule = _RULE_WITHIN.search(line.text[:LONGEST_FOOTER])
        text = line.text[: rule.start()].rstrip() if rule else line.text
        footer = _FOOTER_BEHIND.search(text[:LONGEST_FOOTER])
        if line.marked or not (footer or (rule and text)):
            yield line
            continue
        answer = text[: footer.start()].rstrip() if footer else text
        if not is_answer(answer, language) or (footer and not _is_footer(text[len(answer) :].strip())):
            yield line
            continue
        yield Line(answer)
        yield from (Line(rest) for rest in (text[len(answer) :].strip(), line.text[len(text) :].strip()) if rest)


def _is_footer(text: str) -> bool:
    """Whether a mail program has written the line below what was typed."""
    return len(text) <= LONGEST_FOOTER and _FOOTERS.fullmatch(text) is not None


def _goes_on(above: Sequence[str], row: Sequence[str], text: str, ours: AnsweredMail) -> bool:
    """Whether an unmarked line right under the marked lines `above` is the rest of the last one, wrapped by a program.

    `row` are more of these lines, which may hold a whole row of cards.

    It is none where our mail ends a line there, and does not have these words in sequence.
    """
    if not above[-1] or _WHOLE.fullmatch(above[-1]):
        return _REFERENCE.fullmatch(text) is not None  # a link that is too long for its line leaves the mark alone
    for end in _ends(above, ours.language):
        if _key(end) and ours.has_words(f"{end} {text}"):
            return True
        if ours.ends_with(end):
            return False
    return not _ends_row(row, text, ours)


def _ends_row(quoted: Sequence[str], text: str, ours: AnsweredMail) -> bool:
    """Whether an answer stands under a row of cards that our mail has, too, and that does not go on with it there.

    `quoted` are the lines above. Where a row shows each card twice (`5♦ 5D`), the answer may be the other half of its
    last card; behind a comma it is the next one.
    """
    answer, above = parse_answer(text, ours.language), _key(" ".join(quoted)).split()
    count = len(list(takewhile(lambda word: _card(word, ours.language), reversed(above))))
    words = _row(above[len(above) - count :], ours.language)
    row = _each_once(words, ours.language)
    if answer is None or len(row) < LEAST_ROW or words[-1].endswith(","):
        return False
    card = next(iter(answer.cards), None)
    is_of_halves = len({word.rstrip(",")[-1].isalpha() for word in words}) > 1
    if is_of_halves and card == row[-1] and _card(words[-2], ours.language) != card:
        return False
    before = above[-len(words) - 1] if len(above) > len(words) else None
    return ours.ends_row(before, row, card)


def _rows(words: Sequence[str], language: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The word before each row of cards among the words, and its cards, each once where it is shown in two ways."""
    before = ""
    for is_row, group in groupby(words, lambda word: _card(word, language) is not None):
        found = list(group)
        if is_row:
            row = _row(found, language)
            yield found[-len(row) - 1] if len(row) < len(found) else before, _each_once(row, language)
        before = found[-1]


def _row(words: Sequence[str], language: str) -> Sequence[str]:
    """The words of a row of cards, without an "as" at its beginning, as in "such as 4C 5C"."""
    first = parse_answer(words[0], language) if words else None
    is_word = (
        first is not None and first.is_doubtful and _each_once(words[:2], language) != _each_once(words[:1], language)
    )
    return words[1:] if is_word else words


def _each_once(words: Iterable[str], language: str) -> tuple[str, ...]:
    """The cards that the words name; one that is shown in two ways, by a code and by a symbol, is one."""
    cards: list[str | None] = []
    other = ""  # the last word, if the next one may be the same card in the other way
    for word in words:
        is_same = (
            other and _card(word, language) == cards[-1] and word.rstrip(",")[-1].isalpha() is not other[-1].isalpha()
        )
        if not is_same:
            cards.append(_card(word, language))
        other = "" if is_same else word.rstrip(",")
    return tuple(filter(None, cards))


@lru_cache(maxsize=4096)
def _card(word: str, language: str) -> str | None:
    """The card of a row that a single word names; None if it names none."""
    found = parse_answer(word, language) if len(word) <= LONGEST_CARD and not word.endswith((".", ":")) else None
    return found.cards[0] if found and len(found.cards) == 1 else None


def _ends(above: Sequence[str], language: str) -> Iterator[str]:
    """The words at the end of the marked lines by which their place in our mail may be known, in several lengths.

    A link or a single word does not show the place, but does so together with the words above it; and programs write
    a link within a line in many ways. Cards do not show it, because they stand beside each other in many orders.
    """
    yield above[-1]
    joined = [" ".join(above[-rows:]) for rows in range(2, len(above) + 1)]
    last = " ".join(_key(above[-1]).split()[-WORDS_TO_KNOW:])
    for text in (*joined, last):
        words = _key(text).split()[-2:]
        if len(words) == 2 and not any(is_answer(word, language) for word in words):
            yield text


def _begins_quotation(lines: Sequence[Line], at: int, ours: AnsweredMail) -> bool:
    """Whether an unmarked line begins a quotation without marks, which reaches to the end of the mail."""
    text = lines[at].text
    above = next((line.text for line in reversed(lines[:at]) if line.text), "")
    below = next((line.text for line in lines[at + 1 :] if line.text), "")
    if _RULE.fullmatch(text) or _RULE_WITHIN.match(text) or ours.has_line(above, text, below):
        return True
    # Three lines like From, Sent and To are the head of a mail, in any language; blank lines do not count.
    texts = [line.text for line in lines[at : at + 8] if line.text and not line.marked][:4]
    labelled = [one for one in texts if _LABEL.match(one)]
    if len(labelled) >= 3 and labelled[0] == texts[0] and any("@" in one or _dated(one) for one in labelled):
        return True
    runs = [lines[at:end] for end in range(at + 1, at + 5)]
    # If the run introduces a quotation even without its first line, then that line was typed.
    return any(_introduces(run, ours) and not _introduces(run[1:], ours) for run in runs)


def _introductions(lines: Sequence[Line], ours: AnsweredMail) -> set[int]:
    """The places of lines like "On Monday Ann wrote:" above marked ones: of each, the shortest run that can mean it."""
    found: set[int] = set()
    for at, line in enumerate(lines):
        if not line.marked or not at or lines[at - 1].marked:
            continue
        end = at
        while end and not lines[end - 1].text and not lines[end - 1].marked and at - end < 3:
            end -= 1
        runs = [range(start, end) for start in range(end - 1, max(-1, end - 5), -1)]
        runs = [run for run in runs if all(lines[row].text and not lines[row].marked for row in run)]
        meant = [run for run in runs if _introduces([lines[row] for row in run], ours)]
        ends = [run for run in runs[:1] if lines[end - 1].text.endswith((":", "："))]
        found.update(next(iter(meant or ends), _above_answer(lines, end, ours)))
    return found


def _above_answer(lines: Sequence[Line], end: int, ours: AnsweredMail) -> Sequence[int]:
    """The place of a line like "Hearts by Mail writes:", where an answer was typed between it and the quotation.

    `end` is the place after the answer. Emacs puts the cursor there. Empty if there is no such line.
    """
    start = end
    while start and end - start < MOST_ANSWER_LINES and not lines[start - 1].marked:
        text = lines[start - 1].text
        if text and not (is_greeting(text) or is_answer(text, ours.language)):
            break
        start -= 1
    at = start - 1
    if at < 0 or lines[at].marked or not any(is_answer(line.text, ours.language) for line in lines[start:end]):
        return ()
    text = lines[at].text.lower()
    is_named = "@" in text or any(name in text for name in ours.names)
    return (at,) if is_named and text.endswith((":", "：")) and not is_answer(text, ours.language) else ()


def _introduces(run: Sequence[Line], ours: AnsweredMail) -> bool:
    """Whether lines introduce a quotation: they have a date, a name or an address, and a colon at the end."""
    if not run or not all(line.text and not line.marked for line in run):
        return False
    text = " ".join(line.text for line in run).lower()
    if not text.endswith((":", "：")):
        return False
    named = "@" in text or any(name in text for name in ours.names)
    dated = _dated(_ADDRESS.sub(" ", text))
    return dated and named and not is_answer(run[0].text, ours.language)


def _dated(text: str) -> bool:
    return any(sign.isdecimal() for sign in text)


def _key(text: str) -> str:
    """A line normalised for comparison: mail programs turn links into bracketed URLs, and bold text into asterisks.

    A card in the HTML of a mail is an element of its own, so that a comma after it may stand apart, or not.
    """
    return _APART.sub(r"\1", " ".join(_REFERENCE.sub(" ", text).replace("*", "").lower().split()))
