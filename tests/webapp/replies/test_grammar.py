"""The lines that are answers, and those that must not be taken for one."""

import pytest
from babel.dates import get_month_names
from hypothesis import given
from hypothesis import strategies as st

from hearts.cards import FACES, card_text
from tests.webapp.replies.named import LETTERS, SIGNS, code_names, readings
from tests.webapp.replies.named import RANKS as RANK_WORDS
from tests.webapp.replies.named import SUITS as SUIT_WORDS
from webapp.core.say import LANGUAGES
from webapp.replies.grammar import (
    COMMANDS,
    TypedLine,
    by_hand,
    choices,
    code_to_teach,
    hand_named,
    is_greeting,
    parse_answer,
)

NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANKS = dict(zip("23456789TJQKA", NAMES, strict=True))
SUITS = {"C": ("clubs", "♣"), "D": ("diamonds", "♦"), "S": ("spades", "♠"), "H": ("hearts", "♥")}
faces = st.sampled_from([card_text(face) for face in FACES])


def ways(code):
    """Every way to write one card that the service documents."""
    rank, (word, symbol) = code[0], SUITS[code[1]]
    for digits in {rank, "10" if rank == "T" else rank}:
        yield from (digits + code[1], f"{digits} {code[1]}", digits + symbol, f"{digits} {symbol}", symbol + digits)
        yield from (f"{digits}{symbol}\ufe0e", f"{digits}{symbol}\ufe0f", f"{digits} of {word}")
    yield from (f"{RANKS[rank]} of {word}", f"{RANKS[rank]} of {word[:-1]}", f"{RANKS[rank]} {word}")


@given(faces, st.data(), st.sampled_from(["", ".", ",", "!", " please", ", thanks"]), st.booleans())
def test_every_spelling_of_every_card_is_understood(code, data, end, small):
    text = data.draw(st.sampled_from(sorted(ways(code)))) + end
    typed = text.lower() if small else text.upper()
    assert parse_answer(typed) == TypedLine(cards=(code,), is_doubtful=typed[:2] in ("ah", "as"))


@given(
    st.lists(faces, min_size=1, max_size=5), st.data(), st.sampled_from([" ", ", ", "; ", " and ", "/", " & ", " - "])
)
def test_several_cards_may_stand_on_one_line(codes, data, between):
    written = [data.draw(st.sampled_from(sorted(ways(code)))) for code in codes]
    assert parse_answer(between.join(written)) == TypedLine(cards=tuple(codes))


