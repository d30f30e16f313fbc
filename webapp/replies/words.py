"""The words of replies in each language: names of cards, the letters of their codes, commands, and small words.

Each language is a table, and a new one needs no more; `tests/webapp/replies/test_words.py` finds words of it that mean
something else in another language. Forms of a word stand behind each other, with commas; who types them may leave out
accents, capitals and hyphens. `letters` are those of codes such as QS, as cards show them first: where two ranks or
suits begin with the same letter, both have it, and we ask back.

Names of cards, commands and small words are known in mail of every language, letters only in mail of their own.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Final

from hearts.cards import RANKS, SUITS
from webapp.core.say import ENGLISH, LANGUAGES

Table = Mapping[str, str]
_NAMES: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
    *("clubs", "diamonds", "spades", "hearts"),
)
CARDS: Final = dict(zip(_NAMES, RANKS + SUITS, strict=True))
"""The first keys of each table, with the letter of the rank or suit in our own codes."""

_ENGLISH: Final[Table] = {
    **{word: word for word in CARDS},
    "clubs": "clubs, club",
    "diamonds": "diamonds, diamond",
    "spades": "spades, spade",
    "hearts": "hearts, heart",
    "letters": "T t, J j, Q q, K k, A a, C c, D d, S s, H h",
    "ok": "ok, okay, yes",
    "no": "no",
    "cards": "cards, my cards, hand, my hand, cards?, my cards?",
    "score": "score, scores, standings, score?",
    "away": "away",
    "back": "back",
    "stop": "stop, unsubscribe",
    "help": "help",
    "add": "add",
    "subtract": "subtract",
    "hand": "hand",
    "until": "until, till",
    "day": "day, days",
    "week": "week, weeks",
    "of an absence": "for, the, of",  # words that may stand in it and change nothing
    "and": "and",
    "of": "of",
    "the": "the",
    "play": "play",
    "pass": "pass, give",
    "I": "i, i'll, i will, i'm, im, i am",
    "please": "please, thanks, thx, thank you",
}

_GERMAN: Final[Table] = {
    "two": "zwei",
    "three": "drei",
    "four": "vier",
    "five": "fünf, fuenf",
    "six": "sechs",
    "seven": "sieben",
    "eight": "acht",
    "nine": "neun",
    "ten": "zehn",
    "jack": "bube, buben, bauer",
    "queen": "dame",
    "king": "könig, koenig",
    "ace": "ass, as",
    "clubs": "kreuz, treff",
    "diamonds": "karo",
    "spades": "pik",
    "hearts": "herz",
    "letters": "J b, Q d, K k, A a, C kr k t, D ka k, S p, H h c",
    "ok": "ja",
    "no": "nein",
    "cards": "karten, meine karten, blatt",
    "score": "punkte, stand, punktestand",
    "away": "weg, abwesend",
    "back": "zurück, zurueck, wieder da",
    "stop": "stopp, abmelden",
    "help": "hilfe",
    "add": "addieren, dazu",
    "subtract": "abziehen",
    "hand": "runde",
    "until": "bis, bis zum, bis einschließlich",
    "day": "tag, tage, tagen",
    "week": "woche, wochen",
    "of an absence": "für, fuer, den",
    "and": "und",
    "the": "die, der, das, den",
    "play": "spiele, spiel",
    "pass": "gebe",
    "I": "ich, ich bin, bin",
    "please": "bitte, danke",
}

_FRENCH: Final[Table] = {
    "two": "deux",
    "three": "trois",
    "four": "quatre",
    "five": "cinq",
    "six": "six",
    "seven": "sept",
    "eight": "huit",
    "nine": "neuf",
    "ten": "dix",
    "jack": "valet",
    "queen": "dame, reine",
    "king": "roi",
    "ace": "as",
    "clubs": "trèfle, trèfles",
    "diamonds": "carreau, carreaux",
    "spades": "pique, piques",
    "hearts": "cœur, cœurs",
    "letters": "J v, Q d, K r, A a, C t, D k, S p, H c",
    "ok": "oui",
    "no": "non",
    "cards": "cartes, mes cartes",
    "score": "score, points, pointage",
    "away": "absence, absent, absente",
    "back": "retour, de retour",
    "stop": "stop, arrêter",
    "help": "aide",
    "add": "ajouter",
    "subtract": "soustraire, retirer",
    "hand": "manche",
    "until": "jusqu'au, jusqu'à",
    "day": "jour, jours",
    "week": "semaine, semaines",
    "of an absence": "pour, pendant, le, de, inclus",
    "and": "et",
    "of": "de",
    "the": "la, le",
    "play": "joue",
    "pass": "passe, donne",
    "I": "je, je suis",
    "please": "merci, svp, s'il vous plaît, s'il te plaît",
}

_SPANISH: Final[Table] = {
    "two": "dos",
    "three": "tres",
    "four": "cuatro",
    "five": "cinco",
    "six": "seis",
    "seven": "siete",
    "eight": "ocho",
    "nine": "nueve",
    "ten": "diez",
    "jack": "jota, sota",
    "queen": "dama, reina",
    "king": "rey",
    "ace": "as",
    "clubs": "trébol, tréboles",
    "diamonds": "diamante, diamantes",
    "spades": "picas, pica, espadas",
    "hearts": "corazón, corazones",
    "letters": "J j, Q q d, K k r, A a, C t, D d, S p, H c",
    "ok": "sí",
    "no": "no",
    "cards": "cartas, mis cartas",
    "score": "puntos, puntuación",
    "away": "ausente",
    "back": "vuelvo, vuelta, de vuelta",
    "stop": "parar, baja",
    "help": "ayuda",
    "add": "sumar",
    "subtract": "restar",
    "hand": "mano",
    "until": "hasta, hasta el",
    "day": "día, días",
    "week": "semana, semanas",
    "of an absence": "por, durante, el, de, inclusive",
    "and": "y",
    "of": "de",
    "the": "la, el",
    "play": "juego",
    "pass": "paso, doy",
    "I": "yo, estoy",
    "please": "por favor, gracias",
}

_ITALIAN: Final[Table] = {
    "two": "due",
    "three": "tre",
    "four": "quattro",
    "five": "cinque",
    "six": "sei",
    "seven": "sette",
    "eight": "otto",
    "nine": "nove",
    "ten": "dieci",
    "jack": "fante",
    "queen": "donna, regina",
    "king": "re",
    "ace": "asso",
    "clubs": "fiori",
    "diamonds": "quadri",
    "spades": "picche",
    "hearts": "cuori",
    "letters": "J j f, Q q d, K k r, A a, C f, D q, S p, H c",
    "ok": "sì",
    "no": "no",
    "cards": "carte, le mie carte",
    "score": "punti, punteggio",
    "away": "assente, assenza",
    "back": "rientro, di ritorno",
    "stop": "stop, basta",
    "help": "aiuto",
    "add": "aggiungere, sommare",
    "subtract": "sottrarre",
    "hand": "smazzata, mano",
    "until": "fino al, fino all, fino a",
    "day": "giorno, giorni",
    "week": "settimana, settimane",
    "of an absence": "per, il, di, compreso",
    "and": "e",
    "of": "di",
    "the": "il, lo, la",
    "play": "gioco",
    "pass": "passo",
    "I": "io, sono",
    "please": "per favore, grazie",
}

_PORTUGUESE: Final[Table] = {
    "two": "dois, duas",
    "three": "três",
    "four": "quatro",
    "five": "cinco",
    "six": "seis",
    "seven": "sete",
    "eight": "oito",
    "nine": "nove",
    "ten": "dez",
    "jack": "valete",
    "queen": "dama, rainha",
    "king": "rei",
    "ace": "ás",
    "clubs": "paus",
    "diamonds": "ouros, ouro",
    "spades": "espadas, espada",
    "hearts": "copas",
    "letters": "J j v, Q q d, K k r, A a, C p, D o, S e, H c",
    "ok": "sim",
    "no": "não",
    "cards": "cartas, minhas cartas, as minhas cartas",
    "score": "pontos, placar, pontuação",
    "away": "ausente",
    "back": "voltei, de volta",
    "stop": "parar, sair",
    "help": "ajuda",
    "add": "somar",
    "subtract": "subtrair",
    "hand": "mão",
    "until": "até, até ao, até o",
    "day": "dia, dias",
    "week": "semana, semanas",
    "of an absence": "por, durante, de, o, inclusive",
    "and": "e",
    "of": "de",
    "the": "a, o",
    "play": "jogo",
    "pass": "passo, dou",
    "I": "eu, estou",
    "please": "por favor, obrigado, obrigada",
}

_DUTCH: Final[Table] = {
    "two": "twee",
    "three": "drie",
    "four": "vier",
    "five": "vijf",
    "six": "zes",
    "seven": "zeven",
    "eight": "acht",
    "nine": "negen",
    "ten": "tien",
    "jack": "boer",
    "queen": "vrouw, dame",
    "king": "heer, koning",
    "ace": "aas",
    "clubs": "klaveren, klaver",
    "diamonds": "ruiten, ruit",
    "spades": "schoppen, schop",
    "hearts": "harten, hart",
    "letters": "J b, Q v, K k h, A a, C k, D r, S s, H h",
    "ok": "ja",
    "no": "nee",
    "cards": "kaarten, mijn kaarten",
    "score": "stand, score, punten",
    "away": "weg, afwezig",
    "back": "terug",
    "stop": "stop, afmelden",
    "help": "help, hulp",
    "add": "optellen, erbij",
    "subtract": "aftrekken, eraf",
    "hand": "ronde",
    "until": "tot, tot en met, t/m",
    "day": "dag, dagen",
    "week": "week, weken",
    "of an absence": "voor",
    "and": "en",
    "the": "de, het",
    "play": "speel",
    "pass": "geef",
    "I": "ik, ik ben, ben",
    "please": "alsjeblieft, alstublieft, bedankt, dank je",
}

_POLISH: Final[Table] = {
    "two": "dwójka, dwójkę, dwa",
    "three": "trójka, trójkę, trzy",
    "four": "czwórka, czwórkę, cztery",
    "five": "piątka, piątkę, pięć",
    "six": "szóstka, szóstkę, sześć",
    "seven": "siódemka, siódemkę, siedem",
    "eight": "ósemka, ósemkę, osiem",
    "nine": "dziewiątka, dziewiątkę, dziewięć",
    "ten": "dziesiątka, dziesiątkę, dziesięć",
    "jack": "walet, waleta",
    "queen": "dama, damę, królowa, królową",
    "king": "król, króla",
    "ace": "as, asa",
    "clubs": "trefl, trefla, trefle",
    "diamonds": "karo, kara",
    "spades": "pik, pika, piki",
    "hearts": "kier, kiera, kiery",
    "letters": "J w, Q d, K k, A a, C t, D ka k, S p, H ki k",
    "ok": "tak",
    "no": "nie",
    "doubtful": "no",  # which agrees, in Polish
    "cards": "karty, moje karty",
    "score": "wynik, punkty",
    "away": "nieobecność, nieobecny, nieobecna",
    "back": "wracam, powrót",
    "stop": "stop",
    "help": "pomoc",
    "add": "dodać, dodaj",
    "subtract": "odjąć, odejmij",
    "hand": "rozdanie",
    "until": "do",
    "day": "dzień, dni, dnia",
    "week": "tydzień, tygodnie, tygodni",
    "of an absence": "przez, na, włącznie",
    "and": "i",
    "play": "gram, zagrywam",
    "pass": "oddaję, przekazuję",
    "I": "jestem",
    "please": "proszę, dziękuję, dzięki",
}

_JAPANESE: Final[Table] = {
    "ace": "エース",
    "king": "キング",
    "queen": "クイーン, クィーン",
    "jack": "ジャック",
    "clubs": "クラブ, クローバー",
    "diamonds": "ダイヤ, ダイア, ダイヤモンド",
    "spades": "スペード, スペ",
    "hearts": "ハート",
    "letters": "T t, J j 11, Q q 12, K k 13, A a 1, C c, D d, S s, H h",
    "ok": "はい",
    "no": "いいえ",
    "cards": "手札",
    "score": "得点",
    "away": "不在",
    "back": "復帰",
    "stop": "停止",
    "help": "ヘルプ",
    "add": "加算, 足す",
    "subtract": "減算, 引く",
    "hand": "ラウンド",
    "until": "まで",
    "day": "日, 日間",
    "week": "週間",
    "of an absence": "は",
    "and": "と",
    "suit's": "の",
    "please": "です, お願いします, ありがとう, ありがとうございます",
    "played": "を出す, を出します, をプレイ",
    "passed": "を渡す, を渡します, をパス",
}

_ARABIC: Final[Table] = {
    "two": "اثنان, اثنين, دو",
    "three": "ثلاثة",
    "four": "أربعة",
    "five": "خمسة",
    "six": "ستة",
    "seven": "سبعة",
    "eight": "ثمانية",
    "nine": "تسعة",
    "ten": "عشرة",
    "jack": "ولد, شاب",
    "queen": "بنت, ملكة",
    "king": "ملك, شايب, شيخ",
    "ace": "آص, أس, إكة",
    "clubs": "سباتي, سبيتي, شيريا, سبيت",  # the last one is said of spades, too, in the Gulf
    "diamonds": "ديناري, ديمن",
    "spades": "بستوني, سبيت",
    "hearts": "كبة, هاص, قلب",
    "ok": "نعم",
    "no": "لا",
    "cards": "أوراقي",
    "score": "النتيجة, نتيجة",
    "away": "غياب",
    "back": "عودة",
    "stop": "إيقاف",
    "help": "مساعدة",
    "add": "إضافة",
    "subtract": "خصم, طرح",
    "hand": "جولة, الجولة",
    "until": "حتى, إلى",
    "day": "يوم, أيام",
    "two days": "يومين, يومان",
    "week": "أسبوع, أسابيع",
    "two weeks": "أسبوعين, أسبوعان",
    "of an absence": "لمدة, من",
    "and": "و",
    "please": "من فضلك, شكرا",
}

TABLES: Final[Mapping[str, Table]] = {
    ENGLISH: _ENGLISH,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
    "it": _ITALIAN,
    "pt_BR": _PORTUGUESE,
    "pt_PT": _PORTUGUESE,
    "nl": _DUTCH,
    "pl": _POLISH,
    "ja": _JAPANESE,
    "ar": _ARABIC,
}

# Text as tables and lines are compared: in one case, without accents, and with one form of each Arabic letter.
_ACCENTS: Final = dict.fromkeys([*range(0x300, 0x370), *range(0x64B, 0x656), 0x670, 0x640])
_LETTERS: Final = str.maketrans({"ł": "l", "œ": "oe", "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "’": "'", "❤": "♥"})
BETWEEN: Final = re.compile(r"(?:[\s,;/&+\-‐–—()、。・،؛]|'(?=\d))+")
"""Blanks and signs between two words."""
SYMBOLS: Final = {symbol: suit for pair, suit in zip(("♣♧", "♦♢", "♠♤", "♥♡"), SUITS, strict=True) for symbol in pair}


def fold(text: str) -> str:
    """The text in one case, in half-width letters, and without accents.

    >>> fold("Damę"), fold("ＱＳ"), fold("أيّام")
    ('dame', 'qs', 'ايام')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    bare = unicodedata.normalize("NFD", folded).translate(_ACCENTS).translate(_LETTERS)
    return unicodedata.normalize("NFC", bare)


