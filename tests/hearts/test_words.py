"""Sentences that are said later: in English by themselves, and in rows."""

import pytest

from hearts.words import Sentence, later, later_many, read, written

GUARDS = "One low spade does not guard {high}: pass {cards}.", "{number} low spades do not guard {high}: pass {cards}."


@pytest.mark.parametrize(
    ("sentence", "english"),
    [
        (later("You must follow clubs."), "You must follow clubs."),
        (later("{card} stays under {best}.", card="TD", best="KD"), "10♦ stays under K♦."),
        (later("{card} wins, while {lower} are out.", lower=3).about(card="AC"), "A♣ wins, while 3 are out."),
        (later_many(1, *GUARDS, high="QS", cards="QS AH"), "One low spade does not guard Q♠: pass Q♠ and A♥."),
        (later_many(2, *GUARDS, high="KS", cards="KS"), "2 low spades do not guard K♠: pass K♠."),
    ],
)
def test_a_sentence_is_english_and_a_row_keeps_it(sentence: Sentence, english: str):
    assert (str(sentence), read(written(sentence))) == (english, sentence)


def test_an_older_rows_english_stays():
    assert str(read("10♦ is the only card that you may play.")) == "10♦ is the only card that you may play."