@given(st.lists(faces, min_size=1, max_size=5))
def test_card_codes_are_never_ambiguous(codes):
    assert parse_answer(" ".join(codes)) == TypedLine(cards=tuple(codes))
    assert parse_answer(f"pass {', '.join(codes)}") == TypedLine(cards=tuple(codes), verb="pass")


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Pik Dame", "QS"),
        ("Herz 10", "TH"),
        ("Kreuz-As, Karo-Bube", "AC JD"),
        ("Pik König und", None),
        ("dame de pique", "QS"),
        ("as de trèfle", "AC"),
        ("roi de cœur", "KH"),
        ("valet carreau", "JD"),
        ("reina de picas", "QS"),
        ("rey de corazones", "KH"),
        ("as de tréboles", "AC"),
        ("schoppen vrouw", "QS"),
        ("ruiten boer", "JD"),
        ("harten aas", "AH"),
        ("as", "AS"),
        ("ＱＳ", "QS"),
        ("Q❤️", "QH"),
        ("*QS*", "QS"),
        ("«Q♠»", "QS"),
        ("> ".join(["", "QS"]), "QS"),
        ("I play QS", "QS"),
        ("Please play the queen of spades", "QS"),
        ("I'll play QS", "QS"),
        ("I’ll play: Q♠", "QS"),
        ("QS thx", "QS"),
        ("QS 👍🏽", "QS"),
        ("QS :)", "QS"),
        ("QS (Q♠)", "QS QS"),
        ("Pikdame", "QS"),
        ("Herzass Karo7", "AH 7D"),
        ("Kreuz Zehn", "TC"),
        ("la dame de pique", "QS"),
        ("dix de carreau", "TD"),
        ("siete de picas", "7S"),
        ("schoppen negen", "9S"),
        ("Q♠️4♦️10♥️", "QS 4D TH"),
        ("qs4d10h", "QS 4D TH"),
        ("٦♣", "6C"),
        ("♣۱۰", "TC"),
        ("🃖", "6C"),
        ("🂡🃎 🂭", "AS KD QS"),
        ("QS 🃞", "QS KC"),
        ("sei di fiori", "6C"),
        ("L'asso di picche", "AS"),
        ("il re di cuori, fante di quadri", "KH JD"),
        ("szóstka trefl", "6C"),
        ("Szostka Kier", "6H"),
        ("damę pik", "QS"),
        ("o rei de copas", "KH"),
        ("dez de paus", "TC"),
        ("três de ouros", "3D"),
        ("Hello! 6C", "6C"),
        ("Hi Ann and Bo, I play 6C, please", "6C"),
        ("Ciao a tutti: sei di fiori", "6C"),
        ("你好，6C", "6C"),
    ],
)
def test_other_names_of_cards_are_understood(text, cards):
    read = parse_answer(text)
    assert (read and " ".join(read.cards)) == cards


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a heart", id="some heart"),
        pytest.param("a spade", id="some spade"),
        pytest.param("queens", id="not the queen of s"),
        pytest.param("tens", id="not the ten of s"),
        pytest.param("QS?", id="a question"),
        pytest.param("not QS", id="the contrary"),
        pytest.param("QS or KS", id="a choice"),
        pytest.param("I might play QS", id="a thought"),
        pytest.param("QS, then KS", id="two steps"),
        pytest.param("I'm QS", id="no verb"),
        pytest.param("SQ", id="turned letters"),
        pytest.param("S Q", id="turned letters apart"),
        pytest.param("1S", id="a one"),
        pytest.param("Q♠QS", id="one card glued, as in a quotation"),
        pytest.param("Q♠QS K♠KS", id="two cards glued, as in a quotation"),
        pytest.param("QS 👎", id="a hand that does not agree"),
        pytest.param("QS (not KS)", id="the contrary in brackets"),
        pytest.param("🃏", id="a joker"),
        pytest.param("🃜", id="a knight"),
        pytest.param("Hi not QS", id="the contrary behind a greeting"),
        pytest.param("Hello there, QS or KS", id="a choice behind a greeting"),
        pytest.param("Highest 6C", id="a word that begins like a greeting"),
        pytest.param("pika", id="a suit with a letter"),
        pytest.param("11H", id="an eleven"),
        pytest.param("queen", id="half a card"),
        pytest.param("spades", id="the other half"),
        pytest.param("QS KS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C", id="too many"),
        pytest.param("play ok", id="a verb for a word"),
        pytest.param("ok ok", id="a word twice"),
        pytest.param("stop sending me these", id="a word within others"),
        pytest.param("away until monday", id="a word with more"),
        pytest.param("and", id="only and"),
        pytest.param("QS and", id="and behind the last"),
        pytest.param("", id="nothing"),
        pytest.param("...", id="dots"),
        pytest.param("5 7", id="two numbers"),
        pytest.param("Hearts by Mail", id="our name"),
    ],
)
def test_a_line_that_is_no_answer_is_not_understood(text):
    assert parse_answer(text) is None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("away 5 days", "away 5"),
        ("Away for 1 day, please.", "away 1"),
        ("away 2 weeks", "away 14"),
        ("away until 3 May", "away until 3 5"),
        ("away till 3 May", "away until 3 5"),
        ("I’m away for 2 weeks", "away 14"),
        ("I am back!", "back"),
        ("AWAY UNTIL THE 31ST OF DECEMBER!", "away until 31 12"),
        ("away until Sept. 1st", "away until 1 9"),
        ("away until February 29", "away until 29 2"),
    ],
)
def test_an_absence_may_name_its_end(text, word):
    assert parse_answer(text) == TypedLine(word=word)


@pytest.mark.parametrize(
    "text",
    ["away 0 days", "away 366 days", "away 53 weeks", "away 5", "away until 31 June", "away until May", "away 5 days?"],
)
def test_an_absence_with_an_impossible_end_is_not_understood(text):
    assert parse_answer(text) is None


@given(st.sampled_from(sorted(COMMANDS)), st.sampled_from(["", ".", "!", " please", ", thank you"]), st.booleans())
def test_a_command_may_be_capitalized_and_polite(word, end, large):
    assert parse_answer((word.upper() if large else word) + end) == TypedLine(word=COMMANDS[word])