def forms(table: Table, key: str) -> Sequence[str]:
    """The forms of a word in a table, as they stand in a folded line with single blanks; empty if it has none."""
    return [" ".join(BETWEEN.split(fold(form.strip()))) for form in table.get(key, "").split(",") if form]


def said(*keys: str) -> frozenset[str]:
    """The forms of these words in all languages."""
    return frozenset(form for table in TABLES.values() for key in keys for form in forms(table, key))


def written(key: str) -> str:
    """The forms of a word in all languages, with and without accents, as a part of a regular expression."""
    as_listed = {form.strip() for table in TABLES.values() for form in table.get(key, "").split(",") if form}
    return "|".join(sorted(map(re.escape, as_listed | said(key)), key=len, reverse=True))


def _meanings(keys: Mapping[str, str], tables: Iterable[Table]) -> dict[str, frozenset[str]]:
    """From each form to what it means; `keys` are those of the tables, with their meanings."""
    found: dict[str, frozenset[str]] = {}
    for table in tables:
        for key, meaning in keys.items():
            for form in forms(table, key):
                found[form] = found.get(form, frozenset()) | {meaning}
    return found


NAMES: Final[Mapping[str, frozenset[str]]] = _meanings(CARDS, TABLES.values())
"""From the name of a rank or a suit to its letter in our codes; to several, if it is said of several."""
COMMANDS: Final[Mapping[str, str]] = {
    form: command
    for form, meant in _meanings(
        {one: one for one in ("ok", "no", "cards", "score", "away", "back", "stop", "help", "add", "subtract")},
        TABLES.values(),
    ).items()
    for command in meant
}
"""From what people type to the command that it stands for."""
SMALL: Final = said("and", "of", "the", "until", "I", "please", "ok", "no")


