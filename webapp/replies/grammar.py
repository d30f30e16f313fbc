"""The grammar of replies: cards or a command. A line matches as a whole or not at all; nothing is searched within it.

Before an answer may stand the hand that it is for: "hand 2 QS".

`hearts.cards` parses the standard notation of a card; this module adds the other ways in which people type cards.
Commands are English. Names of cards are known in other languages, too, unless two languages use one differently.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from hearts.cards import NotACard, card_text, parse_card

WAIT: Final = "wait"  # the command to wait so or so long, as older mails taught it
AWAY: Final = "away"  # the command, or begins it: "away 5" (days), "away until 3 5" (the day and the month)
COMMANDS: Final = {
    **dict.fromkeys(("ok", "okay", "yes"), "ok"),
    **dict.fromkeys(("stop", "unsubscribe"), "stop"),
    **dict.fromkeys(("my cards", "hand", "my hand", "cards?", "my cards?"), "cards"),
    **dict.fromkeys(("scores", "standings", "score?"), "score"),
    **{word: word for word in (AWAY, "back", "help", "no", "add", "subtract", "cards", "score")},
    **dict.fromkeys((f"{WAIT} {word}" for word in ("full", "short", "none", "robot", "4", "4 hours", "4h")), WAIT),
    **dict.fromkeys(("plan ask", "plan same", "plan matters", "plan robot"), WAIT),
}
"""From what people type to the command that it stands for."""

MAX_WORDS = 24  # five cards, each in four words, and some courtesy
_WORDS: Final = {
    "two": "zwei deux dos due dois twee dwójka dwójkę dwa",
    "three": "drei trois tres tre três drie trójka trójkę trzy",
    "four": "vier quatre cuatro quattro quatro czwórka czwórkę cztery",
    "five": "fünf fuenf cinq cinco cinque vijf piątka piątkę pięć",
    "six": "sechs seis sei zes szóstka szóstkę sześć",
    "seven": "sieben sept siete sette sete zeven siódemka siódemkę siedem",
    "eight": "acht huit ocho otto oito ósemka ósemkę osiem",
    "nine": "neun neuf nueve nove negen dziewiątka dziewiątkę dziewięć",
    "ten": "zehn dix diez dieci dez tien dziesiątka dziesiątkę dziesięć",
    "jack": "bube valet boer jota sota fante valete walet waleta",
    "queen": "dame vrouw reina dama damę donna regina rainha królowa królową",
    "king": "könig koenig roi heer koning rey re rei król króla",
    "ace": "as ass aas asso ás asa",
    "clubs": "kreuz trèfle trèfles trébol tréboles klaveren klaver fiori paus trefl trefla trefle",
    "diamonds": "karo carreau carreaux diamante diamantes ruiten quadri ouros",
    "spades": "pik pika piki pique piques picas pica schoppen picche espadas",
    "hearts": "herz cœur cœurs coeur coeurs corazón corazones harten cuori copas kier kiera kiery",
}
"""Cards in German, French, Spanish, Italian, Portuguese, Dutch and Polish, where they are played as well as named."""


def _unaccented(word: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))


_NAMES: Final = {
    form: english for english, words in _WORDS.items() for word in words.split() for form in (word, _unaccented(word))
}
_PICTURES: Final = {  # the block of playing cards: four rows, each of an ace, nine numbers, jack, knight, queen, king
    0x1F0A0 + 16 * row + column: f" {rank}{suit} "
    for row, suit in enumerate("shdc")
    for column, rank in enumerate("a23456789tj?qk", 1)
    if rank != "?"
}
_SYMBOL = "♣♧♦♢♠♤♥♡"
_CODE = re.compile(rf"(?:(?:10|[2-9tjqka])[cdsh{_SYMBOL}]|(?:\d+|[^\W\d_]+)[{_SYMBOL}])")
_TURNED = re.compile(rf"([{_SYMBOL}])(10|[2-9tjqka])")
_RANK = re.compile(r"10|[2-9tjqka]|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace")
_SUIT = re.compile(rf"[cdsh{_SYMBOL}]|clubs?|diamonds?|spades?|hearts?")
_GLUED = re.compile(rf"(?:(?:10|[2-9tjqka])[cdsh{_SYMBOL}]){{2,5}}")
_GLUED_CARD = re.compile(rf"(?:10|[2-9tjqka])[cdsh{_SYMBOL}]")
_COMPOUND = re.compile(r"(kreuz|karo|pik|herz)(\w+)")  # "Pikdame"
_BETWEEN = re.compile(r"[\s,;/&+\-‐–—()]+")
_SMILES = re.compile(  # faces and hands that agree, behind an answer
    r"(?:\s*(?::-?[)d]|;-?\)|[\U0001F600-\U0001F644\U0001F64F\U0001F917\U0001F91E\U0001F923\U0001F929\U0001F973👍👏👌🎉]"
    r"[\U0001F3FB-\U0001F3FF]?))+$"
)
_AROUND = " \t.,;!\"'`´“”„‚‘’«»*_()[]<>"
_HAND: Final = re.compile(r"hand (\d{1,2})(?: ?[:,.)] ?| )")
"""The number of a hand before its answer."""
_BEGINS_HAND: Final = re.compile(r"hand (\d{1,2})(?!\w)")
_HAND_BEHIND: Final = re.compile(r"(?<![\s,;.])[\s,;.]+(?=hand \d)", re.IGNORECASE)
_DAYS_AWAY: Final = re.compile(r"away (?:for )?(?P<number>[1-9]\d{0,2}) (?P<unit>days?|weeks?)")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
_AWAY_UNTIL: Final = re.compile(
    rf"away (?:until|till) (?:the )?(?:(?P<day>[1-9]\d?)(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTH})"
    rf"|(?P<first>{_MONTH})\.? (?P<second>[1-9]\d?)(?:st|nd|rd|th)?)"
)
_LONGEST_MONTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
LONGEST_AWAY: Final = 365  # days
_VERBS: Final = {"play": "play", "pass": "pass", "give": "pass"}


def _plain(line: str) -> str:
    """The line in lower case, half-width letters and the digits of ASCII, without surrounding punctuation."""
    plain = unicodedata.normalize("NFKC", line).casefold().translate(_PICTURES).replace("❤", "♥").replace("’", "'")
    plain = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in plain)
    return _SMILES.sub("", plain.replace("\ufe0e", "").replace("\ufe0f", "").rstrip()).strip(_AROUND)


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
_ARTICLES: Final = ("the", "la", "le", "die", "der", "das", "den", "el", "de", "het", "il", "lo", "o")
_EXCLAIMED: Final = {"ah", "as"}  # alone they are words of many languages, unless they are in capitals
_IN_CAPITALS: Final = re.compile(r"\bA[HS]\b")


@dataclass(frozen=True, slots=True)
class TypedLine:
    """The meaning of one line: cards in the order typed, or a command."""

    cards: tuple[str, ...] = ()
    word: str | None = None
    verb: str | None = None  # "play" or "pass", if it was typed
    hand: int | None = None  # the hand that was named before it, of those that are played side by side
    is_doubtful: bool = False  # "Ah!" and "as" alone may be meant as words


@lru_cache(maxsize=1024)  # a line is looked at several times until it is known what it is
def parse_answer(line: str) -> TypedLine | None:
    """Reads `line` as a whole; None if it is no answer, or is ambiguous.

    >>> parse_answer("Play the queen of spades, please.")
    TypedLine(cards=('QS',), word=None, verb='play', hand=None, is_doubtful=False)
    >>> parse_answer("hand 2: QS").hand
    2
    >>> parse_answer("I might play QS") is None
    True
    """
    plain = _plain(line)
    greeted = filter(None, (form.fullmatch(plain) for form in _GREETED))
    for text in (plain, *(greeting["answer"] for greeting in greeted)):
        named = _HAND.match(text)
        found = _parse(_plain(text[named.end() :]) if named else text)
        if found:
            is_clear = named or _IN_CAPITALS.search(unicodedata.normalize("NFKC", line))
            return replace(found, hand=int(named[1]) if named else None, is_doubtful=found.is_doubtful and not is_clear)
    return None


def hand_named(line: str) -> int | None:
    """The number of the hand with which a line begins, whatever stands behind it; None if it begins with none.

    >>> hand_named("Hand 2: the queen"), hand_named("my hand 2")
    (2, None)
    """
    named = _BEGINS_HAND.match(_plain(line))
    return int(named[1]) if named else None


def is_hand_alone(line: str) -> bool:
    """Whether a line is the number of a hand and nothing else, above its answer."""
    return re.fullmatch(r"hand \d{1,2}\W?", _plain(line)) is not None


def by_hand(line: str) -> Sequence[str]:
    """The answers on a line that names a hand behind another answer; else the line itself.

    >>> by_hand("4H 6H, hand 2 QS"), by_hand("see you in hand 2")
    (['4H 6H', 'hand 2 QS'], ['see you in hand 2'])
    """
    parts = _HAND_BEHIND.split(line)
    return parts if all(map(parse_answer, parts)) else [line]


def is_greeting(line: str) -> bool:
    """Whether a line greets and says nothing else.

    >>> is_greeting("Hi all,"), is_greeting("Hello Ann, QS or KS")
    (True, False)
    """
    plain = _plain(line)
    return _GREETS.fullmatch(plain) is not None and not any(map(parse_answer, plain.split()[1:]))


def _parse(plain: str) -> TypedLine | None:
    words = [word for part in _BETWEEN.split(plain) if part for word in _unglued(part)]
    if len(words) > MAX_WORDS:
        return None
    words, verb = _without_courtesy(words)
    if verb is None and " ".join(words) in COMMANDS:
        return TypedLine(word=COMMANDS[" ".join(words)])
    if verb is None and (absence := _absence(" ".join(words))):
        return TypedLine(word=absence)
    cards = _cards(words)
    if not cards:
        return None
    return TypedLine(cards=cards, verb=verb, is_doubtful=verb is None and _EXCLAIMED.issuperset(words))


def _absence(text: str) -> str | None:
    """The command of a player who says for how long they are away; None if the text says nothing like it.

    >>> _absence("away for 2 weeks"), _absence("away until may 3rd"), _absence("away until may")
    ('away 14', 'away until 3 5', None)
    """
    if found := _DAYS_AWAY.fullmatch(text):
        days = int(found["number"]) * (7 if found["unit"].startswith("week") else 1)
        return f"{AWAY} {days}" if days <= LONGEST_AWAY else None
    if found := _AWAY_UNTIL.fullmatch(text):
        day, month = int(found["day"] or found["second"]), _MONTHS.index((found["month"] or found["first"])[:3])
        return f"{AWAY} until {day} {month + 1}" if day <= _LONGEST_MONTHS[month] else None
    return None


def _cards(words: list[str]) -> tuple[str, ...]:
    """The cards that the words name; none if they name none, or can be read in several ways."""
    readings = {cards for cards in _readings(tuple(words)) if cards}
    return readings.pop() if len(readings) == 1 else ()


def _unglued(word: str) -> Sequence[str]:
    """The cards of "Q♠4♦10♥". A program that glues a quoted row writes each of them twice, and that is none."""
    cards = _GLUED_CARD.findall(word) if _GLUED.fullmatch(word) else [word]
    suits = dict(zip("♣♧♦♢♠♤♥♡", "ccddsshh", strict=True))
    return cards if len({suits.get(card[-1], card[-1]) + card[0] for card in cards}) == len(cards) else [word]


def _without_courtesy(words: list[str]) -> tuple[list[str], str | None]:
    """The words without "please", "thanks", "I'm" and "the" in their usual places, and the verb if there was one."""
    for polite in (["please"], ["thanks"], ["thx"], ["thank", "you"]):
        if words[-len(polite) :] == polite:
            words = words[: -len(polite)]
    words = words[1:] if words[:1] == ["please"] else words
    for mine in (["i"], ["i'll"], ["i", "will"], ["i'm"], ["im"], ["i", "am"]):
        rest = words[len(mine) :]
        if words[: len(mine)] == mine and (_verb(rest) or rest[:1] in ([AWAY], ["back"])):
            words = rest
    verb = _verb(words)
    words = words[1:] if verb else words
    if words[:1] and words[0] in _ARTICLES:
        words = words[1:]
    return [word.removeprefix("l'") for word in words[:1]] + words[1:], verb


def _verb(words: list[str]) -> str | None:
    return _VERBS.get(words[0].removesuffix(":")) if words else None


def _readings(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every way to read all the words as cards."""
    if not words:
        yield ()
        return
    for card, taken in _first_cards(words):
        rest = words[taken:]
        # "and" stands between two cards, never before the first or after the last.
        if rest[:1] == ("and",) and len(rest) > 1:
            rest = rest[1:]
        for cards in _readings(rest):
            yield (card, *cards)