@given(st.text(max_size=60))
def test_any_line_is_an_answer_or_none(text):
    read = parse_answer(text)
    assert read is None or bool(read.cards) is (read.word is None)


@given(
    st.lists(st.sampled_from(["as", "de", "pik", "dame", "5", "q", "s", "♠", "of", "and", "the", "play"]), max_size=24)
)
def test_no_line_of_words_takes_long_to_parse(words):
    parse_answer(" ".join(words))


@pytest.mark.parametrize(
    "text",
    [
        *("9S unless queen", "9S unless rain", "9S unless", "9S if points", "9S if points else 4S", "9S else 4S"),
        *("9S then lead 4D", "9S then", "I'd say 9S", "9S I think"),
    ],
)
def test_a_card_with_terms_is_no_answer(text):
    assert parse_answer(text) is None


@pytest.mark.parametrize(
    ("text", "is_doubtful"),
    [
        *(("Ah!", True), ("ah", True), ("as", True), ("As.", True), ("Ah, thanks", True), ("ah ah!", True)),
        *(("Hello, ah", True), ("AH", False), ("AS!", False), ("ＡＨ", False), ("A♥", False), ("a♥", False)),
        *(
            ("as ks", False),
            ("play as", False),
            ("hand 2 as", False),
            ("ace of spades", False),
        ),
        *(("ad", False), ("ac", False)),
    ],
)
def test_an_exclamation_alone_is_doubtful_unless_in_capitals(text, is_doubtful):
    assert parse_answer(text).is_doubtful is is_doubtful


@pytest.mark.parametrize(
    ("text", "greets"),
    [
        *(("Hi,", True), ("Hallo!", True), ("Hello Ann and Bo,", True), ("Dear all:", True), ("Guten Morgen,", True)),
        *(
            ("Buongiorno a tutti!", True),
            ("Cześć,", True),
            ("Привет!", True),
            ("大家好", True),
            ("Liebe Ann, lieber Bo,", True),
        ),
        *(("Hi! How are you?", False), ("Hello Ann, QS or KS", False), ("Hi, what is the score of our game", False)),
        *(("Hid", False), ("QS", False), ("", False)),
    ],
)
def test_a_greeting_says_nothing_else(text, greets):
    assert is_greeting(text) is greets


@pytest.mark.parametrize(
    ("language", "text", "cards"),
    [
        ("de", "Pik Dame", "QS"),
        ("de", "pik-dame, Herz 10; Karo-As", "QS TH AD"),
        ("de", "D♠", "QS"),
        ("de", "♠D", "QS"),
        ("de", "Ich spiele bitte Pik Dame", "QS"),
        ("de", "PD", None),
        ("de", "HD", "QH"),
        ("de", "KrB", "JC"),
        ("de", "KaD", "QD"),
        ("de", "KD", None),
        ("de", "QS", "QS"),
        ("de", "die Pik Dame und das Herz Ass", "QS AH"),
        ("fr", "dame de pique", "QS"),
        ("fr", "la dame de pique, le roi de cœur et l’as de trèfle", "QS KH AC"),
        ("fr", "D♠ V♦ R♥", "QS JD KH"),
        ("fr", "D♠V♦R♥", "QS JD KH"),
        ("fr", "je joue la dame de pique, s’il vous plaît", "QS"),
        ("fr", "7C", None),
        ("es", "dama de espadas", "QS"),
        ("es", "juego la reina de picas", "QS"),
        ("es", "rey de corazones y as de tréboles", "KH AC"),
        ("it", "donna di picche", "QS"),
        ("it", "regina di picche", "QS"),
        ("it", "FQ", None),
        ("pt_BR", "a dama de espadas", "QS"),
        ("pt_PT", "a dama de espadas, o rei de copas e o ás de paus", "QS KH AC"),
        ("pt_PT", "V♦", "JD"),
        ("pt_BR", "QE", "QS"),
        ("nl", "schoppenvrouw", "QS"),
        ("nl", "Schoppen vrouw", "QS"),
        ("nl", "ruitenboer hartenheer klaveren10", "JD KH TC"),
        ("nl", "V♠", "QS"),
        ("nl", "SV", "QS"),
        ("nl", "KH", None),
        ("pl", "dama pik", "QS"),
        ("pl", "damę pik", "QS"),
        ("pl", "króla kier, waleta karo i asa trefl", "KH JD AC"),
        ("pl", "D♠ W♦", "QS JD"),
        ("ja", "スペードのQ", "QS"),
        ("ja", "スペＱ", "QS"),
        ("ja", "ｽﾍﾟｰﾄﾞのクイーン", "QS"),
        ("ja", "スペードのQハートの10ダイヤのA", "QS TH AD"),
        ("ja", "スペードのQ、ハートの10とダイヤのAです", "QS TH AD"),
        ("ja", "♠12", "QS"),
        ("ja", "♠12♥10♦1", "QS TH AD"),
        ("ja", "♠Q♥10♦A", "QS TH AD"),
        ("ja", "SQ", "QS"),
        ("ja", "スペードのQを出します", "QS"),
        ("ar", "بنت البستوني", "QS"),
        ("ar", "بنت بستوني", "QS"),
        ("ar", "٧♠", "7S"),
        ("ar", "١٠ كبة، والملك ديناري وولد السباتي", "TH KD JC"),
        ("ar", "آص الكُبّة", "AH"),
        ("ar", "بنت سبيت", None),
        ("en", "D♠", "QS"),
        ("en", "V♠", None),
        ("en", "H♥", None),
        ("en", "♠12", None),
        ("en", "SQ", None),
        ("en", "KD 7C", "KD 7C"),
    ],
)
def test_cards_are_read_in_the_language_of_the_mail(language, text, cards):
    read = parse_answer(text, language)
    assert (read and " ".join(read.cards)) == cards


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "text", ["Pik Dame", "damę pik", "スペードのQ", "بنت البستوني", "schoppenvrouw", "Q♠", "♠Q", "QS"]
)
def test_names_and_symbols_are_read_in_every_language(language, text):
    assert parse_answer(text, language) == TypedLine(cards=("QS",))


