"""The grammar of replies: cards or a command. A line matches as a whole or not at all; nothing is searched within it.

Before an answer may stand the hand that it is for: "hand 2 QS". There is one grammar for all languages; `words` has the
words of each. The language is that of the mail which is answered: it says what letters such as `KD` name.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from webapp.core.say import ENGLISH
from webapp.replies import words as known
from webapp.replies.words import BETWEEN, NAMES, SYMBOLS, TABLES, fold, said, spaced, with_symbol, written

WAIT: Final = "wait"  # the command to wait so or so long, as older mails taught it
AWAY: Final = "away"  # the command, or begins it: "away 5" (days), "away until 3 5" (the day and the month)
COMMANDS: Final = {
    **known.COMMANDS,
    **dict.fromkeys((f"{WAIT} {word}" for word in ("full", "short", "none", "robot", "4", "4 hours", "4h")), WAIT),
    **dict.fromkeys(("plan ask", "plan same", "plan matters", "plan robot"), WAIT),
}
"""From what people type to the command that it stands for."""

MAX_WORDS = 24  # five cards, each in four words, and some courtesy
_PICTURES: Final = {  # the block of playing cards: four rows, each of an ace, nine numbers, jack, knight, queen, king
    0x1F0A0 + 16 * row + column: f" {rank}{suit} "
    for row, suit in enumerate("shdc")
    for column, rank in enumerate("a23456789tj?qk", 1)
    if rank != "?"
}
_SIGNS: Final = "".join(SYMBOLS)
_GLUED = (  # "Q♠4♦10♥", "♠Q♦4♥10", and "qs4d10h"
    re.compile(rf"(?:(?:10|[2-9]|[a-z])[{_SIGNS}]){{2,5}}"),
    re.compile(rf"(?:[{_SIGNS}](?:1[0-3]?|[2-9]|[a-z])){{2,5}}"),
    re.compile(rf"(?:(?:10|[2-9tjqka])[cdsh{_SIGNS}]){{2,5}}"),
)
_GLUED_CARD = (
    re.compile(rf"(?:10|[2-9]|[a-z])[{_SIGNS}]"),
    re.compile(rf"[{_SIGNS}](?:1[0-3]?|[2-9]|[a-z])"),
    re.compile(rf"(?:10|[2-9tjqka])[cdsh{_SIGNS}]"),
)
_SMILES = re.compile(  # faces and hands that agree, behind an answer
    r"(?:\s*(?::-?[)d]|;-?\)|[\U0001F600-\U0001F644\U0001F64F\U0001F917\U0001F91E\U0001F923\U0001F929\U0001F973👍👏👌🎉]"
    r"[\U0001F3FB-\U0001F3FF]?))+$"
)
_AROUND = " \t.,;!\"'`´“”„‚‘’«»*_()[]<>。、،؛「」¡"
_NUMBERED: Final = rf"(?:(?:{written('hand')}) |ラウンド ?)(?P<hand>\d{{1,2}})"
_HAND: Final = re.compile(rf"{_NUMBERED}(?: ?[:,.)] ?| |(?=[^\x00-\xff]))")
"""The number of a hand before its answer."""
_BEGINS_HAND: Final = re.compile(rf"{_NUMBERED}(?![\dA-Za-z])")
_HAND_BEHIND: Final = re.compile(rf"(?<![\s,;.、。])[\s,;.、。]+(?=(?:{written('hand')}) ?\d)", re.IGNORECASE)
_LONGEST_MONTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
LONGEST_AWAY: Final = 365  # days


def _plain(line: str) -> str:
    """The line folded, with the digits of ASCII, without surrounding punctuation."""
    plain = fold(line).translate(_PICTURES)
    if not plain.isascii():
        plain = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in plain)
        plain = plain.replace("\ufe0e", "").replace("\ufe0f", "")
    return _SMILES.sub("", plain.rstrip()).strip(_AROUND)


_GREETINGS: Final = (
    "hi, hello, hey, hiya, howdy, dear, greetings, good morning, good day, good afternoon, good evening, hallo, moin, "
    "servus, guten morgen, guten tag, guten abend, grüß gott, grüezi, liebe, lieber, liebes, bonjour, bonsoir, salut, "
    "coucou, cher, chère, hola, buenas, buenos días, buenas tardes, buenas noches, querido, querida, olá, oi, bom dia, "
    "boa tarde, boa noite, ciao, salve, buongiorno, buonasera, caro, cara, hoi, dag, beste, goedemorgen, goedemiddag, "
    "goedenavond, goedendag, cześć, hej, witam, witaj, siema, dzień dobry, dobry wieczór, hei, hejsan, god morgen, "
    "god morgon, god dag, god kväll, god aften, moi, moikka, terve, ahoj, čau, dobrý den, szia, sziasztok, helló, "
    "bună, merhaba, selam, halo, hai, xin chào, γεια, γεια σου, γεια σας, καλημέρα, καλησπέρα, привет, "
    "здравствуйте, добрый день, добрый вечер, доброе утро, привіт, вітаю, добрий день, здравейте, здраво, "
    "こんにちは, こんばんは, おはようございます, 你好, 您好, 大家好, 안녕하세요, 안녕, "
    "שלום, היי, مرحبا, أهلا, السلام عليكم, नमस्ते, สวัสดี"
)
_GREETING: Final = "(?:" + "|".join(sorted(map(_plain, _GREETINGS.split(", ")), key=len, reverse=True)) + r")(?!\w)"
_NAMED: Final = r"(?:[,!.]{0,3} [^\W\d_][^\s,!.:;?]*)"  # a word of those who are greeted
_GREETED: Final = (
    re.compile(rf"{_GREETING}[\s,!.:;–-]*(?P<answer>.+)"),
    re.compile(rf"{_GREETING}{_NAMED}{{1,3}}\s?[,!.:;–-]+\s?(?P<answer>.+)"),
)
_GREETS: Final = re.compile(rf"{_GREETING}{_NAMED}{{0,4}}:?")
_EXCLAIMED = re.compile(r"a[hs]")  # alone they are words of many languages, unless they are in capitals
_MAY_BE_WORD = re.compile(r"[aeiouy][a-z]|[a-z][aeiouy]|\d+[hd]")  # so are these, hours and days, outside English mail


@dataclass(frozen=True, slots=True)
class TypedLine:
    """The meaning of one line: cards in the order typed, or a command."""

    cards: tuple[str, ...] = ()
    word: str | None = None
    verb: str | None = None  # "play" or "pass", if it was typed
    hand: int | None = None  # the hand that was named before it, of those that are played side by side
    is_doubtful: bool = False  # "Ah!" and "as" alone may be meant as words
    choices: tuple[str, ...] = ()  # it is no answer: the cards that a code in it names in one language or another


def parse_answer(line: str, language: str = ENGLISH) -> TypedLine | None:
    """Reads `line` as a whole, in mail of one of `LANGUAGES`; None if it is no answer, or is ambiguous.

    >>> parse_answer("Play the queen of spades, please.").cards, parse_answer("Pik Dame").cards
    (('QS',), ('QS',))
    >>> parse_answer("hand 2: QS").hand
    2
    >>> parse_answer("I might play QS") is None, parse_answer("7C", "fr") is None
    (True, True)
    """
    found = _read(line, language)
    return None if found is None or found.choices else found


def choices(line: str, language: str) -> tuple[str, ...]:
    """The cards that a line may mean, if it is no answer because a code in it has several meanings; else none.

    >>> choices("7C", "fr"), choices("7C", "en")
    (('7C', '7H'), ())
    """
    found = _read(line, language)
    return found.choices if found else ()


def is_answer(line: str, language: str = ENGLISH) -> bool:
    """Whether a line is an answer as a whole, be it a code with several meanings, which is asked back.

    >>> is_answer("7C", "fr"), is_answer("I might play QS", "fr")
    (True, False)
    """
    return _read(line, language) is not None


@lru_cache(maxsize=1024)  # a line is looked at several times until it is known what it is
def _read(line: str, language: str) -> TypedLine | None:
    plain = _plain(line)
    greeted = filter(None, (form.fullmatch(plain) for form in _GREETED))
    for text in (plain, *(greeting["answer"] for greeting in greeted)):
        named = _HAND.match(text)
        found = _parse(_plain(text[named.end() :]) if named else text, language)
        if found:
            is_doubtful = found.is_doubtful and not named and not _is_in_capitals(line, text, language)
            return replace(found, hand=int(named["hand"]) if named else None, is_doubtful=is_doubtful)
    return None


@lru_cache(maxsize=256)
def code_to_teach(card: str, language: str) -> str:
    """A way to type a card that is its own in mail of a language, in capitals or not: its code, else rank and symbol.

    >>> code_to_teach("QS", "fr"), code_to_teach("KD", "fr"), code_to_teach("7H", "fr"), code_to_teach("KD", "en")
    ('QS', 'R♦', '7♥', 'KD')
    """
    if language == ENGLISH or parse_answer(card.lower(), language) == TypedLine(cards=(card,)):
        return card
    return with_symbol(card, language)


def hand_named(line: str) -> int | None:
    """The number of the hand with which a line begins, whatever stands behind it; None if it begins with none.

    >>> hand_named("Hand 2: the queen"), hand_named("my hand 2"), hand_named("Runde 2")
    (2, None, 2)
    """
    named = _BEGINS_HAND.match(_plain(line))
    return int(named["hand"]) if named else None


def is_hand_alone(line: str) -> bool:
    """Whether a line is the number of a hand and nothing else, above its answer."""
    return re.fullmatch(rf"{_NUMBERED}\W?", _plain(line)) is not None


def by_hand(line: str, language: str = ENGLISH) -> Sequence[str]:
    """The answers on a line that names a hand behind another answer; else the line itself.

    >>> by_hand("4H 6H, hand 2 QS"), by_hand("see you in hand 2")
    (['4H 6H', 'hand 2 QS'], ['see you in hand 2'])
    """
    parts = _HAND_BEHIND.split(line)
    return parts if all(_read(part, language) for part in parts) else [line]


def is_greeting(line: str) -> bool:
    """Whether a line greets and says nothing else.

    >>> is_greeting("Hi all,"), is_greeting("Hello Ann, QS or KS")
    (True, False)
    """
    plain = _plain(line)
    return _GREETS.fullmatch(plain) is not None and not any(map(is_answer, plain.split()[1:]))


def _is_in_capitals(line: str, text: str, language: str) -> bool:
    """Whether the letters of a code that may be a word are in capitals; "AS" is half a card where an ace is an as."""
    code = "".join(text.split())
    is_half = code in known.forms(TABLES[language], "ace")
    typed = re.findall(r"\w+", unicodedata.normalize("NFKC", line))
    return not is_half and any(word.isupper() and word.casefold() in (code, *text.split()) for word in typed)


def _parse(plain: str, language: str) -> TypedLine | None:
    words = [word for part in BETWEEN.split(spaced(plain)) if part for word in _unglued(part)]
    if len(words) > MAX_WORDS:
        return None
    words, verb = _without_courtesy(words)
    command = " ".join(words)
    if verb is None and command in COMMANDS and command not in _doubtful_in(language):
        return TypedLine(word=COMMANDS[command])
    if verb is None and (absence := _absence(words)):
        return TypedLine(word=absence)
    readings = {cards for cards in _readings(tuple(words), language) if cards}
    if len(readings) != 1:
        return None
    (cards,) = readings
    if several := next((meant for meant in cards if len(meant) > 1), None):
        return TypedLine(choices=tuple(sorted(several)))
    is_word_elsewhere = language != ENGLISH and _MAY_BE_WORD.fullmatch("".join(words)) is not None
    is_doubtful = verb is None and (is_word_elsewhere or all(map(_EXCLAIMED.fullmatch, words)))
    return TypedLine(cards=tuple(card for (card,) in cards), verb=verb, is_doubtful=is_doubtful)


@cache
def _doubtful_in(language: str) -> Sequence[str]:
    """The commands that may mean the contrary in mail of a language."""
    return known.forms(TABLES[language], "doubtful")


# Absences: each word becomes a sign, and few orders of signs mean something.

_AWAY_WORDS: Final = said("away")
_FILLERS: Final = said("of an absence")
_ORDINAL: Final = re.compile(r"([1-9]\d{0,2})(?:st|nd|rd|th|er|re|de|[oa]|º|°)?\.?[oa]?")
_SPAN: Final = re.compile(r"A(nD|nW|2|7)|(nD|nW|2|7)A")
_UNTIL: Final = re.compile(r"AU(nM|Mn)|U(nM|Mn)A|A(Mn)DU|(Mn)DUA")
_KINDS: Final = {
    **dict.fromkeys(_FILLERS, ""),
    **dict.fromkeys(said("until"), "U"),
    **dict.fromkeys(said("day"), "D"),
    **dict.fromkeys(said("week"), "W"),
    **dict.fromkeys(said("two days"), "2"),
    **dict.fromkeys(said("two weeks"), "7"),
    **dict.fromkeys(_AWAY_WORDS, "A"),
}


@cache
def _months() -> dict[str, int]:
    """The names of the months in all languages, long and short, from 1; two words of one stand with a blank."""
    from babel.dates import get_month_names  # few mails name a month, and their data are large

    found: dict[str, int] = {"sept": 9}
    for locale in ("en", "de", "de_AT", "fr", "es", "it", "pt", "nl", "pl", "ja", "ar", "ar_LB", "ar_DZ", "ar_MA"):
        for width in ("abbreviated", "wide"):
            for context in ("format", "stand-alone"):
                for month, name in get_month_names(width, context, locale).items():
                    found[" ".join(BETWEEN.split(fold(name).strip(".")))] = month
    return found


def _absence(words: Sequence[str]) -> str | None:
    """The command of a player who says for how long they are away; None if the words say nothing like it.

    >>> _absence("away for 2 weeks".split()), _absence("5 tage weg".split()), _absence("away until may".split())
    ('away 14', 'away 5', None)
    """
    if _AWAY_WORDS.isdisjoint(words):
        return None
    signs, numbers, months = "", [], []
    at = 0
    while at < len(words):
        for count in (3, 2, 1):
            phrase = " ".join(words[at : at + count])
            kind = _KINDS.get(phrase)
            if kind is None and (month := _months().get(phrase.rstrip("."))):
                kind = "M"
                months.append(month)
            elif kind is None and count == 1 and (number := _ORDINAL.fullmatch(phrase)):
                kind = "n"
                numbers.append(int(number[1]))
            if kind is not None:
                break
        else:
            return None
        # "Until the day 5 of May": it is no span.
        signs += "" if kind == "D" and signs.endswith("U") else kind
        at += count
    if _SPAN.fullmatch(signs):
        days = {"2": 2, "7": 14}.get(signs.strip("A")) or numbers[0] * (7 if "W" in signs else 1)
        return f"{AWAY} {days}" if days <= LONGEST_AWAY else None
    if _UNTIL.fullmatch(signs) and numbers[0] <= _LONGEST_MONTHS[months[0] - 1]:
        return f"{AWAY} until {numbers[0]} {months[0]}"
    return None


def _unglued(word: str) -> Sequence[str]:
    """The cards of "Q♠4♦10♥". A program that glues a quoted row writes each of them twice, and that is none."""
    for form, card in zip(_GLUED, _GLUED_CARD, strict=True):
        if form.fullmatch(word):
            cards = card.findall(word)
            return cards if len({_signed(one) for one in cards}) == len(cards) else [word]
    return [word]


def _signed(card: str) -> str:
    """The letters of a code with a symbol or a letter for its suit, by which two of one card are known."""
    return "".join(sorted(SYMBOLS.get(sign, sign.upper() if sign in "cdsh" else sign) for sign in card))


def _by_end(key: str, end: int) -> dict[str, list[list[str]]]:
    """The forms of a word in all languages by their first or last word, the longest first."""
    found: dict[str, list[list[str]]] = {}
    for form in sorted((form.split() for form in said(key)), key=len, reverse=True):
        found.setdefault(form[end], []).append(form)
    return found


_COURTESIES: Final = _by_end("please", -1)
_COURTESIES_BEFORE: Final = _by_end("please", 0)
_SELVES: Final = _by_end("I", 0)
_VERBS: Final = {
    **dict.fromkeys(said("play", "played"), "play"),
    **dict.fromkeys(said("pass", "passed"), "pass"),
}
_LAST: Final = said("played", "passed")  # verbs that stand behind the cards
_LEAVES: Final = {form.split()[0] for form, command in COMMANDS.items() if command in (AWAY, "back")}


def _without_courtesy(words: list[str]) -> tuple[list[str], str | None]:
    """The words without "please", "thanks" and "I'm" in their usual places, and the verb if there was one."""
    for polite in _COURTESIES.get(words[-1], ()) if words else ():
        if words[-len(polite) :] == polite:
            words = words[: -len(polite)]
            break
    words = _without_polite(words)
    for mine in _SELVES.get(words[0], ()) if words else ():
        rest = words[len(mine) :]
        says = rest and (_verb(rest[0]) or rest[0] in _LEAVES or not _AWAY_WORDS.isdisjoint(rest))
        if words[: len(mine)] == mine and says:
            words = rest
            break
    if words and (verb := _verb(words[0])):
        return _without_polite(words[1:]), verb
    if words and words[-1] in _LAST:
        return words[:-1], _VERBS[words[-1]]
    return words, None


def _without_polite(words: list[str]) -> list[str]:
    """The words without a "please" before them."""
    forms = _COURTESIES_BEFORE.get(words[0], ()) if words else ()
    return words[next((len(one) for one in forms if words[: len(one)] == one), 0) :]


def _verb(word: str) -> str | None:
    return _VERBS.get(word.removesuffix(":"))


Meant = frozenset[str]  # the cards that a code or a name may mean: one, if it is clear

_AND: Final = said("and")
_OF: Final = said("of")
_SUITS: Final = said("suit's")  # between a suit and its rank
_ARTICLES: Final = said("the")


def _readings(words: tuple[str, ...], language: str) -> Iterator[tuple[Meant, ...]]:
    """Every way to read all the words as cards."""
    if not words:
        yield ()
        return
    for card, taken in _first_cards(words, language):
        rest = words[taken:]
        # "and" stands between two cards, never before the first or after the last.
        if len(rest) > 1 and rest[0] in _AND:
            rest = rest[1:]
        for cards in _readings(rest, language):
            yield (card, *cards)


def _first_cards(words: tuple[str, ...], language: str) -> Iterator[tuple[Meant, int]]:
    """Each card that the first words may name, with the number of words that name it."""
    codes = known.codes(language)
    word, *rest = words
    if word in codes:
        yield codes[word], 1
    elif len(word) > 2 and word[-1] in SYMBOLS and (ranks := _ranks(word[:-1], "")):
        yield _cards(ranks, frozenset(SYMBOLS[word[-1]])), 1
    if not rest:
        return
    if f"{word} {rest[0]}" in codes:
        yield codes[f"{word} {rest[0]}"], 2
    # "A heart" means any heart, not the ace, and "a queen" is no ace.
    elif (word in _ARTICLES and word != "a") or (word == "a" and _ranks(rest[0], "")):
        for card, taken in _first_cards(tuple(rest), language):
            yield card, taken + 1
    word, joint = word.removeprefix("l'"), rest[0]
    if ranks := _ranks(word, language):
        at = 1 if joint in _OF and len(rest) > 1 else 0
        suits = _suits(rest[at], language, with_letters=len(word) > 1 or at == 1)
        if suits and (at or word != "a" or len(rest[at]) == 1):
            yield _cards(ranks, suits), 2 + at
    if suits := _suits(word, language):
        at = 1 if joint in _SUITS and len(rest) > 1 else 0
        if ranks := _ranks(rest[at], language):
            yield _cards(ranks, suits), 2 + at


def _cards(ranks: Meant, suits: Meant) -> Meant:
    return frozenset(rank + suit for rank in ranks for suit in suits)


def _ranks(word: str, language: str) -> Meant:
    """The ranks that a word may name: a name, or in mail of a language also one of its letters; none if it is none."""
    meant = frozenset(one for one in NAMES.get(word, ()) if one not in "CDSH")
    return meant or (known.ranks_beside(language).get(word, frozenset()) if language else frozenset())


def _suits(word: str, language: str, *, with_letters: bool = False) -> Meant:
    """The suits that a word or a symbol may name; in English mail also a letter, behind a rank's name."""
    if word in SYMBOLS:
        return frozenset(SYMBOLS[word])
    if with_letters and language == ENGLISH and word in ("c", "d", "s", "h"):
        return frozenset(word.upper())
    return frozenset(one for one in NAMES.get(word, ()) if one in "CDSH")