NUMBERS: Final = {**{number: number for number in RANKS[:8]}, "10": "T"}


def _compounds() -> Iterator[tuple[str, str]]:
    """Names in one word, such as "Pikdame" and "klaveren10", with their cards."""
    for table in (_GERMAN, _DUTCH):
        ranks = [*NUMBERS.items(), *((form, CARDS[key]) for key in list(CARDS)[:13] for form in forms(table, key))]
        suits = [(form, CARDS[key]) for key in list(CARDS)[13:] for form in forms(table, key)]
        for (end, rank), (begin, suit) in product(ranks, suits):
            yield begin + end, rank + suit


COMPOUNDS: Final = dict(_compounds())

# Codes. A letter is a rank's or a suit's, and each language has its own.
Letters = Mapping[str, frozenset[str]]


@cache
def _letters(language: str) -> tuple[Letters, Letters]:
    """The letters of ranks and those of suits in the codes of a language; those of ranks with the numbers."""
    ranks, suits = {number: {rank} for number, rank in NUMBERS.items()}, dict[str, set[str]]()
    for part in TABLES[language].get("letters", "").split(","):
        meaning, *letters = part.split() or [""]
        for letter in letters:
            (ranks if meaning in RANKS else suits).setdefault(letter, set()).add(meaning)
    return {one: frozenset(all_) for one, all_ in ranks.items()}, {one: frozenset(all_) for one, all_ in suits.items()}