@pytest.mark.parametrize(
    ("language", "text", "several"),
    [
        ("fr", "7C", "7C 7H"),
        ("fr", "QS, 7c", "7C 7H"),
        ("de", "KD", "KD QC QD"),
        ("nl", "KH", "KC KH"),
        ("it", "fq", "JD QC"),
        ("es", "V♠", "JS QS"),
        ("ar", "بنت سبيت", "QC QS"),
        ("en", "7C", ""),
        ("fr", "7X", ""),
    ],
)
def test_a_code_with_several_meanings_is_known_as_such(language, text, several):
    assert (" ".join(choices(text, language)), parse_answer(text, language) is None) == (
        several,
        text != "7C" or bool(several),
    )


@pytest.mark.parametrize(
    ("language", "text", "is_doubtful"),
    [
        *(("fr", "8h", True), ("fr", "10 h", True), ("de", "8h.", True), ("es", "5 d", True), ("pt_PT", "5d", True)),
        *(("fr", "As", True), ("pl", "AS", True), ("pt_BR", "às", True), ("ja", "AS", False), ("nl", "ha!", True)),
        *(("fr", "8H", False), ("fr", "8h 9h", False), ("fr", "8♥", False), ("en", "8h", False), ("en", "5 d", False)),
    ],
)
def test_a_time_or_a_word_alone_is_doubtful(language, text, is_doubtful):
    assert parse_answer(text, language).is_doubtful is is_doubtful


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_all_pairs_of_signs_only_clear_ones_are_read(language):
    signs = [*"abcdefghijklmnopqrstuvwxyz23456789", "10"]
    for code in (first + second for first in signs for second in signs):
        read = parse_answer(code.upper(), language)
        if read and read.cards:
            named = code_names(code, language) | code_names(code, "en")
            assert {read.cards} == {(card,) for card in named}, code


VOCABULARY = {
    language: [
        *" ".join(table[language[:2]] for table in (RANK_WORDS, SUIT_WORDS)).replace("/", " ").split(),
        *" ".join(LETTERS[language[:2]]).replace("/", " ").split(),
        *(
            "of",
            "de",
            "di",
            "の",
            "und",
            "et",
            "y",
            "と",
            "و",
            "la",
            "a",
            "o",
            "2",
            "7",
            "10",
            "12",
            "Q",
            "K",
            "as",
            "h",
            "s",
        ),
        *SIGNS,
    ]
    for language in LANGUAGES
}


