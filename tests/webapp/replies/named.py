"""The names of cards in each language, a second time: the grammar of replies is compared with them."""

import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import product

from webapp.core.say import LANGUAGES

# Ranks from two to ace, and clubs, diamonds, spades, hearts; "/" divides forms.
RANKS = {
    "en": "two three four five six seven eight nine ten jack queen king ace",
    "de": "zwei drei vier fünf/fuenf sechs sieben acht neun zehn bube/buben/bauer dame könig/koenig ass/as",
    "fr": "deux trois quatre cinq six sept huit neuf dix valet dame/reine roi as",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez jota/sota dama/reina rey as",
    "it": "due tre quattro cinque sei sette otto nove dieci fante donna/regina re asso",
    "pt": "dois/duas três quatro cinco seis sete oito nove dez valete dama/rainha rei ás",
    "nl": "twee drie vier vijf zes zeven acht negen tien boer vrouw/dame heer/koning aas",
    "pl": "dwójka/dwójkę/dwa trójka/trójkę/trzy czwórka/czwórkę/cztery piątka/piątkę/pięć szóstka/szóstkę/sześć "
    "siódemka/siódemkę/siedem ósemka/ósemkę/osiem dziewiątka/dziewiątkę/dziewięć dziesiątka/dziesiątkę/dziesięć "
    "walet/waleta dama/damę/królowa/królową król/króla as/asa",
    "ja": "- - - - - - - - - ジャック クイーン/クィーン キング エース",
    "ar": "اثنان/اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة ولد/شاب بنت/ملكة ملك/شايب/شيخ آص/أس/إكة",
}
SUITS = {
    "en": "clubs/club diamonds/diamond spades/spade hearts/heart",
    "de": "kreuz/treff karo pik herz",
    "fr": "trèfle/trèfles carreau/carreaux pique/piques cœur/cœurs",
    "es": "trébol/tréboles diamante/diamantes pica/picas/espadas corazón/corazones",
    "it": "fiori quadri picche cuori",
    "pt": "paus ouros/ouro espadas/espada copas",
    "nl": "klaveren/klaver ruiten/ruit schoppen/schop harten/hart",
    "pl": "trefl/trefla/trefle karo/kara pik/pika/piki kier/kiera/kiery",
    "ja": "クラブ/クローバー ダイヤ/ダイヤモンド/ダイア スペード/スペ ハート",
    "ar": "سباتي/سبيتي/شيريا ديناري/ديمن بستوني كبة/هاص/قلب",
}
# The letters of jack, queen, king and ace, then those of the suits.
LETTERS = {
    "en": ("J Q K A", "C D S H"),
    "de": ("B D K A", "KR/K/T KA/K P H/C"),
    "fr": ("V D R A", "T K P C"),
    "es": ("J Q/D K/R A", "T D P C"),
    "it": ("J/F Q/D K/R A", "F Q P C"),
    "pt": ("J/V Q/D K/R A", "P O E C"),
    "nl": ("B V K/H A", "K R S H"),
    "pl": ("W D K A", "T KA/K P KI/K"),
    "ja": ("J/11 Q/12 K/13 A/1", "C D S H"),
    "ar": ("", ""),
}
SIGNS = {"♣": "C", "♧": "C", "♦": "D", "♢": "D", "♠": "S", "♤": "S", "♥": "H", "♡": "H"}
BETWEEN = ("", "of", "de", "di", "の")
FORMS = [str(number) for number in range(2, 10)]


def bare(text: str) -> str:
    """The text in small letters, without blanks, accents and signs."""
    for old, new in (("œ", "oe"), ("ł", "l"), ("ة", "ه"), ("ى", "ي"), ("أ", "ا"), ("إ", "ا"), ("آ", "ا")):
        text = text.replace(old, new)
    parts = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).lower())
    kept = (sign for sign in parts if sign.isalnum() or sign in SIGNS or sign in "\u3099\u309aー")
    return unicodedata.normalize("NFC", "".join(kept))


def _of(table: dict[str, str], names: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in table.values():
        for name, forms in zip(names, row.split(), strict=True) if row else ():
            for form in forms.split("/"):
                found.setdefault(bare(form), set()).add(name) if form != "-" else None
    return found


WORDS = (_of(RANKS, "23456789TJQKA"), _of(SUITS, "CDSH"))


@cache
def letters(language: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    ranks, suits = LETTERS[language[:2]]
    numbers = {**{number: {number} for number in FORMS}, "10": {"T"}, **({"t": {"T"}} if language in "en ja" else {})}
    return {**numbers, **_of({"": ranks}, "JQKA")}, _of({"": suits}, "CDSH")


def code_names(code: str, language: str) -> set[str]:
    """The cards that two signs name in the language: in English the rank comes first."""
    ranks, suits = letters(language)
    found = {rank + suit for a, b in product(ranks, suits) if a + b == code for rank in ranks[a] for suit in suits[b]}
    if language != "en":
        found |= {r + s for a, b in product(ranks, suits) if b + a == code for r in ranks[a] for s in suits[b]}
    return found


@cache
def _ranks(language: str, *, all_letters: bool) -> dict[str, set[str]]:
    found = {form: set(ranks) for form, ranks in WORDS[0].items()}
    for one in LANGUAGES if all_letters else ("en", language):
        for letter, ranks in letters(one)[0].items():
            if one in ("en", language) or not letter.isdecimal():
                found.setdefault(letter, set()).update(ranks)
    return found


def readings(text: str, language: str) -> Iterator[tuple[str, ...]]:
    """Every way to read the text, without regard to blanks, as cards that it names from beginning to end."""
    yield from _readings(bare(text), language)


def _readings(text: str, language: str) -> Iterator[tuple[str, ...]]:
    if not text:
        yield ()
        return
    for filler in (
        "the",
        "and",
        "und",
        "et",
        "y",
        "e",
        "i",
        "en",
        "و",
        "と",
        "la",
        "le",
        "die",
        "a",
        "o",
        "de",
        "l",
        "ال",
    ):
        if text.startswith(filler):
            yield from _readings(text[len(filler) :], language)
    for card, rest in _first(text, language):
        for cards in _readings(rest, language):
            yield (card, *cards)


def _first(text: str, language: str) -> Iterator[tuple[str, str]]:
    for one in {"en", language}:
        for length in (2, 3):
            for card in code_names(text[:length], one):
                yield card, text[length:]
    signs = {sign: {suit} for sign, suit in SIGNS.items()}
    for suits, all_letters in ((signs, True), (WORDS[1], False)):
        ranks = _ranks(language, all_letters=all_letters)
        for (first, one), (second, other) in [
            *product(ranks.items(), suits.items()),
            *product(suits.items(), ranks.items()),
        ]:
            for joint in BETWEEN:
                if text.startswith(first + joint + second):
                    for a, b in product(one, other):
                        yield (a + b if b in "CDSH" and a not in "CDSH" else b + a), text[len(first + joint + second) :]