def with_symbol(card: str, language: str) -> str:
    """A card as its rank in the letters of a language, and its symbol.

    >>> with_symbol("QS", "fr"), with_symbol("TH", "fr"), with_symbol("QS", "ar")
    ('D♠', '10♥', 'Q♠')
    """
    letters = dict(part.split()[:2] for part in TABLES[language].get("letters", "").split(",") if part)
    letters = {"T": "10", **{rank: letter.upper() for rank, letter in letters.items() if rank in "JQKA"}}
    return letters.get(card[0], card[0]) + next(symbol for symbol, suit in SYMBOLS.items() if suit == card[1])


def _pairs(language: str, *, is_turned: bool) -> Iterator[tuple[str, str]]:
    """The codes of a language in letters, with their cards: "q s"; turned they are "s q"."""
    ranks, suits = _letters(language)
    for (rank, of_ranks), (suit, of_suits) in product(ranks.items(), suits.items()):
        for card in map("".join, product(of_ranks, of_suits)):
            yield (f"{suit} {rank}" if is_turned else f"{rank} {suit}"), card


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """From each code to its cards, with and without its blank."""
    found: dict[str, set[str]] = {}
    for code, card in pairs:
        for written in (code, code.replace(" ", "")):
            found.setdefault(written, set()).add(card)
    return {code: frozenset(cards) for code, cards in found.items()}