@given(st.sampled_from(LANGUAGES), st.data(), st.lists(st.sampled_from(["", " ", ", "]), min_size=7, max_size=7))
def test_no_card_is_read_that_the_text_does_not_name(language, data, between):
    words = data.draw(st.lists(st.sampled_from(VOCABULARY[language]), min_size=1, max_size=7))
    text = "".join(word + blank for word, blank in zip(words, between, strict=False))
    read = parse_answer(text, language)
    assert read is None or read.word or read.cards in set(readings(text, language))


@given(faces, st.sampled_from(LANGUAGES), st.booleans())
def test_what_mails_teach_plays_that_card_alone(code, language, small):
    taught = code_to_teach(code, language)
    read = parse_answer(taught.lower() if small else taught, language)
    assert read.cards == (code,)
    assert read.is_doubtful is (language == "en" and small and code in ("AH", "AS"))


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        ("de", "ja", "ok"),
        ("de", "Nein!", "no"),
        ("de", "Karten, bitte", "cards"),
        ("de", "meine Karten", "cards"),
        ("de", "Stand", "score"),
        ("de", "weg", "away"),
        ("de", "Ich bin weg", "away"),
        ("de", "bin zurück", "back"),
        ("de", "zurueck", "back"),
        ("de", "5 Tage weg", "away 5"),
        ("de", "bin 2 Wochen weg", "away 14"),
        ("de", "weg bis 5. Mai", "away until 5 5"),
        ("de", "bis zum 5. März abwesend", "away until 5 3"),
        ("de", "abwesend bis 1. Jänner", "away until 1 1"),
        ("de", "Stopp", "stop"),
        ("de", "Hilfe", "help"),
        ("fr", "oui", "ok"),
        ("fr", "non", "no"),
        ("fr", "mes cartes", "cards"),
        ("fr", "absent jusqu’au 1er août", "away until 1 8"),
        ("fr", "absence jusqu'au 5 mai", "away until 5 5"),
        ("fr", "absente pendant 5 jours", "away 5"),
        ("fr", "je suis absente 2 semaines", "away 14"),
        ("fr", "je suis de retour", "back"),
        ("fr", "aide", "help"),
        ("fr", "S’il vous plaît, aide", "help"),
        ("es", "sí", "ok"),
        ("es", "si", "ok"),
        ("es", "ausente hasta el 5 de mayo", "away until 5 5"),
        ("es", "ausente 5 días", "away 5"),
        ("es", "estoy ausente 1 semana", "away 7"),
        ("es", "ayuda, por favor", "help"),
        ("es", "vuelvo", "back"),
        ("es", "puntos", "score"),
        ("it", "sì", "ok"),
        ("it", "assente fino al 1º maggio", "away until 1 5"),
        ("it", "assente fino all’8 maggio", "away until 8 5"),
        ("it", "assente per 5 giorni", "away 5"),
        ("it", "aiuto", "help"),
        ("it", "rientro", "back"),
        ("pt_BR", "não", "no"),
        ("pt_BR", "ausente até 5 de maio", "away until 5 5"),
        ("pt_PT", "ausente até ao dia 5 de maio", "away until 5 5"),
        ("pt_PT", "ausente por 2 semanas", "away 14"),
        ("pt_PT", "voltei", "back"),
        ("pt_PT", "placar", "score"),
        ("nl", "5 dagen weg", "away 5"),
        ("nl", "weg tot en met 5 mei", "away until 5 5"),
        ("nl", "afwezig t/m 5 maart", "away until 5 3"),
        ("nl", "ik ben 1 week weg", "away 7"),
        ("nl", "terug", "back"),
        ("nl", "hulp", "help"),
        ("pl", "tak", "ok"),
        ("pl", "nie", "no"),
        ("pl", "no", None),
        ("pl", "nieobecność do 5 maja", "away until 5 5"),
        ("pl", "nieobecnosc do 5 wrzesnia", "away until 5 9"),
        ("pl", "nieobecna przez 5 dni", "away 5"),
        ("pl", "jestem nieobecny 1 tydzień", "away 7"),
        ("pl", "wracam", "back"),
        ("pl", "pomoc", "help"),
        ("ja", "はい", "ok"),
        ("ja", "いいえ", "no"),
        ("ja", "手札", "cards"),
        ("ja", "5日間不在", "away 5"),
        ("ja", "５日間不在です", "away 5"),
        ("ja", "2週間不在", "away 14"),
        ("ja", "5月3日まで不在", "away until 3 5"),
        ("ja", "不在 5月3日まで", "away until 3 5"),
        ("ja", "復帰", "back"),
        ("ja", "ヘルプ", "help"),
        ("ja", "はい、お願いします", "ok"),
        ("ar", "نعم", "ok"),
        ("ar", "لا", "no"),
        ("ar", "أوراقي", "cards"),
        ("ar", "غياب ٥ أيام", "away 5"),
        ("ar", "غياب يومين", "away 2"),
        ("ar", "غياب لمدة أسبوعين", "away 14"),
        ("ar", "غياب حتى ٥ مايو", "away until 5 5"),
        ("ar", "غياب حتى 5 أيار", "away until 5 5"),
        ("ar", "غياب حتى ٣ كانون الثاني", "away until 3 1"),
        ("ar", "غياب حتى 5 ماي", "away until 5 5"),
        ("ar", "عودة", "back"),
        ("ar", "إيقاف", "stop"),
        ("ar", "ايقاف", "stop"),
        ("ar", "مساعدة", "help"),
        ("en", "ja", "ok"),
        ("en", "away until Sept. 1st", "away until 1 9"),
        ("de", "away until 3 May", "away until 3 5"),
        ("de", "weg 400 Tage", None),
        ("de", "weg bis 31. Juni", None),
        ("de", "weg bis Mai", None),
        ("de", "weg bis 5", None),
        ("fr", "pas absent", None),
        ("de", "ich bin nicht weg", None),
    ],
)
def test_commands_and_absences_are_read_in_each_language(language, text, word):
    read = parse_answer(text, language)
    assert (read and read.word) == word