def _first_cards(words: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Each card that the first words may name, with the number of words that name it."""
    match words:
        case (code, *_) if _CODE.fullmatch(code):
            yield from _card(f"{_english(code[:-1])}{code[-1]}", 1)
        case (code, *_) if turned := _TURNED.fullmatch(code):
            yield from _card(turned[2] + turned[1], 1)
        case (name, *_) if (compound := _COMPOUND.fullmatch(name)) and _is_named(*compound.groups()):
            yield from _card(f"{_english(compound[2])} {_english(compound[1])}", 1)
    match words:
        case (rank, "of" | "de" | "di", suit, *_) if _is_rank(rank) and _is_suit(suit):
            yield from _card(f"{_english(rank)} {_english(suit)}", 3)
        # "A heart" means any heart, not the ace.
        case (rank, suit, *_) if _is_rank(rank) and _is_suit(suit) and not (rank == "a" and len(suit) > 1):
            yield from _card(f"{_english(rank)} {_english(suit)}", 2)
        case (suit, rank, *_) if _is_suit(suit) and _is_rank(rank) and _is_named(suit, rank):
            yield from _card(f"{_english(rank)} {_english(suit)}", 2)


def _card(text: str, words: int) -> Iterator[tuple[str, int]]:
    try:
        yield card_text(parse_card(text)), words
    except NotACard:
        return


def _english(word: str) -> str:
    return _NAMES.get(word, word)


def _is_rank(word: str) -> bool:
    return _RANK.fullmatch(_english(word)) is not None


def _is_suit(word: str) -> bool:
    return _SUIT.fullmatch(_english(word)) is not None


def _is_named(suit: str, rank: str) -> bool:
    """Whether a suit before its rank is a symbol, or both are whole words: "S Q" is no card."""
    return suit in _SYMBOL or (len(suit) > 1 and (len(rank) > 1 or rank.isdecimal()))