@cache
def in_all_languages() -> Mapping[str, frozenset[str]]:
    """Each code in letters, with the cards that it names in one language or another."""
    return _gathered(
        pair for language in LANGUAGES for turned in (False, True) for pair in _pairs(language, is_turned=turned)
    )


@cache
def ranks_beside(language: str) -> Letters:
    """The letters and numbers of ranks that may stand beside a suit's name: those of its language and the English."""
    return {**_letters(ENGLISH)[0], **_letters(language)[0]}


def rank_letters(language: str) -> Mapping[str, frozenset[str]]:
    """The letters and numbers of ranks beside a suit's symbol or name, in mail of a language.

    Its own letters and the English ones mean what they mean there; another one, what all other languages mean by it.

    >>> sorted(rank_letters("nl")["v"]), sorted(rank_letters("fr")["v"]), sorted(rank_letters("en")["v"])
    (['Q'], ['J'], ['J', 'Q'])
    """
    found: dict[str, frozenset[str]] = {}
    for other in LANGUAGES:
        for letter, ranks in _letters(other)[0].items():
            if not letter.isdecimal():
                found[letter] = found.get(letter, frozenset()) | ranks
    return {**found, **ranks_beside(language)}


def _with_symbols(language: str) -> Iterator[tuple[str, str]]:
    """The codes of a rank and a symbol in either order; not those that say a suit twice, such as "H♥"."""
    own = ranks_beside(language)
    for (letter, ranks), (symbol, suit) in product(rank_letters(language).items(), SYMBOLS.items()):
        is_suit = any(suit in _letters(one)[1].get(letter, ()) for one in (language, ENGLISH))
        if letter in own or not is_suit:
            for rank in ranks:
                yield f"{letter} {symbol}", rank + suit
                yield f"{symbol} {letter}", rank + suit