@pytest.mark.parametrize("month", range(1, 13))
@pytest.mark.parametrize(
    ("locale", "until"),
    [
        *(
            ("en", "away until {day} {month}"),
            ("de", "weg bis {day}. {month}"),
            ("fr", "absence jusqu’au {day} {month}"),
        ),
        *(("es", "ausente hasta el {day} de {month}"), ("it", "assente fino al {day} {month}")),
        *(
            ("pt", "ausente até {day} de {month}"),
            ("nl", "tot {day} {month} weg"),
            ("pl", "nieobecność do {day} {month}"),
        ),
        *(("ja", "{month}{day}日まで不在"), ("ar", "غياب حتى {day} {month}"), ("ar_LB", "غياب حتى {day} {month}")),
    ],
)
def test_every_month_is_known_in_each_language(locale, until, month):
    for width in ("wide", "abbreviated"):
        name = get_month_names(width, locale=locale)[month]
        text = until.format(day=month + 1, month=name)
        assert parse_answer(text, locale) == TypedLine(word=f"away until {month + 1} {month}"), text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Runde 2 QS"),
        ("de", "Runde 2: Pik Dame"),
        ("fr", "manche 2 D♠"),
        ("es", "mano 2: dama de espadas"),
        ("it", "smazzata 2 donna di picche"),
        ("pt_BR", "mão 2 dama de espadas"),
        ("pt_BR", "mao 2, QS"),
        ("nl", "ronde 2 schoppenvrouw"),
        ("pl", "rozdanie 2: damę pik"),
        ("ja", "ラウンド2 スペQ"),
        ("ja", "ラウンド２：スペードのQ"),
        ("ja", "ラウンド2スペードのQ"),
        ("ar", "جولة ٢ بنت البستوني"),
        ("ar", "الجولة ٢: بنت البستوني"),
        ("fr", "hand 2 QS"),
    ],
)
def test_a_hand_is_named_in_each_language(language, text):
    assert parse_answer(text, language) == TypedLine(cards=("QS",), hand=2)
    assert hand_named(text) == 2


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("4H 6H, mão 2 QS", ["4H 6H", "mão 2 QS"]),
        ("Herz 4; Runde 2 Pik Dame", ["Herz 4", "Runde 2 Pik Dame"]),
        ("♥4 ♥6、ラウンド2 スペQ", ["♥4 ♥6", "ラウンド2 スペQ"]),
    ],
)
def test_a_hand_behind_another_answer_is_found_in_each_language(text, parts):
    assert by_hand(text, "ja") == parts