@cache
def codes(language: str) -> Mapping[str, frozenset[str]]:
    """The codes that are read in mail of a language, with the cards that they may name.

    In English mail these are the English ones; elsewhere also those of its language, and a pair of letters may name
    what it names in any language.
    """
    pairs = _gathered(_pairs(ENGLISH, is_turned=False))
    if language != ENGLISH:
        own = _gathered(pair for turned in (False, True) for pair in _pairs(language, is_turned=turned))
        everywhere = in_all_languages()
        own = {code: pairs.get(code, frozenset()) | own.get(code, frozenset()) for code in {*pairs, *own} - SMALL}
        pairs = {code: cards if len(cards) > 1 else everywhere[code] for code, cards in own.items()}
    return {
        **pairs,
        **_gathered(_with_symbols(language)),
        **{one: frozenset({card}) for one, card in COMPOUNDS.items()},
    }


# Words that stand without blanks between them: those of Japanese, and a month in its numbers.
_JOINED: Final = {form for key in _JAPANESE if key != "letters" for form in forms(_JAPANESE, key)}
_UNSPACED: Final = re.compile("|".join(sorted(map(re.escape, _JOINED), key=len, reverse=True)) + r"|\d{1,2}月")
_LISTED: Final = re.compile("[,;،؛]")  # stands right behind a word


def spaced(text: str) -> str:
    """A folded line with blanks between words that stand together in its language.

    >>> spaced(fold("スペードのQ"))
    'スペード の q'
    """
    if text.isascii():
        return text
    text = _UNSPACED.sub(lambda word: f" {word[0]} ", text)
    return " ".join(part for word in _LISTED.sub(" , ", text).split() for part in _of_arabic(word))


def _of_arabic(word: str) -> Iterator[str]:
    """A word without the Arabic article, behind the "and" that stands before it: "والملك"."""
    rest = word.removeprefix("و")
    if rest != word and word not in NAMES and (rest.removeprefix("ال") in NAMES or rest[:1].isdecimal()):
        yield "و"
        word = rest
    bare = word.removeprefix("ال")
    yield bare if bare in NAMES else word
